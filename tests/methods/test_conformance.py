"""What every registered method must do; a new file in the registry is tested by being there."""

from __future__ import annotations

import dataclasses
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods import Method, as_method, available

NAMES = list(available())
EXTRAS = {"lattice": "flint", "sos": "scs"}  # method -> the module of its extra
DENSE = {"alternating-lp", "er-spud", "l1-linf", "offset", "paper", "sdp", "sos", "spectral", "trust-region"}
INTEGERS = {"lattice", "offset"}  # methods whose guarantee asks for small-integer ratios
SMALL = {"exhaustive"}  # methods that refuse more than a few dimensions


def model(name: str, size: int = 120, dim: int = 6, nonzeros: int = 20, seed: int = 5) -> ss.models.Planted:
    """An instance far inside every guarantee."""
    dim = 3 if name in SMALL else dim
    if name == "offset":  # made for vectors of which most entries are equal and not zero
        return ss.models.planted(size, dim, 5 * size // 6, "ones", seed=seed)
    return ss.models.planted(size, dim, nonzeros, "signs" if name in INTEGERS else "gaussian", seed=seed)


def search(columns: object, name: str, **options: object) -> ss.SparseVector:
    if name in EXTRAS:
        pytest.importorskip(EXTRAS[name], reason=f"the extra of method {name!r} is not installed")
    return ss.sparsest(columns, name, **options)


@pytest.fixture(params=NAMES)
def name(request) -> str:
    return str(request.param)


def check(found: ss.SparseVector, subspace: ss.Subspace) -> None:
    """The contract of a result."""
    vector, certificate = found.vector, found.certificate
    assert abs(np.linalg.norm(vector) - 1.0) < 1e-14
    assert abs(np.linalg.norm(found.point) - 1.0) < 1e-12
    np.testing.assert_allclose(subspace.vectors(found.point), vector, atol=1e-12)
    assert vector[np.argmax(np.abs(vector))] > 0
    assert not vector.flags.writeable
    assert not found.point.flags.writeable
    assert not found.support.flags.writeable
    np.testing.assert_array_equal(found.support, np.flatnonzero(vector))
    assert found.l1 == pytest.approx(np.abs(vector).sum(), rel=1e-14)
    assert certificate.dim == subspace.dim
    assert certificate.zeros == np.count_nonzero((vector == 0) & ~subspace.null_rows)
    assert certificate.residual <= certificate.resolution
    assert found.certified == certificate.holds
    assert found.runs[0].l1 == pytest.approx(found.l1, rel=1e-12)
    assert all(run.multiplicity >= 1 and run.steps >= 0 and run.start for run in found.runs)
    if found.certified and not certificate.forced:
        assert certificate.zeros >= subspace.dim
        assert np.linalg.matrix_rank(subspace.basis[vector == 0]) == subspace.dim - 1


# ---- guarantee -------------------------------------------------------------------------------------------------------


def test_solves_a_planted_instance_within_its_guarantee(name):
    hidden = model(name)
    subspace = ss.Subspace.span(hidden.columns)
    found = search(subspace, name)
    check(found, subspace)
    assert found.certified
    assert found.status is ss.Status.FOUND
    assert hidden.error(found.vector) < 1e-13


@pytest.mark.parametrize("case", ["axes", "one column", "few rows", "zero rows", "equal rows", "integers", "generic"])
def test_degenerate_subspaces_have_defined_answers(name, case):
    rng = np.random.default_rng(3)
    columns = {
        "axes": np.eye(5),
        "one column": rng.standard_normal((9, 1)),
        "few rows": rng.standard_normal((6, 5)),
        "zero rows": np.vstack([rng.standard_normal((6, 3)), np.zeros((4, 3))]),
        "equal rows": np.repeat(rng.standard_normal((6, 3)), 3, axis=0),
        "integers": rng.integers(-1, 2, (20, 4)).astype(float),
        "generic": rng.standard_normal((24, 5)),
    }[case]
    subspace = ss.Subspace.span(columns)
    if name in INTEGERS and (name == "offset" or case != "integers"):
        pytest.skip("may refuse what has no small-integer ratios")
    found = search(subspace, name)
    check(found, subspace)
    if case == "axes":
        assert found.support.size == 1
    if case == "generic":
        assert not found.certified


# ---- symmetries ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["sign", "scale", "basis", "rows", "entries"])
def test_symmetries_of_the_problem_are_symmetries_of_the_answer(name, law):
    if (name, law) == ("offset", "entries"):
        pytest.skip("seeks vectors whose entries share one sign and value: a reflection takes that away")
    hidden = model(name)
    plain = search(hidden.columns, name).vector
    rng = np.random.default_rng(7)
    columns, expected = np.array(hidden.columns), plain.copy()
    if law == "sign":
        columns = -columns
    elif law == "scale":
        columns = columns * np.geomspace(1e-6, 1e7, columns.shape[1])
    elif law == "basis":
        columns = columns @ (rng.standard_normal((columns.shape[1],) * 2) + 3 * np.eye(columns.shape[1]))
    elif law == "rows":
        order = rng.permutation(len(columns))
        columns, expected = columns[order], expected[order]
    else:  # the signs of single entries: a reflection of the coordinates of R^p
        signs = rng.choice([-1.0, 1.0], len(columns))
        columns, expected = signs[:, None] * columns, signs * expected
    got = search(columns, name).vector
    assert min(np.abs(got - expected).max(), np.abs(got + expected).max()) < 1e-12
    np.testing.assert_array_equal(got == 0, expected == 0)


# ---- determinism and limits ------------------------------------------------------------------------------------------


def test_one_seed_one_answer(name):
    columns = np.random.default_rng(11).standard_normal((30, 5)) if name not in INTEGERS else model(name).columns
    first = search(columns, name, seed=4)
    np.random.default_rng().standard_normal(3)
    second = search(columns, name, seed=4)
    np.testing.assert_array_equal(first.vector, second.vector)
    assert [dataclasses.replace(run, notes={}) for run in first.runs] == [
        dataclasses.replace(run, notes={}) for run in second.runs
    ]


@pytest.mark.parametrize("limit", ["deadline", "interruption"])
def test_limits_end_the_search_with_its_first_vector(name, limit):
    if name in INTEGERS:
        pytest.skip("refuses a subspace without small integers")
    columns = np.random.default_rng(2).standard_normal((90, 3 if name in SMALL else 8))
    subspace = ss.Subspace.span(columns)
    limits = {"deadline": 1e-9} if limit == "deadline" else {"interrupted": lambda: True}
    found = search(subspace, name, **limits)
    check(found, subspace)
    assert found.status is (ss.Status.DEADLINE if limit == "deadline" else ss.Status.INTERRUPTED)
    assert sum(run.multiplicity for run in found.runs) <= 120  # at most a batch of starts that were not iterated


def test_progress_is_told_and_grows(name):
    told: list[tuple[float, str]] = []
    search(model(name).columns, name, progress=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert told
    assert all(0.0 <= share <= 1.0 and doing for share, doing in told)
    assert shares == sorted(shares)


# ---- options ---------------------------------------------------------------------------------------------------------


def wrong(default: object) -> object:
    """A value of the option's kind that no method can use."""
    if isinstance(default, int):
        return -1
    if isinstance(default, float):
        return float("nan")
    return () if isinstance(default, tuple) else "nonsense"


OPTIONS = [
    (method, option.name, option.default)
    for method, cls in available().items()
    for option in dataclasses.fields(cls)
    if not isinstance(option.default, bool)
]


@pytest.mark.parametrize(("name", "option", "default"), OPTIONS, ids=[f"{n}-{o}" for n, o, _ in OPTIONS])
def test_an_option_out_of_range_is_refused_by_name(name, option, default):
    with pytest.raises(ss.InvalidInput, match=f"`{option}` must"):
        as_method(name, {option: wrong(default)})


PLAIN = {
    "bool": (1, 0, None, "yes", np.ones(2), 1.0),
    "int": (1.5, True, None, "3", np.ones(2, dtype=int), [3]),
    "float": (np.inf, -np.inf, np.nan, 10**400, None, "x", True, np.ones(2), [0.5], 1j),
}
PLAIN_OPTIONS = [
    (method, option.name, str(option.type), value)
    for method, cls in available().items()
    for option in dataclasses.fields(cls)
    for value in PLAIN.get(str(option.type), ())
]


@pytest.mark.parametrize(
    ("name", "option", "kind", "value"),
    PLAIN_OPTIONS,
    ids=[f"{name}-{option}-{value!r:.20}" for name, option, _, value in PLAIN_OPTIONS],
)
def test_an_option_of_another_type_is_refused_by_name_and_method(name, option, kind, value):
    told = {"bool": "True or False", "int": "a whole number", "float": "a finite real number"}[kind]
    with pytest.raises(ss.InvalidInput, match=rf"`{option}` must be {told} for method '{name}'; got .*default is"):
        as_method(name, {option: value})


def test_numbers_of_numpy_are_numbers():
    method = as_method("adm", {"max_iter": np.int32(7), "tol": np.float32(0.5), "first": np.bool_(True)})
    assert (method.max_iter, method.tol, bool(method.first)) == (7, 0.5, True)
    assert as_method("adm", {"tol": 1}).tol == 1


def test_none_stands_where_it_is_declared():
    assert as_method("lattice", {"rows": None}).rows is None
    with pytest.raises(ss.InvalidInput, match=r"`rows` must be a whole number or None for method 'lattice'; got 1.5"):
        as_method("lattice", {"rows": 1.5})


@pytest.mark.parametrize("value", [1, None, 1.5, "x", [], [[]], [np.ones(2)], ["heavy", 3], np.ones(2), {"heavy": 1}])
@pytest.mark.parametrize("name", ["l4", "fastica"])
def test_tails_are_heavy_or_light(name, value):
    with pytest.raises(ss.InvalidInput, match="`tails` must be 'heavy', 'light' or both; got"):
        as_method(name, {"tails": value})


@pytest.mark.parametrize("value", [1, None, 1.5, "x", [], [0.5], [np.inf], [np.nan], ["2"], [[2.0]], np.ones((2, 2))])
def test_shares_are_numbers_of_at_least_one(value):
    with pytest.raises(ss.InvalidInput, match=r"`shares` must be numbers of at least 1, at least one of them; got"):
        as_method("trimming", {"shares": value})


@pytest.mark.parametrize(("name", "option"), [("spectral", "ends"), ("er-spud", "anchors"), ("fastica", "contrast")])
@pytest.mark.parametrize("value", [None, 3, np.array(["rows", "pairs"]), ["rows"]])
def test_words_are_words(name, option, value):
    with pytest.raises(ss.InvalidInput, match=f"`{option}` must be '"):
        as_method(name, {option: value})


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("trimming", {"max_iter": 10**9, "shares": (1.0, 1.5)}),
        ("reweighted", {"repeats": 10**9}),
        ("offset", {"max_iter": 10**9}),
    ],
)
def test_no_loop_outlives_its_deadline(name, options):
    """With so many steps asked for, the test would never end if the loops did not look at the watch."""
    columns = np.random.default_rng(3).standard_normal((80, 9))
    if name == "offset":
        with pytest.raises(ss.NotConverged):
            ss.sparsest(columns + 1.0, name, deadline=0.2, **options)
    else:
        assert ss.sparsest(columns, name, deadline=0.2, **options).status is ss.Status.DEADLINE


