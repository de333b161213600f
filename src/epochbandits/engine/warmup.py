"""Compile policies' kernels ahead of time, into the cache on disk."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from epochbandits.engine.simulation import simulate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant
from epochbandits.model.schedules import EACH_ITERATION

_REQUIRED: dict[str, dict[str, Any]] = {"scripted": {"arms": "0,1,1,0"}}
_LAWS = (Constant(0.0), Constant(1.0))  # rewards that reveal the state: no policy rejects them
_CHAINS = [[[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [0.1, 0.9]]]


class CompiledRun(NamedTuple):
    """A kernel: a built-in policy that decides each iteration, or in epochs of any other length."""

    policy: str
    each_iteration: bool


def compile_runs(runs: Iterable[CompiledRun], processes: int = 1) -> None:
    """Compile kernels, in one process or in two.

    The kernels that decide each iteration share most of their code, and so do those in epochs; each
    of two processes compiles one kind.
    """
    kinds: dict[bool, list[str]] = {}
    for policy, each_iteration in runs:
        kinds.setdefault(each_iteration, []).append(policy)
    if processes == 1 or len(kinds) < 2:
        for each_iteration, policies in kinds.items():
            _compile(policies, each_iteration)
        return
    command = [sys.executable, "-m", __name__, *kinds[True]]
    with subprocess.Popen(command) as process:
        _compile(kinds[False], each_iteration=False)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)


def _compile(policies: Iterable[str], each_iteration: bool) -> None:
    gc.disable()  # the compiler makes little garbage, and looking for it takes a tenth of the time
    instance = Instance("warm-up", np.array(_CHAINS), (_LAWS, _LAWS), np.array([0.5, 0.5]))
    for policy in policies:
        params = _REQUIRED.get(policy, {})
        if each_iteration:
            simulate(instance, policy, iterations=4, schedule=EACH_ITERATION, seeds=1, **params)
        else:
            simulate(instance, policy, epochs=4, schedule="linear", seeds=1, **params)
    gc.enable()


if __name__ == "__main__":
    _compile(sys.argv[1:], each_iteration=True)
