"""Which seeds a simulation runs, and which epochs it records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.validation import InputError, integer, shown

__all__ = ["parse_seeds", "record_epochs"]


def record_epochs(n: int, full: bool = False) -> NDArray[np.int64]:
    """Return the recorded epochs: all, or about 400 spaced linearly and logarithmically."""
    if full or n <= 400:
        return np.arange(1, n + 1)
    spaced = np.concatenate([np.linspace(1, n, 200), np.geomspace(1, n, 200)])
    return np.unique(np.rint(spaced).astype(np.int64))


def parse_seeds(seeds: str | Iterable[int]) -> list[int]:
    """Return the seeds of "A:B" (A to B-1) or of a collection; refuse bad ones."""
    if isinstance(seeds, str):
        low, colon, high = seeds.partition(":")
        try:
            first, last = int(low), int(high) if colon else int(low) + 1
        except ValueError:
            first = last = 0
        if last <= first:
            raise InputError(f"seeds must be A:B with A < B, such as 0:20, not {shown(seeds)}")
        if last - first > limits.MOST_ROWS:
            raise InputError(
                f"seeds {shown(seeds)} are more than {limits.MOST_ROWS}; take fewer at a time"
            )
        numbers: list[Any] = list(range(first, last))
    else:
        numbers = list(seeds)
    checked = [integer(seed, "seeds", 0, 2**63 - 1) for seed in numbers]
    if not checked or len(set(checked)) < len(checked):
        raise InputError("seeds must be at least one number, and none of them twice")
    return checked
