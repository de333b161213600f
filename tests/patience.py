"""How tests wait for other processes: for a condition, never for a time."""

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 1800
"""Seconds until a test gives up on what hangs. No process takes as long, even on a busy machine."""


def wait_for(
    found: Callable[[], T],
    process: subprocess.Popen | None = None,
    said: Callable[[], str] = str,
) -> T:
    """Return what a function finds, as soon as it finds something.

    It gives up when the process on which it depends is over; the error has what that ``said``.
    """
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        over = process is not None and process.poll() is not None  # before the last look
        if result := found():
            return result
        assert not over, f"the process is over\n{said()}"
        time.sleep(0.1)
    raise TimeoutError(f"waited {PATIENCE} s in vain\n{said()}")
