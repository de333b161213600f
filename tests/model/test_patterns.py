"""Patterns of matrices against the matrices themselves."""

import numpy as np
import pytest

from epochbandits.model import chains, patterns
from reversiblization import reversiblization


def some_matrices(rng, pattern):
    P = rng.random(pattern.shape) * pattern
    return P / P.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("states", [2, 3, 5, 7])
def test_patterns_agree_with_graphs_and_eigenvalues(states):
    rng = np.random.default_rng(states)
    drawn = rng.random((300, states, states)) < 0.45
    drawn = drawn[drawn.any(axis=2).all(axis=1)]
    ergodic, classes = patterns.ergodic(drawn), patterns.classes_of_m(drawn)
    for pattern, is_ergodic, count in zip(drawn, ergodic, classes, strict=True):
        expected = chains.is_irreducible(pattern) and chains.period(pattern) == 1
        assert is_ergodic == expected
        graph = chains.reversiblization_graph(pattern.astype(float))
        assert (count == 1) == (chains.unreachable(graph) is None)
        if is_ergodic:
            P = some_matrices(rng, pattern)
            M = reversiblization(P, chains.stationary(P))
            ones = (np.linalg.eigvals(M).real > 1 - 1e-9).sum()
            assert ones == count  # one eigenvalue 1 for each class


def test_all_patterns_are_all():
    for states, count in ((2, 9), (3, 343)):
        drawn = patterns.all_patterns(states)
        assert len(drawn) == count == len(np.unique(drawn.reshape(count, -1), axis=0))
        assert drawn.any(axis=2).all()


@pytest.mark.parametrize("condition", patterns.CONDITIONS)
def test_random_patterns_satisfy_their_condition(condition):
    drawn = patterns.random_patterns(8, 200, condition, np.random.default_rng(1))
    assert patterns.CONDITIONS[condition](drawn).all()
    assert patterns.ergodic(drawn).mean() > 0.3
    assert not drawn.all(axis=(1, 2)).any()


def test_a_symmetric_pattern_has_a_reversible_chain():
    rng = np.random.default_rng(2)
    for pattern in patterns.random_patterns(6, 20, "reversible", rng):
        weight = rng.random((6, 6)) * pattern
        weight = weight + weight.T
        P = weight / weight.sum(axis=1, keepdims=True)
        flow = chains.stationary(P)[:, None] * P
        np.testing.assert_allclose(flow, flow.T, atol=1e-14)
        np.testing.assert_array_equal(P > 0, pattern)
