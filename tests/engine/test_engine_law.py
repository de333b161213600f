"""Both engines have the law of the model: exact moments, distributions, whole runs.

A scripted run repeats a short sequence of arms many times, so that the state's distribution settles
on a cycle and thousands of epochs share the same exact mean and variance. Deviations of an epoch's
reward from its conditional mean are martingale differences, so their sums are held against normal
bounds. How far a 1% error would be beyond them is asserted too: twice for a mean in both engines,
1.7 times for a variance in the fast one. In plain Python a variance takes too long to find to 1%;
there a run is also replayed draw by draw, where any error shows at once.
"""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from epochbandits.engine.reference import ReferenceEngine
from epochbandits.engine.simulation import simulate
from epochbandits.engine.stepping import ENGINES
from epochbandits.engine.streams import Streams
from epochbandits.model.generators import generate
from epochbandits.model.moments import epoch_mean
from epochbandits.model.setting import Setting
from exact_moments import advance, epoch_variance, script_moments
from problems import LAWS, problem

SCRIPT = (0, 1, 1, 0, 0)
WARM = 60  # cycles of the script until the state's distribution has settled
BOUND = 4.5  # two-sided, 7e-6 each; about 500 comparisons are made


def cycle(instance, tau, gamma, sampling):
    """Exact mean of each scripted epoch, and its variance given what is known at its start."""
    beta = np.array(instance.initial)
    for _ in range(WARM):
        for arm in SCRIPT:
            beta = advance(instance, arm, beta, tau)
    rows = []
    for arm in SCRIPT:
        if sampling == "marginal":
            variance = epoch_variance(instance, arm, beta, tau, gamma, "marginal")
        else:  # given the state at the start, averaged over it
            variance = sum(
                p * epoch_variance(instance, arm, start, tau, gamma, "trajectory")
                for p, start in zip(beta, np.eye(instance.states), strict=True)
            )
        rows.append((epoch_mean(instance, arm, beta, tau, gamma), variance))
        beta = advance(instance, arm, beta, tau)
    return np.array(rows).T


