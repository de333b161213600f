"""Which seeds a simulation runs, and which epochs it records."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.validation import InputError, integer, short_repr


def record_epochs(n: int, full: bool = False) -> NDArray[np.int64]:
    """Return the recorded epochs: all, or about 400 spaced linearly and logarithmically."""
    if full or n <= 400:
        return np.arange(1, n + 1)
    spaced = np.concatenate([np.linspace(1, n, 200), np.geomspace(1, n, 200)])
    return np.unique(np.rint(spaced).astype(np.int64))


def parse_seeds(seeds: int | str | Iterable[int]) -> list[int]:
    """Return the seeds of N or "N" (0 to N-1), of "A:B" (A to B-1) or of a collection."""
    if isinstance(seeds, Integral) and not isinstance(seeds, bool):
        seeds = str(seeds)
    if isinstance(seeds, str):
        low, colon, high = seeds.partition(":")
        try:
            first, last = (int(low), int(high)) if colon else (0, int(low))
        except ValueError:
            first = last = 0
        if last <= first:
            raise InputError(
                "seeds must be A:B with A < B for the seeds A to B-1, or a number N for 0 to N-1, "
                f"not {short_repr(seeds)}"
            )
        if last - first > limits.MAX_ROWS:
            raise InputError(
                f"seeds {short_repr(seeds)} are more than {limits.MAX_ROWS}; take fewer at a time"
            )
        numbers: list[Any] = list(range(first, last))
    elif isinstance(seeds, Iterable):
        numbers = list(seeds)
    else:
        raise InputError(
            f"seeds must be a number, A:B or a list of numbers, not {short_repr(seeds)}"
        )
    checked = [integer(seed, "seeds", 0, 2**63 - 1) for seed in numbers]
    if not checked or len(set(checked)) < len(checked):
        raise InputError("seeds must be at least one number, each given only once")
    return checked
