from __future__ import annotations

import pickle
import time
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods import Method, Problem, as_method, available, register
from sparsespan.methods.adm import ADM
from sparsespan.methods.auto import Auto
from sparsespan.methods.paper import Paper
from sparsespan.search import explore
from sparsespan.selection import Shelf
from sparsespan.starts import Mean, Mix, Random, Rows
from sparsespan.watch import Watch

HIDDEN = ss.models.planted(300, 10, 60, "gaussian", seed=0)
GENERIC = np.random.default_rng(0).standard_normal((400, 12))


def same(first, second):
    np.testing.assert_array_equal(first.vector, second.vector)
    np.testing.assert_array_equal(first.point, second.point)
    assert first.runs == second.runs
    assert first.certificate == second.certificate


def test_the_result_keeps_its_contract():
    for columns in (HIDDEN.columns, GENERIC, -HIDDEN.columns):
        found, subspace = ss.sparsest(columns), ss.Subspace.span(columns)
        assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-15)
        assert np.linalg.norm(found.point) == pytest.approx(1, abs=1e-14)
        assert found.vector[np.abs(found.vector).argmax()] > 0
        np.testing.assert_allclose(subspace.basis @ found.point, found.vector, atol=1e-13)
        np.testing.assert_array_equal(found.support, np.flatnonzero(found.vector))
        assert found.l1 == pytest.approx(np.abs(found.vector).sum(), rel=1e-15)
        assert found.runs[0].l1 == pytest.approx(found.l1)
        assert found.runs[0].zeros == found.certificate.zeros
        assert found.seconds > 0
        assert found.rank == str(subspace.rank)


@pytest.mark.parametrize("method", ["auto", "adm", "paper"])
def test_one_seed_one_answer(method):
    same(ss.sparsest(GENERIC[:, :6], method, seed=3), ss.sparsest(GENERIC[:, :6], method, seed=3))


def test_another_seed_may_take_another_way_and_none_is_allowed():
    first, second = (ss.sparsest(GENERIC, "adm", seed=seed, starts=Random(5)) for seed in (0, 1))
    assert first.runs != second.runs
    assert ss.sparsest(HIDDEN.columns, seed=None).certified
    same(ss.sparsest(GENERIC, seed=np.int64(4)), ss.sparsest(GENERIC, seed=4))


def test_no_global_randomness_is_used_or_disturbed():
    np.random.seed(1)  # noqa: NPY002 - the global state is what is watched
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    ss.sparsest(GENERIC)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 1.5, True, "lucky", np.float64(2)])
def test_a_seed_is_a_count(seed):
    with pytest.raises(ss.InvalidInput, match=r"`seed` must be a non-negative integer or None; got"):
        ss.sparsest(HIDDEN.columns, seed=seed)


def test_names_values_and_options_mean_the_same():
    by_name = ss.sparsest(GENERIC, "adm", starts=Random(6), max_iter=50)
    by_value = ss.sparsest(GENERIC, ADM(starts=Random(6), max_iter=50))
    refined = ss.sparsest(GENERIC, ADM(starts=Random(6)), max_iter=50)
    same(by_name, by_value)
    same(by_name, refined)
    assert by_name.method == repr(ADM(starts=Random(6), max_iter=50))


def test_a_deadline_gives_the_best_so_far():
    found = ss.sparsest(GENERIC, "paper", deadline=1e-6)
    assert found.status is ss.Status.DEADLINE
    assert "Raise `deadline`" in found.status.advice
    assert np.linalg.norm(found.vector) == pytest.approx(1)
    assert ss.sparsest(HIDDEN.columns, deadline=1e9).status is ss.Status.FOUND


def test_an_interruption_gives_the_best_so_far():
    calls = []

    def interrupted():
        calls.append(time.perf_counter())
        return len(calls) > 3

    found = ss.sparsest(GENERIC, "paper", interrupted=interrupted)
    assert found.status is ss.Status.INTERRUPTED
    assert len(calls) < 12
    assert found.runs


def test_what_is_certified_counts_more_than_the_clock():
    assert ss.sparsest(HIDDEN.columns, interrupted=lambda: True).status is ss.Status.FOUND


