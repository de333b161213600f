"""The most memory that a process has held."""

import resource
import sys
from pathlib import Path


def peak_memory() -> int:
    """Return the peak resident memory in bytes.

    Linux's ``ru_maxrss`` survives exec, so that a child of a large process starts out with its
    parent's peak; VmHWM does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