def test_a_lattice_that_takes_too_long_is_not_reduced():
    pytest.importorskip("flint", reason="the extra of method 'lattice' is not installed")
    hidden = model("lattice", 400, 100, 200)
    message = (
        r"`deadline` must leave time for .*: left out, the reduction of a lattice of dimension \d+ takes about \S+ s"
    )
    with pytest.raises(ss.NotConverged, match=message):
        ss.sparsest(hidden.columns, "lattice", deadline=1.0)
    assert ss.sparsest(model("lattice").columns, "lattice", deadline=60.0).certified


def test_more_iterations_than_a_solver_can_count():
    assert search(model("sos").columns, "sos", max_iter=10**30).certified


def test_an_unknown_option_is_refused_with_the_known_ones(name):
    known = [option.name for option in dataclasses.fields(available()[name])]
    with pytest.raises(ss.InvalidInput, match="`colour`") as caught:
        ss.sparsest(np.eye(3), name, colour="red")
    assert all(option in str(caught.value) for option in known)


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(ss.InvalidInput, match="`method` must be one of") as caught:
        ss.sparsest(np.eye(3), "magic")
    assert all(known in str(caught.value) for known in NAMES)
    assert "'magic'" in str(caught.value)


def test_two_methods_cannot_share_a_name():
    from sparsespan.methods import register

    class Copy(available()["adm"]):
        pass

    with pytest.raises(ss.InvalidInput, match="must not share a name; got 'adm'"):
        register(Copy)


