"""No word of a random stream is used twice, wherever a kernel draws; rare rewards take their table.

The kernels run as Python. Each step of the generator counts one further, so the counts of its steps
must be consecutive.
"""

import inspect
import re
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from epochbandits.engine import decisions, draws, epochs, states, stretches, uniforms
from epochbandits.engine.epochs import Position, Workspace
from epochbandits.engine.prepared import prepare
from epochbandits.engine.stretches import Place, Totals
from epochbandits.policies import base
from epochbandits.policies.base import Stretch
from mutation import mutate
from problems import problem
from words import Words

SAMPLINGS = ["marginal", "trajectory"]
INSTANCES = [problem("mixed", sticky=True), problem("beta")]


class Alternating(NamedTuple):
    """A policy that plays its arms in turn, nine decisions each."""


@pytest.fixture(autouse=True)
def counts(monkeypatch):
    """Return the list of the generator's counts; whole numbers of 64 bits wrap around."""

    def arm(policy, k, beta, rng):
        return k // 9 % 2

    def decide(policy, k, beta, rng):
        return Stretch(k // 9 % 2, 9 - k % 9, 0.5, -0.5, 0.0)

    builtin = base.Builtin(
        "alternating", "fixed:1", Alternating, None, arm, base.learn_nothing.py_func, decide, False
    )
    monkeypatch.setitem(base._BY_MEMORY, Alternating, builtin)
    step, used = uniforms._step, []

    def recorded(a, b, c, count):
        used.append(int(count))
        return step(a, b, c, count)

    monkeypatch.setattr(uniforms, "_step", recorded)
    with np.errstate(over="ignore"):
        yield used


def play_each(function, sampling, instance, rng):
    """Play a policy that decides each iteration, in parts that cut its stretches or do not."""
    env = prepare(instance, 1.0, sampling)
    work, place = Workspace.empty(*env.pi.shape), Place()
    work.beta[0] = env.initial
    for most in [1, 2, 9] * 60:
        place = function.py_func(Alternating(), env, None, rng, work, place, most, Totals())[2]


def play_epochs(gamma, sampling, instance, rng):
    """Play epochs of one iteration and of more, before and after an arm has mixed."""
    env = prepare(instance, gamma, sampling)
    work, turn, state = Workspace.empty(*env.pi.shape), 0, 0
    work.beta[0] = env.initial
    for k in range(120):
        arm, tau = k // 5 % 2, (1, 2, 1, 9, 150, 1)[k % 6]
        steady = int(env.mix[arm]) if k % 4 == 3 else 0
        position = Position(turn, state, steady)
        state = epochs.play.py_func(rng, env, work, True, arm, tau, position)[3]
        turn = 1 - turn


RUNS = {
    "stretches": (play_each, stretches.play_stretch),
    "iterations": (play_each, decisions.play_iterations),
    "epochs": (play_epochs, 1.0),
    "discounted epochs": (play_epochs, 0.6),
}
ALL = [*product(RUNS, SAMPLINGS, INSTANCES)]


def in_order(run, sampling, instance, used):
    """Tell whether a run's words are consecutive, without a gap."""
    play, argument = RUNS[run]
    used.clear()
    play(argument, sampling, instance, Words(5))
    return set(np.diff(used)) == {1}


@pytest.mark.parametrize(("run", "sampling", "instance"), ALL)
def test_each_word_is_used_once(counts, run, sampling, instance):
    assert in_order(run, sampling, instance, counts)
    assert len(counts) > 300


DRAWING = [
    *(draws.residual, draws.next_reward, draws.sum_table, draws.draw_while),
    *(draws._sum_columns, draws._discount_columns, draws._draw_columns),
    *(states.walk, epochs.transient_sum, epochs._visit, epochs.trajectory_epoch, epochs.play),
    *(decisions.play_iterations, decisions._draw_states, decisions._follow_path),
    *(stretches.marginal_part, stretches.trajectory_part, stretches._walk_columns),
]


def reuses():
    """Yield each function with a piece that forgets that words were drawn."""
    for function in DRAWING:
        lines = inspect.getsource(function.py_func).splitlines()
        for i, line in enumerate(lines[:-1]):
            old = "\n".join(lines[i : i + 2])
            forgets = re.sub(r"\bwords(, .*)? = ", r"_\1 = ", line)
            forgets = re.sub(r"store_words\(rng, words\)", "pass", forgets)
            loads = "load_words" in line  # without it there are no words at all
            if forgets != line and not loads and any("words" in earlier for earlier in lines[:i]):
                name = f"{function.py_func.__name__}: {line.strip()}"
                yield pytest.param(function, old, "\n".join([forgets, lines[i + 1]]), id=name)


@pytest.mark.parametrize(("function", "old", "new"), [*reuses()])
def test_a_word_that_is_used_again_is_noticed(monkeypatch, counts, function, old, new):
    mutate(monkeypatch, function, old, new)
    with pytest.raises(AssertionError):
        assert all(in_order(*run, counts) for run in ALL)


def check_tables(function, monkeypatch):
    """If every reward is one of the residual, it is that of the arm's law in the state."""
    env = prepare(INSTANCES[1], 1.0, "trajectory")
    cells, (m, S) = env.tables.cells.copy(), env.pi.shape
    cells["q"] = 0.0  # no number is below
    env = env._replace(tables=env.tables._replace(cells=cells))
    used, rng = [], Words(5)

    def residual(words, tables, t):
        used.append(int(t))
        return 0.5, words

    for module in (draws, stretches):
        monkeypatch.setattr(module, "residual", residual)
    work, place, expected = Workspace.empty(m, S), Place(), []
    for _ in range(200):
        state = int(place.state)
        place = function.py_func(Alternating(), env, None, rng, work, place, 1, Totals())[2]
        expected.append(m + int(place.last) * S + state)
    assert used == expected
    assert set(used) == set(range(m, m + m * S))


@pytest.mark.parametrize(
    ("function", "mutated", "old", "new"),
    [
        (decisions.play_iterations, decisions._follow_path, "m + row)", "row)"),
        (stretches.play_stretch, stretches.trajectory_part, "m + j * S", "j * S"),
    ],
    ids=["decisions", "stretches"],
)
def test_a_rare_reward_is_of_its_arm_and_state(monkeypatch, function, mutated, old, new):
    check_tables(function, monkeypatch)
    mutate(monkeypatch, mutated, old, new)
    with pytest.raises(AssertionError):
        check_tables(function, monkeypatch)
