"""Each policy against its formula, written out independently over a few steps."""

import math
import re
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from epochbandits import InputError, policies
from epochbandits.model.chains import Mixing
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES
from epochbandits.policies.base import MAX_STRETCH, TIE, Rewards, argmax, best_arm
from epochbandits.theory import greedy, penalty
from mixings import mixing
from policy_driver import BETA, INSTANCE, Driver
from problems import problem
from stretch_replay import learn, memory

CONTRACT = {
    "epoch-ucb": "linear", "epoch-greedy": "linear", "fixed-arm": "linear", "uniform": "linear",
    "scripted": "linear", "ucb": "fixed:1", "ucb-tuned": "fixed:1", "eps-greedy": "fixed:1",
    "exp3": "fixed:1", "q-learning": "fixed:1", "kl-ucb": "fixed:1", "thompson": "fixed:1",
    "sw-ucb": "fixed:1", "d-ucb": "fixed:1", "exp3s": "fixed:1", "etc": "fixed:1",
    "ucb2": "fixed:1", "rca": "fixed:1",
}  # fmt: skip


def test_the_policies_are_there():
    assert {name: POLICIES[name].schedule for name in CONTRACT} == CONTRACT
    assert [name for name in CONTRACT if POLICIES[name].observes] == ["q-learning"]


def test_a_policy_is_registered_by_its_file():
    """Every file of the package that registers a policy was imported with the package."""
    files = Path(policies.__file__).parent.glob("*.py")
    registering = {f.stem for f in files if re.search(r"^register\(", f.read_text(), re.MULTILINE)}
    assert {policy.build.__module__.rpartition(".")[2] for policy in POLICIES.values()} == (
        registering
    )
    assert len(registering) >= len(CONTRACT)


def test_ucb_by_hand():
    """Two arms; the numbers in the comments are sqrt(2 log t / T) plus the mean."""
    driver = Driver("ucb", problem("mixed"))
    assert driver.choose() == 0
    driver.learn(1.0)
    assert driver.choose() == 1
    driver.learn(0.0)
    assert driver.choose() == 0  # 1 + 1.482 against 0 + 1.482
    driver.learn(0.5)
    assert driver.choose() == 0  # .75 + 1.177 = 1.927 against 1.665
    driver.learn(0.0)
    assert driver.choose() == 1  # .5 + 1.036 = 1.536 against 1.794
    np.testing.assert_allclose(driver.memory.score, [1.5358, 1.7941], atol=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.3])
@pytest.mark.parametrize("variant", penalty.VARIANTS)
@pytest.mark.parametrize(("constant", "factor"), [(6.0, 1.0), (1.5, 0.0), (2.0, 0.5)])
def test_epoch_ucb_scores_are_the_confidence_window(variant, gamma, constant, factor):
    epochs = Setting(7, 3, gamma)
    driver = Driver("epoch-ucb", epochs=epochs, variant=variant, constant=constant, factor=factor)
    rng = np.random.default_rng(1)
    for k in range(1, 60):
        arm = driver.choose()
        if k > 4:
            expected = []
            for j in range(4):
                T = len(driver.rewards[j])
                L = penalty.penalty_bound(T, INSTANCE.mixing, epochs, variant)[j]
                window = factor * L / T + math.sqrt(constant * math.log(k) / T)
                expected.append(driver.means()[j] + window)
            np.testing.assert_allclose(driver.memory.score, expected, rtol=1e-12)
            assert arm == np.argmax(expected)
        else:
            assert arm == k - 1
        driver.learn(rng.random())


def test_epoch_ucb_default_is_the_papers_window():
    driver = Driver("epoch-ucb")
    for _ in range(4):
        driver.choose()
        driver.learn(0.5)
    driver.choose()
    window = penalty.confidence_window(5, 1, INSTANCE.mixing, Setting())
    np.testing.assert_allclose(driver.memory.score, 0.5 + window, rtol=1e-13)


