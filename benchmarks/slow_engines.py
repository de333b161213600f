"""EpochUCB in the fast engine, plain NumPy and the reference engine; and the cost of a start."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from plain_numpy import PlainNumPy
from timing import time_jobs

from epochbandits import Instance, generate, simulate
from epochbandits.engine.stepping import ENGINES
from epochbandits.model.moments import SAMPLINGS, Sampling

LONG = {"epochs": 3000}
SHORT = {"epochs": 16, "tau0": 1200}  # epochs as long as the mean of the 3000


def time_slow_engines(rounds: int) -> list[dict[str, Any]]:
    """Print and return EpochUCB's CPU time in the fast engine, plain NumPy and the reference.

    The slow ones get few epochs, as long as the fast engine's are on average: in short epochs
    NumPy would look a quarter slower.
    """
    ENGINES["numpy"] = PlainNumPy
    print("\nEpochUCB: CPU ns per iteration in the fast engine; the others as multiples of it")
    print("  states  gamma  sampling        fast   NumPy  reference")
    rows = []
    for states, gamma, sampling in product((4, 8), (1.0, 0.9), SAMPLINGS):
        instance = generate("anticorrelated", 4, states, 3)
        jobs = {
            name: partial(whole_run, name, instance, gamma, sampling, horizon)
            for name, horizon in (("fast", LONG), ("numpy", SHORT), ("reference", SHORT))
        }
        ns = time_jobs(rounds, jobs)
        rows.append({"states": states, "gamma": gamma, "sampling": sampling, **ns})
        fast, numpy, reference = ns.values()
        print(f"  {states:<6d}  {gamma:<5g}  {sampling:10s}{fast:10.2f}{numpy / fast:8.0f}"
              f"{reference / fast:11.0f}", flush=True)  # fmt: skip
    return rows


def whole_run(
    engine: str, instance: Instance, gamma: float, sampling: Sampling, horizon: dict[str, int]
) -> NDArray[np.float64]:
    """Return the CPU ns per iteration of EpochUCB on one seed, with all that `simulate` does."""
    start = time.process_time()
    table = simulate(
        instance, "epoch-ucb", seeds=[0], gamma=gamma, sampling=sampling, engine=engine, **horizon
    )
    return np.array([(time.process_time() - start) / table["iteration"].iloc[-1] * 1e9])


def time_overheads() -> dict[str, float]:
    """Print and return the CPU time of a seed with five epochs, and of a start."""
    instance, seeds = generate("anticorrelated", 4, 4, 3), 500
    simulate(instance, "epoch-ucb", epochs=5, seeds=[0])
    start = time.process_time()
    simulate(instance, "epoch-ucb", epochs=5, seeds=range(seeds))
    seed = (time.process_time() - start) / seeds
    code = (
        "import time; from epochbandits.model.generators import generate;"
        "from epochbandits.engine.simulation import Simulation;"
        "run = Simulation(generate('anticorrelated', 4, 4, 3), 'epoch-ucb', epochs=5);"
        "run.columns([0]); print(time.process_time())"
    )
    command = [sys.executable, "-c", code]
    warm = min(float(subprocess.check_output(command, text=True)) for _ in range(3))
    print(
        f"\nOverheads: {seed * 1e6:.0f} us of CPU a seed; {warm:.2f} s from the start of Python to "
        "a finished run, already compiled"
    )
    return {"seed_seconds": seed, "start_seconds": warm}
