"""Runs: columns, pairing, streams, independence of how seeds are run, golden results, refusals."""

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import epochbandits
from epochbandits import InputError
from epochbandits.cli.main import main
from epochbandits.engine import simulation
from epochbandits.engine.base import Row
from epochbandits.engine.loop import BuiltinInPython
from epochbandits.engine.simulation import COLUMNS, Simulation, record_epochs, simulate
from epochbandits.engine.streams import Streams
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.moments import advance, script_moments
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, conformance
from problems import problem

INSTANCE = generate("anticorrelated", 4, 4, 1)
ROOT = Path(__file__).parent.parent.parent
GOLDEN = Path(__file__).parent.parent / "data" / "golden_runs.json"
PER_ITERATION = [name for name, policy in POLICIES.items() if policy.schedule == "fixed:1"]


def run(policy="epoch-ucb", instance=INSTANCE, **options):
    options = {"seeds": [0]} | options
    if "iterations" not in options:
        options.setdefault("epochs", 60)
    return simulate(instance, policy, **options)


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
def test_the_accounts_add_up(policy):
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("linear", [5, 8, 11, 14]),
        ("fixed:9", [9, 9, 9, 9]),
        ("geometric:1", [1, 2, 4, 8]),
        ("geometric:0.5", [1, 1, 1, 2]),  # ⌈1.5^(T+1)⌉ - ⌈1.5^T⌉ = 1, 1, 1, 2
    ],
)
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_schedules(text, expected, engine):
    table = run("fixed-arm", epochs=4, schedule=text, tau0=5, zeta=3, engine=engine)
    assert table["tau"].tolist() == expected
    plan = parse_schedule(text, Setting(5, 3))
    assert [plan.length(T) for T in range(4)] == expected


def test_any_policy_runs_on_any_schedule():
    table = run("ucb", schedule="linear", epochs=30)
    assert table["tau"].iloc[0] == 40
    table = run("epoch-ucb", schedule="fixed:1", epochs=30)
    assert (table["tau"] == 1).all()


