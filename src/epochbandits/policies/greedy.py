r"""ε_k-greedy rules: EpochGreedy (Algorithm 3) and ε-greedy of Auer et al. (2002).

With ε_k = min(1, cm/(d²k)), decision k plays a uniform arm with probability ε_k, and otherwise

.. math:: \arg\max_j \bar R_j ,

where an arm that was not played has the mean 0 (errata D2). The two differ in how long they play a
choice, and in where c comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from epochbandits.jit import kernel
from epochbandits.policies.base import Array, Info, argmax
from epochbandits.validation import InputError, number


class Greedy(NamedTuple):
    """Memory of a greedy rule; arrays over the arms."""

    plays: Array
    mean: Array
    scale: float
    """cm/d²: ε_k = min(1, scale/k)."""


def memory(info: Info, c: float, d: float | None) -> Greedy:
    """Return a new memory; d = Δ_min unless it is given."""
    c = number(c, "c", 0, 1e12)
    if d is None:
        d = info.min_gap
        if d is None:
            raise InputError("d must be given, since all arms tie and there is no Δ_min")
    d = number(d, "d", 0, 1, above=True)
    return Greedy(np.zeros(info.arms), np.zeros(info.arms), c * info.arms / d**2)


@kernel
def choose(policy, k, beta, rng):
    if rng.random() * k < policy.scale:
        return int(rng.random() * len(policy.mean))
    return argmax(policy.mean, rng)
