r"""Explore, then commit: each arm M times in turn, then the arm with the largest mean forever.

.. math:: α(k) = (k - 1) \bmod m \text{ for } k \le mM, \qquad
          α(k) = \arg\max_j \bar R_j(mM) \text{ afterwards.}

For N decisions, exploration costs at most mM, and the arm that is chosen is with high probability
at most 2 sqrt(2 log N / M) worse than the best. Of their sum, mM + N·2 sqrt(2 log N / M), the order
in N, m and log N is least for M = (N/m)^{2/3} (log N)^{1/3}, the default; the regret is then of the
order N^{2/3} (m log N)^{1/3} whatever the gaps (see Lattimore and Szepesvári 2020, Section 6.1).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.jit import inlined
from epochbandits.policies.base import (
    MAX_STRETCH,
    Array,
    Info,
    Stretch,
    best_arm,
    learn_mean,
    register,
    single,
)
from epochbandits.validation import integer


class ETC(NamedTuple):
    """Memory of explore-then-commit; arrays over the arms, except ``chosen``."""

    plays: Array
    mean: Array
    chosen: NDArray[np.int64]
    """(1,): the arm after exploration; -1 before."""
    explore: int
    """mM, the decisions that explore."""


def build(info: Info, *, m: int | None = None) -> ETC:
    """Parameter: the plays m of each arm, M above; from the horizon unless it is given."""
    N, arms = info.decisions, info.arms
    if m is None:
        M = math.ceil((N / arms) ** (2 / 3) * math.log(N) ** (1 / 3))
        m = max(1, min(M, N // arms))
    explore = arms * integer(m, "m", 1, 10**15)
    return ETC(np.zeros(arms), np.zeros(arms), np.full(1, -1), explore)


@inlined
def choose(policy, k, beta, rng):
    if k <= policy.explore:
        return (k - 1) % len(policy.mean)
    if policy.chosen[0] < 0:
        policy.chosen[0] = best_arm(policy.mean, policy.mean, rng)
    return policy.chosen[0]


@inlined
def decide(policy, k, beta, rng):
    """After exploration no reward changes the choice."""
    arm = choose(policy, k, beta, rng)
    if k <= policy.explore:
        return single(arm)
    return Stretch(arm, int(MAX_STRETCH), 0.0, -math.inf, 0.0)


register(
    "etc",
    schedule="fixed:1",
    memory=ETC,
    build=build,
    choose=choose,
    learn=learn_mean,
    decide=decide,
)