# --- pairing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["ucb", "exp3"])  # EXP3's rate depends on the horizon
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
        owner = np.repeat(np.arange(len(blocks)), blocks["tau"])
        average = single["reward"].groupby(owner).mean()
        best = instance.mu[instance.best_arm]
        np.testing.assert_allclose(blocks["reward"], average, rtol=1e-12)
        np.testing.assert_allclose(blocks["regret"], np.cumsum(best - average), rtol=1e-10)
        due = single["expected_regret"].diff().fillna(single["expected_regret"].iloc[0])
        np.testing.assert_allclose(
            blocks["expected_regret"], np.cumsum(due.groupby(owner).mean()), rtol=1e-9
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


# --- streams -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["epoch-ucb", "epoch-greedy", "exp3"])
def test_a_seed_does_not_depend_on_the_others(policy):
    together = run(policy, seeds=range(6))
    for options in ({"seeds": [4, 1]}, {"seeds": [5, 4, 3, 2, 1, 0], "threads": 3}):
        apart = run(policy, **options)
        for seed, rows in apart.groupby("seed"):
            same = together[together["seed"] == seed].reset_index(drop=True)
            pd.testing.assert_frame_equal(rows.reset_index(drop=True), same, check_exact=True)


def test_another_process_gets_the_same_table(tmp_path):
    INSTANCE.to_json(tmp_path / "i.json")
    command = [
        sys.executable, "-m", "epochbandits", "simulate", "i.json", "--policy", "epoch-ucb",
        "--epochs", "60", "--seeds", "0:3", "--threads", "2", "--out", "o.parquet",
    ]  # fmt: skip
    environment = os.environ | {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    subprocess.run(command, cwd=tmp_path, check=True, env=environment)
    found = pd.read_parquet(tmp_path / "o.parquet")
    pd.testing.assert_frame_equal(found, run(seeds=range(3)), check_exact=True)


def test_streams_are_named_by_all_of_their_name():
    other = generate("anticorrelated", 4, 4, 2)
    names = [
        (0, "", INSTANCE, "ucb", 0), (1, "", INSTANCE, "ucb", 0), (0, "x", INSTANCE, "ucb", 0),
        (0, "", other, "ucb", 0), (0, "", INSTANCE, "exp3", 0), (0, "", INSTANCE, "ucb", 1),
    ]  # fmt: skip
    firsts = set()
    for name in names:
        streams = Streams(*name)
        firsts |= {streams.environment.random(), streams.policy.random()}
    assert len(firsts) == 2 * len(names)
    assert Streams(*names[0]).policy.random() == Streams(*names[0]).policy.random()


def test_environment_and_policy_streams_are_apart():
    """What a policy draws does not move the environment: a script and a uniform policy that
    happen to play the same arms get the same rewards only from the same environment stream."""  # noqa: D205, D209
    arms = run("uniform", epochs=50, trace="full")["arm"].tolist()

    class Replay:
        """Plays what `uniform` played, and draws nothing."""

        schedule = "linear"

        def reset(self, info, rng):
            pass

        def choose(self, k):
            return arms[k - 1]

        def update(self, arm, reward):
            pass

    Replay.__qualname__ = "uniform"  # the same name, hence the same streams
    expected = run("uniform", epochs=50, trace="full")
    pd.testing.assert_frame_equal(run(Replay, epochs=50, trace="full"), expected, check_exact=True)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_an_environment_can_be_played_step_by_step(engine, sampling):
    """With a policy's name, its arms and lengths, it gives the rewards of that policy's run."""
    setting = Setting(4, 2, 0.8)
    options = {"sampling": sampling, "engine": engine}
    table = run("uniform", epochs=30, tau0=4, zeta=2, gamma=0.8, trace="full", seeds=[3], **options)
    steps = simulation.environment(INSTANCE, 3, setting=setting, policy="uniform", **options)
    distribution = np.array(INSTANCE.initial)
    for arm, tau, reward in zip(table["arm"], table["tau"], table["reward"], strict=True):
        np.testing.assert_allclose(steps.distribution, distribution, atol=1e-14)
        assert steps.play(arm, tau).reward == reward
        distribution = advance(INSTANCE, arm, distribution, tau)


@pytest.mark.parametrize(
    ("arm", "tau", "message"),
    [
        (4, 1, "arm must be a whole number from 0 to 3"),
        (-1, 1, "arm must be"),
        (0, 0, "tau must be a whole number from 1"),
        (0, 2**40 + 1, "tau must be"),
    ],
)
def test_an_environment_refuses_what_cannot_be_played(arm, tau, message):
    with pytest.raises(InputError, match=message):
        simulation.environment(INSTANCE, 0).play(arm, tau)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"root": -1}, "root must be a whole number from 0"),
        ({"sampling": "path"}, "sampling must be one of marginal, trajectory"),
        ({"engine": "turbo"}, "engine must be one of fast, reference"),
    ],
)
def test_an_environment_refuses_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        simulation.environment(INSTANCE, **{"seed": 0} | options)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("schedule", ["linear", "fixed:1", "geometric:0.7"])
@pytest.mark.parametrize("gamma", [1.0, 0.8])
@pytest.mark.parametrize("policy", ["epoch-ucb", "epoch-greedy", "exp3", "q-learning", "ucb-tuned"])
def test_compiled_and_plain_loops_agree_bit_for_bit(policy, gamma, schedule, sampling):
    def plain(**params):
        return BuiltinInPython(POLICIES[policy], params)

    plain.__qualname__ = policy
    options = {
        "epochs": 25, "tau0": 4, "schedule": schedule, "gamma": gamma, "sampling": sampling,
        "instance": problem("mixed"),
    }  # fmt: skip
    first, second = run(policy, **options), run(plain, **options)
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize("policy", ["epoch-ucb", "epoch-greedy", "exp3", "q-learning"])
def test_the_pieces_of_a_run_do_not_matter(policy, engine, sampling, monkeypatch):
    """A run is carried on from piece to piece, and EpochUCB's beside it, to the same bits."""
    options = {
        "epochs": 20, "tau0": 3, "gamma": 0.8, "sampling": sampling, "engine": engine,
        "instance": problem("mixed"), "trace": "full",
    }  # fmt: skip
    whole = run(policy, **options)
    for size in (1, 7, 20):
        monkeypatch.setattr(simulation, "_PIECE", size)
        pd.testing.assert_frame_equal(run(policy, **options), whole, check_exact=True)


def test_golden_results():
    """Results that must not change silently; tests/golden.py writes them anew, on purpose."""
    from golden import golden_runs

    expected, found = json.loads(GOLDEN.read_text()), golden_runs()
    assert list(found) == list(expected)
    for key, row in expected.items():
        for column, value in row.items():
            assert found[key][column] == pytest.approx(value, rel=1e-9), (key, column)


