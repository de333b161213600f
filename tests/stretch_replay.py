"""Makes the decisions of a stretch again, one by one, where its promise is hardest to hold.

`decide` promises that an arm stays chosen as long as its rewards stay above a line. The rewards
here follow the line itself. They need not lie in [0, 1].
"""

import math
from typing import NamedTuple

import numpy as np

from epochbandits import generate
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Info
from epochbandits.policies.base import TIE, Rewards, Stretch, best_arm
from epochbandits.policies.greedy import Greedy
from epochbandits.policies.kl_ucb import KLUCB, upper
from epochbandits.policies.ucb import UCB
from epochbandits.policies.ucb_tuned import UCBTuned

AHEAD = ["ucb", "ucb-tuned", "eps-greedy", "kl-ucb"]
"""The policies whose stretches end at a line."""
UNCONDITIONAL = {"ucb2": [{"alpha": 0.3}, {}], "etc": [{"m": 30}]}
"""The policies whose stretches have a length and no line, and parameters to test them with."""
_TIES = np.random.default_rng(0)  # breaks ties, on which no result depends


class Replay(NamedTuple):
    """A stretch whose decisions were made again."""

    stretch: Stretch
    decisions: int
    """How many of them, until one was another."""
    certain: bool
    """Whether each of them was the stretch's arm, and no tie."""


def memory(name, arms=3, **params):
    instance = generate("fast", arms, 3, 5)
    return POLICIES[name].memory_for(Info(instance, Setting(), 10**6), params)


def learn(name, policy, k, arm, reward):
    rewards = Rewards(1.0, 0.0, reward, reward * reward)
    POLICIES[name].learn.py_func(policy, k, arm, rewards, None, None)


def choose(name, policy, k):
    """Return the arm that a policy is certain of, or None; ε-greedy's when it does not explore."""
    if name == "eps-greedy":
        index, arm = policy.mean, best_arm(policy.mean, policy.mean, _TIES)
    else:
        index, arm = policy.score, POLICIES[name].choose.py_func(policy, k, None, _TIES)
    return int(arm) if np.count_nonzero(np.abs(index - index[arm]) <= TIE) == 1 else None


def replay(name, policy, k, most):
    """Play a stretch from decision k on, at most so many of its decisions, along its line."""
    stretch = POLICIES[name].decide.py_func(policy, k, None, np.random.default_rng(0))
    arm, n, centre, level, slope = stretch
    total = 0.0
    for i in range(1, min(n, most)):
        line = level + slope * i
        r = line - total + centre
        while total + (r - centre) <= line:
            r += math.ulp(max(abs(r), abs(total)))
        total += r - centre
        learn(name, policy, k, arm, r)
        if choose(name, policy, k + i) != arm:
            return Replay(stretch, i, False)
    return Replay(stretch, max(0, min(n, most) - 1), True)


def rivals(name, policy, k):
    """Return a stretch from decision k on, its bound on the others' indices, and these indices.

    They are those at its first decision and at the one after its last, where the bound still holds.
    """
    stretch = POLICIES[name].decide.py_func(policy, k, None, np.random.default_rng(0))
    others = np.arange(len(policy.score)) != stretch.arm
    start = policy.score[others]
    choose(name, policy, k + stretch.plays)  # computes the indices
    return stretch, stretch.centre + stretch.slope, start, policy.score[others]


def two_arms(name, plays, mean, lead, variance=0.1):
    """Return k and a memory before decision k, in which the first arm leads.

    ``mean`` is the second arm's, ``lead`` is between the two indices.
    """
    plays, means, root, score = np.array(plays, float), np.full(2, mean), np.zeros(2), np.zeros(2)
    k = int(plays.sum()) + 1
    if name == "eps-greedy":
        means[0] += lead
        return k, Greedy(plays, means, 1e-9, np.array([2 * k]))
    if name == "kl-ucb":
        budget = math.log(k)
        means[0] = mean_with(upper(mean, budget / plays[1]) + lead, budget / plays[0])
        return k, KLUCB(plays, means, score, 0.0)
    root[:] = 1 / np.sqrt(plays)
    policy = UCB(plays, means, root, score, 2.0)
    if name == "ucb-tuned":
        variances = np.full(2, variance)
        policy = UCBTuned(plays, means, variances * plays, variances, root, score)
    choose(name, policy, k)  # computes the indices
    means[0] += score[1] - score[0] + lead
    return k, policy


def mean_with(index, x):
    """Return the smallest mean whose index of KL-UCB is at least this."""
    low, end = 0.0, index
    while low < (middle := (low + end) / 2) < end:
        low, end = (middle, end) if upper(middle, x) < index else (low, middle)
    return end