def scripted_epochs(engine, instance, tau, gamma, sampling, cycles):
    """Rewards and their conditional means, (cycles, epochs of the script) each."""
    if engine == "reference":  # without a run's accounts, which take as long as an epoch
        streams = Streams(0, "", instance, "scripted", 1)
        engine = ReferenceEngine(instance, gamma, sampling)
        environment = engine.environment(streams, observed=False)
        outcomes = (environment.play(arm, tau) for _ in range(WARM + cycles) for arm in SCRIPT)
        rewards, known, _ = np.fromiter(outcomes, dtype=(float, 3)).T
    else:
        table = simulate(
            instance, "scripted", arms=SCRIPT, epochs=(WARM + cycles) * len(SCRIPT), seeds=[1],
            schedule=f"fixed:{tau}", gamma=gamma, sampling=sampling, engine=engine, trace="full",
        )  # fmt: skip
        best = instance.mu[instance.best_arm]
        rewards = table["reward"].to_numpy()
        known = best - np.diff(table["expected_regret"], prepend=0)
    return rewards.reshape(-1, len(SCRIPT))[WARM:], known.reshape(-1, len(SCRIPT))[WARM:]


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize(
    ("law", "gamma"), [*product(LAWS, (1.0, 0.3)), ("beta", 0.9), ("mixed", 0.9)]
)
@pytest.mark.parametrize("engine", ENGINES)
def test_moments_of_scripted_epochs(engine, law, gamma, sampling):
    instance, tau = problem(law), 2 if gamma < 0.5 else 3
    mean, variance = cycle(instance, tau, gamma, sampling)
    # So many that a mean 1% off is 2 BOUND standard errors off.
    count = math.ceil(variance.sum() * (2 * BOUND / (0.01 * mean.sum())) ** 2)
    if engine == "fast":  # more, for the variances
        count = max(count, 1_400_000 // len(SCRIPT))
    rewards, known = scripted_epochs(engine, instance, tau, gamma, sampling, count)
    if sampling == "marginal":
        np.testing.assert_allclose(known, np.tile(mean, (count, 1)), rtol=1e-9)
    deviation = rewards - known
    error = np.sqrt(variance / count)
    assert abs(deviation.mean(axis=0).sum()) < BOUND * np.sqrt((error**2).sum())
    assert 0.01 * mean.sum() >= 2 * BOUND * np.sqrt((error**2).sum())
    assert (np.abs(deviation.mean(axis=0)) < BOUND * error).all()
    squares = deviation**2 / variance
    error = squares.std(axis=0) / np.sqrt(count)
    assert (np.abs(squares.mean(axis=0) - 1) < BOUND * error).all()
    if engine == "fast":  # of a single position's variance, 3% would show
        assert (0.03 > 2 * BOUND * error).all()
    error = squares.std() / np.sqrt(squares.size)
    assert abs(squares.mean() - 1) < BOUND * error
    assert (0.01 if engine == "fast" else 0.04) > 1.7 * BOUND * error


DRAW = {
    "bernoulli": lambda rng, p: float(rng.random() < p),
    "beta": lambda rng, a, b: rng.beta(a, b),
    "uniform": lambda rng, low, high: rng.uniform(low, high),
    "constant": lambda rng, value: value,
}


def replay(instance, arms, schedule, gamma, sampling, rng):
    """Algorithm 1 again, from the same numbers, by powers of P and weighted averages."""

    def state_from(beta):
        return int(np.searchsorted(np.cumsum(beta)[:-1], rng.random(), side="right"))

    beta, plays, feedback = np.array(instance.initial), Counter(), []
    state = state_from(beta) if sampling == "trajectory" else None
    for arm in arms:
        P, rewards = instance.transition[arm], []
        for t in range(schedule.tau0 + schedule.zeta * plays[arm]):
            if sampling == "marginal":
                state = state_from(beta @ np.linalg.matrix_power(P, t))
            parameters = instance.rewards[arm][state].to_dict()
            rewards.append(DRAW[parameters.pop("law")](rng, **parameters))
            if sampling == "trajectory":
                state = state_from(P[state])
        beta = beta @ np.linalg.matrix_power(P, len(rewards))
        feedback.append(np.average(rewards, weights=gamma ** np.arange(len(rewards))[::-1]))
        plays[arm] += 1
    return feedback


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.3])
@pytest.mark.parametrize("law", LAWS)
def test_reference_run_is_algorithm_1_draw_by_draw(law, gamma, sampling):
    """With NumPy's generator taken for granted, this leaves no room for an error of any size.

    The chains are slow ones, so that a distribution one step behind differs in every epoch.
    """
    instance, arms = problem(law, sticky=True), SCRIPT * 12
    schedule = Setting(3, 2, gamma)
    table = simulate(
        instance, "scripted", arms=arms, epochs=len(arms), seeds=[0], tau0=schedule.tau0,
        zeta=schedule.zeta, gamma=gamma, sampling=sampling, engine="reference",
    )  # fmt: skip
    rng = Streams(0, "", instance, "scripted", 0).environment
    expected = replay(instance, arms, schedule, gamma, sampling, rng)
    np.testing.assert_allclose(table["reward"], expected, rtol=1e-12)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("gamma", [1.0, 0.95, 0.05])
