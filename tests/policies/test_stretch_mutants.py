"""Wrong bounds of stretches are noticed: each mutant breaks a promise that the code keeps.

What is wrong decides which states show it, since the bounds are not tight everywhere. The leader
has nearly all plays (`WIDE_RIVAL`), so that its index hardly gains from one more; or it has few
(`WIDE_LEADER`), so that its window grows faster than the rival's; or the rival's index hardly
grows (`STILL_RIVAL`), so that only the leader's own sum decides.

A mutant of the margins is in `test_margins` and `test_kl_ucb_margins`, of the engine in
`test_stretches`.
"""

from itertools import product

import numpy as np
import pytest

from epochbandits.policies import POLICIES, base, greedy, kl_ucb
from mutation import mutate
from stretch_replay import replay, rivals, two_arms

INDEXED = ["ucb", "ucb-tuned", "kl-ucb"]
WIDE_RIVAL = [((1e8, T), 0.3, lead, 0.0) for T in (600, 1000, 2000) for lead in (2e-10, 4e-10)]
WIDE_LEADER = [((T, 1e5), 0.3, lead, 0.1) for T in (100, 300, 1000) for lead in (3e-4, 1e-3)]
STILL_RIVAL = [((T, 1e9), 0.3, lead, 0.25) for T in (1e4, 1e5) for lead in (0.2, 0.3)]

# Per mutant: states, and pieces of the bound of UCB, UCB-tuned and ε-greedy, and of KL-UCB.
MUTANTS = {
    "rivals' width at the start": (
        [((1e5, T), 0.3, lead, 0.25) for T in (5, 10, 30) for lead in (1e-5, 3e-5)],
        (base.optimistic_stretch, "+ n * rise", "+ 0 * rise"),
        (kl_ucb.decide, "+ n * growth(policy, j, rate)", ""),
    ),
    "own width at the end": (
        WIDE_LEADER,
        (base.optimistic_stretch, "best - r", "best + n * growth * (best - policy.mean[arm]) - r"),
        (kl_ucb.decide, "budget(policy, k) / T", "budget(policy, k + n) / T"),
    ),
    "level of one more play": (
        STILL_RIVAL,
        (base.certain_stretch, "-plays * lead", "-(plays + 1) * lead"),
        (kl_ucb.decide, "T * (least - mean)", "(T + 1) * (least - mean)"),
    ),
    "two plays too many": (
        WIDE_RIVAL,
        (base.certain_stretch, "Stretch(arm, limit,", "Stretch(arm, limit + 2,"),
        (kl_ucb.decide, "Stretch(arm, n,", "Stretch(arm, n + 2,"),
    ),
    "one play too many": (
        WIDE_RIVAL,
        (base.certain_stretch, "Stretch(arm, limit,", "Stretch(arm, limit + 1,"),
        (kl_ucb.decide, "Stretch(arm, n,", "Stretch(arm, n + 1,"),
    ),
}
BY_REPLAY = [mutant for mutant in MUTANTS if mutant != "one play too many"]


def apply(monkeypatch, mutant, name):
    _, shared, kl = MUTANTS[mutant]
    mutate(monkeypatch, *(kl if name == "kl-ucb" else shared))


def certain(name, states):
    """Tell for each state whether the decisions of a stretch are certain."""
    policies = [two_arms(name, *state) for state in states]
    return [replay(name, policy, k, most=12).certain for k, policy in policies]


@pytest.mark.parametrize(
    ("mutant", "name"),
    [*product(BY_REPLAY, INDEXED), ("level of one more play", "eps-greedy")],
)
def test_a_wrong_bound_changes_a_decision(monkeypatch, mutant, name):
    states = MUTANTS[mutant][0]
    assert all(certain(name, states))
    apply(monkeypatch, mutant, name)
    assert certain(name, states).count(False) > len(states) / 2


def rivals_below(name):
    """Tell for each state whether the rival is below its bound at the end of a stretch."""
    policies = [two_arms(name, *state) for state in WIDE_RIVAL]
    ends = [rivals(name, policy, k) for k, policy in policies]
    return [end.max() <= bound + 1e-15 for _, bound, _, end in ends]


@pytest.mark.parametrize("name", INDEXED)
def test_one_play_too_many_exceeds_the_bound(monkeypatch, name):
    """It changes no decision yet: the bound holds for one decision more than is played."""
    assert all(rivals_below(name))
    apply(monkeypatch, "one play too many", name)
    assert not any(rivals_below(name))
    assert all(certain(name, WIDE_RIVAL))


def explores_as_drawn():
    """Tell whether each exploration that was drawn is a decision of its own, at its time."""
    decide, rng = POLICIES["eps-greedy"].decide.py_func, np.random.default_rng(3)
    policy = greedy.Greedy(np.ones(2), np.array([0.9, 0.1]), 5.0, np.zeros(1, dtype=np.int64))
    k = 1
    while k < 10**6:
        drawn = int(policy.next[0])
        plays = decide(policy, k, None, rng).plays
        after = int(policy.next[0])
        if drawn >= k and after != drawn:
            return False
        if not k < k + plays <= max(k + 1, after):
            return False
        k += plays
    return True


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("policy.next[0] - k)", "policy.next[0] - k + 1)"),  # past the next exploration
        ("policy.next[0] < k", "policy.next[0] <= k"),  # drawn anew when it is there
        ("policy.next[0] == k", "policy.next[0] == k - 1"),  # a play after its time
    ],
)
def test_a_wrong_time_of_exploration_is_noticed(monkeypatch, old, new):
    assert explores_as_drawn()
    mutate(monkeypatch, greedy.decide, old, new)
    assert not explores_as_drawn()
