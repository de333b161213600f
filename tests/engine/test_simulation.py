"""Runs: the table, pairing, refusals of bad options, and memory."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import epochbandits
from epochbandits import InputError
from epochbandits.engine import pairing
from epochbandits.engine.base import Row
from epochbandits.engine.selection import record_epochs
from epochbandits.engine.simulation import COLUMNS, Simulation, simulate
from epochbandits.model.generators import failure_example
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES
from problems import problem
from runs import INSTANCE, run

TESTS = Path(__file__).parents[1]
PER_ITERATION = [
    name
    for name, policy in POLICIES.items()
    if policy.schedule == "fixed:1" and name != "rca"  # it refuses the instance
]


# --- the table ---------------------------------------------------------------------------------


def test_columns_and_types():
    table = run(seeds="3:5")
    contract = [
        "seed", "epoch", "arm", "tau", "iteration", "reward", "regret", "expected_regret",
        "subopt_regret", "markov_penalty",
    ]  # fmt: skip
    assert list(table.columns) == list(COLUMNS) == ["seed", "epoch", *Row._fields]
    assert list(table.columns)[: len(contract)] == contract
    assert set(table["seed"]) == {3, 4}
    assert (table.dtypes.iloc[:5] == np.int64).all()
    assert epochbandits.simulate is simulate


@pytest.mark.parametrize("policy", ["epoch-ucb", "uniform"])
def test_the_columns_add_up(policy):
    table = run(policy, trace="full", epochs=300, gamma=0.9)
    best = INSTANCE.mu[INSTANCE.best_arm]
    np.testing.assert_allclose(table["regret"], np.cumsum(best - table["reward"]), rtol=1e-10)
    np.testing.assert_allclose(
        table["subopt_regret"], np.cumsum(INSTANCE.gap[table["arm"]]), atol=1e-10
    )
    assert (table["iteration"] == table["tau"].cumsum()).all()
    counts = table.groupby("arm").cumcount()
    assert (table["tau"] == 40 + counts).all()
    assert table["expected_regret"].iloc[-1] == pytest.approx(
        table["subopt_regret"].iloc[-1] + table["markov_penalty"].iloc[-1]
    )


def test_thin_rows_are_rows_of_the_full_table():
    full, thin = run(trace="full", epochs=3000), run(epochs=3000)
    merged = thin.merge(full, on=["seed", "epoch"], suffixes=("", "_full"))
    assert len(merged) == len(thin)
    for column in COLUMNS[2:]:
        assert (merged[column] == merged[f"{column}_full"]).all()


@pytest.mark.parametrize("n", [1, 7, 400, 401, 5000, 10**7])
def test_recorded_epochs(n):
    epochs = record_epochs(n)
    assert epochs[0] == 1
    assert epochs[-1] == n
    assert len(epochs) <= 401
    assert (np.diff(epochs) > 0).all()
    if n > 5000:  # logarithmic at the start, linear at the end
        assert (epochs < 100).sum() > 30
        assert (epochs > n // 2).sum() > 95


def test_any_policy_runs_on_any_schedule():
    table = run("ucb", schedule="linear", epochs=30)
    assert table["tau"].iloc[0] == 40
    table = run("epoch-ucb", schedule="fixed:1", epochs=30)
    assert (table["tau"] == 1).all()


# --- pairing -----------------------------------------------------------------------------------


# EXP3's rate depends on the horizon.
@pytest.mark.parametrize("policy", ["ucb", "ucb-tuned", "eps-greedy", "exp3"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_a_paired_policy_is_cut_at_epoch_ucbs_epochs(sampling, engine, policy):
    options = {"tau0": 3, "epochs": 20, "sampling": sampling, "engine": engine, "seeds": [0, 7]}
    instance = problem("mixed")
    pair = run("epoch-ucb", instance, **options)
    table = run(policy, instance, **options)
    for column in ("seed", "epoch", "tau", "iteration"):
        assert (pair[column] == table[column]).all()
    # The same run, decision by decision, averaged by hand.
    for seed, blocks in table.groupby("seed"):
        total = int(blocks["iteration"].iloc[-1])
        single = run(
            policy, instance, iterations=total, sampling=sampling, engine=engine, seeds=[seed],
            tau0=3, trace="full",
        )  # fmt: skip
        block = np.repeat(np.arange(len(blocks)), blocks["tau"])
        average = single["reward"].groupby(block).mean()
        best = instance.mu[instance.best_arm]
        np.testing.assert_allclose(blocks["reward"], average, rtol=1e-12)
        np.testing.assert_allclose(blocks["regret"], np.cumsum(best - average), rtol=1e-10)
        expected = single["expected_regret"].diff().fillna(single["expected_regret"].iloc[0])
        np.testing.assert_allclose(
            blocks["expected_regret"], np.cumsum(expected.groupby(block).mean()), rtol=1e-9
        )
        ends = np.cumsum(blocks["tau"]) - 1
        np.testing.assert_allclose(
            blocks["iteration_regret"], single["iteration_regret"].iloc[ends], rtol=1e-9
        )
        assert (single["expected_regret"] == single["iteration_regret"]).all()


@pytest.mark.parametrize("policy", PER_ITERATION)
def test_every_baseline_can_be_paired(policy):
    table = run(policy, epochs=30)
    assert len(table) == 30
    assert np.isfinite(table.to_numpy(float)).all()


@pytest.mark.parametrize("policy", PER_ITERATION)
def test_without_pairing_epochs_are_decisions(policy):
    """``epochs`` of an unpaired policy that decides each iteration are ``iterations``."""
    unpaired = Simulation(INSTANCE, policy, epochs=50, pair=False)
    expected = Simulation(INSTANCE, policy, iterations=50)
    assert Simulation(INSTANCE, policy, epochs=50).paired
    assert not unpaired.paired
    assert unpaired.blocks == 50
    assert unpaired.description() == expected.description()
    for name, column in expected.columns([0, 3]).items():
        np.testing.assert_array_equal(unpaired.columns([0, 3])[name], column)


def test_without_pairing_policies_of_epochs_stay_the_same():
    unpaired = Simulation(INSTANCE, "epoch-ucb", epochs=50, pair=False)
    expected = Simulation(INSTANCE, "epoch-ucb", epochs=50)
    assert unpaired.description() == expected.description()
    for name, column in expected.columns([0]).items():
        np.testing.assert_array_equal(unpaired.columns([0])[name], column)


# --- refusals ----------------------------------------------------------------------------------


class Uniform:
    """A policy without parameters."""

    def reset(self, info, rng):
        self.arms, self.rng = info.arms, rng

    def choose(self, k):
        return int(self.rng.integers(self.arms))

    def update(self, arm, reward):
        pass


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "ucbb"}, "did you mean 'ucb'"),
        ({"policy": 3}, "must be a name or a class"),
        ({"policy": dict}, "must be a name or a class"),
        ({"policy": Uniform, "speed": 3}, "policy 'Uniform' cannot be created"),
        ({"policy": Uniform, "speed": 3, "schedule": "linear"}, "cannot be created"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
        ({"epochs": 2.5}, "epochs must be a whole number"),
        ({"epochs": 10**9, "zeta": 10**6}, "a horizon of 1000000000 may take 5e.23 iterations"),
        ({"epochs": 100, "schedule": "geometric:1"}, "1.3e.30 of them in one epoch"),
        ({"epochs": None}, "give either epochs or iterations"),
        ({"epochs": 5, "iterations": 5}, "give either epochs or iterations"),
        ({"iterations": 5}, "'epoch-ucb' runs in epochs"),
        ({"seeds": "5:5"}, "seeds must be A:B with A < B"),
        ({"seeds": "x"}, "seeds must be A:B"),
        ({"seeds": "0:99999999999999"}, "are more than 20000000"),
        ({"seeds": "9" * 20 + ":" + "9" * 23}, "are more than 20000000"),
        ({"seeds": []}, "at least one number"),
        ({"seeds": [1, 1]}, "each given only once"),
        ({"seeds": [-1]}, "seeds must be a whole number from 0"),
        ({"sampling": "path"}, "sampling must be one of marginal, trajectory"),
        ({"engine": "turbo"}, "engine must be one of fast, plain, reference"),
        ({"trace": "all"}, "trace must be one of thin, full"),
        ({"schedule": "linaer"}, "did you mean 'linear'"),
        ({"schedule": "fixed:0"}, "schedule must be linear"),
        ({"schedule": "geometric:-1"}, "schedule must be linear"),
        ({"gamma": 1.2}, "gamma must be a number"),
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"epochs": 10**6, "seeds": range(50), "trace": "full"}, "more than 20000000 rows"),
    ],
)
def test_bad_options_are_refused_before_any_run(options, message):
    options = {"epochs": 10} | options if "iterations" not in options else options
    with pytest.raises(InputError, match=message):
        simulate(INSTANCE, options.pop("policy", "epoch-ucb"), **{"seeds": [0]} | options)


# --- memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "small", "large", "most"),
    [
        # A byte for each decision would be 10 MB.
        ("eps-greedy", "iterations=1000, seeds=[0]", "iterations=10_000_000, seeds=[0]", 5e6),
        # 300 thinned traces are 11 MB; no more than a few times that.
        ("epoch-ucb", "epochs=500, seeds=[0]", "epochs=500, seeds=range(300)", 60e6),
    ],
    ids=["horizon", "seeds"],
)
def test_memory_grows_with_nothing_but_the_traces(tmp_path, policy, small, large, most):
    """The peak of a new process, from a small run to a large one."""
    INSTANCE.to_json(tmp_path / "i.json")
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "from epochbandits import Instance\n"
        "from peak import peak_memory\n"
        "from epochbandits.engine.simulation import simulate\n"
        "i = Instance.from_json('i.json')\n"
        f"simulate(i, {policy!r}, {small})\n"
        "before = peak_memory()\n"
        f"simulate(i, {policy!r}, {large})\n"
        "print(peak_memory() - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < most


def test_epoch_ucb_runs_once_for_all_policies_that_are_paired_with_it(monkeypatch):
    monkeypatch.setattr(pairing, "_cached", {})
    runs = []
    unpaired = Simulation._run

    def counted(self, engine, seed, trace, stop):
        runs.append((self.name, seed))
        return unpaired(self, engine, seed, trace, stop)

    monkeypatch.setattr(Simulation, "_run", counted)
    for policy, params in (("ucb", {}), ("eps-greedy", {"c": 1}), ("eps-greedy", {"c": 2})):
        Simulation(INSTANCE, policy, params, epochs=20).columns([0, 1])
    assert [run for run in runs if run[0] == "epoch-ucb"] == [("epoch-ucb", 0), ("epoch-ucb", 1)]


@pytest.mark.parametrize(
    "other",
    [
        {"instance": problem("mixed")},
        {"epochs": 25},
        {"setting": Setting(2, 1)},
        {"setting": Setting(3, 1, 0.9)},
        {"sampling": "trajectory"},
        {"engine": "reference"},
        {"experiment": "another"},
        {"root": 1},
    ],
)
def test_lengths_are_cached_for_the_same_run_only(other, monkeypatch):
    """A run that differs in anything gives the same table, whatever was run before."""
    monkeypatch.setattr(pairing, "_cached", {})
    options = {"instance": INSTANCE, "policy": "ucb", "epochs": 20, "setting": Setting(3, 1)}
    different = Simulation(**{**options, **other})
    alone = different.columns([0])
    pairing._cached.clear()
    Simulation(**options).columns([0])
    after = different.columns([0])
    assert len(pairing._cached) == 2
    for name, column in alone.items():
        np.testing.assert_array_equal(after[name], column)


def test_the_cache_is_bounded(monkeypatch):
    monkeypatch.setattr(pairing, "_cached", {})
    monkeypatch.setattr(pairing, "_MAX_CACHED_EPOCHS", 45)
    Simulation(INSTANCE, "ucb", epochs=20).columns(range(5))
    assert sum(map(len, pairing._cached.values())) <= 45


def test_a_paired_run_holds_one_piece_of_its_epochs(monkeypatch):
    """From two to eight thousand epochs, all lengths would take 48 kB more.

    That does not show in a process's size; tracemalloc counts what NumPy allocates. The peak is
    that of the second seed, after the engine's tables were built.
    """
    monkeypatch.setattr(pairing, "PIECE", 500)
    peaks = {}
    for epochs in (2000, 8000):
        paired = Simulation(INSTANCE, "eps-greedy", epochs=epochs, setting=Setting(1, 1))

        def record_peak(seed, epochs=epochs):
            before, peak = tracemalloc.get_traced_memory()
            peaks[epochs, seed] = peak - before
            tracemalloc.reset_peak()

        tracemalloc.start()
        paired.columns([0, 1], progress=record_peak)
        tracemalloc.stop()
    assert abs(peaks[8000, 1] - peaks[2000, 1]) < 16_000


def test_failure_example_locks_ucb_but_not_the_epoch_algorithms():
    """Example 1 in one number each: expected regret per decision after 2000, at ε = .001."""
    instance = failure_example(0.001)
    ucb = run("ucb", instance, iterations=2000, seeds=range(40))
    epoch = run("epoch-ucb", instance, epochs=2000, tau0=1, zeta=1, seeds=range(10))
    slope = {
        name: table.groupby("seed")["expected_regret"].last().mean() / 2000
        for name, table in (("ucb", ucb), ("epoch", epoch))
    }
    assert slope["ucb"] > 0.4
    assert slope["epoch"] < 0.2