def test_progress_runs_from_nothing_to_nearly_all():
    told = []
    ss.sparsest(GENERIC, progress=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert all(0 <= share <= 1 and doing for share, doing in told)
    assert any("trimming" in doing for _, doing in told)
    assert any("thermal" in doing for _, doing in told)


def test_no_start_is_an_error_that_says_so():
    half = np.random.default_rng(0).standard_normal((20, 4))
    with pytest.raises(ss.NotConverged, match=r"method 'adm' must reach at least one point; got none in .*`starts`"):
        ss.sparsest(np.vstack([half, -half]), "adm", starts="mean")


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("fastest", {}, r"`method` must be one of adm, .*auto, .*; got 'fastest'"),
        (7, {}, r"`method` must be a name or a method; got int. Names: adm"),
        (ADM, {}, r"`method` must be a name or a method; got ABCMeta"),
        ("auto", {"tol": 1}, r"method 'auto' must be given options among starts.*; got `tol`"),
        ("adm", {"tol": 0}, r"`tol` must be a positive number; got 0"),
        ("adm", {"tol": "small"}, r"`tol` must be a finite real number for method 'adm'; got 'small'"),
        ("adm", {"tol": float("nan")}, r"`tol` must be a finite real number for method 'adm'; got nan"),
        ("adm", {"max_iter": 0}, r"`max_iter` must be an integer of at least 1; got 0"),
        ("adm", {"max_iter": 2.5}, r"`max_iter` must be a whole number for method 'adm'; got 2.5"),
        ("adm", {"few": True}, r"`few` must be a whole number for method 'adm'; got True"),
        ("adm", {"factors": ()}, r"`factors` must be positive numbers, at least one; got \(\). The paper uses"),
        ("adm", {"factors": (1, -1)}, r"`factors` must be positive numbers, at least one; got \(1, -1\)"),
        ("adm", {"factors": 3}, r"`factors` must be positive numbers, at least one; got 3"),
        ("adm", {"factors": (np.inf,)}, r"`factors` must be positive numbers, at least one; got \(inf,\)"),
        ("adm", {"factors": "1"}, r"`factors` must be positive numbers, at least one; got '1'"),
        ("paper", {"tol": -1}, r"`tol` must be a positive number; got -1"),
        ("paper", {"max_iter": None}, r"`max_iter` must be a whole number for method 'paper'; got None"),
        (
            "paper",
            {"starts": "mine"},
            "`starts` must be one of cloud, mean, random, rows, spectral, subsets; got 'mine'",
        ),
        ("auto", {"starts": np.ones((3, 2))}, r"`starts` must hold nonzero columns of 10 coordinates each"),
    ],
)
def test_methods_and_options_that_do_not_exist_are_refused(method, options, message):
    with pytest.raises(ss.InvalidInput, match=message):
        ss.sparsest(HIDDEN.columns, method, **options)


def test_a_mistake_in_an_option_is_found_before_any_work():
    with pytest.raises(ss.InvalidInput, match=r"`deadline` must be a positive number; got 'soon'"):
        ss.sparsest("no matrix", deadline="soon")
    with pytest.raises(ss.InvalidInput, match=r"`tol` must be"):
        ss.sparsest("no matrix", "adm", tol=-1)


# Methods as values.


@pytest.mark.parametrize("name", ["adm", "auto", "paper"])
def test_methods_are_frozen_comparable_printable_and_picklable(name):
    method = as_method(name, {})
    assert method == as_method(name, {}) == as_method(method, {})
    assert hash(method) == hash(as_method(name, {}))
    assert pickle.loads(pickle.dumps(method)) == method
    assert repr(method).startswith(type(method).__name__ + "(")
    with pytest.raises(FrozenInstanceError):
        method.starts = None
    assert available()[name] is type(method)
    for text in (method.reference, method.guarantee, method.cost):
        assert text


def test_options_are_made_uniform_when_a_method_is_made():
    assert ADM(starts=["mean", "rows"], factors=[2]).starts == Mix((Mean(), Rows()))
    assert ADM(factors=[2]).factors == (2.0,)
    assert Auto(starts="mean").starts == Mean()
    assert Paper().starts == Rows()


def test_the_registry_is_sorted_read_only_and_holds_each_name_once():
    names = list(available())
    assert names == sorted(names)
    with pytest.raises(TypeError, match="does not support item assignment"):
        available()["mine"] = ADM
    with pytest.raises(ss.InvalidInput, match=r"two methods must not share a name; got 'adm' twice. Rename"):
        register(ADM)
    assert {field.name for field in fields(available()["adm"])} >= {"starts", "factors", "tol", "max_iter"}


def test_a_method_without_search_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Method()


def test_exploring_puts_every_vertex_on_the_shelf():
    subspace = ss.Subspace.span(GENERIC)
    shelf = explore(ADM(starts=Random(20), first=False), subspace, np.random.default_rng(0), Watch())
    assert len(shelf) > 3
    assert isinstance(shelf, Shelf)
    assert shelf.ranked()[0] is shelf.best
    problem = Problem(subspace, np.random.default_rng(0), Watch(), Shelf(subspace))
    lone = list(ADM(starts=Random(20), first=False).search(problem))
    assert {round(vertex.l1, 9) for vertex in lone} >= {round(run.l1, 9) for run in shelf.runs()}
