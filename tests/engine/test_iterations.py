"""Policies that decide each iteration, played in stretches: the same law as decision by decision.

`decide` promises that an arm stays chosen as long as its rewards stay above a line. The promise is
checked where it is hardest to hold (`stretch_replay`), and in runs with each decision made again by
`choose` from what a plain policy has learned.
"""

import math

import numpy as np
import pytest
from scipy import stats

from epochbandits import Instance, failure_example, generate, simulate
from epochbandits.engine.uniforms import Stream
from epochbandits.jit import entry, kernel
from epochbandits.model.rewards import Constant
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Info, exp3
from epochbandits.policies.base import MARGIN, MAX_STRETCH, Rewards, register
from epochbandits.policies.greedy import next_exploration
from problems import problem
from stretch_replay import AHEAD, choose, learn, memory, replay, rivals

INSTANCE = generate("fast", 3, 3, 5)


# --- the promise of `decide` ---------------------------------------------------------------------


@pytest.mark.parametrize("arms", [2, 3, 5])
@pytest.mark.parametrize("name", AHEAD)
def test_a_choice_is_certain_along_the_line(name, arms):
    """Rewards keep the sum just above the line: every further choice is the same."""
    rng = np.random.default_rng(arms)
    decisions = longest = 0
    for _ in range(60):
        policy = memory(name, arms, **({"c": 0.001} if name == "eps-greedy" else {}))
        plays = np.exp(rng.uniform(0, 7, arms)).astype(int) + 1
        means = rng.uniform(0.3, 0.7, arms)
        for j in range(arms):
            for r in rng.uniform(means[j] - 0.3, means[j] + 0.3, plays[j]):
                learn(name, policy, 1, j, r)
        result = replay(name, policy, int(plays.sum()) + 1, most=400)
        assert result.certain
        decisions += result.decisions
        longest = max(longest, result.stretch.plays)
    assert decisions > 500
    assert longest > 100


@pytest.mark.parametrize("law", ["bernoulli", "constant", "beta"])
@pytest.mark.parametrize("name", AHEAD)
def test_every_decision_of_a_run_again_by_choose(name, law):
    """A run in stretches, with rewards of arms; each decision inside a stretch is checked."""
    instance, rng = problem(law), np.random.default_rng(3)
    params = {"c": 0.02} if name == "eps-greedy" else {}
    ahead, plain = (
        POLICIES[name].memory_for(Info(instance, Setting(), 4000), params) for _ in range(2)
    )
    k, inside = 0, 0
    while k < 4000:
        arm, n, centre, level, slope = POLICIES[name].decide.py_func(ahead, k + 1, None, rng)
        total, squares, played = 0.0, 0.0, 0
        while played < n and (played == 0 or total > level + slope * played):
            if played:
                inside += 1
                assert choose(name, plain, k + 1) == arm
            state = rng.choice(3, p=instance.pi[arm])
            r = instance.rewards[arm][state].draw(rng)
            k, played = k + 1, played + 1
            total, squares = total + r - centre, squares + (r - centre) ** 2
            learn(name, plain, k, arm, r)
        rewards = Rewards(float(played), centre, total, squares)
        POLICIES[name].learn.py_func(ahead, k, arm, rewards, None, None)
        np.testing.assert_allclose(ahead.mean, plain.mean, rtol=1e-11)
        np.testing.assert_array_equal(ahead.plays, plain.plays)
        if name == "ucb-tuned":
            np.testing.assert_allclose(ahead.variance, plain.variance, rtol=1e-9, atol=1e-13)
    assert inside > 1500


@pytest.mark.parametrize(
    ("name", "params"), [("ucb", {}), ("ucb-tuned", {}), ("kl-ucb", {}), ("kl-ucb", {"c": 3.0})]
)
def test_the_others_indices_stay_below_their_bound(name, params):
    """At the decision after a stretch each other arm's index is at most centre + slope.

    Rewards of small variance make UCB+'s window grow as fast as it can.
    """
    rng, closest = np.random.default_rng(8), []
    for spread in np.tile([0.01, 0.5], 60):
        policy = memory(name, **params)
        plays = np.exp(rng.uniform(2, 7, 3)).astype(int) + 1
        for j in range(3):
            for r in rng.uniform(0.5 - spread, 0.5 + spread, plays[j]):
                learn(name, policy, 1, j, r)
        k = int(plays.sum()) + 1
        stretch, bound, start, end = rivals(name, policy, k)
        assert end.max() <= bound + 1e-15
        if stretch.plays < 0.1 * k:  # to first order the bound is the growth itself
            leader = np.argmax(end)
            closest.append((end - start)[leader] / (bound - start[leader]))
    assert max(closest) > (0.65 if name == "ucb-tuned" else 0.9)  # UCB+'s is often capped at 1/4


