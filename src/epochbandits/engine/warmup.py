"""Compile policies' kernels ahead of time, into the cache on disk."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from epochbandits.engine.simulation import simulate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant
from epochbandits.policies import POLICIES

__all__ = ["compile_policies"]

_REQUIRED: dict[str, dict[str, Any]] = {"scripted": {"arms": "0,1,1,0"}}
_LAWS = (Constant(0.0), Constant(1.0))  # rewards that reveal the state: no policy refuses them
_CHAINS = [[[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [0.1, 0.9]]]


def compile_policies(names: Sequence[str], processes: int = 1) -> None:
    """Compile built-in policies, in one process or in two.

    Most of the code behind a kernel is the same for all policies that run in epochs, and for all
    that decide each iteration; each of two processes compiles one kind.
    """
    in_epochs = [name for name in names if POLICIES[name].schedule == "linear"]
    others = [name for name in names if name not in in_epochs]
    if processes == 1 or not in_epochs or not others:
        _compile(in_epochs + others)
        return
    command = [sys.executable, "-m", __name__, *others]
    with subprocess.Popen(command) as process:
        _compile(in_epochs)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)


def _compile(names: Sequence[str]) -> None:
    instance = Instance("warm-up", np.array(_CHAINS), (_LAWS, _LAWS), np.array([0.5, 0.5]))
    for name in names:
        simulate(instance, name, epochs=4, seeds=[0], **_REQUIRED.get(name, {}))


if __name__ == "__main__":
    _compile(sys.argv[1:])
