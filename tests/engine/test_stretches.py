"""The kernels that play stretches, run as Python: what ends a stretch, and what is learned of it.

A policy made for this hands out given stretches and records the calls. A run is played in parts of
one iteration, which show every reward, and in other parts, which must change nothing.
"""

from itertools import cycle, pairwise
from typing import NamedTuple

import numpy as np
import pytest

from epochbandits import Instance
from epochbandits.engine import draws, stretches
from epochbandits.engine.epochs import Workspace
from epochbandits.engine.prepared import prepare
from epochbandits.engine.stretches import Place, Totals, play_stretch
from epochbandits.model.rewards import Constant
from epochbandits.policies import base
from epochbandits.policies.base import Stretch
from mutation import mutate
from problems import problem
from words import Words


class Script(NamedTuple):
    """Stretches to hand out, and the engine's calls."""

    stretches: object
    decisions: list
    """k of each call of `decide`."""
    learned: list
    """Arguments of each call of `learn`."""


def decide(policy, k, beta, rng):
    policy.decisions.append(k)
    return next(policy.stretches)


def learn(policy, k, arm, rewards, before, after):
    policy.learned.append((k, arm, *rewards))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """Let the generic functions know the policy; whole numbers of 64 bits wrap around."""
    builtin = base.Builtin("script", "fixed:1", Script, None, None, learn, decide, False)
    monkeypatch.setitem(base._BY_MEMORY, Script, builtin)
    with np.errstate(over="ignore"):
        yield


def play(instance, sampling, script, parts, seed=0, rare=False):
    """Play parts of at most so many iterations; ``rare``: every reward is one of the residual.

    Returns the policy, and a row for each part: iterations, sums of rewards, of conditional means
    and of stationary means, state before it, and distribution of the state after it.
    """
    env = prepare(instance, 1.0, sampling)
    if rare:
        cells = env.tables.cells.copy()
        cells["q"] = 0.0  # no number is below
        env = env._replace(tables=env.tables._replace(cells=cells))
    policy, rng = Script(cycle(script), [], []), Words(seed)
    work, place = Workspace.empty(*env.pi.shape), Place()
    work.beta[0] = env.initial
    rows = []
    for most in parts:
        state, none = place.state, Totals()
        played, totals, place = play_stretch.py_func(
            policy, env, None, rng, work, place, most, none
        )
        assert 1 <= played <= most
        rows.append((played, *totals, state, work.beta[place.turn].copy()))
    return policy, rows


LINES = [
    Stretch(0, 7, 0.5, -0.3, 0.02),
    Stretch(0, 3, 0.25, -np.inf, 0.0),
    Stretch(1, 40, 0.4, -0.3, 0.05),
    Stretch(1, 1, 0.0, 0.0, 0.0),
    Stretch(0, 30, 0.45, -1.0, 0.05),
    Stretch(1, 60, 0.45, -np.inf, 0.0),
]
INSTANCES = {
    "sticky": problem("mixed", sticky=True),
    "quick": problem("beta"),
    "bernoulli": problem("bernoulli", sticky=True),
}


def check_ends(instance, sampling):
    """Play parts of one iteration, whose reward, conditional mean and state are seen."""
    policy, rows = play(instance, sampling, LINES, [1] * 1000)
    script, k, ends = cycle(LINES), 0, {"plays": 0, "line": 0}
    beta, learned = np.array(instance.initial), iter(policy.learned)
    decisions = []
    while k < len(rows):
        arm, n, centre, level, slope = next(script)
        decisions.append(k + 1)
        total = squares = 0.0
        for i in range(1, n + 1):
            if k == len(rows):
                break
            _, reward, expected, stationary, state, after = rows[k]
            k += 1
            total += reward - centre
            squares += (reward - centre) ** 2
            mean = instance.reward_means[arm]
            if sampling == "trajectory":
                assert expected == mean[state]
            else:
                assert expected == pytest.approx(beta @ mean, rel=1e-12)
                beta = beta @ instance.transition[arm]
                np.testing.assert_allclose(after, beta, rtol=1e-12)
            assert stationary == pytest.approx(instance.mu[arm], rel=1e-12)
            if i == n or total <= level + slope * i:
                ends["plays" if i == n else "line"] += 1
                row = next(learned)
                assert row[:4] == (k, arm, i, centre)
                assert row[4:] == pytest.approx((total, squares), rel=1e-10, abs=1e-12)
                break
    assert policy.decisions == decisions
    assert next(learned, None) is None
    assert min(ends.values()) > 10


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("name", INSTANCES)
def test_a_stretch_ends_where_it_says(name, sampling):
    check_ends(INSTANCES[name], sampling)


