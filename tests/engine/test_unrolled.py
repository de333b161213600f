"""Kernels that have code of their own for 4 or 8 states do what they do for any number."""

import numpy as np
import pytest

from epochbandits.engine.epochs import first_above, move, pick
from epochbandits.policies.base import dot

STATES = range(1, 11)


def distribution(states, rng):
    """Return probabilities that are multiples of 2^-20, whose sums are exact."""
    cuts = np.sort(rng.choice(np.arange(1, 2**20), states - 1, replace=False))
    return np.diff(np.r_[0, cuts, 2**20]) / 2**20


@pytest.mark.parametrize("states", STATES)
def test_a_state_is_drawn_by_its_cumulative_probability(states):
    rng = np.random.default_rng(states)
    for _ in range(20):
        beta = distribution(states, rng)
        cumulative = np.cumsum(beta)
        ends = cumulative[:-1]
        for u in [0.0, 1 - 2**-53, *ends, *np.nextafter(ends, 0), *rng.random(20)]:
            expected = np.searchsorted(ends, u, side="right")
            assert pick(u, beta) == expected
            assert first_above(u, cumulative) == expected


@pytest.mark.parametrize("states", STATES)
def test_a_distribution_moves_by_the_whole_matrix(states):
    rng = np.random.default_rng(states)
    beta, P, out = rng.random(states), rng.random((states, states)), np.empty(states)
    move(beta, P, out)
    np.testing.assert_allclose(out, beta @ P, rtol=1e-14)
    assert dot(beta, P[0]) == pytest.approx(beta @ P[0], rel=1e-14)
