"""Compile policies' kernels ahead of time, into the cache on disk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import failure_example

__all__ = ["compile_policies"]

_REQUIRED: dict[str, dict[str, Any]] = {"scripted": {"arms": "0,1,1,0"}}


def compile_policies(names: Iterable[str]) -> None:
    """Compile built-in policies.

    One process compiles all of them, because most of the code behind a kernel is the same for every
    policy and each process would compile it again.
    """
    for name in names:
        simulate(failure_example(), name, epochs=4, seeds=[0], **_REQUIRED.get(name, {}))
