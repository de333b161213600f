"""Thompson sampling and EXP3.S: their laws, and their updates by the formulas."""

import math

import numpy as np
import pytest
from scipy import stats

from epochbandits.policies.thompson import cheng_constant, draw_beta
from policy_driver import Driver
from problems import problem

TWO = problem("mixed")


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (2, 1), (1, 30), (0.5, 0.5), (0.2, 4), (200, 3), (1500, 1000)]
)
def test_draws_have_the_beta_law(a, b):
    rng = np.random.default_rng(1)
    rate = cheng_constant(a, b)
    draws = [draw_beta.py_func(a, b, rate, rng) for _ in range(4000)]
    assert stats.kstest(draws, stats.beta(a, b).cdf).pvalue > 1e-5


def test_thompson_counts_successes_and_failures():
    """Rewards of 1 and 0 leave nothing to the trial; a decision counts the reward before it."""
    driver = Driver("thompson", TWO, a=2.0, b=3.0)
    arms = driver.play(*[1.0, 0.0, 1.0, 1.0, 0.0] * 8)
    won = np.bincount(arms, weights=[1, 0, 1, 1, 0] * 8, minlength=2)
    driver.choose()
    np.testing.assert_array_equal(driver.memory.success, 2 + won)
    np.testing.assert_array_equal(driver.memory.failure, 3 + np.bincount(arms, minlength=2) - won)


def test_thompson_binarises_a_reward():
    driver = Driver("thompson", TWO)
    driver.play(*[0.3] * 5000)
    successes = driver.memory.success.sum() - 2
    assert abs(successes - 0.3 * 4999) < 5 * math.sqrt(5000 * 0.21)


def test_thompson_plays_an_arm_as_often_as_its_draw_is_the_largest():
    """P(Beta(2, 1) > Beta(1, 2)) = ∫ 2x (2x - x²) dx = 5/6."""
    driver = Driver("thompson", TWO)
    driver.memory.success[0], driver.memory.failure[1] = 2, 2
    for j in range(2):
        shape = driver.memory.success[j], driver.memory.failure[j]
        driver.memory.cheng_constant[j] = cheng_constant(*shape)
    arms = [driver.choose() for _ in range(6000)]
    assert abs(np.mean(arms) - 1 / 6) < 5 * math.sqrt(5 / 36 / 6000)


@pytest.mark.parametrize(
    ("decisions", "params"),
    [(50, {}), (400, {"rate": 0.2, "share": 0.01}), (3000, {"rate": 0.9, "share": 0})],
)
def test_exp3s_weights(decisions, params):
    """The last case grows beyond 1e100, where weights are scaled down."""
    driver, rng = Driver("exp3s", decisions=decisions, **params), np.random.default_rng(3)
    rate = params.get("rate", min(1, math.sqrt(4 * math.log(4 * decisions) / decisions)))
    share = params.get("share", 1 / decisions)
    weight, scaled = np.full(4, 0.25), False
    for _ in range(decisions):
        arm = driver.choose()
        chance = (1 - rate) * weight + rate / 4
        memory = driver.memory
        probabilities = memory.keep * memory.weight / memory.sums[0] + memory.floor
        np.testing.assert_allclose(probabilities, chance, rtol=1e-9)
        reward = rng.random() if decisions < 3000 else 1.0
        driver.learn(reward)
        scaled |= memory.sums[0] == 1.0
        new = weight + math.e * share / 4
        new[arm] += weight[arm] * math.expm1(rate * reward / (4 * chance[arm]))
        weight = new / new.sum()
    assert scaled == (decisions == 3000)


def test_exp3s_draws_from_its_law():
    driver = Driver("exp3s", rate=0.4)
    driver.memory.weight[:] = [1, 2, 3, 4]
    driver.memory.sums[0] = 10
    counts = np.bincount([driver.choose() for _ in range(20_000)], minlength=4)
    chance = 0.6 * np.array([0.1, 0.2, 0.3, 0.4]) + 0.1
    assert np.abs(counts - 20_000 * chance).max() < 5 * math.sqrt(20_000 * 0.25)