# ---- values ----------------------------------------------------------------------------------------------------------


def test_methods_are_values(name):
    method = as_method(name, {})
    assert isinstance(method, Method)
    assert method == as_method(name, {})
    assert hash(method) == hash(as_method(name, {}))
    assert pickle.loads(pickle.dumps(method)) == method
    assert repr(method).startswith(type(method).__name__)
    with pytest.raises(dataclasses.FrozenInstanceError):
        method.name = "other"


def test_methods_say_who_what_and_how_much(name):
    cls = available()[name]
    assert cls.name == name
    assert all(len(words) > 8 for words in (cls.reference, cls.guarantee, cls.cost))
    assert cls.__doc__
    documented = "".join(c.__doc__ or "" for c in cls.__mro__ if issubclass(c, Method))
    assert all(option.name in documented for option in dataclasses.fields(cls))


# ---- surroundings ----------------------------------------------------------------------------------------------------


def test_rows_in_a_file_serve_or_are_refused_clearly(name, tmp_path):
    hidden = model(name)
    np.save(tmp_path / "columns.npy", hidden.columns)
    mapped = ss.Subspace.open(tmp_path / "columns.npy")
    if name in DENSE:
        with pytest.raises(ss.InvalidInput, match="must have all rows in memory; got a mapped basis of 120 x 6"):
            search(mapped, name)
        return
    assert hidden.error(search(mapped, name).vector) < 1e-12


def test_a_missing_extra_says_how_to_get_it(name, monkeypatch):
    declared = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    if name not in EXTRAS:
        for module in EXTRAS.values():
            monkeypatch.setitem(sys.modules, module, None)
        assert search(model(name).columns, name).certified
        return
    monkeypatch.setitem(sys.modules, EXTRAS[name], None)
    with pytest.raises(ss.MissingExtra, match=r"pip install \"sparsespan\[(\w+)\]\"") as caught:
        ss.sparsest(model(name).columns, name)
    extra = str(caught.value).rpartition("[")[2].partition("]")[0]
    assert f"\n{extra} = [" in declared


def test_nothing_of_numpys_global_state_is_touched(name):
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - that is what is tested
    search(model(name).columns, name)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
