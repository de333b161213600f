"""Random streams: a seed's result depends on its key alone, not on how the seeds are run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from epochbandits.engine import pairing
from epochbandits.engine.loop import BuiltinInPython
from epochbandits.engine.streams import Streams
from epochbandits.model.generators import generate
from epochbandits.policies import POLICIES
from problems import problem
from runs import INSTANCE, run

GOLDEN = Path(__file__).parents[1] / "data" / "golden_runs.json"


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
    written = pd.read_parquet(tmp_path / "o.parquet")
    pd.testing.assert_frame_equal(written, run(seeds=range(3)), check_exact=True)


def test_streams_depend_on_every_part_of_their_key():
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
    """A policy's draws do not change the rewards: another one with the same arms gets the same."""
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
    first, second = run(policy, engine="plain", **options), run(plain, **options)
    pd.testing.assert_frame_equal(first, second, check_exact=True)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    "policy", ["epoch-ucb", "epoch-greedy", "ucb", "ucb-tuned", "eps-greedy", "exp3", "q-learning"]
)
def test_results_do_not_depend_on_the_size_of_pieces(policy, engine, sampling, monkeypatch):
    """A run continues from piece to piece, with EpochUCB's beside it, to the same bits."""
    options = {
        "epochs": 20, "tau0": 3, "gamma": 0.8, "sampling": sampling, "engine": engine,
        "instance": problem("mixed"), "trace": "full",
    }  # fmt: skip
    whole = run(policy, **options)
    for size in (1, 7, 20):
        monkeypatch.setattr(pairing, "PIECE", size)
        pd.testing.assert_frame_equal(run(policy, **options), whole, check_exact=True)


def test_golden_results():
    """Results that must not change silently; tests/golden.py rewrites them on purpose."""
    from golden import golden_runs

    expected, runs = json.loads(GOLDEN.read_text()), golden_runs()
    assert list(runs) == list(expected)
    for key, row in expected.items():
        for column, value in row.items():
            assert runs[key][column] == pytest.approx(value, rel=1e-9), (key, column)
