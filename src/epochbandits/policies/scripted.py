"""A fixed sequence of arms, repeated.

Its rewards have exact moments (`tests/exact_moments.py`), which the engines are tested against.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.jit import inlined
from epochbandits.policies.base import Info, learn_nothing, register
from epochbandits.validation import InputError, integer


class Scripted(NamedTuple):
    """The arms to play, in order."""

    arms: NDArray[np.int64]


def build(info: Info, *, arms: str | int | Sequence[int]) -> Scripted:
    """Parameter: the arms, such as "0,1,1,0"; the sequence is repeated."""
    if isinstance(arms, str):
        try:
            arms = [int(part) for part in arms.split(",")]
        except ValueError:
            raise InputError(f"arms must be comma-separated numbers, not {arms!r:.60}") from None
    listed = [arms] if isinstance(arms, int) else list(arms)
    if not listed:
        raise InputError("arms must name at least one arm")
    return Scripted(np.array([integer(arm, "arms", 0, info.arms - 1) for arm in listed]))


@inlined
def choose(policy, k, beta, rng):
    return policy.arms[(k - 1) % len(policy.arms)]


register(
    "scripted",
    schedule="linear",
    memory=Scripted,
    build=build,
    choose=choose,
    learn=learn_nothing,
)
