"""Compile policies' kernels ahead of time, into the cache on disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from epochbandits.engine.simulation import simulate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant

__all__ = ["compile_policies"]

_REQUIRED: dict[str, dict[str, Any]] = {"scripted": {"arms": "0,1,1,0"}}
_LAWS = (Constant(0.0), Constant(1.0))  # rewards that reveal the state: no policy refuses them
_CHAINS = [[[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [0.1, 0.9]]]


def compile_policies(names: Iterable[str]) -> None:
    """Compile built-in policies.

    One process compiles all of them, because most of the code behind a kernel is the same for every
    policy and each process would compile it again.
    """
    instance = Instance("warm-up", np.array(_CHAINS), (_LAWS, _LAWS), np.array([0.5, 0.5]))
    for name in names:
        simulate(instance, name, epochs=4, seeds=[0], **_REQUIRED.get(name, {}))
