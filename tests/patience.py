"""How tests wait for other processes: for a condition, never for a time."""

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 1800
"""Seconds until a test gives up on what hangs. No process takes as long, even on a busy machine."""


def wait_for(
    look: Callable[[], T],
    process: subprocess.Popen | None = None,
    output: Callable[[], str] = str,
) -> T:
    """Return what a function finds, as soon as it finds something.

    It gives up when the process on which it depends has ended; the error includes its output.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        over = process is not None and process.poll() is not None  # before the last look
        if result := look():
            return result
        assert not over, f"the process has ended\n{output()}"
        time.sleep(0.1)
    raise TimeoutError(f"waited {PATIENCE} s in vain\n{output()}")
