"""Memory and time of an aggregation of many rows: `python benchmarks/aggregation.py`.

The shards are synthetic, which is quicker than simulating them: 5 policies on 10 instances, runs
of 20 recorded epochs, 1000 seeds a shard, regrets with few distinct values. Their columns, order,
metadata and checksums are those of simulated shards.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from epochbandits.io import parquet
from epochbandits.io.schemas import REGRETS, SHARD
from epochbandits.model.generators import generate
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.aggregation import aggregate_experiment

POLICIES, INSTANCES, EPOCHS, SEEDS = 5, 10, 20, 1000
ROWS = POLICIES * INSTANCES * EPOCHS * SEEDS
"""Rows of a shard."""


def pieces(first: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the shard whose seeds begin at ``first``, one group at a time."""
    rng = np.random.default_rng(first)
    rows = EPOCHS * SEEDS
    for policy in range(POLICIES):
        for instance in range(INSTANCES):
            texts = {"policy": f"policy-{policy}", "instances": "main", "sampling": "marginal"}
            regrets = rng.integers(0, 100, (len(REGRETS), SEEDS, EPOCHS)).cumsum(axis=2) / 8
            epoch = np.tile(np.arange(1, EPOCHS + 1), SEEDS)
            yield {
                **{name: np.full(rows, text, dtype=object) for name, text in texts.items()},
                "gamma": np.ones(rows),
                "value": np.full(rows, np.nan),
                "instance": np.full(rows, instance),
                "seed": np.repeat(np.arange(first, first + SEEDS), EPOCHS),
                "epoch": epoch,
                "arm": epoch % 4,
                "tau": 39 + epoch,
                "iteration": 40 * epoch,
                "reward": epoch / 64,
                **{c.name: r.ravel() for c, r in zip(REGRETS, regrets, strict=True)},
            }


def write_shard(folder: Path, first: int, digests: dict[str, Any]) -> str:
    path = folder / f"{first}.parquet"
    parquet.write_pieces(path, SHARD, pieces(first), {"instances": digests})
    return str(path)


def measure(folder: Path, shards: list[str], measured: Any) -> None:
    """Aggregate, and report wall time, CPU time and peak memory of this process."""
    start = time.perf_counter()
    aggregate_experiment(
        folder / "curves.parquet", folder / "finals.parquet", shards,
        [str(folder / "main")], EPOCHS, {},
    )  # fmt: skip
    used = resource.getrusage(resource.RUSAGE_SELF)
    status = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    measured.put((time.perf_counter() - start, used.ru_utime + used.ru_stime, peak / 1024))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=100, help=f"of {ROWS} rows each")
    parser.add_argument("--folder", help="for the shards, 1 GB, and a temporary file of 7 GB")
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name, context.Pool(2) as pool:
        folder = Path(name)
        instances = [generate("anticorrelated", 4, 4, seed) for seed in range(INSTANCES)]
        instance_sets.write(folder / "main", instances)
        digests = instance_sets.digests({"main": instances})
        tasks = [(folder, SEEDS * i, digests) for i in range(arguments.shards)]
        shards = pool.starmap(write_shard, tasks, chunksize=1)
        size = sum(Path(path).stat().st_size for path in shards)
        print(f"{arguments.shards * ROWS} rows in {len(shards)} shards, {size / 1e6:.0f} MB")
        measured = context.Queue()
        process = context.Process(target=measure, args=(folder, shards, measured))
        process.start()
        wall, cpu, peak = measured.get()
        process.join()
        print(f"aggregated in {wall:.0f} s, {cpu:.0f} s of CPU, {peak:.0f} MB at peak")


if __name__ == "__main__":
    main()
