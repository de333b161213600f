"""CPU time of a run against the number of arms and states: ``python benchmarks/scale.py``.

A run has 300,000 iterations of UCB, which decides at each of them, or 1000 epochs of EpochUCB.
`prepare` is what a run costs before its first seed: the tables and powers of the instance.
"""

from __future__ import annotations

import time

from epochbandits.engine.simulation import Simulation
from epochbandits.model.generators import generate

SIZES = (4, 8, 16, 32, 64)
RUNS = {"epoch-ucb": {"epochs": 1000}, "ucb": {"iterations": 300_000}}
SEEDS = 5


def seconds(simulation: Simulation, seeds: range) -> float:
    """Return the CPU seconds of some seeds."""
    start = time.process_time()
    simulation.columns(seeds)
    return time.process_time() - start


def main() -> None:
    """Print a table: milliseconds of a run, and of the preparation, by size, policy, sampling."""
    print("| arms × states | policy | sampling | prepare (ms) | run (ms) |\n|---|---|---|---|---|")
    for size in SIZES:
        instance = generate("anticorrelated", size, size, 3000, min_gap=0.1)
        for policy, horizon in RUNS.items():
            for sampling in ("marginal", "trajectory"):
                run = Simulation(instance, policy, sampling=sampling, **horizon)  # type: ignore[arg-type]
                if size == SIZES[0]:
                    run.columns([0])  # compiles
                single, many = seconds(run, range(1)), seconds(run, range(1 + SEEDS))
                each = max(0.0, many - single) / SEEDS
                print(f"| {size} × {size} | {policy} | {sampling} | {1e3 * (single - each):.0f} "
                      f"| {1e3 * each:.1f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
