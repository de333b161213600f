r"""Rotting and recharging bandits on a finite truncation: the state is a counter for each arm.

``rotting``
    an arm's counter is the number of its plays, and its reward falls as the counter grows;
``recharging``
    the counter is the number of iterations since the arm's last play, and its reward grows with it.

Counters stop at ``cap``. Playing one arm forever ends in one state, so no arm's chain is
irreducible: Assumption 1 fails, and `Instance` rejects such arms. With probability ``restart`` > 0
an iteration sets all counters at random instead; this is an instance, and tends to the truncation
as ``restart`` tends to 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Bernoulli
from epochbandits.validation import InputError, choice, integer, number

Array = NDArray[np.float64]
Kind = Literal["rotting", "recharging"]


def transition(kind: Kind, cap: int, arms: int = 2) -> Array:
    """Return the arms' matrices over the (cap + 1)^m counters, in lexicographic order."""
    choice(kind, "kind", get_args(Kind))
    integer(cap, "cap", 0, 100)
    states = list(itertools.product(range(cap + 1), repeat=arms))
    P = np.zeros((arms, len(states), len(states)))
    for arm in range(arms):
        for i, state in enumerate(states):
            P[arm, i, states.index(_after(state, arm, kind, cap))] = 1.0
    return P


def _after(state: tuple[int, ...], arm: int, kind: Kind, cap: int) -> tuple[int, ...]:
    """Return the counters after a play."""
    if kind == "rotting":
        return tuple(min(n + (j == arm), cap) for j, n in enumerate(state))
    return tuple(0 if j == arm else min(n + 1, cap) for j, n in enumerate(state))


def counters(kind: Kind, means: Sequence[Sequence[float]], restart: float = 0.01) -> Instance:
    """Return the truncation as an instance with Bernoulli rewards.

    Parameters
    ----------
    kind : {"rotting", "recharging"}
        What the counters count; see the module's docstring.
    means : sequence of m sequences of float
        For each arm its mean reward at the counters 0, ..., cap.
    restart : float
        Probability that an iteration redraws all counters uniformly; 0 breaks Assumption 1.

    Examples
    --------
    >>> counters("recharging", [[0.2, 0.9], [0.2, 0.9]], 0.01).states
    4
    """
    restart = number(restart, "restart", 0, 1)
    if len({len(row) for row in means}) != 1 or len(means[0]) < 2:
        raise InputError("means must have a row for each arm, all with a mean for each counter")
    cap = len(means[0]) - 1
    P = transition(kind, cap, len(means))
    states = list(itertools.product(range(cap + 1), repeat=len(means)))
    return Instance(
        name=f"{kind}-cap{cap}-restart{restart:g}",
        transition=(1 - restart) * P + restart / len(states),
        rewards=tuple(
            tuple(Bernoulli(float(row[state[arm]])) for state in states)
            for arm, row in enumerate(means)
        ),
        initial=np.eye(len(states))[0 if kind == "rotting" else -1],
    )
