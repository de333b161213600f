"""Stationary laws, structure and mixing constants against closed forms, QuantEcon and mpmath."""

import math
import warnings

import mpmath
import numpy as np
import pytest

from epochbandits import InputError
from epochbandits.model import chains
from reversiblization import reversiblization, time_reversal
from vectors import VECTORS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import quantecon


def random_chain(rng, states, sparse=0.0):
    P = rng.random((states, states)) * (rng.random((states, states)) >= sparse)
    P += np.diag(rng.random(states)) + 0.1 * np.roll(np.eye(states), 1, axis=1)
    return P / P.sum(axis=1, keepdims=True)


def nearly_reducible(rng, states, link):
    P = rng.random((states, states))
    half = states // 2
    P[:half, half:] *= link
    P[half:, :half] *= link * rng.random()
    return P / P.sum(axis=1, keepdims=True)


def reference(P):
    """π and 1 - λ at 60 digits, the diagonal taken as what the rest of the row leaves."""
    with mpmath.workdps(60):
        size = len(P)
        A = mpmath.matrix(P.tolist())
        for i in range(size):
            A[i, i] = 1 - mpmath.fsum(A[i, j] for j in range(size) if j != i)
        B = A.T - mpmath.eye(size)
        for j in range(size):
            B[size - 1, j] = 1
        rhs = mpmath.zeros(size, 1)
        rhs[size - 1] = 1
        pi = mpmath.lu_solve(B, rhs)
        root = [mpmath.sqrt(p) for p in pi]
        X = mpmath.diag(root) * A * mpmath.diag([1 / r for r in root])
        second = sorted(mpmath.eigsy(X * X.T, eigvals_only=True))[-2]
        return np.array([float(p) for p in pi]), float(1 - mpmath.sqrt(second))


@pytest.mark.parametrize("states", [2, 3, 5, 17, 64])
def test_stationary_agrees_with_quantecon(states):
    P = random_chain(np.random.default_rng(states), states)
    expected = quantecon.MarkovChain(P).stationary_distributions[0]
    np.testing.assert_allclose(chains.stationary(P), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_structure_agrees_with_quantecon(seed):
    rng = np.random.default_rng(seed)
    states = int(rng.integers(2, 8))
    P = np.zeros((states, states))
    for row in P:
        row[rng.choice(states, size=rng.integers(1, 3), replace=False)] = 1
    P /= P.sum(axis=1, keepdims=True)
    other = quantecon.MarkovChain(P)
    assert chains.is_irreducible(P) == other.is_irreducible
    if other.is_irreducible:
        assert chains.period(P) == other.period


def test_structure_cases_cover_both_answers():
    cycle = np.roll(np.eye(6), 1, axis=1)
    assert chains.period(cycle) == 6
    assert chains.is_irreducible(cycle)
    assert not chains.is_irreducible(np.eye(2))
    with pytest.raises(InputError, match="reducible"):
        chains.stationary(np.eye(2))


@pytest.mark.parametrize(
    ("a", "b"), [(0.3, 0.2), (1.0, 1e-3), (1e-9, 1e-7), (0.9, 0.95), (0.5, 0.5)]
)
def test_two_states_in_closed_form(a, b):
    P = np.array([[1 - a, a], [b, 1 - b]])
    pi = chains.stationary(P)
    np.testing.assert_allclose(pi, [b / (a + b), a / (a + b)], rtol=1e-14)
    mixing = chains.mixing(P, pi)
    assert mixing.lam == pytest.approx(abs(1 - a - b), rel=1e-13, abs=1e-15)
    if a + b < 1:
        assert -math.expm1(mixing.log_lam) == pytest.approx(a + b, rel=1e-13)
    low = min(a, b) / (a + b)
    assert mixing.C == pytest.approx(0.5 * math.sqrt(1 + (1 - low) ** 2 / low), rel=1e-13)


@pytest.mark.parametrize("link", [1e-1, 1e-5, 1e-9, 1e-13])
@pytest.mark.parametrize("states", [2, 3, 6])
def test_nearly_reducible_chains_lose_no_digits(states, link):
    P = nearly_reducible(np.random.default_rng(states), states, link)
    pi, gap = reference(P)
    recovered = chains.stationary(P)
    np.testing.assert_allclose(recovered, pi, rtol=1e-14)
    assert -math.expm1(chains.mixing(P, recovered).log_lam) == pytest.approx(gap, rel=1e-13)


def test_an_eigensolve_would_not_do():
    """The reason for state reduction: the textbook eigenvector is wrong in its first digits."""
    P = nearly_reducible(np.random.default_rng(6), 6, 1e-13)
    values, vectors = np.linalg.eig(P.T)
    naive = np.real(vectors[:, np.argmax(np.real(values))])
    naive /= naive.sum()
    assert np.abs(naive / reference(P)[0] - 1).max() > 1e-4


@pytest.mark.parametrize("states", [2, 4, 9])
def test_mixing_is_the_second_eigenvalue_of_the_reversiblization(states):
    P = random_chain(np.random.default_rng(states), states, sparse=0.2)
    pi = chains.stationary(P)
    M = reversiblization(P, pi)
    for matrix in (time_reversal(P, pi), M):
        np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=1e-13)
        np.testing.assert_allclose(pi @ matrix, pi, rtol=1e-12)
    np.testing.assert_allclose(pi[:, None] * M, (pi[:, None] * M).T, atol=1e-16)
    np.testing.assert_array_equal(M > 0, chains.reversiblization_graph(P))
    eigenvalues = np.sort(np.linalg.eigvals(M).real)
    assert chains.mixing(P, pi).lam ** 2 == pytest.approx(eigenvalues[-2], rel=1e-10)


@pytest.mark.parametrize("entry", VECTORS["instances"], ids=lambda entry: entry["name"])
def test_reference_values(entry):
    for j, P in enumerate(np.array(entry["P"], dtype=float)):
        pi = chains.stationary(P)
        mixing = chains.mixing(P, pi)
        np.testing.assert_allclose(pi, entry["pi"][j], rtol=1e-13)
        M = reversiblization(P, pi)
        np.testing.assert_allclose(M, entry["M"][j], rtol=1e-12, atol=1e-17)
        assert mixing.lam == pytest.approx(entry["lam"][j], rel=1e-12, abs=1e-15)
        assert mixing.C == pytest.approx(entry["C_paper"][j], rel=1e-13)
        assert chains.constant_C_exact(pi) == pytest.approx(entry["C_exact"][j], rel=1e-13)


def test_one_state_and_one_step_mixing():
    assert chains.mixing(np.array([[1.0]]), np.array([1.0])) == (-math.inf, 0.5)
    rank_one = np.tile([0.2, 0.3, 0.5], (3, 1))
    assert chains.mixing(rank_one, chains.stationary(rank_one)).lam == 0
    assert chains.Mixing(-math.inf, 1.0).lam == 0
    assert chains.Mixing(math.log(0.25), 1.0).lam == pytest.approx(0.25)
