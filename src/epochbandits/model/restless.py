r"""Restless bandits and i.i.d. arms, as instances of the paper's model.

In a restless bandit each arm has a chain of its own, a channel, which moves whether or not it is
played. Together the channels are one chain over the product of their states,

.. math:: P = P_1 ⊗ ⋯ ⊗ P_m ,

and this P is that of every arm: playing decides which channel pays, and moves nothing. The first
channel is the most significant digit of a state's number.

I.i.d. arms are the special case in which all rows of P are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal

import numpy as np

from epochbandits.model import checks
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Bernoulli, Constant
from epochbandits.validation import InputError, choice, integer, number

RewardName = Literal["constant", "bernoulli"]
REWARDS: dict[RewardName, type[Constant | Bernoulli]] = {
    "constant": Constant,
    "bernoulli": Bernoulli,
}
"""Laws of a channel's reward; a constant reward reveals the channel's state if its means differ."""


def restless(
    channels: Sequence[Sequence[Sequence[float]]],
    means: Sequence[Sequence[float]],
    law: RewardName = "constant",
    start: Sequence[int] | None = None,
    name: str = "restless",
) -> Instance:
    """Return a restless bandit.

    Parameters
    ----------
    channels : sequence of m matrices
        For each arm the transition matrix of its channel.
    means : sequence of m sequences of float
        For each arm the mean reward in each state of its channel.
    law : {"constant", "bernoulli"}
        Law of the rewards with these means (`REWARDS`).
    start : sequence of m int, optional
        State of each channel one iteration before the first reward; 0 by default.
    name : str
        Name of the instance.

    Returns
    -------
    Instance
        m arms over the product of the channels' states.

    Examples
    --------
    >>> two = restless([[[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4], [0.5, 0.5]]], [[0, 1], [0, 0.8]])
    >>> two.states, two.mu.round(4).tolist()
    (4, [0.4, 0.3556])
    """
    make = REWARDS[choice(law, "law", REWARDS)]
    if len(channels) != len(means) or not channels:
        raise InputError(
            f"channels and means must have one entry per arm, not {len(channels)} and {len(means)}"
        )
    matrices = []
    for arm, channel in enumerate(channels):
        matrix = checks.transition_matrices([channel])[0]
        if len(means[arm]) != len(matrix):
            raise InputError(
                f"means[{arm}] must have {len(matrix)} entries, one per state of channels[{arm}], "
                f"not {len(means[arm])}"
            )
        matrices.append(matrix)
    first = [0] * len(matrices) if start is None else list(start)
    if len(first) != len(matrices):
        raise InputError(f"start must have {len(matrices)} entries, not {len(first)}")
    for arm, state in enumerate(first):
        integer(state, f"start[{arm}]", 0, len(matrices[arm]) - 1)
    P = reduce(np.kron, matrices)
    initial = reduce(np.kron, [M[state] for M, state in zip(matrices, first, strict=True)])
    sizes = tuple(len(M) for M in matrices)
    states = np.array(np.unravel_index(np.arange(len(P)), sizes))
    rewards = tuple(
        tuple(make(float(row[state])) for state in states[arm]) for arm, row in enumerate(means)
    )
    return Instance(name, np.array([P] * len(matrices)), rewards, initial)


def iid(means: Sequence[float], spread: float = 0.5, name: str = "iid") -> Instance:
    """Return arms with independent Bernoulli rewards, over two states with even rows.

    Parameters
    ----------
    means : sequence of m float
        Mean reward of each arm.
    spread : float
        In one state the mean is higher, and in the other lower, by this share of the distance to 0
        or 1, whichever is nearer; the rewards stay Bernoulli and independent.

    Examples
    --------
    >>> iid([0.9, 0.8]).mu.round(6).tolist()
    [0.9, 0.8]
    """
    number(spread, "spread", 0, 1)
    rewards = []
    for i, value in enumerate(means):
        mean = number(value, f"means[{i}]", 0, 1)
        move = spread * min(mean, 1 - mean)
        rewards.append((Bernoulli(mean - move), Bernoulli(mean + move)))
    even = np.full((len(means), 2, 2), 0.5)
    return Instance(name, even, tuple(rewards), np.array([0.5, 0.5]))
