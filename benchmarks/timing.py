"""Timing of jobs that take turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

Job = Callable[[int], float]
"""Takes a seed, returns CPU ns per iteration."""
Key = TypeVar("Key")


def least_of(rounds: int, jobs: dict[Key, Job]) -> dict[Key, float]:
    """Return the least time of each job; the jobs take turns."""
    least = dict.fromkeys(jobs, math.inf)
    for job in jobs.values():
        job(99)  # compile, or load what was compiled
    for seed in range(rounds):
        for key, job in jobs.items():
            least[key] = min(least[key], job(seed))
    return least