def test_epoch_ucb_with_gamma_equal_to_a_rate():
    """The printed condition is on all arms at once."""
    lam = INSTANCE.mixing[0].lam
    epochs = Setting(5, 2, lam)
    driver = Driver("epoch-ucb", epochs=epochs)
    for _ in range(4):
        driver.choose()
        driver.learn(0.0)
    driver.choose()
    window = penalty.confidence_window(5, 1, INSTANCE.mixing, epochs)
    np.testing.assert_allclose(driver.memory.score, window, rtol=1e-12)


def test_ucb_tuned_scores():
    driver = Driver("ucb-tuned")
    rng = np.random.default_rng(2)
    for t in range(1, 80):
        arm = driver.choose()
        if t > 4:
            expected = []
            for r in driver.rewards:
                V = np.var(r) + math.sqrt(2 * math.log(t) / len(r))
                expected.append(np.mean(r) + math.sqrt(math.log(t) / len(r) * min(0.25, V)))
            np.testing.assert_allclose(driver.memory.score, expected, rtol=1e-12)
            assert arm == np.argmax(expected)
        driver.learn(rng.random() ** 3)


REFRESH = 512  # EXP3 computes its weights from their logarithms each 512 decisions


def exp3_chances(driver):
    """The law that EXP3 draws an arm from, from its weights."""
    weight, rate = driver.memory.weight, driver.memory.rate
    total = driver.memory.total[0] / driver.memory.share
    return (1 - rate) * weight / total + rate / len(weight)


@pytest.mark.parametrize("decisions", [50, 3000])  # 3000: weights are computed anew in between
def test_exp3_weights(decisions):
    driver = Driver("exp3", decisions=decisions)
    rate = min(1, math.sqrt(4 * math.log(4) / ((math.e - 1) * decisions)))
    weights = np.ones(4)
    rng = np.random.default_rng(3)
    for _ in range(decisions):
        arm = driver.choose()
        chance = (1 - rate) * weights / weights.sum() + rate / 4
        np.testing.assert_allclose(exp3_chances(driver), chance, rtol=1e-11)
        reward = rng.random()
        driver.learn(reward)
        weights[arm] *= math.exp(rate * reward / (4 * chance[arm]))


@pytest.mark.parametrize("rate", [0.0, 5e-324, 1e-9, 0.4, 1 - 2**-53, 1.0])
def test_exp3_draws_from_its_law_and_survives_large_weights(rate):
    driver = Driver("exp3", rate=rate)
    driver.memory.log_weight[:] = [0.0, 5000.0, 4999.0, 0.0]
    driver.arm, driver.k = 1, REFRESH
    driver.learn(1.0)  # shifts the weights
    top = 5000 + rate
    expected = np.exp([-top, 0.0, 4999 - top, -top])
    counts = np.bincount([driver.choose() for _ in range(20_000)], minlength=4)
    chance = (1 - rate) * expected / expected.sum() + rate / 4
    np.testing.assert_allclose(exp3_chances(driver), chance, rtol=1e-12)
    assert np.abs(counts - 20_000 * chance).max() < 5 * np.sqrt(20_000 * 0.25)


def test_exp3_weights_do_not_overflow_before_they_are_computed_anew():
    """Each exponent is above .96, so arm 0 has a weight of e^960, which no double holds."""
    driver = Driver("exp3", rate=0.99)
    for k in range(1, 2 * REFRESH):
        driver.arm, driver.k = 0, k
        driver.learn(1.0)
        chances = exp3_chances(driver)
        assert chances.sum() == pytest.approx(1)
        np.testing.assert_allclose(chances[1:], chances[1])
    assert driver.memory.log_weight[0] > 960
    np.testing.assert_allclose(chances, [0.2575, 0.2475, 0.2475, 0.2475], rtol=1e-12)


def test_exp3_recovers_a_weight_that_underflowed():
    """Arm 0 is e^-750 of the others, which no double holds, and comes back by its logarithm."""
    driver = Driver("exp3", rate=0.4)
    driver.memory.log_weight[:] = [0.0, 750.0, 750.0, 750.0]
    driver.arm, driver.k = 1, REFRESH
    driver.learn(0.0)
    assert driver.memory.weight[0] == 0.0
    for k in range(1, REFRESH + 1):
        assert exp3_chances(driver)[0] == pytest.approx(0.1)
        driver.arm, driver.k = 0, k
        driver.learn(1.0)
    expected = [math.exp(REFRESH - 750), 1, 1, 1]
    np.testing.assert_allclose(driver.memory.weight, expected, rtol=1e-12)