def test_equal_arms_stay_tied():
    """With constant rewards means are exact, and the arms tie whenever their plays are equal."""
    half = [[0.5, 0.5], [0.5, 0.5]]
    instance = Instance("tie", [half, half], [[Constant(0.3)] * 2] * 2, [1, 0])
    for name in ("ucb", "ucb-tuned"):
        table = simulate(instance, name, iterations=41, seeds=range(300), trace="full")
        arms = table["arm"].to_numpy().reshape(-1, 41)
        pairs = arms[:, :40].reshape(-1, 20, 2)
        assert (pairs.sum(axis=2) == 1).all(), "each arm once in two plays"
        first = pairs[:, 1:, 0]  # after the first two plays, which of the two is tossed
        assert abs(first.mean() - 0.5) < 5 * 0.5 / math.sqrt(first.size)


def test_a_level_that_is_hit_exactly_ends_the_stretch():
    """Two arms with means .5 and .25 after two plays each: 2·.25 is the slack of the first."""
    policy = memory("eps-greedy", 2, c=1e-12, d=1.0)
    for arm, reward in ((0, 0.5), (0, 0.5), (1, 0.25), (1, 0.25)):
        learn("eps-greedy", policy, 1, arm, reward)
    arm, n, centre, level, slope = POLICIES["eps-greedy"].decide.py_func(
        policy, 5, None, np.random.default_rng(0)
    )
    assert (arm, centre, slope) == (0, 0.5, -0.25)
    assert n == MAX_STRETCH
    assert level == pytest.approx(-0.5 + MARGIN * (n + 2), rel=1e-12), "with the margin"
    # Rewards of 0 reach the line at i = 2, where both means are .25: a tie, which is not certain.
    assert -0.5 > level + slope * 1
    assert not -1.0 > level + slope * 2


# --- ε-greedy's exploration ----------------------------------------------------------------------


@entry
def _explorations(scale, t, n, rng, out):
    for i in range(n):
        out[i] = next_exploration(scale, t, rng)


@pytest.mark.parametrize(
    ("scale", "t"), [(0.5, 1), (3.0, 1), (3.0, 8), (3.0, 40), (0.7, 9), (40.0, 41), (2.0, 300)]
)
def test_the_next_exploration_has_its_law(scale, t):
    """P(next ≥ u) = Π_{t ≤ i < u} (1 - min(1, scale/i)), by a chi-square test."""
    out = np.empty(40_000, dtype=np.int64)
    _explorations(scale, t, len(out), np.random.default_rng(1), out)
    assert out.min() >= t
    ends = t + np.unique(np.geomspace(1, 2000, 40).astype(int))  # where the classes end
    steps = np.arange(t, ends[-1])
    survival = np.cumprod(1 - np.minimum(1, scale / steps))[ends - t - 1]
    chance = -np.diff(np.r_[1.0, survival, 0.0])
    counts = np.histogram(out, bins=np.r_[t, ends, 2**63 - 1])[0]
    if scale >= t:  # ε = 1
        assert (out == t).all()
        return
    large = chance * len(out) > 8
    observed = np.r_[counts[large], counts[~large].sum()]
    expected = np.r_[chance[large], chance[~large].sum()] * len(out)
    keep = expected > 0
    assert observed[~keep].sum() == 0
    assert stats.chisquare(observed[keep], expected[keep], sum_check=False).pvalue > 1e-5


class _Draws:
    """A generator that gives listed numbers."""

    def __init__(self, exponential, uniform):
        self.standard_exponential = iter(exponential).__next__
        self.random = iter(uniform).__next__


def test_after_a_rejected_exploration_the_search_goes_on_behind_it():
    """From 100 the first candidate is 150; accepted with probability 2/3; the next is 151."""
    gap = 50.5 * -math.log1p(-1 / 100)
    assert next_exploration.py_func(1.0, 100, _Draws([gap], [0.66])) == 150
    assert next_exploration.py_func(1.0, 100, _Draws([gap, 0.0], [0.67, 0.0])) == 151


def test_without_exploration_there_is_none():
    assert next_exploration.py_func(0.0, 5, None) > 2**60


# --- EXP3 and the streams ------------------------------------------------------------------------


@pytest.mark.parametrize("x", [0, 1e-300, 1e-17, 1e-9, 1e-4, 2**-8, 0.004, 2**-7, 0.05, 0.3, 1])
def test_growth_of_a_weight(x):
    growth, left_out = exp3.add_growth.py_func(0.0, 3.0, x), min(x, 2**-8) ** 5 / 720
    assert growth == pytest.approx(3 * math.expm1(x), rel=5e-16 + left_out, abs=0)
    assert exp3.add_growth.py_func(7.0, 3.0, x) == pytest.approx(7 + growth, rel=3e-16, abs=0)
    assert exp3.add_growth.py_func(3.0, 3.0, x) == pytest.approx(3 * math.exp(x), rel=4e-16, abs=0)