def check_parts(instance, sampling):
    """Play parts of any length: the same rewards, the same decisions, the same sums."""
    rng = np.random.default_rng(4)
    _, single = play(instance, sampling, LINES, [1] * 1000)
    policy, rows = play(instance, sampling, LINES, rng.integers(1, 50, 60))
    sums = np.cumsum([row[:4] for row in rows], axis=0)
    ends = sums[:, 0].astype(int)
    ones = np.cumsum([row[:4] for row in single], axis=0)[ends - 1]
    np.testing.assert_allclose(sums, ones, rtol=1e-11)
    assert [row[4] for row in rows[1:]] == [single[end][4] for end in ends[:-1]]
    for row, end in zip(rows, ends, strict=True):
        np.testing.assert_allclose(row[5], single[end - 1][5], rtol=1e-12)
    assert (ends[0], len(policy.decisions)) > (1, 20)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("name", INSTANCES)
def test_parts_change_nothing(name, sampling):
    check_parts(INSTANCES[name], sampling)


def check_exact_hits(sampling, stay):
    """Rewards of 1/2 with the centre 3/4 are on the line -1/2 - i/8 at i = 4.

    A state that is left with probability 1/100 is held by a drawn time (`trajectory_part`).
    """
    chain = [[stay, 1 - stay], [1 - stay, stay]] if stay else [[0.5, 0.5], [0.9, 0.1]]
    instance = Instance("half", [chain] * 2, [[Constant(0.5)] * 2] * 2, [0.5, 0.5])
    script = [Stretch(0, 1000, 0.75, -0.5, -0.125), Stretch(1, 1000, 0.75, -0.625, -0.125)]
    policy, rows = play(instance, sampling, script, [1000] * 40)
    assert [row[0] for row in rows] == [4, 5] * 20
    assert [row[2:] for row in policy.learned[:2]] == [
        (4.0, 0.75, -1.0, 0.25),
        (5.0, 0.75, -1.25, 0.3125),
    ]


