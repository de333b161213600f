"""Which runs are paired, and how many decisions each block makes: one, or EpochUCB's iterations.

All policies that are paired on an instance and seed are cut at the epochs of one EpochUCB run, and
so are all values of a sweep. Its epoch lengths are cached: the run takes half as long as UCB's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from threading import Lock

import numpy as np

from epochbandits.engine.base import IntArray
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES

PAIR = "epoch-ucb"
"""The policy at whose epochs a paired run is cut."""
PIECE = 2**18  # blocks whose lengths are in memory at a time: 2 MB
_MAX_CACHED_EPOCHS = 2**24  # 128 MB

_cached: dict[Hashable, IntArray] = {}
_lock = Lock()


def is_paired(pair: bool, schedule: str | None, default: str) -> bool:
    """Return whether a run is split at EpochUCB's epochs; ``default`` is the policy's schedule."""
    return pair and schedule is None and parse_schedule(default, Setting()).each_iteration


def most_decisions(paired: bool, setting: Setting, blocks: int) -> int:
    """Return the largest number of decisions.

    A paired run makes the most decisions if EpochUCB always plays the same arm.
    """
    if not paired:
        return blocks
    return int(parse_schedule(POLICIES[PAIR].schedule, setting).most_iterations(blocks))


def paired_decisions(
    key: Hashable, blocks: int, lengths: Callable[[], Iterator[IntArray]]
) -> tuple[int, Iterable[IntArray]]:
    """Return the number of decisions in a paired run, and in each block, piece by piece.

    A run of more than a piece is not cached: EpochUCB runs once to count its iterations, and
    again beside the paired policy.

    Parameters
    ----------
    key : Hashable
        What the lengths depend on.
    blocks : int
        Number of epochs.
    lengths : Callable[[], Iterator[IntArray]]
        Runs EpochUCB and yields the lengths of its epochs, piece by piece.
    """
    if blocks > PIECE:
        return sum(int(piece.sum()) for piece in lengths()), lengths()
    whole = _cached.get(key)
    if whole is None:
        (whole,) = lengths()
        with _lock:
            # As if all runs were as long as this one.
            if (len(_cached) + 1) * blocks > _MAX_CACHED_EPOCHS:
                _cached.clear()
            _cached[key] = whole
    return int(whole.sum()), [whole]


def single_decisions(blocks: int) -> Iterator[IntArray]:
    """Yield the decisions of blocks of one each, piece by piece."""
    ones = np.ones(min(PIECE, blocks), dtype=np.int64)
    for start in range(0, blocks, PIECE):
        yield ones[: blocks - start]