@pytest.mark.parametrize("sticky", [False, True])
def test_growing_epochs_from_the_start(sampling, gamma, sticky):
    """The linear schedule from β₁, epoch by epoch over seeds: transients, counts and windows.

    At γ = .05 only the last 13 iterations carry weight, and most of an epoch is crossed undrawn.
    """
    instance = problem("mixed", sticky)
    arms = (0, 1, 1, 0, 1, 0, 0, 0, 1)
    exact = script_moments(instance, arms, Setting(5, 9, gamma), sampling)
    table = simulate(
        instance, "scripted", arms=arms, epochs=len(arms), seeds=range(3000), tau0=5, zeta=9,
        gamma=gamma, sampling=sampling, trace="full",
    )  # fmt: skip
    rewards = table["reward"].to_numpy().reshape(-1, len(arms))
    count = len(rewards)
    z = (rewards.mean(axis=0) - exact.mean) / np.sqrt(exact.variance / count)
    assert np.abs(z).max() < BOUND
    squares = (rewards - exact.mean) ** 2 - exact.variance
    z = squares.mean(axis=0) / (squares.std(axis=0) / np.sqrt(count))
    assert np.abs(z).max() < BOUND
    assert table["tau"].to_numpy()[: len(arms)].tolist() == exact.tau.tolist()


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("law", LAWS)
def test_long_stationary_epochs(law, sampling):
    """Thousands of iterations of one arm, where states are counted and not drawn.

    A mean is known here to about 2e-4, so that an error of .5% in one law's parameter shows.
    """
    instance, tau, n = problem(law), 3000, 3000
    table = simulate(
        instance, "fixed-arm", epochs=n, seeds=[3], schedule=f"fixed:{tau}", sampling=sampling,
        trace="full",
    )  # fmt: skip
    rewards = table["reward"].to_numpy()[1:]
    variance = epoch_variance(instance, 0, instance.pi[0], tau, 1.0, sampling)
    error = np.sqrt(variance / len(rewards))
    assert abs(rewards.mean() - instance.mu[0]) < BOUND * error
    assert 0.005 * instance.mu[0] > 2 * BOUND * error  # so .5% would show
    squares = (rewards - instance.mu[0]) ** 2 - variance
    assert abs(squares.mean()) / (squares.std() / np.sqrt(len(squares))) < BOUND


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.3])
@pytest.mark.parametrize("name", ["quick", "sticky", "generated"])
def test_expected_regret_of_scripts_is_exact(engine, gamma, name):
    instance = (
        generate("anticorrelated", 3, 5, 2)
        if name == "generated"
        else problem("mixed", name == "sticky")
    )
    arms = (0, 1, 1, 0, 1, 1, 1, 0, 0)
    exact = script_moments(instance, arms, Setting(7, 30, gamma))
    table = simulate(
        instance, "scripted", arms=arms, epochs=len(arms), seeds=[0], tau0=7, zeta=30,
        gamma=gamma, engine=engine,
    )  # fmt: skip
    np.testing.assert_allclose(table["expected_regret"], exact.regret, rtol=1e-9, atol=1e-12)
    subopt = np.cumsum(instance.gap[list(arms)])
    np.testing.assert_allclose(table["subopt_regret"], subopt, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        table["markov_penalty"], table["expected_regret"] - table["subopt_regret"], atol=1e-12
    )
    plain = script_moments(instance, arms, Setting(7, 30, 1.0))
    best = instance.mu[instance.best_arm]
    np.testing.assert_allclose(
        table["iteration_regret"], np.cumsum(plain.tau * (best - plain.mean)), rtol=1e-9
    )


