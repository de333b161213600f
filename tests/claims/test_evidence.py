"""Samples are what their estimators say, on tables whose values are known."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from epochbandits import simulate
from epochbandits.claims import estimators, estimators_theory
from epochbandits.claims.conditions import BoundAt, Condition, Inequality
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Below, Holds
from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, FINALS
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.inequalities import write_inequalities
from epochbandits.pipeline.layout import Layout
from epochbandits.theory import greedy, ucb
from epochbandits.validation import InputError

INSTANCES = [generate("anticorrelated", 3, 4, seed) for seed in (0, 1)]
CONFIG = {
    "experiments": {"ensemble_4x4": {"tau0": 40, "zeta": 1}},
    "instances": {"set": {"class": "failure", "epsilon": [0.01, 0.001]}},
}
EPOCH_UCB = Condition("", "ensemble_4x4", "epoch-ucb")


@pytest.fixture(scope="module")
def layout(tmp_path_factory):
    """Return the layout of a run with tables whose samples are known."""
    root = tmp_path_factory.mktemp("run")
    path = root / "data" / "test"
    (path / "aggregates" / "ensemble_4x4").mkdir(parents=True)
    rows = []
    for policy, scale in (("epoch-ucb", 1.0), ("ucb", 3.0), ("eps-greedy", 2.0)):
        for instance in (0, 1):
            for seed in (0, 1, 2):
                regret = scale * (10 + instance + 0.1 * seed)
                rows.append({
                    "policy": policy, "instances": "set", "sampling": "marginal", "gamma": 1.0,
                    "value": np.nan, "instance": instance, "seed": seed, "epoch": 100,
                    "iteration": 9, "arm": 0, "regret": 0.0, "expected_regret": regret,
                    "subopt_regret": 0.0, "markov_penalty": seed, "iteration_regret": 2 * regret,
                    "half_regret": regret / 2, "late_gap": 0.25,
                })  # fmt: skip
    table = pd.DataFrame(rows)
    parquet.write(path / "aggregates/ensemble_4x4/finals.parquet", FINALS,
                  {name: table[name].to_numpy() for name in FINALS.names}, {})  # fmt: skip
    instance_sets.write(path / "instances" / "set", INSTANCES)
    (path / "bounds").mkdir()
    grid = [10, 100, 1000]
    columns = {"instances": "set", "instance": 0, "algorithm": "epoch-ucb", "variant": "paper",
               "form": "", "gamma": 1.0, "epoch": grid, "bound": [1.0, 2.0, 5.0], "c": np.nan,
               "k_prime": np.nan, "useful_from": np.nan, "beats_random_from": np.nan}  # fmt: skip
    bounds = pd.DataFrame(columns)
    parquet.write(path / "bounds/time_average.parquet", BOUNDS,
                  {name: bounds[name].to_numpy() for name in BOUNDS.names}, {})  # fmt: skip
    return Layout("test", root)


@pytest.fixture
def evidence(layout):
    return Evidence(layout, CONFIG)


def test_ratios_are_of_means(evidence):
    ratio = estimators.regret_ratio("", policy="ucb").sample(evidence, EPOCH_UCB)
    np.testing.assert_allclose(ratio.values, [1 / 3, 1 / 3])
    assert ratio.runs == 12
    finding = Below(1.0, 0.95).judge(ratio)
    assert finding.estimate == pytest.approx(1 / 3)
    assert estimators.GROWTH.sample(evidence, EPOCH_UCB).values == pytest.approx([2, 2])
    twice = replace(EPOCH_UCB, column="iteration_regret")
    per_iteration = estimators.regret_ratio("", column="expected_regret").sample(evidence, twice)
    np.testing.assert_allclose(per_iteration.values, [2, 2])


def test_shares_of_instances_and_of_runs(evidence):
    identified = estimators.late_plays(0.5, identified=True).sample(evidence, EPOCH_UCB)
    np.testing.assert_allclose(identified.values, [0.75, 0.75])
    missed = estimators.late_plays(0.5, identified=False).sample(evidence, EPOCH_UCB)
    np.testing.assert_allclose(missed.values, [0.25, 0.25])
    locked = estimators.late_plays_per_run(0.5, identified=False).sample(evidence, EPOCH_UCB)
    np.testing.assert_allclose(locked.values, np.full(6, 0.25))
    runs = estimators.late_plays_per_run(0.5, identified=True).sample(evidence, EPOCH_UCB)
    np.testing.assert_allclose(runs.values, np.full(6, 0.75))
    assert identified.runs == missed.runs == locked.runs == runs.runs == 6


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_the_estimate_of_arm_1_is_that_of_the_run(sampling):
    """On Example 1, from the finals of a simulated run, against the rewards of its trace."""
    instance = failure_example(0.01)
    run = simulate(
        instance, "ucb", iterations=400, seeds=range(30), sampling=sampling, trace="full"
    )
    rows = []
    for seed, trace in run.groupby("seed"):
        last = trace.iloc[-1]
        late = trace["arm"].to_numpy()[200:].mean()
        rows.append({"seed": seed, "epoch": 400, "subopt_regret": last["subopt_regret"],
                     "markov_penalty": last["markov_penalty"], "late_gap": late})  # fmt: skip
    finals = pd.DataFrame(rows)

    class Runs:
        def finals(self, condition):
            return finals

        def instances(self, condition):
            return [instance]

    sample = estimators.locked_estimate(0.5).statistic(Runs(), EPOCH_UCB)
    locked = [t for _, t in run.groupby("seed") if t["arm"].to_numpy()[200:].mean() > 0.5]
    assert len(sample.values) == len(locked) > 0
    # The expected reward of an epoch is μ* minus the growth of the expected regret.
    expected = []
    for trace in locked:
        rewards = instance.mu.max() - np.diff(trace["expected_regret"], prepend=0.0)
        expected.append(rewards[trace["arm"] == 0].mean())
    np.testing.assert_allclose(sample.values, expected, atol=1e-9)


def test_epsilon_finds_its_instance_in_any_order(layout):
    """The set lists ε = .01 first; with the list turned round, the other instance is taken."""
    condition = replace(EPOCH_UCB, instances="set", epsilon=0.001)
    assert set(Evidence(layout, CONFIG).finals(condition)["instance"]) == {1}
    swapped = {**CONFIG, "instances": {"set": {"class": "failure", "epsilon": [0.001, 0.01]}}}
    assert set(Evidence(layout, swapped).finals(condition)["instance"]) == {0}


@pytest.mark.parametrize(
    "changes", [{"policy": "exp3"}, {"gamma": 0.9}, {"sampling": "trajectory"}, {"value": 1.0}]
)
def test_a_condition_without_rows_is_refused(evidence, changes):
    with pytest.raises(InputError, match=r"no rows.*experiment='ensemble_4x4'"):
        evidence.finals(replace(EPOCH_UCB, **changes))


def gap_independent(n, instance, setting):
    return ucb.gap_independent_bound(n, instance, setting)


def greedy_bound(n, instance, setting):
    constants = greedy.best_constants(n, instance, setting)
    return greedy.regret_bound(n, instance, setting, constants)


@pytest.mark.parametrize(
    ("estimator", "bound"),
    [
        (estimators_theory.OVER_GAP_DEPENDENT_BOUND, ucb.regret_bound),
        (estimators_theory.OVER_GAP_INDEPENDENT_BOUND, gap_independent),
        (estimators_theory.OVER_GREEDY_BOUND, greedy_bound),
    ],
)
def test_measured_over_bound(evidence, estimator, bound):
    sample = estimator.sample(evidence, EPOCH_UCB)
    bounds = np.array([float(bound(100, instance, Setting(40, 1, 1.0))) for instance in INSTANCES])
    np.testing.assert_allclose(sample.values, np.array([10.1, 11.1]) / bounds)
    # a standard deviation of .1 over three seeds
    np.testing.assert_allclose(sample.errors, 0.1 / 3**0.5 / bounds)
    assert sample.dof.tolist() == [2, 2]
    trivial = np.array([100 * instance.gap.max() for instance in INSTANCES])
    assert sample.vacuous == bool((bounds >= trivial).all())


def test_the_horizon_from_which_a_bound_says_something(evidence):
    sample = estimators_theory.OVER_GAP_DEPENDENT_BOUND.sample(evidence, EPOCH_UCB)
    setting, firsts = Setting(40, 1, 1.0), []
    for instance in INSTANCES:
        n = 10
        while ucb.regret_bound(n, instance, setting) >= n * instance.gap.max():
            n = int(n * 1.01) + 1
        firsts.append(n)
    assert sample.useful_from == pytest.approx(np.median(firsts), rel=0.06)


def test_lengths_of_epochs_are_those_of_the_configuration(layout):
    longer = Evidence(layout, {"experiments": {"ensemble_4x4": {"tau0": 80, "zeta": 2}}})
    assert longer.setting(replace(EPOCH_UCB, gamma=0.9)) == Setting(80, 2, 0.9)
    sample = estimators_theory.OVER_GAP_DEPENDENT_BOUND.sample(longer, EPOCH_UCB)
    bounds = [float(ucb.regret_bound(100, instance, Setting(80, 2, 1.0))) for instance in INSTANCES]
    np.testing.assert_allclose(sample.values, np.array([10.1, 11.1]) / bounds)


def test_a_bound_is_taken_at_the_last_n_that_is_not_beyond(evidence):
    at = BoundAt("", "time_average", "epoch-ucb", 1000)
    assert evidence.bound(at).tolist() == [5.0]
    assert evidence.bound(replace(at, n=999)).tolist() == [2.0]
    with pytest.raises(InputError, match="no rows"):
        evidence.bound(replace(at, variant="tight"))
    ratio = estimators_theory.bound_ratio("", n=10).sample(evidence, at)
    assert ratio.values.tolist() == [5.0]
    decades = replace(estimators_theory.DECADES, against=({"n": 100}, {"n": 10}))
    assert decades.sample(evidence, at).values.tolist() == [3.0]


def test_inequalities_of_a_table_on_disk(tmp_path):
    layout = Layout("test", tmp_path)
    instance_sets.write(tmp_path / "set", [INSTANCES[0]])
    block = {"instances": ["set"], "tau0": 5, "zeta": 1, "gammas": [1.0, 0.7], "epochs": 300,
             "seeds": 20, "checks": ["lemmas", "theorem1"], "sampling": ["marginal"]}  # fmt: skip
    out = Path(layout.theory("inequalities", "theory"))
    out.parent.mkdir(parents=True)
    write_inequalities(out, [tmp_path / "set"], block, 0, {})
    evidence = Evidence(layout, {})
    sample = estimators_theory.BOTH_SIDES.sample(evidence, Inequality("", "lemma1"))
    assert (sample.values <= 1).all()
    assert sample.runs == 0
    assert Holds(0.95).judge(sample).holds == 0.0
    assert (
        estimators_theory.BOTH_SIDES.sample(
            evidence, Inequality("", "theorem1", sampling="marginal", gammas=(0.7,))
        ).runs
        == 20
    )
