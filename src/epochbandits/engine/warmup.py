"""Compile each policy's kernel ahead of time, into the cache on disk.

``python -m epochbandits.engine.warmup [POLICY]...`` compiles some policies, or all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import failure_example
from epochbandits.policies import POLICIES

__all__ = ["compile_policies"]

_REQUIRED: dict[str, dict[str, Any]] = {"scripted": {"arms": "0,1,1,0"}}


def compile_policies(processes: int = 1) -> list[str]:
    """Compile every built-in policy, several at a time, and return their names."""
    first, *others = POLICIES
    _compile(first)  # also compiles the code that all share

    def compile_in_process(names: list[str]) -> None:
        # Not __name__: under -m this module is called __main__.
        subprocess.run([sys.executable, "-m", "epochbandits.engine.warmup", *names], check=True)

    shares = [share for i in range(processes) if (share := others[i::processes])]
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(compile_in_process, shares))
    return [first, *others]


def _compile(name: str) -> None:
    simulate(failure_example(), name, epochs=4, seeds=[0], **_REQUIRED.get(name, {}))


if __name__ == "__main__":
    if sys.argv[1:]:
        for argument in sys.argv[1:]:
            _compile(argument)
    else:
        compile_policies(os.cpu_count() or 1)