def test_q_learning_updates():
    driver = Driver("q-learning", decisions=40)
    weights, rng = np.zeros((4, 4)), np.random.default_rng(4)
    before = rng.dirichlet(np.ones(4))
    for k in range(1, 41):
        arm = driver.choose(before)
        after, reward = rng.dirichlet(np.ones(4)), rng.random()
        driver.learn(reward, before, after)
        target = reward + 0.9 * (weights @ after).max()
        weights[arm] += (target - weights[arm] @ before) / math.sqrt(k) * before
        np.testing.assert_allclose(driver.memory.weight, weights, rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(driver.memory.value, weights @ after, rtol=1e-10, atol=1e-13)
        before = after


def test_q_learning_explores_as_it_should():
    """With Q in favour of arm 2, other arms are explorations: ε_t = exp(-t ln 20 / (N/2))."""
    driver = Driver("q-learning", decisions=8000)
    driver.memory.value[:] = [0, 0, 1, 0]
    arms = np.array([driver.choose() for _ in range(8000)])
    eps = np.exp(-np.arange(1, 8001) * math.log(20) / 4000)
    others = (arms != 2).reshape(8, -1).mean(axis=1)
    np.testing.assert_allclose(others, 0.75 * eps.reshape(8, -1).mean(axis=1), atol=0.06)
    assert eps[3999] == pytest.approx(0.05)


def test_greedy_explores_as_it_should():
    driver = Driver("eps-greedy", c=5.0, d=0.5)
    driver.memory.mean[:] = [0, 0.9, 0, 0]
    scale = 5 * 4 / 0.5**2
    arms = np.array([driver.choose() for _ in range(4000)])
    eps = np.minimum(1, scale / np.arange(1, 4001))
    for part in np.split(np.arange(4000), 8):
        share = (arms[part] != 1).mean()
        assert abs(share - 0.75 * eps[part].mean()) < 0.09
    first = np.bincount(arms[: int(scale)], minlength=4) / scale
    np.testing.assert_allclose(first, 0.25, atol=0.15)


@pytest.mark.parametrize(("k", "eps"), [(3, 1.0), (4, 0.75), (6, 0.5)])
def test_greedy_explores_with_scale_over_k(k, eps):
    """With cm/d² = 3 the first three decisions explore for certain, and decision k with 3/k."""
    driver = Driver("eps-greedy", c=3 * 0.25, d=1.0)
    driver.memory.mean[:] = [0, 0.9, 0, 0]
    choose = driver.builtin.choose.py_func
    arms = [choose(driver.memory, k, BETA, driver.rng) for _ in range(6000)]
    share = np.mean(np.array(arms) != 1)
    assert abs(share - 0.75 * eps) < 5 * math.sqrt(0.25 / 6000)


def test_greedy_parameters():
    d = INSTANCE.min_gap
    assert Driver("eps-greedy").memory.scale == pytest.approx(5 * 4 / d**2)
    assert Driver("epoch-greedy", c=2.0).memory.scale == pytest.approx(2 * 4 / d**2)
    assert Driver("epoch-greedy", c=2.0, decay=10.0).memory.scale == pytest.approx(0.2 * 4 / d**2)
    best = greedy.best_constants(1000, INSTANCE, Setting())
    assert Driver("epoch-greedy").memory.scale == pytest.approx(best.k_prime)
    kappa = float(penalty.kappa_per_arm(1000, INSTANCE.mixing, Setting()).max())
    chosen = greedy.constants(20.0, kappa, d, 4)
    assert Driver("epoch-greedy", cprime=20.0).memory.scale == pytest.approx(chosen.k_prime)


def test_greedy_constant_fits_the_given_d():
    n, d = 10_000_000, INSTANCE.min_gap / 2  # long enough for the best c to depend on d
    best = greedy.best_constants(n, INSTANCE, Setting(), d=d)
    assert best.c < greedy.best_constants(n, INSTANCE, Setting()).c
    scale = Driver("epoch-greedy", decisions=n, d=d).memory.scale
    assert scale == pytest.approx(best.k_prime)


def test_greedy_means_are_means():
    driver = Driver("epoch-greedy", c=1.0)
    rng = np.random.default_rng(5)
    for _ in range(60):
        driver.choose()
        driver.learn(rng.random())
    np.testing.assert_allclose(driver.memory.mean, driver.means(), rtol=1e-13)


def test_scripts():
    driver = Driver("scripted", arms="0,1,1,3")
    assert [driver.choose() for _ in range(6)] == [0, 1, 1, 3, 0, 1]
    assert Driver("scripted", arms=2).choose() == 2
    assert Driver("fixed-arm", arm=3).choose() == 3
    counts = np.bincount([Driver("uniform", seed=s).choose() for s in range(2000)])
    assert np.abs(counts - 500).max() < 100


@pytest.mark.parametrize("by_mean", [False, True])
@pytest.mark.parametrize("tied", [(0, 1, 2, 3), (1, 3)])
def test_ties_are_broken_uniformly(tied, by_mean):
    values, rng = np.zeros(4), np.random.default_rng(6)
    values[list(tied)] = 1.0
    if by_mean:
        values[list(tied)] += np.array([0, 2, -1, 1])[: len(tied)] * 2.0**-52  # as rounding would
        arms = [best_arm(values, values, rng) for _ in range(8000)]
    else:
        arms = [argmax(values, rng) for _ in range(8000)]
    counts = np.bincount(arms, minlength=4)
    expected = 8000 / len(tied)
    assert set(np.nonzero(counts)[0]) == set(tied)
    assert np.abs(counts[list(tied)] - expected).max() < 5 * math.sqrt(expected)


@pytest.mark.parametrize(
    ("score", "mean", "best"),
    [
        ([0.5, 0.5 + 2 * TIE, 0.5], [0.5, 0.5, 0.5], {1}),  # another number of plays
        ([0.5, 0.5 + TIE / 2, 0.5], [0.25, 0.25 + TIE, 0.25], {0, 1, 2}),
        ([0.5, 0.5 + TIE / 2, 0.5], [1e-15, 2e-15, 0.0], {1}),
        ([1e-20, 2e-20, 0.0], [1e-20, 2e-20, 0.0], {1}),
        ([0.0, 0.0, 1e-300], [0.0, 0.0, 1e-300], {2}),
        ([np.inf, 1.0, np.inf], [0.5, 0.5, 0.1], {0, 2}),
    ],
)
def test_what_ties(score, mean, best):
    rng = np.random.default_rng(6)
    assert {best_arm(np.array(score), np.array(mean), rng) for _ in range(50)} == best


BY_MEAN = {
    "ucb": {}, "ucb-tuned": {}, "kl-ucb": {}, "ucb2": {}, "etc": {"m": 9},
    "eps-greedy": {"c": 0.0, "d": 0.1}, "epoch-greedy": {"c": 0.0, "d": 0.1},
    "epoch-ucb": {"worst": True}, "sw-ucb": {"window": 20}, "d-ucb": {"discount": 1.0},
}  # fmt: skip
"""Policies that compare means, and parameters with which two equal arms have equal indices."""


@pytest.mark.parametrize("name", BY_MEAN)
def test_the_order_of_rewards_does_not_decide_a_tie(name):
    rng, rounded = np.random.default_rng(8), 0
    for _ in range(200):
        rewards, policy = rng.choice([0.0, 1 / 3, 2 / 3, 1.0], 9), memory(name, 2, **BY_MEAN[name])
        first, second = rng.permutation(rewards), rng.permutation(rewards)
        for k, reward in enumerate([*first, *second], start=1):
            learn(name, policy, k, (k - 1) // 9, reward)
        arms = set()
        for _ in range(40):
            fresh = deepcopy(policy)  # some choices have effects
            arms.add(int(POLICIES[name].choose.py_func(fresh, 19, None, rng)))
        if fresh.mean[0] != fresh.mean[1]:
            rounded += 1
            assert arms == {0, 1}
    assert rounded > 20


@pytest.mark.parametrize("last", [[0.0], [0.2, 0.7, 0.4]])
def test_rewards_that_left_the_window_do_not_decide_a_tie(last):
    """Both arms have the same rewards in the window; before it, they had others."""
    rng, w = np.random.default_rng(9), 12
    for _ in range(100):
        policy = memory("sw-ucb", 2, window=w)
        arms = [*rng.integers(0, 2, rng.integers(w, 4 * w)), *rng.permutation([0, 1] * (w // 2))]
        rewards = rng.choice([0.1, 0.2, 0.7], len(arms))
        for j in (0, 1):
            rewards[-w:][np.array(arms[-w:]) == j] = rng.permutation(np.resize(last, w // 2))
        for k, (arm, reward) in enumerate(zip(arms, rewards, strict=True), start=1):
            learn("sw-ucb", policy, k, arm, reward)
        choose = POLICIES["sw-ucb"].choose.py_func
        assert {int(choose(policy, k + 1, None, rng)) for _ in range(40)} == {0, 1}
        assert np.all(policy.mean >= 0.0)


@pytest.mark.parametrize("plays", [1000, 10_000, 100_000])
@pytest.mark.parametrize("reward", [0.0, 0.1])
def test_the_longest_stretch_does_not_decide_a_tie(plays, reward):
    """Equal rewards are worst: the errors of their sum have the same sign."""
    rng, n, mean, total = np.random.default_rng(8), int(MAX_STRETCH), 0.6, 0.0
    policy = memory("eps-greedy", 2, c=0.0, d=0.1)
    policy.plays[0], policy.mean[0] = plays, mean
    for _ in range(n):
        total += reward - mean
    rewards = Rewards(float(n), mean, total, 0.0)
    POLICIES["eps-greedy"].learn.py_func(policy, plays + n, 0, rewards, None, None)
    policy.mean[1] = (plays * Fraction(mean) + n * Fraction(reward)) / (plays + n)
    choose = POLICIES["eps-greedy"].choose.py_func
    assert {int(choose(policy, plays + n + 1, None, rng)) for _ in range(40)} == {0, 1}


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("ucb", {"constnt": 1}, "policy 'ucb' has no parameter 'constnt' .did you mean 'constant'"),
        ("ucb-tuned", {"c": 1}, "its parameters: none"),
        ("ucb", {"constant": -1}, "policy 'ucb': constant must be a number"),
        ("epoch-ucb", {"variant": "tigth"}, "did you mean 'tight'"),
        ("epoch-ucb", {"factor": "x"}, "factor must be a number"),
        ("epoch-greedy", {"c": 1, "cprime": 9}, "give c or cprime, not both"),
        ("epoch-greedy", {"cprime": 8}, "cprime must be a number in .8"),
        ("epoch-greedy", {"decay": 0}, "decay must be a number in .0"),
        ("epoch-greedy", {"c": 1, "d": 0}, "d must be a number in .0"),
        ("eps-greedy", {"c": -1}, "c must be a number"),
        ("exp3", {"rate": 2}, "rate must be a number in .0, 1"),
        ("q-learning", {"discount": 1}, "discount must be a number in .0, 1"),
        ("scripted", {}, "needs the parameter 'arms'"),
        ("scripted", {"arms": "0,x"}, "arms must be comma-separated numbers"),
        ("scripted", {"arms": [0, 9]}, "arms must be a whole number from 0 to 3"),
        ("scripted", {"arms": []}, "at least one arm"),
        ("fixed-arm", {"arm": 4}, "whole number from 0 to 3"),
        ("kl-ucb", {"c": -1}, "c must be a number in .0"),
        ("thompson", {"a": 0}, "a must be a number in .0"),
        ("thompson", {"b": -1}, "b must be a number in .0"),
        ("sw-ucb", {"window": 0}, "window must be a whole number from 1"),
        ("sw-ucb", {"window": 2.5}, "window must be a whole number from 1"),
        ("sw-ucb", {"changes": 0}, "changes must be a number in .0"),
        ("d-ucb", {"discount": 0}, "discount must be a number in .0, 1"),
        ("d-ucb", {"discount": 1.1}, "discount must be a number in .0, 1"),
        ("d-ucb", {"xi": -1}, "xi must be a number in .0"),
        ("exp3s", {"share": 2}, "share must be a number in .0, 1"),
        ("etc", {"m": 0}, "m must be a whole number from 1"),
        ("ucb2", {"alpha": 1}, "alpha must be a number in .1e-06, 1."),
        ("rca", {}, "the rewards of arm 0 do not reveal the state"),
        ("epoch-ucb", {"C_factor": -1}, "C_factor must be a number in .0"),
        ("epoch-ucb", {"eigengap_factor": 0}, "eigengap_factor must be a number in .0"),
        ("epoch-greedy", {"d_factor": 0}, "d_factor must be a number in .0"),
        ("eps-greedy", {"d_factor": "x"}, "d_factor must be a number"),
    ],
)
def test_bad_parameters_are_named(name, params, message):
    with pytest.raises(InputError, match=message):
        Driver(name, **params)


def test_epoch_ucb_with_the_worst_arms_constants_for_all():
    """The window of each arm is that of a chain with the largest C and λ of all."""
    instance = problem("mixed")
    driver = Driver("epoch-ucb", instance, worst=True)
    slowest = max(instance.mixing, key=lambda arm: arm.lam).log_lam
    widest = max(arm.C for arm in instance.mixing)
    for _ in range(3 * instance.arms):
        arm = driver.choose()
        driver.learn(0.5)
        T = driver.memory.plays[arm]
        setting = Setting(int(driver.memory.tau0), int(driver.memory.zeta), driver.memory.gamma)
        L = penalty.penalty_bound(int(T), [Mixing(slowest, widest)], setting)[0]
        assert driver.memory.known[arm] == pytest.approx(0.5 + L / T, rel=1e-12)
    with pytest.raises(InputError, match="worst must be true or false"):
        Driver("epoch-ucb", instance, worst="yes")


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize(("C_factor", "eigengap_factor"), [(3.0, 1.0), (1.0, 0.01), (0.1, 1e3)])
def test_epoch_ucb_with_wrong_constants(gamma, C_factor, eigengap_factor):
    """The window is that of chains with those C and 1 - λ; a factor of 1000 leads to λ = 0."""
    setting = Setting(7, 3, gamma)
    params = {"C_factor": C_factor, "eigengap_factor": eigengap_factor}
    driver = Driver("epoch-ucb", epochs=setting, **params)
    wrong = [
        mixing(max(0.0, 1 - (1 - arm.lam) * eigengap_factor), arm.C * C_factor)
        for arm in INSTANCE.mixing
    ]
    for _ in range(12):
        arm = driver.choose()
        driver.learn(0.5)
        T = len(driver.rewards[arm])
        L = penalty.penalty_bound(T, wrong, setting)[arm]
        assert driver.memory.known[arm] == pytest.approx(0.5 + L / T, rel=1e-9)


def test_right_knowledge_is_a_factor_of_one():
    """Bit by bit, because the published runs are those of a factor of 1."""
    for gamma in (1.0, 0.9):
        plain = Driver("epoch-ucb", epochs=Setting(7, 3, gamma)).memory
        chain = [[a.C, a.log_lam, *penalty.phi_psi(a, gamma)] for a in INSTANCE.mixing]
        assert plain.chain.tolist() == chain
    for name in ("eps-greedy", "epoch-greedy"):
        scale = Driver(name, c=5.0).memory.scale
        assert scale == 5.0 * 4 / INSTANCE.min_gap**2
        wrong = Driver(name, c=5.0, d_factor=10.0).memory.scale
        assert wrong == pytest.approx(scale / 100, rel=1e-12)
    theory = Driver("epoch-greedy", d_factor=0.5).memory.scale
    assert theory == pytest.approx(4 * Driver("epoch-greedy").memory.scale, rel=1e-12)
