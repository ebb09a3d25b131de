"""Noise on the basis: a vector within its size of the truth, no claim of exactness, and the support behind it."""

from __future__ import annotations

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.denoise import denoise


def noisy(hidden, size, seed=0):
    """The columns with Gaussian noise of a relative size."""
    noise = np.random.default_rng(seed).standard_normal(hidden.columns.shape)
    return hidden.columns + noise * (size * np.linalg.norm(hidden.columns) / np.linalg.norm(noise))


def overlap(found, hidden):
    """Recall and precision of the support of the estimate."""
    true, said = set(np.flatnonzero(hidden.truth)), set(found.estimate.support)
    return len(true & said) / len(true), len(true & said) / len(said)


@pytest.mark.parametrize("values", ["gaussian", "ones", "signs"])
@pytest.mark.parametrize("size", [1e-3, 1e-2])
def test_the_vector_is_near_and_not_called_exact(values, size):
    for seed in range(2):
        hidden = ss.models.planted(978, 50, 196, values, seed=seed)
        found = ss.sparsest(noisy(hidden, size), seed=seed)
        assert hidden.error(found.vector) <= 10 * size
        assert not found.certified
        assert found.status is ss.Status.NOISY
        proved, words = found.certificate.statements()[2]
        assert not proved
        assert words.startswith("not exact: residual ")
        if size == 1e-3:
            assert min(overlap(found, hidden)) >= 0.95


def test_the_estimate_tells_the_level_and_the_shape_of_the_noise():
    hidden = ss.models.planted(978, 50, 196, "gaussian", seed=3)
    for size in (1e-3, 1e-2):
        estimate = ss.sparsest(noisy(hidden, size)).estimate
        assert estimate.level == pytest.approx(size, rel=0.1)
        assert estimate.residual == pytest.approx(size * np.sqrt(0.8), rel=0.1)
        assert estimate.kurtosis == pytest.approx(3.0, abs=0.6)
        assert np.linalg.norm(estimate.vector) == pytest.approx(1.0)
        assert not estimate.vector.flags.writeable


def test_small_nonzeros_are_not_taken_for_noise():
    """Magnitudes over many orders: what looks like two scales must not end the search for the exact vector."""
    rng = np.random.default_rng(1)
    vector = np.zeros(300)
    vector[:180] = np.exp(3.0 * rng.standard_normal(180)) * rng.choice([-1.0, 1.0], 180)
    vector /= np.linalg.norm(vector)
    columns = np.column_stack([vector, rng.standard_normal((300, 19))]) @ rng.standard_normal((20, 20))
    found = ss.sparsest(columns)
    assert found.certified
    assert min(np.linalg.norm(found.vector - vector), np.linalg.norm(found.vector + vector)) < 1e-10


def test_a_noisy_vector_found_first_saves_the_rest_of_the_portfolio():
    hidden = ss.models.planted(978, 50, 196, "gaussian", seed=3)
    found = ss.sparsest(noisy(hidden, 1e-3))
    assert [line.split(":")[0] for line in found.tried] == ["start"]


def test_generic_vectors_are_no_noisy_ones():
    rng = np.random.default_rng(0)
    for _ in range(5):
        subspace = ss.Subspace.span(rng.standard_normal((400, 20)))
        assert denoise(subspace, ss.round_to_vertex(subspace, rng.standard_normal(20)).vector) is None


def test_the_estimate_does_not_depend_on_sign_scale_or_basis():
    hidden = ss.models.planted(400, 12, 80, "ones", seed=2)
    columns = noisy(hidden, 1e-3)
    mixed = columns @ np.random.default_rng(5).standard_normal((12, 12)) * -7.0
    first, second = ss.sparsest(columns), ss.sparsest(mixed)
    np.testing.assert_array_equal(first.estimate.support, second.estimate.support)
    np.testing.assert_allclose(first.estimate.vector, second.estimate.vector, atol=1e-10)


def test_it_is_saved_with_the_result(tmp_path):
    hidden = ss.models.planted(400, 12, 80, "gaussian", seed=2)
    found = ss.sparsest(noisy(hidden, 1e-2))
    found.save(tmp_path / "noisy.npz")
    again = ss.load(tmp_path / "noisy.npz")
    assert again.estimate.figures() == found.estimate.figures()
    np.testing.assert_array_equal(again.estimate.vector, found.estimate.vector)
    assert again.certificate == found.certificate
