"""How many decisions each block of a run makes: one, or as many as EpochUCB's epoch has iterations.

All policies that are paired on an instance and seed are cut at the epochs of one EpochUCB run, and
so are all values of a sweep. Its epoch lengths are cached: the run takes half as long as UCB's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from threading import Lock

import numpy as np

from epochbandits.engine.base import Whole

PAIR = "epoch-ucb"
"""The policy at whose epochs a paired run is cut."""
PIECE = 2**16  # blocks whose lengths are in memory at a time
_MOST = 2**24  # epochs that are cached: 128 MB

_cached: dict[Hashable, Whole] = {}
_lock = Lock()


def paired_decisions(
    key: Hashable, blocks: int, lengths: Callable[[], Iterator[Whole]]
) -> tuple[int, Iterable[Whole]]:
    """Return the number of decisions in a paired run, and in each block, piece by piece.

    Parameters
    ----------
    key : what the lengths depend on
    blocks : number of epochs
    lengths : runs EpochUCB and yields the lengths of its epochs, piece by piece

    A run of more than a piece is not cached: EpochUCB runs once to count its iterations, and
    again beside the paired policy.
    """
    if blocks > PIECE:
        return sum(int(piece.sum()) for piece in lengths()), lengths()
    whole = _cached.get(key)
    if whole is None:
        (whole,) = lengths()
        with _lock:
            if (len(_cached) + 1) * blocks > _MOST:  # as if all runs were as long as this one
                _cached.clear()
            _cached[key] = whole
    return int(whole.sum()), [whole]


def single_decisions(blocks: int) -> Iterator[Whole]:
    """Yield the decisions of blocks of one each, piece by piece."""
    ones = np.ones(min(PIECE, blocks), dtype=np.int64)
    for start in range(0, blocks, PIECE):
        yield ones[: blocks - start]
