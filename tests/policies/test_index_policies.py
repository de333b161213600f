"""KL-UCB, sliding-window and discounted UCB, UCB2: traces by hand, indices by their formulas."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from epochbandits.policies import POLICIES
from epochbandits.policies.base import Rewards
from epochbandits.policies.kl_ucb import TOLERANCE, lower, upper
from policy_driver import Driver
from problems import problem
from stretch_replay import AHEAD, UNCONDITIONAL

TWO = problem("mixed")


def divergence(p, q):
    return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


# --- KL-UCB --------------------------------------------------------------------------------------


def test_kl_ucb_by_hand():
    """Means of 1/2 and 0 have the indices (1 + sqrt(1 - t^(-2/T)))/2 and 1 - t^(-1/T)."""
    driver = Driver("kl-ucb", TWO)
    assert driver.play(0.5, 0.0) == [0, 1]
    for t, first in zip(range(3, 8), [0.9714, 0.9330, 0.9056, 0.8846, 0.8677], strict=True):
        assert driver.play(0.5) == [0]
        np.testing.assert_allclose(driver.memory.score, [first, 1 - 1 / t], atol=1e-4)
    assert driver.play(1.0) == [1]  # .8536 against 7/8
    assert driver.play(1.0) == [1]  # mean 1/2 after two plays: .9428 against .8388


@pytest.mark.parametrize("c", [0.0, 3.0])
def test_kl_ucb_indices_use_up_the_budget(c):
    driver, rng = Driver("kl-ucb", c=c), np.random.default_rng(1)
    for t in range(1, 60):
        driver.choose()
        if t > 4:
            budget = math.log(t) + c * math.log(math.log(t))
            for q, r in zip(driver.memory.score, driver.rewards, strict=True):
                below = len(r) * divergence(np.mean(r), q - 2 * TOLERANCE)
                assert below < budget
                assert q == 1 or budget < len(r) * divergence(np.mean(r), q) + 1e-12
        driver.learn(rng.random())


@pytest.mark.parametrize("x", [1e-9, 1e-4, 0.01, 0.3, 2.0, 20.0])
@pytest.mark.parametrize("p", [0.0, 1e-250, 1e-9, 0.01, 0.3, 0.5, 0.97, 1 - 1e-9, 1.0])
def test_the_index_is_within_its_tolerance(p, x):
    """Against bisection by SciPy; an index is above the root, by at most the tolerance."""
    index = upper(p, x)
    assert p <= index <= 1
    if p == 1:
        assert index == 1
        return
    small = p < 1e-200
    d = (lambda q: -math.log1p(-q)) if small else (lambda q: divergence(p, q))
    top = 1 - 2.0**-53
    if d(top) <= x:
        assert index == pytest.approx(1, abs=1e-12)
        return
    exact = brentq(lambda q: d(q) - x, p, top, xtol=1e-15, rtol=1e-15)
    rounding = 1e-16 / max(1e-4, (exact - p))  # of the divergence above, near p
    assert -1e-15 - rounding <= index - exact <= TOLERANCE + 1e-15 + rounding


def test_the_lowest_mean_keeps_within_the_budget():
    """At `lower` the divergence is at most x, and mostly near it: then a stretch is long."""
    rng, shares = np.random.default_rng(2), []
    for _ in range(2000):
        q, x = rng.uniform(0.01, 0.99), math.exp(rng.uniform(-12, 1))
        p = rng.uniform(0, 1.2) * q
        if p > 1 or (p < q and divergence(p, q) > x):
            continue
        least = lower.py_func(p, q, x)
        assert 0 <= least <= min(p, q)
        assert divergence(least, q) <= x * (1 + 1e-9)
        if least > 0:
            shares.append(divergence(least, q) / x)
    assert np.mean(shares) > 0.98


def test_kl_ucb_takes_indices_near_1_for_equal():
    """Errata D2: both indices are 1 up to rounding."""
    arms = set()
    for seed in range(40):
        driver = Driver("kl-ucb", TWO, seed=seed)
        assert driver.play(0.96, 0.99) == [0, 1]
        driver.k = 4
        arms.add(driver.choose())
    assert arms == {0, 1}


# --- windows and discounts -----------------------------------------------------------------------


def test_sw_ucb_by_hand():
    """A window of three decisions: sqrt(.5 log 3 / N) is .741 for one play, .524 for two."""
    driver = Driver("sw-ucb", TWO, window=3, xi=0.5)
    assert driver.play(1.0, 0.0) == [0, 1]
    assert driver.play(0.0) == [0]  # 1.741 against .741
    assert driver.play(0.0) == [0]  # 1.024 against .741
    assert driver.play(0.5) == [1]  # the 1 is forgotten: .524 against .741
    np.testing.assert_allclose(driver.memory.score, [0.524, 0.741], atol=1e-3)
    assert driver.play(0.5, 0.0) == [1, 1]  # 1.241 against .524, then 1.024 against .741
    assert driver.play(0.0) == [0]  # nothing is left of arm 0
    assert driver.memory.plays.tolist() == [1, 2]


def test_d_ucb_by_hand():
    """With g = 1/2 and ξ = 1/4 the window is sqrt(log n / N)."""
    driver = Driver("d-ucb", TWO, discount=0.5, xi=0.25)
    assert driver.play(1.0, 0.0) == [0, 1]
    assert driver.play(0.0) == [0]  # N = (.5, 1): 1 + .901 against .637
    np.testing.assert_allclose(driver.memory.score, [1.9005, 0.6368], atol=1e-4)
    assert driver.play(0.0) == [1]  # N = (1.25, .5): .2 + .669 against 1.058
    np.testing.assert_allclose(driver.memory.score, [0.8691, 1.0579], atol=1e-4)


@pytest.mark.parametrize(
    ("name", "params"),
    [("sw-ucb", {"window": 17}), ("d-ucb", {"discount": 0.9}), ("d-ucb", {"discount": 1.0})],
)
def test_scores_by_weights_of_the_past(name, params):
    """Weight 1 for the last w decisions, or g^age; sums of the whole history at each decision."""
    driver, rng, history = Driver(name, **params), np.random.default_rng(3), []
    for t in range(1, 120):
        arm = driver.choose()
        if t > 4:
            age = np.arange(t - 1)[::-1]
            arms, rewards = np.array(history).T
            if name == "sw-ucb":
                weight, factor, log = (age < 17) * 1.0, 1, math.log(min(t, 17))
            else:
                weight = params["discount"] ** age
                factor, log = 4, math.log(weight.sum())
            N = np.array([weight[arms == j].sum() for j in range(4)])
            total = np.array([(weight * rewards)[arms == j].sum() for j in range(4)])
            with np.errstate(divide="ignore", invalid="ignore"):
                expected = np.where(N > 0, total / N + np.sqrt(factor * 0.6 * log / N), np.inf)
            np.testing.assert_allclose(driver.memory.score, expected, rtol=1e-10)
            assert expected[arm] == expected.max()
        reward = rng.random()
        history.append((arm, reward))
        driver.learn(reward)


def test_windows_and_discounts_follow_the_horizon():
    N = 10_000
    assert len(Driver("sw-ucb", decisions=N).memory.arms) == math.ceil(
        2 * math.sqrt(N * math.log(N))
    )
    assert Driver("d-ucb", decisions=N).memory.keep == 1 - 1 / 400
    assert Driver("d-ucb", decisions=N, changes=4).memory.keep == 1 - 1 / 200
    assert len(Driver("sw-ucb", decisions=50, window=10**6).memory.arms) == 50


def test_a_discount_that_forgets_an_arm_at_once():
    driver = Driver("d-ucb", TWO, discount=1e-200, xi=0.0)
    assert driver.play(1.0, 0.5, 0.75, 1.0) == [0, 1, 0, 0]
    assert driver.play(0.0) == [1]  # its weight is 1e-400


# --- UCB2 ----------------------------------------------------------------------------------------


def test_ucb2_by_hand():
    """α = 1/2: τ(r) = 1, 2, 3, 4, 6, 8; the comments have the indices at the epochs' starts."""
    driver = Driver("ucb2", TWO, alpha=0.5)
    assert driver.play(1.0, 0.0) == [0, 1]
    assert driver.play(1.0) == [0]  # n = 2, equal windows
    assert driver.play(1.0) == [0]  # n = 3: 1.726 against 1.255
    np.testing.assert_allclose(driver.memory.score, [1.726, 1.2546], atol=1e-3)
    assert driver.play(1.0) == [0]  # n = 4: 1.567 against 1.338
    assert driver.play(0.0, 0.0) == [0, 0]  # n = 5: 1.479 against 1.399, for two decisions
    assert driver.memory.tau.tolist() == [6, 1]
    assert driver.play(0.0) == [1]  # n = 7: 1.046 against 1.486
    np.testing.assert_allclose(driver.memory.score, [1.0465, 1.4864], atol=1e-4)


