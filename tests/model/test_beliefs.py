"""Partially observed optima: hand-solved cases, and a two-state problem on a fine plain grid."""

import numpy as np
import pytest

from epochbandits.model import beliefs
from epochbandits.model.control import known_state
from epochbandits.model.cycles import best_cycle
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Bernoulli, Constant

EPS = 0.1
SWAPPING = Instance(
    "swapping",
    [[[EPS, 1 - EPS]] * 2, [[1 - EPS, EPS]] * 2],
    [[Constant(1.0), Constant(0.0)], [Constant(0.0), Constant(1.0)]],
    [1.0, 0.0],
)
GUESSING = Instance(  # arm j pays in state j; the state moves slowly, whatever is played
    "guessing",
    [[[0.95, 0.05], [0.05, 0.95]]] * 2,
    [[Bernoulli(0.9), Bernoulli(0.1)], [Bernoulli(0.2), Bernoulli(0.8)]],
    [0.5, 0.5],
)


def fine_grid(instance, size=2001, rounds=1000):
    """Return the optimum of two states by plain value iteration with linear interpolation."""
    x = np.linspace(0, 1, size)  # probability of state 1
    v = np.zeros(size)
    for _ in range(rounds):
        values = []
        for arm in range(instance.arms):
            p = instance.reward_means[arm]
            P = instance.transition[arm]
            value = (1 - x) * p[0] + x * p[1]
            for q in (p, 1 - p):  # a Bernoulli reward of 1, and of 0
                chance = (1 - x) * q[0] + x * q[1]
                after = ((1 - x) * q[0] * P[0, 1] + x * q[1] * P[1, 1]) / chance
                value = value + chance * np.interp(after, x, v)
            values.append(value)
        new = np.max(values, axis=0)
        gain = new - v
        v = new - new[0]
    return float(gain.min()), float(gain.max())


def test_example_1_has_nothing_better_than_its_best_arm():
    for bounds in (beliefs.observed, beliefs.unobserved):
        low, high = bounds(failure_example(0.02), 50)
        assert low == pytest.approx(1 / 1.02)
        assert high == pytest.approx(1 / 1.02, abs=1e-5)


def test_arms_that_forget_the_state_need_no_observation():
    """The next state is known up to ε whatever was seen: 1 - ε, and 1 if the state is known."""
    for bounds in (beliefs.observed, beliefs.unobserved):
        low, high = bounds(SWAPPING, 10)
        assert low == pytest.approx(0.9, abs=1e-5)
        assert high == pytest.approx(0.9, abs=1e-5)
    assert known_state(SWAPPING).lower == pytest.approx(1)


def test_two_states_agree_with_a_fine_grid():
    low, high = beliefs.observed(GUESSING, 200)
    least, most = fine_grid(GUESSING)
    assert most - least < 1e-6
    assert low <= most + 1e-6
    assert least - 1e-6 <= high
    assert high - low < 0.004
    assert low > GUESSING.mu.max() + 0.05  # seeing rewards helps here
    assert high < known_state(GUESSING).lower


def test_identical_arms_have_nothing_to_choose():
    twins = Instance("twins", [GUESSING.transition[0]] * 2, [GUESSING.rewards[0]] * 2, [1, 0])
    for bounds in (beliefs.observed, beliefs.unobserved):
        low, high = bounds(twins, 20)
        assert low == pytest.approx(0.5)
        assert high == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("name", ["uncorrelated", "anticorrelated"])
def test_the_benchmarks_are_in_order(name):
    instance = generate(name, 3, 3, 2)
    blind, seeing = beliefs.unobserved(instance, 12), beliefs.observed(instance, 12)
    cycle, known = best_cycle(instance, 4), known_state(instance)
    assert cycle.reward <= blind.upper + 1e-6
    assert blind.lower <= seeing.upper + 1e-6
    assert seeing.lower <= known.upper + 1e-9
    for low, high in (blind, seeing):
        assert instance.mu.max() <= low <= high + 1e-6


def test_a_finer_grid_is_tighter():
    coarse, fine = beliefs.observed(GUESSING, 10), beliefs.observed(GUESSING, 80)
    assert coarse.lower - 1e-6 <= fine.upper <= coarse.upper + 1e-6
    assert fine.upper - fine.lower < coarse.upper - coarse.lower
