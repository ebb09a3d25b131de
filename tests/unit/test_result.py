from __future__ import annotations

import json
import zipfile
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import sparsespan as ss


@pytest.fixture(scope="module")
def found():
    return ss.sparsest(ss.models.planted(120, 6, 20, "gaussian", seed=1).columns)


@pytest.fixture(scope="module")
def loose():
    """A result whose certificate holds infinities: nothing determines the point."""
    columns = np.vstack([np.repeat(np.eye(4)[:2], 30, axis=0), 1e-3 * np.random.default_rng(0).standard_normal((9, 4))])
    result = ss.sparsest(columns)
    return replace(result, certificate=replace(result.certificate, kappa=np.inf, gap=np.inf, rank=1))


def assert_same(first, second):
    for name in ("vector", "point", "support"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    for name in ("certificate", "status", "runs", "method", "rank", "seconds", "l1", "certified"):
        assert getattr(first, name) == getattr(second, name)


@pytest.mark.parametrize("kind", ["found", "loose"])
def test_a_saved_result_loads_back_as_it_was(tmp_path, request, kind):
    result = request.getfixturevalue(kind)
    result.save(tmp_path / "result.npz")
    again = ss.load(str(tmp_path / "result.npz"))
    assert_same(result, again)
    assert repr(result) == repr(again)


def test_the_suffix_is_left_to_the_user(tmp_path, found):
    found.save(tmp_path / "result.bin")
    assert [path.name for path in tmp_path.iterdir()] == ["result.bin"]
    assert_same(found, ss.load(tmp_path / "result.bin"))


@pytest.mark.parametrize("kind", ["found", "loose"])
def test_the_summary_is_json_without_infinities(request, kind):
    result = request.getfixturevalue(kind)

    def refuse(constant):
        pytest.fail(f"{constant} is no JSON")

    summary = json.loads(json.dumps(result.summary()), parse_constant=refuse)
    assert summary["nonzeros"] == result.support.size
    assert (summary["size"], summary["dim"]) == (result.vector.size, result.point.size)
    assert summary["l1"] == result.l1
    assert summary["certified"] is result.certified
    assert summary["status"] == result.status.value
    assert summary["certificate"]["unique"] is result.certificate.unique
    assert summary["certificate"]["kappa"] == (None if np.isinf(result.certificate.kappa) else result.certificate.kappa)
    assert len(summary["runs"]) == len(result.runs)


def test_arrays_are_read_only_and_fields_frozen(found):
    for array in (found.vector, found.point, found.support):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for change in ({"l1": 0.0}, {"seconds": 0.0}):
        with pytest.raises(FrozenInstanceError):
            setattr(found, *change.popitem())


def test_loaded_arrays_are_read_only_too(tmp_path, found):
    found.save(tmp_path / "result.npz")
    assert not ss.load(tmp_path / "result.npz").vector.flags.writeable


def test_it_prints_what_matters(found):
    assert repr(found) == (
        f"SparseVector(size=120, nonzeros=20, l1={found.l1:.6g}, certified, status='found', "
        "method='Auto(starts=None, effort=1.0)')"
    )


@pytest.mark.parametrize("status", ss.Status)
def test_every_status_has_a_meaning_and_advice_where_something_can_be_done(status):
    assert status.meaning
    assert bool(status.advice) == (status not in (ss.Status.FOUND, ss.Status.FORCED))


def saved(path, found, **changes):
    found.save(path)
    with np.load(path) as archive:
        parts = dict(archive)
    meta = json.loads(str(parts["meta"])) | changes
    np.savez(path, **(parts | {"meta": np.array(json.dumps(meta))}))


@pytest.mark.parametrize(
    "change",
    [
        {"status": "splendid"},
        {"certificate": {"dim": 3}},
        {"certificate": None},
        {"runs": 5},
        {"runs": [{"start": "x"}]},
        {"kind": "SparseBasis"},
    ],
    ids=str,
)
def test_results_with_foreign_contents_are_refused(tmp_path, found, change):
    saved(tmp_path / "result.npz", found, **change)
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`; got .*result.npz"):
        ss.load(tmp_path / "result.npz")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.95, 0.999])
def test_truncated_results_are_refused(tmp_path, found, share):
    found.save(tmp_path / "result.npz")
    content = (tmp_path / "result.npz").read_bytes()
    (tmp_path / "result.npz").write_bytes(content[: int(share * len(content))])
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`"):
        ss.load(tmp_path / "result.npz")


def test_a_flipped_bit_is_noticed(tmp_path, found):
    found.save(tmp_path / "result.npz")
    with zipfile.ZipFile(tmp_path / "result.npz") as archive:
        start = archive.getinfo("vector.npy").header_offset
    content = bytearray((tmp_path / "result.npz").read_bytes())
    content[start + 200] ^= 1
    (tmp_path / "result.npz").write_bytes(content)
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`"):
        ss.load(tmp_path / "result.npz")


def test_files_that_are_no_results_are_refused(tmp_path):
    np.save(tmp_path / "array.npy", np.eye(3))
    np.savez(tmp_path / "other.npz", a=np.eye(3))
    np.savez(tmp_path / "pickled.npz", meta=np.array([{"a": object}], dtype=object), vector=[1], point=[1])
    (tmp_path / "text.npz").write_text("not a zip", encoding="utf-8")
    for name in ("array.npy", "other.npz", "pickled.npz", "text.npz", "absent.npz", "."):
        with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`"):
            ss.load(tmp_path / name)
