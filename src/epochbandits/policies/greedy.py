r"""ε_k-greedy rules: EpochGreedy (Algorithm 3) and ε-greedy of Auer et al. (2002).

With ε_k = min(1, cm/(d²k)), decision k plays a uniform arm with probability ε_k, and otherwise

.. math:: \arg\max_j \bar R_j ,

where an arm that was not played has the mean 0 (errata D2). The two differ in how long they play a
choice, and in where c comes from.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.jit import inlined
from epochbandits.policies.base import MAX_STRETCH, Array, Info, best_arm, certain_stretch, single
from epochbandits.validation import InputError, number


class Greedy(NamedTuple):
    """Memory of a greedy rule; arrays over the arms."""

    plays: Array
    mean: Array
    scale: float
    """cm/d²: ε_k = min(1, scale/k)."""
    next: NDArray[np.int64]
    """(1,): the next decision that explores, for `decide`; in the past if it is not drawn yet."""


_NEVER = 2**62
_OFTEN = 0.1  # from this ε on, exploration is drawn decision by decision


def memory(info: Info, c: float, d: float | None, d_factor: float) -> Greedy:
    """Return a new memory; d = Δ_min unless it is given, times ``d_factor``."""
    c = number(c, "c", 0, 1e12)
    if d is None:
        d = info.min_gap
        if d is None:
            raise InputError("d must be given, since all arms tie and there is no Δ_min")
    d = number(d, "d", 0, 1, above=True)
    d *= number(d_factor, "d_factor", 0, 1e12, above=True)
    scale = c * info.arms / d**2
    return Greedy(np.zeros(info.arms), np.zeros(info.arms), scale, np.zeros(1, dtype=np.int64))


@inlined
def choose(policy, k, beta, rng):
    if rng.random() * k < policy.scale:
        return int(rng.random() * len(policy.mean))
    return best_arm(policy.mean, policy.mean, rng)


@inlined
def next_exploration(scale, t, rng):
    """Return the first decision from t on that explores, each with probability min(1, scale/t).

    Between t and 2t the probabilities are at most that at t: candidates come at this rate, with
    geometric gaps, and one at u is accepted with probability ε_u/ε_t = t/u.
    """
    if scale <= 0.0:
        return _NEVER
    while t < _NEVER:
        if _OFTEN * t < scale:
            if rng.random() * t < scale:
                return t
            t += 1
            continue
        gap = rng.standard_exponential() / -math.log1p(-scale / t)
        if gap >= t:
            t *= 2
            continue
        candidate = t + int(gap)
        if rng.random() * candidate < t:
            return candidate
        t = candidate + 1
    return _NEVER


@inlined
def decide(policy, k, beta, rng):
    """Until the next exploration the best arm is played as long as its mean is the largest.

    With T plays so far, the others' means at most ``rival``, that is so after i more plays if

        Σ (r - mean) > -T·(mean - rival) + (rival - mean)·i ,

    which is `certain_stretch` with H = 0: the index is the mean itself, and the others' stay.
    """
    if policy.next[0] < k:
        policy.next[0] = next_exploration(policy.scale, k, rng)
    if policy.next[0] == k:
        return single(int(rng.random() * len(policy.mean)))
    arm, rival = best_arm(policy.mean, policy.mean, rng), -1.0
    for j in range(len(policy.mean)):
        if j != arm:
            rival = max(rival, policy.mean[j])
    mean, limit = policy.mean[arm], min(int(MAX_STRETCH), policy.next[0] - k)
    return certain_stretch(arm, policy.plays[arm], mean, mean - rival, rival, limit)
