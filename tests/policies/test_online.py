"""Policies that estimate from the rewards what EpochUCB and EpochGreedy have to know."""

import math

import numpy as np
import pytest

from epochbandits import InputError, simulate
from epochbandits.model.setting import Setting
from epochbandits.policies.epoch_greedy_online import difference
from epochbandits.policies.epoch_ucb_online import estimate
from policy_driver import INSTANCE, Driver


def moments(tau, reward):
    parts = 1 / tau, tau**-2.0, reward, reward**2, tau, tau * reward, tau * reward**2
    return np.array([part.sum() for part in parts])


@pytest.mark.parametrize("seed", range(5))
def test_the_estimate_is_the_slope_of_a_line(seed):
    """By NumPy's least squares through (1/τ, τ (R - μ)²)."""
    rng = np.random.default_rng(seed)
    tau = 3.0 + 2 * np.arange(12)
    reward = 0.4 + rng.normal(0, 0.3, 12) / np.sqrt(tau) + 2.5 / tau
    mean = np.average(reward, weights=tau)
    slope, _ = np.polyfit(1 / tau, tau * (reward - mean) ** 2, 1)
    expected = math.sqrt(max(0.0, slope))
    assert estimate.py_func(12.0, moments(tau, reward)) == pytest.approx(expected, rel=1e-8)


def test_the_estimate_finds_the_bias_without_noise():
    """Averages μ + A/τ: the weighted mean tends to μ, and the estimate to A."""
    tau = 40.0 + np.arange(20_000)
    estimated = estimate.py_func(20_000.0, moments(tau, 0.5 + 3.0 / tau))
    assert estimated == pytest.approx(3.0, rel=0.1)


def test_estimates_that_are_not_possible():
    tau = np.array([1.0, 2.0])
    assert estimate.py_func(2.0, moments(tau, tau / 4)) == math.inf, "before the third play"
    tau = np.full(3, 5.0)
    assert estimate.py_func(3.0, moments(tau, np.array([0.1, 0.5, 0.9]))) == 0.0, "one length"
    tau = np.array([1.0, 2.0, 3.0])
    falling = np.array([0.5, 0.6, 0.2])  # the later averages spread more: the slope is negative
    assert estimate.py_func(3.0, moments(tau, falling)) == 0.0


def test_epoch_ucb_online_by_hand():
    """τ0 = 1, ζ = 1. Rewards .5, .1, .6, .2 of the first four epochs, then .7 for arm 2."""
    driver = Driver("epoch-ucb-online", epochs=Setting(1, 1), constant=0.0)
    assert driver.play(0.5, 0.1, 0.6, 0.2) == [0, 1, 2, 3]
    # No arm has three plays: each index is the mean plus 1.
    np.testing.assert_allclose(driver.memory.known, [1.5, 1.1, 1.6, 1.2])
    assert driver.play(0.7, 0.2, 0.5) == [2, 2, 0]  # 1.6, then 1.65; then 1.5 of arm 0 is largest
    # Arm 2: τ = 1, 2, 3 and R = .6, .7, .2; the line through three points.
    tau, reward = np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.7, 0.2])
    mean = (0.6 + 1.4 + 0.6) / 6
    slope = np.polyfit(1 / tau, tau * (reward - mean) ** 2, 1)[0]
    A = math.sqrt(max(0.0, slope))
    bias = min(1.0, A * (1 + math.log(4)) / 3)
    assert driver.memory.known[2] == pytest.approx(0.5 + bias, rel=1e-9)


def test_epoch_ucb_online_refuses_discounts():
    with pytest.raises(InputError, match="time averages"):
        simulate(INSTANCE, "epoch-ucb-online", epochs=5, seeds=1, gamma=0.9)


def test_epoch_greedy_online_by_hand():
    driver = Driver("epoch-greedy-online", c=0.001)
    while (driver.memory.plays == 0).any():  # every epoch explores
        assert difference(driver.memory) == 0.0
        driver.play(0.5)
    driver.memory.mean[:] = [0.2, 0.9, 0.4, 0.6]
    assert difference(driver.memory) == pytest.approx(0.3)
    # ε_k = .004/(.09·k) is below 1: the best arm, but for one epoch in hundreds
    picks = [int(driver.choose()) for _ in range(3000)]
    assert np.mean(np.array(picks) == 1) > 0.99


@pytest.mark.parametrize("k", [10, 200])
def test_epoch_greedy_online_explores_with_the_estimated_gap(k):
    driver = Driver("epoch-greedy-online", c=0.05)
    driver.memory.plays[:] = 1
    driver.memory.mean[:] = [0.2, 0.9, 0.4, 0.6]
    rng, choose = np.random.default_rng(k), driver.builtin.choose.py_func
    picks = np.array([choose(driver.memory, k, None, rng) for _ in range(20_000)])
    eps = min(1.0, 0.05 * 4 / (0.09 * k))
    share = np.mean(picks != 1)
    assert share == pytest.approx(0.75 * eps, abs=5 * math.sqrt(0.75 * eps / 20_000))


def test_tied_arms_are_explored_for_ever():
    driver = Driver("epoch-greedy-online", c=1e-9)
    driver.memory.plays[:] = 1
    driver.memory.mean[:] = [0.5, 0.5, 0.1, 0.1]
    picks = {int(driver.choose()) for _ in range(200)}
    assert picks == {0, 1, 2, 3}