# --- users' policies ---------------------------------------------------------------------------


class Plain:
    """A well-behaved policy to break."""

    schedule = "linear"

    def reset(self, info, rng):
        self.arms, self.rng = info.arms, rng

    def choose(self, k):
        return int(self.rng.integers(self.arms))

    def update(self, arm, reward):
        pass


def test_a_users_policy_runs_on_both_engines():
    for engine in ("fast", "reference"):
        table = run(Plain, engine=engine, epochs=20, tau0=3)
        assert len(table) == 20


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_what_is_observed_is_the_law_and_a_copy(engine, sampling):
    """A policy may keep and overwrite the law; it is β P^τ after each play."""
    seen = []

    class Watcher(Plain):
        def observe(self, law):
            seen.append(law.copy())
            kept.append(law)
            law[:] = 0

        def choose(self, k):
            return k % 2

    kept = []
    instance = problem("mixed")
    first = run(Watcher, instance, engine=engine, sampling=sampling, epochs=7, tau0=2)
    law = np.array(instance.initial)
    for k, found in enumerate(seen):
        np.testing.assert_allclose(found, law, atol=1e-14)
        law = advance(instance, (k + 1) % 2, law, 2 + k // 2)
    assert len(seen) == 8
    assert not np.any(kept)
    arms = [k % 2 for k in range(1, 8)]
    exact = script_moments(instance, arms, Setting(2, 1), sampling)
    if sampling == "marginal":
        np.testing.assert_allclose(first["expected_regret"], exact.regret, rtol=1e-9)


def test_a_schedule_may_be_set_when_the_policy_is_made():
    class Chosen(Plain):
        def __init__(self):
            self.schedule = "fixed:3"

    assert (run(Chosen, epochs=5)["tau"] == 3).all()


def test_the_example_policy_conforms_and_runs(tmp_path):
    sys.path.insert(0, str(ROOT / "examples"))
    from softmax_policy import Softmax

    assert conformance.problems(Softmax) == []
    INSTANCE.to_json(tmp_path / "i.json")
    out = tmp_path / "o.parquet"
    code = main(
        ["simulate", str(tmp_path / "i.json"), "--policy",
         f"{ROOT / 'examples' / 'softmax_policy.py'}:Softmax", "--param", "temperature=0.1",
         "--epochs", "20", "--seeds", "0:2", "--out", str(out)]
    )  # fmt: skip
    assert code == 0
    assert len(pd.read_parquet(out)) == 40


@pytest.mark.parametrize("name", [n for n in POLICIES if n != "scripted"])
def test_built_in_policies_conform(name):
    assert conformance.problems(lambda: BuiltinInPython(POLICIES[name], {})) == []


def broken(**methods):
    return type("Broken", (Plain,), methods)


BROKEN = {
    "arm 7": (broken(choose=lambda self, k: 7), "choose returned 7; arms are whole numbers to 3"),
    "negative": (broken(choose=lambda self, k: -1), "choose returned -1"),
    "nan": (broken(choose=lambda self, k: float("nan")), "choose returned nan"),
    "none": (broken(choose=lambda self, k: None), "choose returned None"),
    "real": (broken(choose=lambda self, k: 1.0), "choose returned 1.0"),
    "true": (broken(choose=lambda self, k: True), "choose returned True"),
    "generator exit": (
        broken(choose=lambda self, k: (_ for _ in ()).throw(GeneratorExit)),
        "choose raised GeneratorExit",
    ),
    "no repr": (
        broken(choose=lambda self, k: type("X", (), {"__repr__": lambda self: 1 / 0})()),
        "raised ZeroDivisionError",
    ),
    "half": (broken(choose=lambda self, k: 1.5), "choose returned 1.5"),
    "exits": (broken(choose=lambda self, k: sys.exit(3)), "choose raised SystemExit"),
    "raises": (broken(choose=lambda self, k: [][k]), "choose raised IndexError"),
    "observe": (
        broken(observe=lambda self, law: law["x"]),
        "observe raised IndexError",
    ),
    "update": (broken(update=lambda self, arm, reward: 1 / 0), "update raised ZeroDivisionError"),
    "reset": (broken(reset=lambda self, info, rng: info.x), "reset raised AttributeError"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_policies_are_told_apart(case):
    policy, sentence = BROKEN[case]
    with pytest.raises(InputError) as caught:
        run(policy, seeds=[5])
    assert sentence in str(caught.value)
    assert "policy 'Broken', seed 5" in str(caught.value)
    if case not in ("reset", "observe"):
        assert "epoch 1:" in str(caught.value)
    assert conformance.problems(policy)


def test_conformance_finds_what_a_run_does_not():
    class Forgetful(Plain):
        def reset(self, info, rng):
            self.arms, self.rng = info.arms, np.random.default_rng()

    class Remembers(Plain):
        total = 0

        def choose(self, k):
            return self.total % self.arms

        def update(self, arm, reward):
            self.total += 1

    assert "two runs with the same random stream differ" in conformance.problems(Forgetful)[0]
    assert "reset must forget everything" in conformance.problems(Remembers)[0]
    assert "lacks the method 'update'" in conformance.problems(lambda: BuiltinLike())[0]
    bad = broken(schedule="weekly")
    assert "schedule must be linear" in conformance.problems(bad)[0]


class BuiltinLike:
    def reset(self, info, rng): ...
    def choose(self, k): ...


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "ucbb"}, "did you mean 'ucb'"),
        ({"policy": 3}, "must be a name or a class"),
        ({"policy": dict}, "must be a name or a class"),
        ({"policy": Plain, "speed": 3}, "policy 'Plain' cannot be created"),
        ({"epochs": 0}, "epochs must be a whole number from 1"),
        ({"epochs": 2.5}, "epochs must be a whole number"),
        ({"epochs": 10**9, "zeta": 10**6}, "a horizon of 1000000000 may take 5e.23 iterations"),
        ({"epochs": 100, "schedule": "geometric:1"}, "1.3e.30 of them in one epoch"),
        ({"epochs": None}, "give one of epochs and iterations"),
        ({"epochs": 5, "iterations": 5}, "give one of epochs and iterations"),
        ({"iterations": 5}, "'epoch-ucb' runs in epochs"),
        ({"seeds": "5:5"}, "seeds must be A:B with A < B"),
        ({"seeds": "x"}, "seeds must be A:B"),
        ({"seeds": "0:99999999999999"}, "are more than 20000000"),
        ({"seeds": "9" * 20 + ":" + "9" * 23}, "are more than 20000000"),
        ({"seeds": []}, "at least one number"),
        ({"seeds": [1, 1]}, "none of them twice"),
        ({"seeds": [-1]}, "seeds must be a whole number from 0"),
        ({"sampling": "path"}, "sampling must be one of marginal, trajectory"),
        ({"engine": "turbo"}, "engine must be one of fast, reference"),
        ({"trace": "all"}, "trace must be one of thin, full"),
        ({"schedule": "linaer"}, "did you mean 'linear'"),
        ({"schedule": "fixed:0"}, "schedule must be linear"),
        ({"schedule": "geometric:-1"}, "schedule must be linear"),
        ({"gamma": 1.2}, "gamma must be a number"),
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"epochs": 10**6, "seeds": range(50), "trace": "full"}, "more than 20000000 rows"),
    ],
)
def test_bad_options_are_refused_before_work(options, message):
    options = {"epochs": 10} | options if "iterations" not in options else options
    with pytest.raises(InputError, match=message):
        simulate(INSTANCE, options.pop("policy", "epoch-ucb"), **{"seeds": [0]} | options)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    INSTANCE.to_json("i.json")
    Path("mine.py").write_text(
        "class Wild:\n"
        "    def reset(self, info, rng): pass\n"
        "    def choose(self, k): return 7 if k == 17 else 0\n"
        "    def update(self, arm, reward): pass\n"
    )
    return tmp_path


