"""Optimal average rewards: hand-solved processes, and all policies tried."""

import itertools

import numpy as np
import pytest

from epochbandits.model import chains
from epochbandits.model.control import average_reward, known_state, policy_reward
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant


def every_policy(instance):
    """Return the best long-run reward of a function from states to arms, by trying all."""
    states = np.arange(instance.states)
    return max(
        policy_reward(instance, arms)
        for arms in itertools.product(range(instance.arms), repeat=instance.states)
        if chains.is_irreducible(instance.transition[list(arms), states])
    )


def test_example_1_has_nothing_better_than_its_best_arm():
    optimum = known_state(failure_example(0.02))
    assert optimum.lower == pytest.approx(1 / 1.02, abs=1e-9)
    assert optimum.upper == pytest.approx(1 / 1.02, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["uncorrelated", "anticorrelated"])
def test_no_policy_is_better(name, seed):
    instance = generate(name, 3, 3, seed)
    optimum = known_state(instance)
    best = every_policy(instance)
    assert optimum.lower - 1e-12 <= best <= optimum.upper + 1e-12
    assert optimum.upper - optimum.lower <= 1e-9
    assert policy_reward(instance, optimum.policy.tolist()) == pytest.approx(best, abs=1e-12)


def test_one_state_pays_its_best_arm():
    laws = [[Constant(0.3)], [Constant(0.7)]]
    stateless = Instance("one", [[[1.0]], [[1.0]]], laws, [1.0])
    assert known_state(stateless)[:2] == (0.7, 0.7)


def test_a_periodic_process_converges_and_bounds_hold_before_that():
    """Two states that swap, paying 0 and 1, earn ½."""
    rewards, swap = np.array([[0.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    optimum = average_reward(rewards, [swap])
    assert optimum.lower == pytest.approx(0.5, abs=1e-9)
    for iterations in (1, 2, 5):
        early = average_reward(rewards, [swap], iterations=iterations)
        assert early.lower <= 0.5 <= early.upper
