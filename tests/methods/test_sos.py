"""Degree-4 sums of squares: the moment matrix by its definition, the optimum against an independent program."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.methods.moments import Moments
from sparsespan.watch import Watch


def monomials(point: np.ndarray) -> np.ndarray:
    """All products of four coordinates with ascending indices."""
    return np.array([np.prod(point[list(c)]) for c in combinations_with_replacement(range(len(point)), 4)])


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_moments_of_a_point_are_its_monomials(dim):
    rng = np.random.default_rng(dim)
    point = rng.standard_normal(dim)
    point /= np.linalg.norm(point)
    moments, values = Moments(dim), monomials(point)
    assert moments.count == len(values) == dim * (dim + 1) * (dim + 2) * (dim + 3) // 24
    assert moments.trace @ values == pytest.approx(1.0, rel=1e-13)
    rows, columns = moments.lower
    pairs = np.array([point[i] * point[j] for i, j in combinations_with_replacement(range(dim), 2)])
    np.testing.assert_allclose(values[moments.entry], pairs[rows] * pairs[columns], rtol=1e-13)
    np.testing.assert_allclose(moments.second(values), np.outer(point, point), atol=1e-14)
    subspace = ss.Subspace.span(rng.standard_normal((4 * dim, dim)))
    assert moments.fourth(subspace) @ values == pytest.approx((subspace.vectors(point) ** 4).sum(), rel=1e-12)


def oracle(basis: np.ndarray) -> float:
    """
    Largest pseudo-expectation of p‖Yq‖₄⁴, written with all monomials of degree up to 4 and their full moment matrix.

    It knows nothing of symmetry or of sorted pairs: the sphere enters as E(‖q‖² − 1)·m = 0 for every monomial m of
    degree up to 2.
    """
    cvxpy = pytest.importorskip("cvxpy", reason="the oracle cvxpy is not installed")
    dim = basis.shape[1]
    powers = [p for p in product(range(5), repeat=dim) if sum(p) <= 4]
    index = {p: k for k, p in enumerate(powers)}
    low = [p for p in powers if sum(p) <= 2]
    moments = cvxpy.Variable(len(powers))

    def add(*terms: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*terms, strict=True)))

    matrix = cvxpy.Variable((len(low), len(low)), PSD=True)
    rules = [matrix[i, j] == moments[index[add(a, b)]] for i, a in enumerate(low) for j, b in enumerate(low[: i + 1])]
    rules.append(moments[index[(0,) * dim]] == 1)
    units = [tuple(2 * (i == k) for i in range(dim)) for k in range(dim)]
    rules += [sum(moments[index[add(m, u)]] for u in units) == moments[index[m]] for m in low]
    gain: dict[tuple[int, ...], float] = defaultdict(float)
    for four in product(range(dim), repeat=4):
        gain[tuple(four.count(k) for k in range(dim))] += float(basis[:, four].prod(axis=1).sum())
    problem = cvxpy.Problem(cvxpy.Maximize(sum(len(basis) * c * moments[index[p]] for p, c in gain.items())), rules)
    problem.solve(solver="CLARABEL")
    return float(problem.value)


@pytest.mark.parametrize(("size", "dim"), [(12, 2), (20, 3), (24, 4)])
def test_the_value_is_that_of_an_independent_program(size, dim):
    pytest.importorskip("scs", reason="the extra `sos` is not installed")
    from sparsespan.methods.sos import pseudo_expectation

    subspace = ss.Subspace.span(np.random.default_rng(dim).standard_normal((size, dim)))
    pseudo = pseudo_expectation(subspace, 1e-9, 100_000, Watch())
    assert pseudo.value == pytest.approx(oracle(np.asarray(subspace.basis)), rel=1e-5)
    assert np.trace(pseudo.second) == pytest.approx(1.0, abs=1e-6)
    assert np.linalg.eigvalsh(pseudo.second)[0] > -1e-6


def test_the_value_bounds_every_point_and_tells_the_top_eigenvalue():
    pytest.importorskip("scs", reason="the extra `sos` is not installed")
    hidden = ss.models.planted(150, 8, 15, "gaussian", seed=2)
    found = ss.sparsest(hidden.columns, "sos", tol=1e-5)
    notes = found.runs[0].notes
    points = np.random.default_rng(0).standard_normal((8, 200))
    values = ss.Subspace.span(hidden.columns).vectors(points / np.linalg.norm(points, axis=0))
    assert (150 * (values**4).sum(axis=0) < notes["sos value"]).all()
    assert 150 * (hidden.truth**4).sum() <= notes["sos value"] * (1 + 1e-4)
    assert notes["top eigenvalue"] > 0.9
    assert hidden.error(found.vector) < 1e-13


def test_a_dimension_beyond_reach_is_refused_before_it_costs_anything():
    with pytest.raises(ss.InvalidInput, match=r"dimension at most 64; got 65.*'spectral'"):
        ss.sparsest(np.eye(65), "sos")