GOOD = "simulate i.json --policy epoch-ucb --epochs 20 --seeds 0:2 --out o.parquet"


def test_command_line_writes_what_the_function_returns(folder):
    assert main(GOOD.split()) == 0
    found = pd.read_parquet(folder / "o.parquet")
    pd.testing.assert_frame_equal(found, run(epochs=20, seeds=[0, 1]), check_exact=True)
    assert sorted(p.name for p in folder.iterdir()) == ["i.json", "mine.py", "o.parquet"]


def test_an_output_that_fails_is_not_removed(folder):
    """A pipe whose reader has gone: the run fails, and the pipe is still there."""
    os.mkfifo("pipe")
    command = f"{sys.executable} -m epochbandits {GOOD.replace('o.parquet', 'pipe')}"
    done = subprocess.run(
        ["bash", "-c", f"(exec 3<pipe; exec 3<&-) & {command}"], capture_output=True, text=True
    )
    assert Path("pipe").is_fifo()
    assert "Traceback" not in done.stderr


def test_metadata_says_what_was_run(folder):
    import pyarrow.parquet as pq

    assert main([*GOOD.split(), "--param", "variant=tight", "--gamma", "0.5"]) == 0
    metadata = pq.read_schema(folder / "o.parquet").metadata
    about = json.loads(metadata[b"about"])["configuration"]
    assert about["params"] == {"variant": "tight"}
    assert about["gamma"] == 0.5
    assert about["instance_digest"] == INSTANCE.digest


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("--policy epoch-ubc", "did you mean 'epoch-ucb'?"),
        ("--policy mine.py:Wild", "policy 'Wild', seed 0, epoch 17: choose returned 7"),
        ("--policy mine:Tame", "mine has no 'Tame'"),
        ("--policy nowhere:Tame", "cannot be imported"),
        ("--param c=3", "policy 'epoch-ucb' has no parameter 'c'"),
        ("--param variant=min --param variant=min", "--param gives 'variant' twice"),
        ("--param c", "must be KEY=VALUE"),
        ("--seeds 5:5", "seeds must be A:B with A < B"),
        ("--epochs 0", "epochs must be a whole number from 1"),
        ("--out no/such/o.parquet", "the folder no/such does not exist"),
        ("--out .", "it is a folder"),
        ("--schedule weekly", "schedule must be linear"),
        ("--sampling both", "sampling must be one of"),
    ],
)
def test_command_line_refuses_in_one_sentence(folder, change, sentence, capsys):
    assert main([*GOOD.split(), *change.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert sorted(p.name for p in folder.iterdir() if p.suffix == ".parquet") == []


def test_interrupting_stops_at_once_and_leaves_nothing(folder):
    command = [
        sys.executable, "-m", "epochbandits", "simulate", "i.json", "--policy", "epoch-ucb",
        "--epochs", "3000000", "--seeds", "0:1", "--out", "o.parquet",
    ]  # fmt: skip
    check_interrupt(command, folder, wait=4)
    assert sorted(p.name for p in folder.iterdir()) == ["i.json", "mine.py"]


def check_interrupt(command, folder, wait):
    """Start a command, interrupt it, and see it go at once; never leave it behind."""
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, text=True,
        # A background job of a shell ignores SIGINT, and its children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        time.sleep(wait)
        assert process.poll() is None, "the run must be long enough to be interrupted"
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        assert time.monotonic() - started < 3
    finally:
        process.kill()
    assert process.returncode == 130
    assert "interrupted; nothing was written" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("threads", [1, 2])
def test_a_policy_that_hangs_can_be_interrupted(folder, threads):
    Path("hang.py").write_text(
        "class Hang:\n"
        "    def reset(self, info, rng): pass\n"
        "    def choose(self, k):\n"
        "        while True: pass\n"
        "    def update(self, arm, reward): pass\n"
    )
    command = [*f"{sys.executable} -m epochbandits".split(), *GOOD.split()]
    command += ["--policy", "hang.py:Hang", "--threads", str(threads)]
    check_interrupt(command, folder, wait=3)
    assert not Path("o.parquet").exists()


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
def test_memory_grows_with_nothing_but_the_traces(folder, policy, small, large, most):
    """The peak of a new process, from a small run to a large one."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n"
        "from epochbandits import Instance\n"
        "from peak import peak_memory\n"
        "from epochbandits.engine.simulation import simulate\n"
        "i = Instance.from_json('i.json')\n"
        f"simulate(i, {policy!r}, {small})\n"
        "before = peak_memory()\n"
        f"simulate(i, {policy!r}, {large})\n"
        "print(peak_memory() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < most


def test_a_paired_run_holds_one_piece_of_its_epochs(monkeypatch):
    """Two thousand and eight thousand epochs: 48 kB of lengths more, were they kept.

    So few bytes do not show in a process's size; tracemalloc counts what NumPy asks for. The peak
    is that of the second seed, after the engine's tables were built.
    """
    monkeypatch.setattr(simulation, "_PIECE", 500)
    peaks = {}
    for epochs in (2000, 8000):
        paired = Simulation(INSTANCE, "eps-greedy", epochs=epochs, setting=Setting(1, 1))

        def note(seed, epochs=epochs):
            before, peak = tracemalloc.get_traced_memory()
            peaks[epochs, seed] = peak - before
            tracemalloc.reset_peak()

        tracemalloc.start()
        paired.columns([0, 1], progress=note)
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
