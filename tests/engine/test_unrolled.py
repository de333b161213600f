"""Kernels that have code of their own for some numbers of states do what they do for any number."""

import numpy as np
import pytest

from epochbandits import Instance
from epochbandits.engine.prepared import _in_units, prepare
from epochbandits.engine.states import first_above, move, next_state, pick
from epochbandits.model.rewards import Constant
from epochbandits.policies.base import dot
from epochbandits.policies.q_learning import add_multiple, dots

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


@pytest.mark.parametrize("states", [*STATES, 40])
def test_a_path_steps_by_the_rows_of_the_matrix(states):
    """The prepared bounds are the cumulative sums, in units of 2^-53, for every arm and state."""
    rng = np.random.default_rng(states)
    P = np.array([[distribution(states, rng) for _ in range(states)] for _ in range(2)])
    law = Constant(0.5)
    env = prepare(Instance("steps", P, [[law] * states] * 2, np.full(states, 1 / states)), 1.0)
    for row, chances in enumerate(P.reshape(-1, states)):
        step, more = env.steps[row], env.more_bounds[row]
        assert step["mean"] == 0.5
        assert step["hold"] == pytest.approx(env.hold.ravel()[row])
        ends = (np.cumsum(chances)[:-1] * 2**53).astype(np.uint64)
        for bits in np.r_[np.uint64(0), np.uint64(2**53 - 1), ends, ends - np.uint64(1)]:
            expected = np.searchsorted(ends, bits, side="right")
            assert next_state(bits, np.uint64(states), step, more) == expected
        leave = np.delete(chances, row % states) / (1 - chances[row % states])
        others = np.delete(np.arange(states), row % states)
        jump = np.diff(np.r_[0, env.jump.reshape(-1, states)[row]]) * 2.0**-53
        np.testing.assert_allclose(jump[others], leave, atol=1e-15)
        assert jump[row % states] == 0


@pytest.mark.parametrize("chance", [0.1, 0.3, 1e-3, 2**-53, 2**-60, 0.5, 1.0])
def test_a_number_reaches_a_bound_with_its_probability(chance):
    """The last number below the bound is below the probability, and the bound itself is not."""
    bound = int(_in_units(np.array([chance]))[0])
    assert (bound - 1) * 2.0**-53 < chance <= bound * 2.0**-53


@pytest.mark.parametrize("states", STATES)
def test_a_distribution_moves_by_the_whole_matrix(states):
    rng = np.random.default_rng(states)
    beta, P, out = rng.random(states), rng.random((states, states)), np.empty(states)
    move(beta, P, out)
    np.testing.assert_allclose(out, beta @ P, rtol=1e-14)
    assert dot(beta, P[0]) == pytest.approx(beta @ P[0], rel=1e-14)


@pytest.mark.parametrize("states", STATES)
def test_q_learning_takes_products_with_all_states(states):
    rng = np.random.default_rng(states)
    rows, beta, out = rng.normal(size=(3, states)), rng.random(states), np.empty(3)
    expected = rows @ beta
    assert dots(rows, beta, out) == out.max()
    np.testing.assert_allclose(out, expected, rtol=1e-13)
    expected = rows[1] + 0.3 * beta
    add_multiple(rows[1], 0.3, beta)
    np.testing.assert_allclose(rows[1], expected, rtol=1e-15)
