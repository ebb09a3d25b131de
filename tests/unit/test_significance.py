from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest, ks_2samp

import sparsespan as ss
from sparsespan.chance import Null, compare
from sparsespan.watch import Watch


def random(number, shape=(90, 8)):
    return np.random.default_rng([5, number]).standard_normal(shape)


def test_a_planted_vector_is_significant():
    hidden = ss.models.planted(120, 6, 24, "gaussian", seed=1)
    found = ss.sparsest(hidden.columns)
    judged = found.significance(trials=19)
    assert judged.p_value == 0.05
    assert judged.hits == 0
    assert judged.interval[0] == 0 < judged.interval[1] < 0.2
    assert "0 of 19" in str(judged)


def test_p_values_of_random_subspaces_are_uniform():
    """200 of them against the same null: the two samples are of one distribution, and small p-values are rare."""
    found = [ss.sparsest(random(number), "spectral") for number in range(200)]
    judged = [one.significance(trials=199) for one in found]
    assert ks_2samp([one.statistic for one in judged], judged[0].null).pvalue > 1e-3
    values = np.array([one.p_value for one in judged])
    for level in (0.05, 0.2, 0.5, 0.8):
        assert abs((values <= level).mean() - level) < 0.12
    assert values.min() >= 1 / 200


def test_the_sample_is_drawn_once(monkeypatch):
    found = ss.sparsest(random(0), "spectral")
    first = found.significance(trials=20, seed=77)
    monkeypatch.setattr(Null, "draw", lambda *_: pytest.fail("drawn again"))
    assert found.significance(trials=20, seed=77).p_value == first.p_value
    assert ss.sparsest(random(1), "spectral").significance(trials=10, seed=77).trials == 10


def test_ties_count_and_the_interval_covers():
    judged = compare(1.0, [0.5, 1.0, 2.0])
    assert (judged.hits, judged.p_value) == (2, 0.75)
    exact = binomtest(2, 3).proportion_ci(0.95, method="exact")
    assert judged.interval == pytest.approx((exact.low, exact.high))
    np.testing.assert_array_equal(judged.null, [0.5, 1.0, 2.0])


def test_a_deadline_leaves_fewer_trials():
    found = ss.sparsest(random(2, (400, 12)), "spectral")
    whole = found.significance(trials=2, seed=3)
    judged = found.significance(trials=1_000_000, seed=3, deadline=0.05)
    assert 2 <= judged.trials < 1_000_000
    assert set(whole.null) <= set(judged.null)


def test_a_draw_cut_short_is_no_sample():
    """Half a search of a random subspace would end at a larger norm: nothing of it may enter the null."""
    found = ss.sparsest(random(6, (300, 10)), "adm")
    null = Null(found.recipe.method, 300, 10)
    looks = iter(range(10**9))
    assert null.draw(11, 0, Watch(interrupted=lambda: next(looks) > 2)) is None
    assert math.isfinite(null.draw(11, 0, Watch()))
    message = r"`deadline` must leave time for .* one random subspace of 300 x 10; got 1e-09 s\. Raise it"
    with pytest.raises(ss.NotConverged, match=message):
        found.significance(seed=11, deadline=1e-9)


def test_a_method_that_finds_nothing_in_random_subspaces():
    hidden = ss.models.planted(120, 6, 100, "ones", seed=5)
    judged = ss.sparsest(hidden.columns, "offset").significance(trials=5)
    assert (judged.hits, judged.p_value) == (0, 1 / 6)
    assert np.isinf(judged.null).all()


@pytest.mark.parametrize("seed", [-5, "a", 1.5, True, [1]])
def test_a_seed_is_a_seed(seed):
    found = ss.sparsest(random(7), "spectral")
    for judge in (found.significance, lambda **given: ss.significance(found, "spectral", **given)):
        with pytest.raises(ss.InvalidInput, match="`seed` must be a non-negative integer or None; got"):
            judge(trials=2, seed=seed)


def test_a_result_from_a_file_is_judged_with_its_method_named(tmp_path):
    found = ss.sparsest(random(3), "spectral")
    found.save(tmp_path / "found.npz")
    loaded = ss.load(tmp_path / "found.npz")
    with pytest.raises(ss.InvalidInput, match=r"`recipe` must say.*sparsespan\.significance"):
        loaded.significance()
    direct = ss.significance(loaded, "spectral", trials=19)
    assert direct.p_value == found.significance(trials=19).p_value


@pytest.mark.parametrize("trials", [0, -1, 1.5, "many"])
def test_trials_are_counted(trials):
    with pytest.raises(ss.InvalidInput, match="`trials` must"):
        ss.sparsest(random(4), "spectral").significance(trials=trials)


def test_only_results_are_judged():
    with pytest.raises(ss.InvalidInput, match="`found` must be a result of `sparsest`; got ndarray"):
        ss.significance(random(5))