@pytest.mark.parametrize("stay", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_a_line_that_is_hit_exactly_ends_a_stretch(sampling, stay):
    check_exact_hits(sampling, stay)


def test_a_stretch_of_one_play_asks_each_time():
    policy, rows = play(INSTANCES["quick"], "marginal", [base.single.py_func(1)], [50] * 30)
    assert policy.decisions == list(range(1, 31))
    assert [row[0] for row in rows] == [1] * 30


def test_another_arm_draws_its_own_holding_times():
    """The first arm almost never leaves a state, the second with probability 1/20."""
    chains = [[[1 - p, p], [p, 1 - p]] for p in (1e-6, 0.05)]
    instance = Instance("held", chains, [[Constant(0.5)] * 2] * 2, [0.5, 0.5])
    script = [Stretch(0, 1, 0.0, 0.0, 0.0), Stretch(1, 39, 0.0, -np.inf, 0.0)]
    _, rows = play(instance, "trajectory", script, [1] * 4000)
    changes = np.abs(np.diff([row[4] for row in rows])).sum()
    assert abs(changes - 195) < 5 * 14  # 3900 plays of the second arm


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("name", ["sticky", "quick"])
def test_a_line_above_all_rewards_ends_a_stretch_at_once(name, sampling):
    """Also where the reward is one of the residual: one of fifty, or fewer."""
    script = [Stretch(0, 1000, 0.5, 10.0, 0.0)]  # one arm, which mixes
    policy, rows = play(INSTANCES[name], sampling, script, [1000] * 2000)
    assert {row[0] for row in rows} == {1}
    assert len(policy.learned) == 2000


# Per mutant: a function of the engine, a piece of it, and which sampling and chain run it.
MUTANTS = {
    "is_over: <": (draws.is_over, "total <= ", "total < ", "marginal", 0.99),
    "_draw_columns: <": (draws._draw_columns, "total <= ", "total < ", "trajectory", 0.99),
    "_walk_columns: <": (stretches._walk_columns, "total <= ", "total < ", "trajectory", 0.5),
    "is_over: level": (draws.is_over, "* sums.plays", "* (sums.plays + 1.0)", "marginal", 0.99),
    "_draw_columns: level": (
        draws._draw_columns, "slope * plays", "slope * (plays + 1.0)", "trajectory", 0.99,
    ),
    "_walk_columns: level": (
        stretches._walk_columns, "slope * plays", "slope * (plays + 1.0)", "trajectory", 0.5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_crossing_of_the_line_is_noticed(monkeypatch, mutant):
    function, old, new, *run = MUTANTS[mutant]
    check_exact_hits(*run)
    mutate(monkeypatch, function, old, new)
    with pytest.raises(AssertionError):
        check_exact_hits(*run)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        (check_parts, "int(sums.plays))", "int(sums.plays) + 1)"),
        (
            check_ends,
            "= place\n    if sums.plays >=",
            "= place\n    if sums.plays >",
        ),
        (check_ends, "played\n    if sums.plays >=", "played\n    if sums.plays >"),
    ],
    ids=["plays", "decides", "learns"],
)
def test_one_play_too_many_is_noticed(monkeypatch, check, old, new, sampling):
    check(INSTANCES["quick"], sampling)
    mutate(monkeypatch, stretches.play_stretch, old, new)
    with pytest.raises(AssertionError):
        check(INSTANCES["quick"], sampling)


LONG = [Stretch(0, 40, 0.5, -np.inf, 0.0), Stretch(1, 40, 0.5, -np.inf, 0.0)]


@pytest.mark.parametrize(("sticky", "n"), [(True, 40), (False, 5)])
def test_marginal_states_have_their_distribution(sticky, n):
    """Rewards tell the state s of each iteration; weights β - π show a wrong time or start."""
    instance = problem("constant", sticky=sticky)
    _, rows = play(
        instance, "marginal", [stretch._replace(plays=n) for stretch in LONG], [1] * 6000
    )
    beta, excess, variance = np.array(instance.initial), np.zeros((2, 3)), np.zeros((2, 3))
    for k, row in enumerate(rows):
        arm = k // n % 2
        seen = np.isclose(instance.reward_means[arm], row[1])
        assert seen.sum() == 1
        weight = np.array([np.ones(3), beta - instance.pi[arm]])
        excess += (seen - beta) * weight
        variance += beta * (1 - beta) * weight**2
        beta = row[5]
    assert (np.abs(excess) < 4.5 * np.sqrt(variance)).all()


@pytest.mark.parametrize(("name", "rare"), [("quick", False), ("sticky", False), ("quick", True)])
def test_paths_follow_the_chain(name, rare):
    """Also after a reward of the residual, of which a run has too few to notice."""
    instance = INSTANCES[name]
    _, rows = play(instance, "trajectory", LONG, [1] * 6000, rare=rare)
    states = [row[4] for row in rows]
    counts = np.zeros((2, 3, 3))
    for k, pair in enumerate(pairwise(states)):
        counts[(k // 40 % 2, *pair)] += 1
    expected = counts.sum(axis=2, keepdims=True) * instance.transition
    assert (np.abs(counts - expected) < 4.5 * np.sqrt(expected) + 1).all()
