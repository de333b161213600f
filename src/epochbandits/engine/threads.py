"""Run seeds in threads, and stop the threads when something fails or Ctrl-C is pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

# A thread that is stuck in a user's policy cannot be stopped; Python waits for it before it exits.
_PATIENCE = 1.0  # seconds


def run_in_threads(
    run_seed: Callable[[int], NDArray[np.float64]],
    seeds: Sequence[int],
    threads: int,
    stop: NDArray[np.uint8],
) -> list[NDArray[np.float64]]:
    """Return ``run_seed(seed)`` for each seed.

    On any exception start no other seed, set ``stop[0]``, which makes the running seeds end, and
    wait for their threads.
    """
    pool = ThreadPoolExecutor(threads)
    jobs = [pool.submit(run_seed, seed) for seed in seeds]
    try:
        results = [job.result() for job in jobs]
    except BaseException:
        try:  # first, because a thread that ends takes the next seed
            pool.shutdown(wait=False, cancel_futures=True)
        finally:  # also if Ctrl-C is pressed again
            stop[0] = 1
        wait([job for job in jobs if not job.cancelled()], timeout=_PATIENCE)
        raise
    pool.shutdown()
    return results
