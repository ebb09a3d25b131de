from __future__ import annotations

import json
import math
import zipfile
from dataclasses import FrozenInstanceError, asdict, replace

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


def spoilt(path, found, name, value):
    found.save(path)
    with np.load(path) as archive:
        parts = dict(archive)
    np.savez(path, **(parts | {name: value}))


def certificate(**changes):
    return {"certificate": lambda found: {**asdict(found.certificate), **changes}}


@pytest.mark.parametrize(
    "change",
    [
        certificate(zeros="many"),
        certificate(kappa="0.1"),
        certificate(kappa=None),
        certificate(forced=1),
        certificate(dim=6.0),
        certificate(chance=math.nan),
        certificate(noise="none"),
        certificate(dim=7),
        certificate(dim=5),
        certificate(dim=0),
        certificate(rank=-1),
        certificate(zeros=101),
        certificate(zeros=-1),
        {"seconds": lambda _: "soon"},
        {"seconds": lambda _: math.nan},
        {"method": lambda _: 5},
        {"tried": lambda _: [3]},
        {"tried": lambda _: 3},
        {"runs": lambda found: [{**asdict(found.runs[0]), "l1": "small"}]},
        {"runs": lambda found: [{**asdict(found.runs[0]), "steps": 1.5}]},
    ],
)
def test_figures_that_are_none_are_not_loaded_as_certified(tmp_path, found, change):
    saved(tmp_path / "result.npz", found, **{name: value(found) for name, value in change.items()})
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`; got .*result.npz \(.+\)"):
        ss.load(tmp_path / "result.npz")


@pytest.mark.parametrize("name", ["vector", "point"])
@pytest.mark.parametrize(
    "change",
    [
        lambda x: x * np.nan,
        lambda x: np.where(x == x.max(), np.inf, x),
        lambda x: x[:-1],
        lambda x: x[:, None],
        lambda x: np.stack([x, x]),
        lambda x: 2.0 * x,
        lambda x: 0.0 * x,
        lambda x: x.astype(str),
        lambda x: x.astype(np.float32),
        lambda x: x + 0j,
        lambda x: np.zeros(0),
        lambda x: np.float64(1.0),
    ],
)
def test_arrays_that_are_no_unit_vectors_are_refused(tmp_path, found, name, change):
    spoilt(tmp_path / "result.npz", found, name, change(getattr(found, name)))
    with pytest.raises(ss.InvalidInput, match=r"`path` must name a result written by `save`; got .*result.npz \(.+\)"):
        ss.load(tmp_path / "result.npz")


@pytest.mark.parametrize(("offset", "value"), [(4, 99), (6, 1), (8, 99)], ids=["version", "encryption", "compression"])
def test_archives_that_cannot_be_unpacked_are_refused(tmp_path, found, offset, value):
    """The bytes of the central directory say how an entry is packed; Python's reader gives up in its own ways."""
    found.save(tmp_path / "result.npz")
    content = bytearray((tmp_path / "result.npz").read_bytes())
    start = -1
    while (start := content.find(b"PK\x01\x02", start + 1)) >= 0:
        content[start + offset + 2] = value
    (tmp_path / "result.npz").write_bytes(content)
    with pytest.raises(ss.InvalidInput, match="`path` must name a result written by `save`"):
        ss.load(tmp_path / "result.npz")


def test_json_nested_too_deeply_is_refused(tmp_path, found):
    deep = 100_000
    spoilt(tmp_path / "result.npz", found, "meta", np.array("[" * deep + "]" * deep))
    with pytest.raises(ss.InvalidInput, match="`path` must name a result written by `save`"):
        ss.load(tmp_path / "result.npz")


@pytest.mark.parametrize("way", [{}, {"joint": True}, {"orthogonal": False}], ids=str)
def test_a_vector_of_a_basis_is_saved_by_itself(tmp_path, way):
    basis = ss.sparse_basis(ss.models.dictionary(200, 5, 30, seed=1).columns, 3, **way)
    for item in basis:
        item.save(tmp_path / "item.npz")
        assert_same(item, ss.load(tmp_path / "item.npz"))
    basis.save(tmp_path / "basis.npz")
    assert ss.load(tmp_path / "basis.npz").certified is basis.certified


@pytest.mark.parametrize("path", [None, 5, b"x.npz", ["x.npz"]])
def test_what_is_no_file_name_is_refused(found, path):
    for use in (found.save, ss.Subspace.open):
        with pytest.raises(ss.InvalidInput, match=r"`path` must be the name of a file; got .* Pass a str or a Path"):
            use(path)
    with pytest.raises(ss.InvalidInput, match=r"`path` must"):
        ss.load(path)


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
