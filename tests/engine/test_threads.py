"""Threads of seeds: they end when one of them fails."""

import subprocess
import sys
import threading
import time

import pytest

from epochbandits.engine.threads import run_in_threads
from patience import PATIENCE  # tests/patience.py


class Stop(list):
    """The flag that ends seeds, and the worst moment for the main thread to lose the processor."""

    def __setitem__(self, index, value):
        super().__setitem__(index, value)
        time.sleep(0.1)


def test_threads_have_ended_when_an_error_is_raised():
    """Seed 0 fails at once; seed 1 runs until it is stopped, and seeds 2 to 9 are not needed."""
    stop, started, ended = Stop([0]), [], []
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
    assert len(started) <= 2  # one for each thread
    assert sorted(ended) == sorted(started)


def test_no_thread_is_alive_when_the_interpreter_ends():
    """Python waits for a seed that outlasts our patience, before it ends and could abort it."""
    code = """
import atexit, threading, time
from epochbandits.engine import threads
threads._PATIENCE = 0
ended, running, ending = [], threading.Event(), threading.Event()
threading._register_atexit(ending.set)  # called before Python waits for its threads
atexit.register(lambda: print(ended))
def run_seed(seed):
    if seed == 0:
        running.wait()
        raise ValueError("a bad seed")
    running.set()
    ending.wait()
    time.sleep(0.3)  # if Python did not wait, it would be over by now
    ended.append(seed)
threads.run_in_threads(run_seed, [0, 1], 2, [0])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert "a bad seed" in done.stderr
    assert done.stdout.strip() == "[1]"
