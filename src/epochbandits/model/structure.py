r"""Structure of an instance: where its best arm pays, for how long, and which arms lead there.

S* is the set of good states: those in which the best arm's mean reward exceeds the stationary
reward μ_b of the best other arm b. In the classes of `model.generators` it is the subset in which
the optimal arm keeps the state; in Example 1 it is state 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from epochbandits.model.instance import Instance
from epochbandits.validation import InputError


def best_other(instance: Instance) -> int:
    """Return b, the arm with the largest μ among those that are not the best arm."""
    if instance.arms == 1:
        raise InputError("an instance with one arm has no other arm")
    others = instance.mu.copy()
    others[instance.best_arm] = -math.inf
    return int(np.argmax(others))


def good_states(instance: Instance) -> NDArray[np.bool_]:
    """Return which states are in S*, as an (S,) array; S* is not empty unless arms tie."""
    good: NDArray[np.bool_] = (
        instance.reward_means[instance.best_arm] > instance.mu[best_other(instance)]
    )
    return good


def correlation(instance: Instance) -> float:
    """Return the correlation of the best arm's stationary distribution with the others'.

    It is the mean over the other arms j of Pearson's coefficient of π_* and π_j over the states, in
    [-1, 1]; an arm whose distribution is uniform counts as 0.

    Examples
    --------
    >>> from epochbandits.model.generators import failure_example
    >>> correlation(failure_example(0.01))
    -1.0
    """
    centred = instance.pi - 1 / instance.states
    size = np.sqrt((centred**2).sum(axis=1))
    best = instance.best_arm
    others = [arm for arm in range(instance.arms) if arm != best]
    if not others:
        raise InputError("an instance with one arm has no other arm")
    scale = size[best] * size[others]
    products = centred[others] @ centred[best]
    return float(np.divide(products, scale, out=np.zeros(len(others)), where=scale > 0).mean())


def holding_time(instance: Instance) -> float:
    r"""Return the mean length, in iterations, of a visit to S* while the best arm is played.

    For a stationary chain it is the time in S* over the number of exits,

    .. math:: \frac{π_*(S^*)}{\sum_{θ ∈ S^*} π_*(θ) P_*(θ, Θ \setminus S^*)},

    which is 1/(1 - p) with p the probability that a stationary chain in S* stays for the next
    iteration. In the classes of `model.generators` an exit has probability about (1 - a*)δ: the
    chain moves with probability 1 - a*, and then to the wrong side with probability δ. Infinite if
    the chain never leaves S*.
    """
    good = good_states(instance)
    pi, P = instance.pi[instance.best_arm], instance.transition[instance.best_arm]
    leaving = float(pi[good] @ P[np.ix_(good, ~good)].sum(axis=1))
    return float(pi[good].sum()) / leaving if leaving > 0 else math.inf
