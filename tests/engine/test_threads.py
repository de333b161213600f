"""Threads of seeds: they end when one of them fails."""

import threading
import time

import numpy as np
import pytest

from epochbandits.engine.threads import run_in_threads


def test_threads_have_ended_when_an_error_is_raised():
    """Seed 0 fails at once; seed 1 runs until it is stopped, and seeds 2 to 9 are not needed."""
    stop, started, ended = np.zeros(1, dtype=np.uint8), [], []
    running = threading.Event()

    def run_seed(seed):
        if seed == 0:
            running.wait()
            raise ValueError("a bad seed")
        started.append(seed)
        running.set()
        while not stop[0]:
            time.sleep(0.001)
        ended.append(seed)

    with pytest.raises(ValueError, match="a bad seed"):
        run_in_threads(run_seed, range(10), 2, stop)
    assert 1 in started
    assert len(started) < 9
    assert sorted(ended) == sorted(started)
