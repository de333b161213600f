"""The best cycle of arms, against all cycles evaluated one by one."""

import itertools

import numpy as np
import pytest

from epochbandits.model.cycles import best_cycle, cycle_reward
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant
from epochbandits.validation import InputError


def swapping(eps):
    """Return two arms that each pay 1 in a state and lead, but for ε, to the other's state."""
    rows = [[[eps, 1 - eps]] * 2, [[1 - eps, eps]] * 2]
    laws = [[Constant(1.0), Constant(0.0)], [Constant(0.0), Constant(1.0)]]
    return Instance("swapping", rows, laws, [1.0, 0.0])


def played(instance, arms, rounds=4000):
    """Return the mean reward of the second half of many rounds of a cycle."""
    beta, total = np.array(instance.initial), 0.0
    for k in range(rounds):
        for arm in arms:
            total += float(beta @ instance.reward_means[arm]) if k >= rounds // 2 else 0.0
            beta = beta @ instance.transition[arm]
    return total / len(arms) / (rounds - rounds // 2)


@pytest.mark.parametrize("arms", [(0,), (0, 1), (2, 0, 1, 1)])
def test_a_cycle_earns_what_playing_it_earns(arms):
    instance = generate("uncorrelated", 3, 3, 1)
    assert cycle_reward(instance, arms) == pytest.approx(played(instance, arms), abs=1e-12)


def test_a_cycle_of_one_arm_earns_its_mean():
    instance = failure_example(0.01)
    assert cycle_reward(instance, [0, 0]) == pytest.approx(instance.mu[0])
    assert best_cycle(instance).arms == (0,)


def test_two_arms_that_serve_each_other():
    """Alternating earns 1 - ε, each arm alone ε."""
    instance = swapping(0.1)
    best = best_cycle(instance)
    assert sorted(best.arms) == [0, 1]
    assert best.reward == pytest.approx(0.9)
    assert instance.mu.tolist() == pytest.approx([0.1, 0.1])


def test_the_search_finds_the_best_word():
    rng = np.random.default_rng(0)
    for _ in range(4):
        rows = rng.dirichlet(np.full(3, 0.3), size=(2, 3)) * 0.99 + 0.01 / 3
        laws = [[Constant(float(x)) for x in row] for row in rng.random((2, 3))]
        instance = Instance("random", rows, laws, [1, 0, 0])
        words = [w for n in range(1, 6) for w in itertools.product(range(2), repeat=n)]
        best = max(cycle_reward(instance, word) for word in words)
        assert best_cycle(instance, 5).reward >= best - 1e-12
        assert best_cycle(instance, 5).reward == pytest.approx(
            cycle_reward(instance, best_cycle(instance, 5).arms)
        )


def test_long_blocks_are_searched():
    """Arm 0 fills slowly and pays nothing, arm 1 pays while the state is full and empties it."""
    rows = [[[0.5, 0.5], [0.001, 0.999]], [[0.999, 0.001], [0.05, 0.95]]]
    laws = [[Constant(0.0), Constant(0.0)], [Constant(0.0), Constant(1.0)]]
    instance = Instance("filling", rows, laws, [1, 0])
    best = best_cycle(instance, 1)
    assert best.arms == (0,) * best.arms.count(0) + (1,) * best.arms.count(1)
    assert len(best.arms) > 2
    assert best.reward > max(cycle_reward(instance, word) for word in ((0,), (1,), (0, 1)))


@pytest.mark.parametrize("arms", [[], [2], [0, -1]])
def test_a_cycle_that_is_none_is_refused(arms):
    with pytest.raises(InputError):
        cycle_reward(failure_example(0.1), arms)
