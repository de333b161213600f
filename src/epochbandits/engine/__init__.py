"""Engines: `reference` reads like the paper's Algorithm 1; `fast` is compiled, with the same law.

In: an instance, a policy and seeds. Out: the columns of `io.schemas.RUNS`.
"""

from epochbandits.engine.simulation import Simulation, simulate
from epochbandits.engine.stepping import environment

__all__ = ["Simulation", "environment", "simulate"]
