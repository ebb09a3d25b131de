"""Sparsest null-space bases against brute force, and against networkx on graphs."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

import sparsespan as ss


def reduced(vector):
    """The same vector with coprime integers."""
    divisor = gcd(*vector.values())
    return {j: v // divisor for j, v in vector.items()}


def all_circuits(A, longest):
    """
    All elementary null vectors with at most ``longest`` nonzeros, as {column: integer}.

    Rows are added one at a time. An elementary vector that the new row makes is a combination of two old ones whose
    supports lie in its own, so none that is short is missed; of what arises, the minimal supports are elementary.
    """
    known = [{j: 1} for j in range(A.shape[1])]
    for row in A[np.argsort(np.count_nonzero(A, axis=1), kind="stable")].tolist():
        row = [Fraction(str(value)) for value in row]
        images = [sum(row[j] * v for j, v in vector.items()) for vector in known]
        found = {frozenset(v): v for v, image in zip(known, images, strict=True) if image == 0}
        moving = [(v, image) for v, image in zip(known, images, strict=True) if image != 0]
        for k, (u, a) in enumerate(moving):
            for v, b in moving[:k]:
                if len(u.keys() | v.keys()) <= longest + 1:
                    ratio = a / b
                    p, q = ratio.numerator, ratio.denominator
                    sums = {j: q * u.get(j, 0) - p * v.get(j, 0) for j in u.keys() | v.keys()}
                    vector = {j: value for j, value in sums.items() if value}
                    if vector and len(vector) <= longest:
                        found.setdefault(frozenset(vector), reduced(vector))
        known = minimal(found)
    return known


def minimal(found):
    """The vectors whose support contains no other."""
    masks = sorted((sum(1 << j for j in support), support) for support in found)
    masks.sort(key=lambda pair: len(pair[1]))
    kept = []
    for mask, support in masks:
        if not any(other & ~mask == 0 for other, _ in kept):
            kept.append((mask, support))
    return [found[support] for _, support in kept]


def optimum(A, longest):
    """Nonzeros of a sparsest basis, by the greedy algorithm on all circuits; they must suffice."""
    rows, total = [], 0
    nullity = A.shape[1] - np.linalg.matrix_rank(A)
    for circuit in sorted(all_circuits(A, longest), key=len):
        dense = np.array([circuit.get(j, 0) for j in range(A.shape[1])], dtype=float)
        if np.linalg.matrix_rank([*rows, dense / np.abs(dense).max()]) > len(rows):
            rows.append(dense / np.abs(dense).max())
            total += len(circuit)
    assert len(rows) == nullity
    return total


@pytest.mark.parametrize("seed", range(30))
def test_small_matrices_get_the_sparsest_basis(seed):
    rng = np.random.default_rng(seed)
    m, p = int(rng.integers(2, 6)), int(rng.integers(6, 11))
    A = rng.integers(-2, 3, (m, p)) * (rng.random((m, p)) < 0.6)
    N, report = ss.null_space(A, report=True)
    assert N.nnz == optimum(A, m + 1)
    assert report.lower_bound <= N.nnz
    assert report.elementary.all()


@pytest.mark.parametrize("seed", range(6))
def test_small_matrices_of_floats_get_it_too(seed):
    rng = np.random.default_rng(seed)
    pattern = rng.integers(-2, 3, (4, 9)) * (rng.random((4, 9)) < 0.6)
    A = np.exp(rng.standard_normal((4, 1))) * pattern * np.exp(rng.standard_normal(9))
    N, report = ss.null_space(A, report=True)
    assert N.nnz == optimum(pattern, 5)
    assert not report.proved


@pytest.mark.parametrize("seed", range(12))
def test_sparsified_matrices_are_the_sparsest(seed):
    rng = np.random.default_rng(seed)
    B = rng.integers(-2, 3, (9, 4)) * (rng.random((9, 4)) < 0.6)
    normal = scipy.linalg.null_space(B.T.astype(float)).T
    echelon = np.linalg.solve(normal[:, pivots(normal)], normal)  # reduced: small rationals again
    whole = np.array([[Fraction(v).limit_denominator(10**4) for v in row] for row in echelon.tolist()])
    C, T = ss.sparsify(B)
    assert np.array_equal(B @ T.toarray(), C.toarray())
    assert C.nnz == optimum(np.array([[float(v) for v in row] for row in whole * scales(whole)]), 9)


def pivots(rows):
    return np.sort(scipy.linalg.qr(rows, mode="r", pivoting=True)[1][: rows.shape[0]])


def scales(whole):
    """Common denominators of rows."""
    return np.array([[Fraction(int(np.lcm.reduce([v.denominator for v in row])))] for row in whole])


def model(data, name):
    """A stoichiometric matrix without its exchanges: columns with at least two entries."""
    parts = np.load(data / "metabolic" / f"{name}.npz")
    A = sp.csc_array((parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["shape"]))
    return A, A[:, np.diff(A.indptr) >= 2]


def test_e_coli_core_reaches_the_optimum(data):
    A = model(data, "e_coli_core_textbook")[1]
    N, report = ss.null_space(A, report=True)
    assert (A.shape, N.shape) == ((72, 75), (75, 13))
    assert report.elementary.all()
    assert report.proved
    assert not np.any((A @ N).data)
    assert N.nnz == optimum(A.toarray(), int(report.counts.max())) == 74


def test_ijo1366_has_its_nullity_and_a_sparse_basis(data):
    whole, internal = model(data, "iJO1366")
    assert ss.null_space(whole, effort="fast").shape == (2583, 817)
    N, report = ss.null_space(internal, report=True)
    assert N.shape == (2253, 547)
    assert N.nnz <= 3150
    assert report.proved
    assert report.elementary.all()
    assert not np.any((internal @ N).data)
    assert report.lower_bound <= N.nnz


def incidence(edges, nodes):
    edges = np.asarray(edges)
    count = len(edges)
    rows, columns = np.concatenate([edges[:, 0], edges[:, 1]]), np.tile(np.arange(count), 2)
    return sp.csc_array((np.repeat([1, -1], count), (rows, columns)), shape=(nodes, count))


def graphs():
    nx = pytest.importorskip("networkx", reason="the extra 'oracles' holds networkx")
    yield nx.petersen_graph()
    yield nx.grid_2d_graph(5, 6)
    yield nx.complete_graph(8)
    yield nx.hypercube_graph(4)
    for seed in range(4):
        yield nx.gnm_random_graph(40, 70, seed=seed)
        yield nx.random_regular_graph(3, 40, seed=seed)
    yield nx.watts_strogatz_graph(60, 4, 0.2, seed=0)


def test_graphs_get_the_minimum_cycle_basis():
    nx = pytest.importorskip("networkx", reason="the extra 'oracles' holds networkx")
    for graph in graphs():
        graph = nx.convert_node_labels_to_integers(graph)
        N, report = ss.null_space(incidence(list(graph.edges), len(graph)), report=True)
        assert N.nnz == sum(map(len, nx.minimum_cycle_basis(graph)))
        assert report.optimal
        assert set(np.unique(N.data)) <= {-1.0, 1.0}


def test_power_networks_get_it_too(data):
    nx = pytest.importorskip("networkx", reason="the extra 'oracles' holds networkx")
    for name in ("power_case14", "power_case118", "water_Net3"):
        parts = np.load(data / "graphs" / f"{name}.npz")
        graph = nx.Graph(parts["edges"].tolist())
        edges = np.array(list(graph.edges))
        N = ss.null_space(incidence(edges, int(parts["n_nodes"])))
        assert N.nnz == sum(map(len, nx.minimum_cycle_basis(graph)))


@pytest.mark.parametrize(
    "name", ["AFIRO", "ADLITTLE", "BLEND", "DEGEN2", "GROW7", "KB2", "SCAGR7", "SHARE1B", "STOCFOR1"]
)
def test_programs_have_their_exact_nullity(data, name):
    flint = pytest.importorskip("flint", reason="the extra 'lattice' holds python-flint")
    A = np.load(data / "lp" / f"{name}.npz")["A_eq"]
    exact = flint.fmpq_mat(*A.shape, [flint.fmpq(*Fraction(repr(v)).as_integer_ratio()) for v in A.ravel().tolist()])
    N, report = ss.null_space(A, report=True)
    assert N.shape[1] == A.shape[1] - exact.rank()
    assert report.certified
    units = N.toarray() / np.linalg.norm(N.toarray(), axis=0)
    assert np.abs(A @ units).max() <= 1e-9 * np.abs(A).sum(axis=1).max()
    orthonormal = scipy.linalg.null_space(A)
    assert N.nnz <= 0.6 * np.count_nonzero(np.abs(orthonormal) > 1e-12)
