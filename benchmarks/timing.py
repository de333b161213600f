"""Timing of jobs that take turns.

What a run costs depends on its seed, because policies settle on different arms, and the arms' laws
cost differently; what a timing adds is noise. So the minimum over rounds counts for each seed, and
the mean over seeds for the job.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Job = Callable[[], NDArray[np.float64]]
"""Returns the CPU ns per iteration of each seed."""
Key = TypeVar("Key")


def time_jobs(rounds: int, jobs: dict[Key, Job]) -> dict[Key, float]:
    """Return the CPU ns per iteration of each job; the first round also compiles the engine."""
    times: dict[Key, list[NDArray[np.float64]]] = {key: [] for key in jobs}
    for _ in range(rounds):
        for key, job in jobs.items():
            times[key].append(job())
    return {key: float(np.min(seen, axis=0).mean()) for key, seen in times.items()}
