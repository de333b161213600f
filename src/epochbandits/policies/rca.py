r"""The regenerative cycle algorithm RCA of Tekin and Liu (2010, 2012), for observed states.

RCA plays an arm in blocks. The first state that an arm is seen in becomes its regenerative state.
A block plays the arm until that state is seen (SB1), goes on until just before it is seen again
(SB2), and ends with that second visit (SB3). Only SB2, a cycle of the chain, is counted: after a
block of each arm, the next block plays

.. math:: \arg\max_j \; \bar R_j + \sqrt{L \log t_2 / T_j},

with the mean reward and number T_j of arm j's counted decisions, and t_2 = Σ_j T_j. Their theorem
needs an L that depends on the chains; reportedly they try L from 7200 down to 1, our default.

A policy observes rewards, not states. So RCA runs only on instances on which a reward reveals the
state: each arm pays a constant in each state, and no two of them are equal. In a restless bandit
(`model.restless`: one P for all arms) the reward need only reveal the state of the arm's channel:
states with equal rewards then have the same probabilities of the next reward. RCA decides each
iteration, since the average over an epoch reveals nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.model.instance import Instance
from epochbandits.policies.base import Array, Info, best_arm, register
from epochbandits.validation import InputError, number

CHOOSE, SB1, SB2 = 0.0, 1.0, 2.0


class RCA(NamedTuple):
    """Memory of RCA; arrays over the arms, except ``block``."""

    plays: Array
    """Decisions in SB2."""
    total: Array
    """Their rewards."""
    start: Array
    """Reward of the regenerative state; -1 before it is known."""
    mean: Array
    score: Array
    block: Array
    """(3,): arm of the block, the part that the next reward belongs to, and Σ T_j."""
    L: float


def build(info: Info, *, L: float = 1.0) -> RCA:
    """Parameter: the constant L of the window."""
    for j, laws in enumerate(info.instance.rewards):
        values = [law.mean for law in laws if law.variance == 0]
        if len(set(values)) < info.states and not _reveals_channel(info.instance, values):
            raise InputError(
                f"the rewards of arm {j} do not reveal the state: each state's must be a constant, "
                f"different from the others' (law 'constant'); use a policy that needs no state"
            )
    if not info.each_iteration:
        raise InputError(
            "the average reward of an epoch does not reveal the state: use the schedule fixed:1"
        )
    plays, total, mean, score = np.zeros((4, info.arms))
    start = np.full(info.arms, -1.0)
    return RCA(plays, total, start, mean, score, np.zeros(3), number(L, "L", 0, 1e6))


def _reveals_channel(instance: Instance, values: list[float]) -> bool:
    """Return whether an arm's rewards in a restless bandit form a Markov chain themselves."""
    P = instance.transition[0]
    if len(values) < len(P) or (instance.transition != P).any():
        return False
    distinct, channel = np.unique(values, return_inverse=True)
    following = P @ np.eye(len(distinct))[channel]
    return all(np.ptp(following[channel == c], axis=0).max() < 1e-12 for c in range(len(distinct)))


@inlined
def choose(policy, k, beta, rng):
    if policy.block[1] == CHOOSE:
        arm, m = 0, len(policy.score)
        while arm < m and policy.plays[arm] > 0.0:
            arm += 1
        if arm == m:
            width = policy.L * math.log(policy.block[2])
            for j in range(m):
                T = policy.plays[j]
                policy.mean[j] = policy.total[j] / T
                policy.score[j] = policy.mean[j] + math.sqrt(width / T)
            arm = best_arm(policy.score, policy.mean, rng)
        policy.block[0], policy.block[1] = arm, SB1
    return int(policy.block[0])


@inlined
def learn(policy, k, arm, rewards, before, after):
    reward = rewards.total
    if policy.start[arm] < 0.0:
        policy.start[arm] = reward
    at_start = reward == policy.start[arm]
    if policy.block[1] == SB1:
        if not at_start:
            return
        policy.block[1] = SB2
    elif at_start:
        policy.block[1] = CHOOSE
        return
    policy.plays[arm] += 1.0
    policy.total[arm] += reward
    policy.block[2] += 1.0


register("rca", schedule="fixed:1", memory=RCA, build=build, choose=choose, learn=learn)