def test_ucb2_skips_empty_epochs():
    """α = .1: ⌈1.1^r⌉ is 2 for r = 1 to 7, and 3 for r = 8."""
    driver = Driver("ucb2", TWO, alpha=0.1)
    driver.play(1.0, 0.0, 1.0)
    assert (driver.memory.tau[0], driver.memory.r[0]) == (2, 1)
    driver.play(1.0)
    assert (driver.memory.tau[0], driver.memory.r[0]) == (3, 8)


def test_the_stretches_of_every_policy_are_replayed():
    """`AHEAD` in the tests of the engine, `UNCONDITIONAL` below; EpochGreedy has ε-greedy's."""
    assert POLICIES["epoch-greedy"].decide is POLICIES["eps-greedy"].decide
    ahead = {name for name, policy in POLICIES.items() if policy.decide is not None}
    assert ahead == {*AHEAD, *UNCONDITIONAL, "epoch-greedy"}


@pytest.mark.parametrize(
    ("name", "params"), [(name, each) for name, cases in UNCONDITIONAL.items() for each in cases]
)
@pytest.mark.parametrize("most", [None, 5])
def test_certain_stretches_are_the_same_decisions(monkeypatch, name, params, most):
    """Also if a longest stretch cuts them."""
    if most:
        monkeypatch.setattr(f"epochbandits.policies.{name}.MAX_STRETCH", float(most))
    rewards = np.random.default_rng(4).random(3000)
    plain, ahead = Driver(name, **params), Driver(name, **params)
    decide, learn = POLICIES[name].decide.py_func, POLICIES[name].learn.py_func
    arms, k, longest = [], 0, 0
    while k < len(rewards):
        arm, n, centre, level, _ = decide(ahead.memory, k + 1, None, ahead.rng)
        n = min(n, len(rewards) - k)
        assert n == 1 or level == -math.inf
        total = rewards[k : k + n].sum() - n * centre
        learn(ahead.memory, k + n, arm, Rewards(float(n), centre, total, 0.0), None, None)
        arms += [int(arm)] * n
        k, longest = k + n, max(longest, n)
    assert plain.play(*rewards) == arms
    if most:
        assert longest == most or params == {}  # whose epochs are shorter
    else:
        assert longest > (1 if params == {} else 100)