@pytest.mark.parametrize("gamma", [1.0, 0.8])
def test_trajectory_expectation_is_the_martingale_one(gamma):
    """Under `trajectory` the expected regret is conditional on the state: its mean is the exact
    one, and the realised regret differs from it by noise that does not add up."""  # noqa: D209, D205
    instance = problem("mixed", sticky=True)
    arms = (0, 1, 1, 0, 1, 0, 0, 1)
    exact = script_moments(instance, arms, Setting(3, 5, gamma), "trajectory")
    table = simulate(
        instance, "scripted", arms=arms, epochs=len(arms), seeds=range(3000), tau0=3, zeta=5,
        gamma=gamma, sampling="trajectory", trace="full",
    )  # fmt: skip
    best = instance.mu[instance.best_arm]
    plain = script_moments(instance, arms, Setting(3, 5, 1.0), "trajectory")
    per_iteration = np.cumsum(plain.tau * (best - plain.mean))
    for column, expected in (
        ("expected_regret", exact.regret),
        ("regret", exact.regret),
        ("iteration_regret", per_iteration),
    ):
        values = table[column].to_numpy().reshape(-1, len(arms))
        z = (values.mean(axis=0) - expected) / (values.std(axis=0) / np.sqrt(len(values)))
        assert np.abs(z).max() < BOUND, column


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize(
    ("policy", "horizon"),
    [
        ("epoch-ucb", {"epochs": 40}),
        ("epoch-greedy", {"epochs": 40, "c": 0.05}),
        ("ucb", {"epochs": 8}),
        ("ucb", {"iterations": 150, "constant": 0.05}),  # most decisions are inside stretches
        ("exp3", {"iterations": 150}),
        ("q-learning", {"iterations": 150}),
        ("ucb-tuned", {"iterations": 150}),
        ("eps-greedy", {"iterations": 150, "c": 0.05}),
        ("kl-ucb", {"iterations": 150}),
        ("ucb2", {"iterations": 150, "alpha": 0.3}),
        ("etc", {"iterations": 150, "m": 10}),
    ],
)
def test_whole_runs_have_the_same_distribution(policy, horizon, sampling):
    """Final regrets and arm counts of fast against reference, by two-sample KS over seeds."""
    instance = generate("fast", 3, 3, 5)
    ends = {}
    for engine, seeds in (("fast", range(1000)), ("reference", range(5000, 5150))):
        table = simulate(
            instance, policy, seeds=seeds, tau0=3, zeta=1, sampling=sampling, engine=engine,
            trace="full", **horizon,
        )  # fmt: skip
        last = table.groupby("seed").last()
        last["good"] = (table["arm"] == instance.best_arm).groupby(table["seed"]).mean()
        ends[engine] = last
    for column in ("regret", "expected_regret", "iteration", "good"):
        both = (np.round(ends[engine][column], 8) for engine in ends)  # atoms, not rounding
        assert stats.ks_2samp(*both).pvalue > 1e-5, column


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_single_draws_of_both_engines_agree(sampling):
    """One iteration each, at the second play: the state's draw and the reward's, two samples."""
    instance, rewards = problem("mixed"), {}
    for engine, seeds in (("fast", range(3000)), ("reference", range(3000, 5000))):
        table = simulate(
            instance, "scripted", arms=(1, 0), epochs=2, seeds=seeds, schedule="fixed:1",
            engine=engine, sampling=sampling,
        )  # fmt: skip
        rewards[engine] = table.loc[table["epoch"] == 2, "reward"]
    assert stats.ks_2samp(rewards["fast"], rewards["reference"]).pvalue > 1e-5


@pytest.mark.parametrize("law", LAWS)
def test_single_rewards_have_the_law_of_their_state(law):
    """One iteration from a known state: the sample against SciPy's distribution function."""
    base = problem(law)
    for arm, state in ((0, 0), (0, 1), (0, 2)):
        data = base.to_dict()
        data["initial"] = np.eye(3)[state].tolist()
        instance = type(base).from_dict(data)
        rewards = simulate(
            instance, "fixed-arm", arm=arm, epochs=1, seeds=range(1200), schedule="fixed:1"
        )["reward"]
        expected = instance.rewards[arm][state]
        kind, values = expected.name, expected.to_dict()
        if kind == "bernoulli":
            assert stats.binomtest(int(rewards.sum()), 1200, values["p"]).pvalue > 1e-5
            assert set(rewards) <= {0.0, 1.0}
        elif expected.variance == 0:
            np.testing.assert_allclose(rewards, expected.mean, rtol=1e-15)
        else:
            scipy_law = (
                stats.beta(values["a"], values["b"])
                if kind == "beta"
                else stats.uniform(values["low"], values["high"] - values["low"])
            )
            assert stats.kstest(rewards, scipy_law.cdf).pvalue > 1e-5
