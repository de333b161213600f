"""Explore-then-commit and RCA, which do not decide anew each time."""

import math

import numpy as np
import pytest

from epochbandits import InputError, Instance, simulate
from epochbandits.model.rewards import Constant
from policy_driver import Driver
from problems import problem

TWO = problem("mixed")
REVEALING = Instance(
    "revealing",
    [[[0.6, 0.4], [0.3, 0.7]], [[0.2, 0.8], [0.5, 0.5]]],
    [[Constant(0.9), Constant(0.1)], [Constant(0.2), Constant(0.6)]],
    [0.5, 0.5],
)


def test_etc_by_hand():
    """Two plays of each arm, then the arm with the larger mean, whatever it pays."""
    driver = Driver("etc", TWO, m=2)
    assert driver.play(0.2, 0.5, 0.4, 0.3) == [0, 1, 0, 1]  # means .3 and .4
    assert driver.play(*[0.0] * 6) == [1] * 6


def test_etc_breaks_ties_once():
    commits = []
    for seed in range(300):
        driver = Driver("etc", TWO, m=1, seed=seed)
        arms = driver.play(*[0.5] * 8)[2:]
        assert len(set(arms)) == 1
        commits.append(arms[0])
    assert abs(np.mean(commits) - 0.5) < 5 * 0.5 / math.sqrt(300)


def test_etc_explores_as_the_horizon_says():
    """(1000/4)^(2/3) log(1000)^(1/3) = 39.69 · 1.904 = 75.6; never more than the horizon."""
    assert Driver("etc", decisions=1000).memory.explore == 4 * 76
    assert Driver("etc", decisions=9).memory.explore == 8
    assert Driver("etc", decisions=1).memory.explore == 4


def test_rca_by_hand():
    driver = Driver("rca", REVEALING)
    assert driver.play(0.9, 0.1, 0.9) == [0, 0, 0]  # counts the cycle .9, .1
    assert driver.play(0.6, 0.6) == [1, 1]  # the cycle .6
    assert driver.memory.plays.tolist() == [2, 1]
    # Indices: 1/2 + sqrt(log 3 / 2) = 1.241 and .6 + sqrt(log 3) = 1.648.
    assert driver.play(0.2, 0.2, 0.6, 0.2, 0.6) == [1] * 5  # .2, .2 wait for .6; counts .6, .2
    np.testing.assert_allclose(driver.memory.score, [1.2411, 1.6481], atol=1e-4)
    np.testing.assert_allclose(driver.memory.total, [1.0, 1.4])
    # 1/2 + sqrt(log 5 / 2) = 1.397 and 1.4/3 + sqrt(log 5 / 3) = 1.199.
    assert driver.play(0.1) == [0]
    assert driver.memory.plays.tolist() == [2, 3]


def test_rca_breaks_ties_that_rounding_hides():
    """In floating point .1 + .4 + .2 is less than .1 + .2 + .4."""
    laws = [Constant(0.1), Constant(0.4), Constant(0.2)]
    instance = Instance("cycles", [np.full((3, 3), 1 / 3)] * 2, [laws, laws], np.full(3, 1 / 3))
    third = []
    for seed in range(300):
        driver = Driver("rca", instance, seed=seed, L=0.0)  # the indices are the means
        assert driver.play(0.1, 0.4, 0.2, 0.1) == [0] * 4
        assert driver.play(0.1, 0.2, 0.4, 0.1) == [1] * 4
        third += driver.play(0.1)
        assert driver.memory.score[0] < driver.memory.score[1]
    assert abs(np.mean(third) - 0.5) < 5 * 0.5 / math.sqrt(300)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_rca_runs_are_blocks_of_cycles(engine, sampling):
    """Rewards of a run reveal the states exactly: its arms follow from them."""
    laws = [[Constant(0.9137), Constant(0.1071)], [Constant(0.2239), Constant(0.6043)]]  # no ties
    instance = Instance("untied", REVEALING.transition, laws, [0.5, 0.5])
    table = simulate(
        instance, "rca", iterations=600, seeds=[1], sampling=sampling, engine=engine, trace="full"
    )
    counted = [[], []]
    start, rewards, k = [None, None], table["reward"].tolist(), 0
    while True:
        if [] in counted:
            arm = counted.index([])
        else:
            t2 = sum(map(len, counted))
            arm = int(np.argmax([np.mean(c) + math.sqrt(math.log(t2) / len(c)) for c in counted]))
        start[arm] = rewards[k] if start[arm] is None else start[arm]
        visits = [i for i in range(k, 600) if rewards[i] == start[arm]][:2]
        assert (table["arm"][k : visits[1] + 1 if len(visits) == 2 else 600] == arm).all()
        if len(visits) < 2 or visits[1] == 599:
            break
        counted[arm] += rewards[visits[0] : visits[1]]
        k = visits[1] + 1
    assert k > 500


def test_rca_refuses_what_reveals_no_state():
    tied = Instance("tied", REVEALING.transition, [[Constant(0.5)] * 2] * 2, [0.5, 0.5])
    for instance in (tied, TWO):
        with pytest.raises(InputError, match=r"policy 'rca': the rewards of arm 0 do not reveal"):
            simulate(instance, "rca", iterations=10, seeds=[0])
    with pytest.raises(InputError, match=r"use the schedule fixed:1"):
        simulate(REVEALING, "rca", epochs=10, seeds=[0], schedule="linear")
