"""Speed of the engine: CPU time per simulated iteration, against plain C++, NumPy and reference.

Engine and yardsticks take turns in several rounds (`timing`), because single timings on a shared
machine differ by a factor of two. ``make bench`` runs it; ``--quick`` takes fewer rounds, seeds and
instances, and ``--json FILE`` writes every number. Without g++ the ratios to C++ are left out.

A policy that decides each iteration is timed in two modes: *paired*, in blocks as long as
EpochUCB's epochs, and *single*, in blocks of one decision (``--iterations``). EpochUCB's run that
gives the blocks is not in the time of a paired policy. EpochUCB and EpochGreedy run in epochs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import tempfile
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from slow_engines import time_overheads, time_slow_engines
from timing import Job, time_jobs
from yardstick import GENERATORS, Yardstick

from epochbandits import Instance, generate, simulate
from epochbandits.engine.base import Engine, Run, Trace
from epochbandits.engine.fast import FastEngine
from epochbandits.engine.pairing import single_decisions
from epochbandits.engine.selection import record_epochs
from epochbandits.engine.streams import Streams
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Info

SETTING = Setting(40, 1, 1.0)
EPOCHS = 3000
DECISIONS = 1_000_000  # of a policy that decides each iteration: 1,500 epochs, as in the ensembles
CPP_EPOCHS = 600  # of EpochUCB in C++
SINGLE_TARGET = 1.5  # times paired
WIDTHS = (8, 8, 9, 9, 9, 9)  # of the columns of numbers


class Effort(NamedTuple):
    """How often each job is timed."""

    rounds: int
    seeds: int


class Case(NamedTuple):
    """A policy to time."""

    policy: str
    params: dict[str, float]
    target: float = math.nan
    """Ratio to the faster C++ UCB: the median over instances with 4 states, in epochs or paired."""

    @property
    def label(self) -> str:
        """The policy with its parameters."""
        return " ".join([self.policy, *(f"{k}={v:g}" for k, v in self.params.items())])

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes it is timed in."""
        return ("epochs",) if POLICIES[self.policy].schedule == "linear" else ("paired", "single")