@kernel
def _draws(rng, out):
    for i in range(len(out)):
        out[i] = rng.random()


@entry
def _enter_draws(rng, out):
    _draws(rng, out)


@pytest.mark.parametrize("k", [511, 512, 1024])
def test_weights_are_computed_anew_each_512_decisions(k):
    """A weight and a sum that are off by more than rounding stay so until then."""
    policy = exp3.Exp3(np.zeros(2), np.array([1.5, 1.0]), np.array([7.0]), 0.1, 0.2)
    exp3.learn.py_func(policy, k, 1, Rewards(1.0, 0.0, 0.5, 0.25), None, None)
    anew = np.exp(policy.log_weight - policy.log_weight.max())
    assert np.allclose(policy.weight, anew) == (k % 512 == 0)
    assert np.isclose(policy.total[0], 0.2 * anew.sum()) == (k % 512 == 0)


def test_uniform_numbers_are_those_of_numpys_sfc64():
    seeds, out = np.random.SeedSequence(7), np.empty(1000)
    _enter_draws(Stream.seeded(seeds, np.random.default_rng(0)), out)
    expected = np.random.Generator(np.random.SFC64(seeds)).random(1000)
    np.testing.assert_array_equal(out, expected)


def test_a_policy_that_observes_cannot_decide_ahead():
    ucb = POLICIES["ucb"]
    with pytest.raises(ValueError, match="observe"):
        register(
            "both", schedule="fixed:1", memory=ucb.memory, build=ucb.build, choose=ucb.choose,
            learn=ucb.learn, decide=ucb.decide, observes=True,
        )  # fmt: skip


# --- whole runs ----------------------------------------------------------------------------------

RUNS = [
    ("ucb", {}),
    ("ucb", {"constant": 0.05}),
    ("ucb-tuned", {}),
    ("eps-greedy", {"c": 0.01}),
    ("eps-greedy", {"c": 1}),
    ("exp3", {}),
    ("exp3", {"rate": 0.5}),
    ("q-learning", {}),
    ("kl-ucb", {}),
    ("ucb2", {"alpha": 0.3}),
    ("etc", {"m": 30}),
]
PROBLEMS = {
    "fast": INSTANCE,
    "sticky": problem("mixed", sticky=True),
    "bernoulli": problem("bernoulli"),
    "example1": failure_example(0.01),
}


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize(("policy", "params"), RUNS)
def test_stretches_have_the_law_of_single_decisions(policy, params, name, sampling):
    """Regret at several times, and the share of good arms: fast against plain, by KS."""
    instance, ends = PROBLEMS[name], {}
    for engine, seeds in (("fast", range(500)), ("plain", range(9000, 9500))):
        table = simulate(
            instance, policy, iterations=1500, seeds=seeds, sampling=sampling, engine=engine,
            **params,
        )  # fmt: skip
        table["good"] = (table["arm"] == instance.best_arm).groupby(table["seed"]).cumsum()
        ends[engine] = table[table["epoch"].isin(np.unique(table["epoch"])[[60, 200, -1]])]
    for column in ("regret", "expected_regret", "subopt_regret", "good"):
        for at, fast in ends["fast"].groupby("epoch"):
            plain = ends["plain"][ends["plain"]["epoch"] == at]
            both = (np.round(table[column], 8) for table in (fast, plain))  # atoms, not rounding
            p = stats.ks_2samp(*both, method="asymp").pvalue
            assert p > 1e-6, (column, at)  # about 1000 comparisons


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize(
    "policy", ["ucb", "ucb-tuned", "eps-greedy", "exp3", "q-learning", "kl-ucb", "etc", "ucb2"]
)
def test_what_is_recorded_changes_nothing(policy, sampling):
    """A thin trace plays many blocks as one: the same arms, the same sums up to rounding."""
    options = {"iterations": 3000, "seeds": range(3), "sampling": sampling}
    full = simulate(INSTANCE, policy, trace="full", **options)
    thin = simulate(INSTANCE, policy, **options)
    merged = thin.merge(full, on=["seed", "epoch"], suffixes=("", "_full"))
    assert len(merged) == len(thin)
    for column in ("arm", "tau", "iteration", "reward"):
        np.testing.assert_array_equal(merged[column], merged[f"{column}_full"])
    for column in ("regret", "expected_regret", "subopt_regret", "iteration_regret"):
        np.testing.assert_allclose(merged[column], merged[f"{column}_full"], rtol=1e-11, atol=1e-10)
