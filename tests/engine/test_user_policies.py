"""Policies in plain Python: what they observe, and how their mistakes are reported."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from epochbandits import InputError
from epochbandits.cli.main import main
from epochbandits.engine.loop import BuiltinInPython
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, conformance
from exact_moments import advance, script_moments
from problems import problem
from runs import INSTANCE, run

ROOT = Path(__file__).parents[2]


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
def test_a_policy_observes_a_copy_of_the_distribution(engine, sampling):
    """A policy may store and overwrite the distribution; it is β P^τ after each play."""
    observed, overwritten = [], []

    class Watcher(Plain):
        def observe(self, distribution):
            observed.append(distribution.copy())
            overwritten.append(distribution)
            distribution[:] = 0

        def choose(self, k):
            return k % 2

    instance = problem("mixed")
    first = run(Watcher, instance, engine=engine, sampling=sampling, epochs=7, tau0=2)
    expected = np.array(instance.initial)
    for k, distribution in enumerate(observed):
        np.testing.assert_allclose(distribution, expected, atol=1e-14)
        expected = advance(instance, (k + 1) % 2, expected, 2 + k // 2)
    assert len(observed) == 8
    assert not np.any(overwritten)
    arms = [k % 2 for k in range(1, 8)]
    exact = script_moments(instance, arms, Setting(2, 1), sampling)
    if sampling == "marginal":
        np.testing.assert_allclose(first["expected_regret"], exact.regret, rtol=1e-9)


def test_a_policy_may_set_its_schedule_when_it_is_created():
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


@pytest.mark.parametrize("name", [n for n in POLICIES if n not in ("scripted", "rca")])
def test_built_in_policies_conform(name):
    assert conformance.problems(lambda: BuiltinInPython(POLICIES[name], {})) == []


def broken(**methods):
    return type("Broken", (Plain,), methods)


BROKEN = {
    "arm 7": (broken(choose=lambda self, k: 7), "choose returned 7; arms are the integers 0 to 3"),
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
        "choose returned <X instance",
    ),
    "half": (broken(choose=lambda self, k: 1.5), "choose returned 1.5"),
    "exits": (broken(choose=lambda self, k: sys.exit(3)), "choose raised SystemExit"),
    "raises": (broken(choose=lambda self, k: [][k]), "choose raised IndexError"),
    "observe": (
        broken(observe=lambda self, distribution: distribution["x"]),
        "observe raised IndexError",
    ),
    "update": (broken(update=lambda self, arm, reward: 1 / 0), "update raised ZeroDivisionError"),
    "reset": (broken(reset=lambda self, info, rng: info.x), "reset raised AttributeError"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_error_says_what_a_broken_policy_did(case):
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