CASES = (
    Case("epoch-ucb", {}, 0.10),
    Case("epoch-greedy", {"c": 0.05}, 0.10),
    Case("ucb", {}, 0.15),
    Case("ucb-tuned", {}, 0.22),
    Case("eps-greedy", {"c": 0.01}, 0.22),
    Case("eps-greedy", {"c": 1}, 0.22),
    Case("eps-greedy", {"c": 5}, 0.22),
    Case("exp3", {}, 0.55),
    Case("q-learning", {}, 0.90),
    Case("kl-ucb", {}),
    Case("ucb2", {}),
    Case("etc", {"m": 1000}),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, seeds and instances")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to FILE")
    options = parser.parse_args()
    effort = Effort(rounds=3, seeds=2) if options.quick else Effort(rounds=4, seeds=3)
    count = 2 if options.quick else 6
    instances = [
        generate("anticorrelated", 4, states, seed) for states in (4, 8) for seed in range(count)
    ]
    load = os.getloadavg()
    print(f"load average at the start: {load[0]:.2f}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        cpp = Yardstick(Path(folder)) if shutil.which("g++") else None
        if cpp is None:
            print("g++ was not found: no ratios to C++")
        else:
            check(cpp, instances)
        rows = pd.concat([time_instance(i, cpp, effort) for i in instances], ignore_index=True)
    print_medians(rows)
    slow = time_slow_engines(rounds=3)
    overheads = time_overheads()
    loads = {"start": load, "end": os.getloadavg()}
    print(f"\nload average at the end: {loads['end'][0]:.2f}")
    if options.json:
        numbers = {
            "load": loads,
            **effort._asdict(),
            "targets": {c.label: c.target for c in CASES if not math.isnan(c.target)}
            | {"single": SINGLE_TARGET},
            "rows": rows.astype(object).where(rows.notna(), None).to_dict("records"),
            "slow_engines": slow,
            "overheads": overheads,
        }
        options.json.write_text(json.dumps(numbers, indent=1) + "\n")


def check(cpp: Yardstick, instances: list[Instance]) -> None:
    """Stop unless the C++ kernels simulate the library's model."""
    laws = max(cpp.check_laws(instance) for instance in instances)
    regret = max(cpp.check_regret(*pair) for pair in product(instances, SAMPLINGS))
    print(
        f"C++ agrees with the library: the laws' moments within {laws:.1f} standard errors, "
        f"the mean regrets within {regret:.1f}"
    )


# --- the fast engine and C++ ---------------------------------------------------------------------


def time_instance(instance: Instance, cpp: Yardstick | None, effort: Effort) -> pd.DataFrame:
    """Return a row for each policy, mode and sampling, with the ratios to each C++ UCB."""
    jobs: dict[tuple[str, str, str], Job] = {}
    for sampling in SAMPLINGS:
        engine = FastEngine(instance, SETTING.gamma, sampling)
        blocks = mode_blocks(instance, sampling)
        for case in CASES:
            for mode in case.modes:
                job = partial(engine_runs, engine, instance, case, blocks[mode], effort.seeds)
                jobs[sampling, case.label, mode] = job
        for policy, n in (("ucb", DECISIONS // 4), ("epoch-ucb", CPP_EPOCHS)) if cpp else ():
            for generator in GENERATORS:
                job = partial(cpp.time, instance, generator, policy, sampling, n, effort.seeds)
                jobs[sampling, f"C++ {generator} {policy}", "plain"] = job
    times = time_jobs(effort.rounds, jobs)
    rows = []
    for (sampling, label, mode), ns in times.items():
        row = {"states": instance.states, "instance": instance.name, "sampling": sampling}
        row |= {"policy": label, "mode": mode, "ns": ns}
        for generator in GENERATORS:
            ucb = times.get((sampling, f"C++ {generator} ucb", "plain"), math.nan)
            row[f"of_{generator}"] = ns / ucb
        row["of_faster"] = max(row["of_xoshiro"], row["of_random"])
        rows.append(row)
    return pd.DataFrame(rows)


def mode_blocks(instance: Instance, sampling: Sampling) -> dict[str, list[NDArray[np.int64]]]:
    """Return the decisions in each block of a run, piece by piece as `Simulation` gives them."""
    table = simulate(
        instance, "epoch-ucb", epochs=EPOCHS, seeds=[0], sampling=sampling, trace="full"
    )
    lengths = table["tau"].to_numpy(dtype=np.int64)
    full = int(np.searchsorted(lengths.cumsum(), DECISIONS, side="right"))
    return {
        "epochs": [np.ones(EPOCHS, dtype=np.int64)],
        "paired": [lengths[:full]],
        "single": list(single_decisions(DECISIONS)),
    }


def engine_runs(
    engine: Engine, instance: Instance, case: Case, blocks: list[NDArray[np.int64]], seeds: int
) -> NDArray[np.float64]:
    """Return the CPU ns per iteration of each seed's run, with a thin trace."""
    policy, decisions = POLICIES[case.policy], sum(int(piece.sum()) for piece in blocks)
    records = record_epochs(sum(map(len, blocks)))
    times = []
    for seed in range(seeds):
        run = Run(
            policy=policy,
            params=case.params,
            label=case.label,
            info=Info(instance, SETTING, decisions),
            streams=Streams(0, "bench", instance, case.policy, seed),
            schedule=parse_schedule(policy.schedule, SETTING),
            pieces=blocks,
            trace=Trace.empty(records),
            stop=np.zeros(1, dtype=np.uint8),
        )
        start = time.process_time()
        iterations = sum(int(lengths.sum()) for lengths in engine.run(run))
        times.append((time.process_time() - start) / iterations * 1e9)
    return np.array(times)


def print_medians(rows: pd.DataFrame) -> None:
    """Print the medians over the instances, a table for each number of states and sampling."""
    print(
        "\nMedians of CPU ns per iteration, and of its ratio to UCB in plain C++ with xoshiro256++ "
        "and with <random>.\n'target' is for paired (or epochs), of the faster C++, with 4 states; "
        f"'s/p' is single over paired, at most {SINGLE_TARGET:g}.\nTargets are not enforced."
    )
    for (states, sampling), part in rows.groupby(["states", "sampling"]):
        count = part["instance"].nunique()
        print(f"\n4 arms, {states} states, {sampling}, {count} instances")
        print(f"{'':24s}{'ns':^16s}{'of C++ xoshiro':^18s}{'of C++ <random>':^18s}")
        heads = ("paired", "single") * 3
        print(f"{'':24s}" + "".join(f"{h:>{w}s}" for h, w in zip(heads, WIDTHS, strict=True))
              + f"{'target':>9s}{'met':>5s}{'s/p':>7s}{'met':>5s}")  # fmt: skip
        medians = part.groupby(["policy", "mode"]).median(numeric_only=True)
        cpp = [label for label in part["policy"].unique() if label.startswith("C++")]
        for label, case in [(c.label, c) for c in CASES] + [(label, None) for label in cpp]:
            print(line(label, medians.loc[label], case if states == 4 else None))


def line(label: str, modes: pd.DataFrame, case: Case | None) -> str:
    """Return a policy's line; ``modes`` has a row for each mode, the paired or only one first."""
    paired, single = modes.iloc[0], modes.iloc[1] if len(modes) == 2 else None
    cells = []
    for column, digits in (("ns", 2), ("of_xoshiro", 3), ("of_random", 3)):
        for row in (paired, single):
            shown = row is not None and not math.isnan(row[column])
            cells.append(f"{row[column]:.{digits}f}" if shown else "-")
    text = f"{label:24s}" + "".join(f"{c:>{w}s}" for c, w in zip(cells, WIDTHS, strict=True))
    if case is not None:
        ratio = paired["of_faster"]
        if math.isnan(case.target):
            text += " " * 14
        else:
            met = "-" if math.isnan(ratio) else yes(ratio <= case.target)
            text += f"{case.target:9.2f}{met:>5s}"
    if single is not None:
        text += " " * (0 if case else 14)
        text += f"{single['ns'] / paired['ns']:7.2f}"
        text += f"{yes(single['ns'] <= SINGLE_TARGET * paired['ns']):>5s}"
    return text


def yes(answer: bool) -> str:
    return "yes" if answer else "no"


if __name__ == "__main__":
    main()
