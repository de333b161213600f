"""Speed of the engine, as CPU per simulated iteration and as ratios within one run.

Yardstick and engine take turns, and the fastest of several rounds counts for both: on a shared
machine single timings vary by a factor of two. ``make bench`` runs it; ``--quick`` takes fewer
rounds and instances. Without g++ there are no ratios to C++.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import astuple
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from plain_numpy import PlainNumPy

from epochbandits import Instance
from epochbandits.engine.base import Run, Trace
from epochbandits.engine.fast import FastEngine
from epochbandits.engine.simulation import ENGINES, simulate
from epochbandits.engine.streams import Streams
from epochbandits.model.generators import generate
from epochbandits.model.moments import SAMPLINGS
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Law, Uniform
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Info

QUICK = "--quick" in sys.argv
ROUNDS = 2 if QUICK else 5
EPOCHS = 3000
SHORT = {"epochs": 16, "tau0": 1200}  # as long as an epoch is on average in EPOCHS of them
TARGETS = {"epoch-ucb": 0.30, "ucb": 0.60}  # of the C++ kernel; all other baselines below 1
SINGLE_LAWS = {
    "bernoulli": Bernoulli,
    "beta": lambda mean: Beta(6 * mean, 6 * (1 - mean)),
    "uniform": lambda mean: Uniform(mean - min(mean, 1 - mean), mean + min(mean, 1 - mean)),
    "constant": Constant,
}
BASELINES = ("ucb", "ucb-tuned", "eps-greedy", "exp3", "q-learning")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cpp = Yardstick(Path(folder)) if shutil.which("g++") else None
        if cpp is None:
            print("g++ was not found: no ratios to C++")
        for states, seed in ((4, 3), (4, 8), (8, 3)):
            instance = generate("anticorrelated", 4, states, seed)
            case(f"4x{states}, mixed laws, seed {seed}", instance, cpp, BASELINES)
        for law in SINGLE_LAWS:
            case(f"4x4, {law} laws", with_laws(law), cpp, ("ucb",))
        if cpp is not None:
            sweep(cpp, range(20, 24 if QUICK else 32))
        slower(cpp)
    growth()
    overheads()


# --- one run each --------------------------------------------------------------------------------


def engine_run(
    engine: FastEngine, instance: Instance, policy: str, seed: int, *, gamma: float = 1.0,
    decisions: int = EPOCHS, **params: object,
) -> float:  # fmt: skip
    """Return the CPU ns per simulated iteration of a run of the fast engine."""
    builtin, setting = POLICIES[policy], Setting(40, 1, gamma)
    schedule = parse_schedule(builtin.schedule, setting)
    size = 1000 if schedule.each_iteration else 1  # decisions in a block, as in a paired run
    run = Run(
        policy=builtin,
        params=params,
        label=policy,
        info=Info(instance, setting, decisions),
        streams=Streams(0, "bench", instance, policy, seed),
        schedule=schedule,
        pieces=[np.full(decisions // size, size)],
        trace=Trace.empty(np.empty(0, dtype=np.int64)),
        stop=np.zeros(1, dtype=np.uint8),
    )
    start = time.process_time()
    (lengths,) = engine.run(run)
    return (time.process_time() - start) / lengths.sum() * 1e9


class Yardstick:
    """The plain C++ kernel, compiled with -O3."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "yardstick"
        source = Path(__file__).parent / "yardstick.cpp"
        subprocess.run(["g++", "-O3", "-o", self.program, source], check=True)

    def run(self, instance: Instance, mode: str, decisions: int, seed: int) -> float:
        """Return its CPU ns per simulated iteration."""
        scale = [arm.C / -np.expm1(arm.log_lam) for arm in instance.mixing]
        numbers = [instance.transition, laws_for_cpp(instance), instance.initial, scale]
        text = f"{instance.arms} {instance.states} " + " ".join(
            repr(float(x)) for part in numbers for x in np.ravel(part)
        )
        command = [str(self.program), mode, str(decisions), "40", "1", str(seed)]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        seconds, iterations, _ = done.stdout.split()
        return float(seconds) / int(iterations) * 1e9


def laws_for_cpp(instance: Instance) -> np.ndarray:
    """Return the laws as the C++ kernel reads them: kind and two parameters, (m, S, 3)."""
    codes = {Bernoulli: 0, Beta: 1, Uniform: 2, Constant: 3}

    def code(law: Law) -> tuple[float, ...]:
        values = astuple(law)
        return codes[type(law)], values[0], values[-1]

    return np.array([[code(law) for law in row] for row in instance.rewards])


# --- reports -------------------------------------------------------------------------------------


def case(title: str, instance: Instance, cpp: Yardstick | None, baselines: tuple[str, ...]) -> None:
    """Print all policies on one instance, beside the C++ kernel."""
    engines = {
        (gamma, sampling): FastEngine(instance, gamma, sampling)
        for gamma in (1.0, 0.9)
        for sampling in ("marginal", "trajectory")
    }
    length = 400_000

    def job(policy: str, gamma: float, sampling: str, decisions: int, **params: object) -> Callable:
        engine = engines[gamma, sampling]
        return lambda seed: engine_run(
            engine, instance, policy, seed, gamma=gamma, decisions=decisions, **params
        )

    jobs = {
        "epoch-ucb": job("epoch-ucb", 1.0, "marginal", EPOCHS),
        "epoch-ucb, gamma .9": job("epoch-ucb", 0.9, "marginal", EPOCHS),
        "epoch-ucb, trajectory": job("epoch-ucb", 1.0, "trajectory", EPOCHS),
        "epoch-ucb, trajectory, gamma .9": job("epoch-ucb", 0.9, "trajectory", EPOCHS),
        "epoch-greedy (c = 0.05)": job("epoch-greedy", 1.0, "marginal", EPOCHS, c=0.05),
        **{name: job(name, 1.0, "marginal", length) for name in baselines},
        "ucb, trajectory": job("ucb", 1.0, "trajectory", length),
    }
    if cpp is not None:
        jobs["C++ epoch-ucb"] = lambda seed: cpp.run(instance, "epochucb", EPOCHS, seed)
        jobs["C++ ucb"] = lambda seed: cpp.run(instance, "ucb", length, seed)
    best = turns(jobs)
    print(f"\n{title}: CPU ns per iteration, ratio to C++")
    for name, value in best.items():
        kind = "C++ epoch-ucb" if name.startswith("epoch") else "C++ ucb"
        line = f"  {name:33s}{value:8.2f}"
        if cpp is not None and not name.startswith("C++"):
            line += f"{value / best[kind]:8.3f}"
            if name in TARGETS or name in baselines:
                line += f"   (target {TARGETS.get(name, 1.0):.2f})"
        print(line)


def turns(jobs: dict[str, Callable[[int], float]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the least of several rounds for each job, all jobs taking turns."""
    best = dict.fromkeys(jobs, np.inf)
    for job in jobs.values():
        job(99)  # compile, or load what was compiled
    for seed in range(rounds):
        for name, job in jobs.items():
            best[name] = min(best[name], job(seed))
    return best


def sweep(cpp: Yardstick, seeds: range) -> None:
    """Print the two ratios over many instances: the cost of C++ depends on the laws."""
    rows = []
    for seed in seeds:
        instance = generate("anticorrelated", 4, 4, seed)
        engine = FastEngine(instance, 1.0, "marginal")
        best = turns(
            {
                "epoch": lambda s, e=engine, i=instance: engine_run(e, i, "epoch-ucb", s),
                "ucb": lambda s, e=engine, i=instance: engine_run(
                    e, i, "ucb", s, decisions=400_000
                ),
                "C++ epoch": lambda s, i=instance: cpp.run(i, "epochucb", EPOCHS, s),
                "C++ ucb": lambda s, i=instance: cpp.run(i, "ucb", 400_000, s),
            }
        )
        rows.append(
            [best["C++ epoch"], best["C++ ucb"], best["epoch"] / best["C++ epoch"],
             best["ucb"] / best["C++ ucb"]]
        )  # fmt: skip
    quantiles = np.quantile(rows, [0, 0.5, 1], axis=0).T
    print(f"\n{len(rows)} instances 4x4, mixed laws: least, median, most")
    labels = ("C++ epoch-ucb, ns", "C++ ucb, ns", "epoch-ucb, ratio", "ucb, ratio")
    for label, row in zip(labels, quantiles, strict=True):
        print(f"  {label:20s}" + "".join(f"{x:9.3f}" for x in row))


def growth() -> None:
    """Print CPU per iteration as the horizon grows: it must not."""
    instance = generate("anticorrelated", 4, 4, 3)
    engine = FastEngine(instance, 1.0, "marginal")
    print("\nCPU ns per iteration as n grows")
    for n in (300, 1000, 3000, 10_000):
        epoch = min(engine_run(engine, instance, "epoch-ucb", s, decisions=n) for s in range(3))
        ucb = min(engine_run(engine, instance, "ucb", s, decisions=1000 * n) for s in range(2))
        print(
            f"  epoch-ucb, {n:6d} epochs {epoch:8.2f}     ucb, {1000 * n:9d} decisions {ucb:8.2f}"
        )


def slower(cpp: Yardstick | None) -> None:
    """Print how many times the fast engine's CPU plain C++, plain NumPy and the reference take.

    NumPy and the reference get few epochs, as long as the fast engine's are on average: in short
    ones NumPy would be a quarter slower. The C++ kernel has neither discounts nor paths.
    """
    ENGINES["numpy"] = PlainNumPy
    print("\nepoch-ucb: CPU ns per iteration of the fast engine, and times that of the others")
    print("  states  laws       gamma  sampling      fast      C++    NumPy  reference")
    for states, law in product((4, 8), (*SINGLE_LAWS, "mixed")):
        instance = with_laws(law, states)
        for gamma, sampling in product((1.0, 0.9), SAMPLINGS):
            engine = FastEngine(instance, gamma, sampling)
            jobs = {
                "fast": partial(engine_run, engine, instance, "epoch-ucb", gamma=gamma),
                "NumPy": partial(short_run, "numpy", instance, gamma, sampling),
                "reference": partial(short_run, "reference", instance, gamma, sampling),
            }
            if cpp is not None and gamma == 1 and sampling == "marginal":
                jobs["C++"] = partial(cpp.run, instance, "epochucb", EPOCHS)
            best = turns(jobs, min(ROUNDS, 3))
            line = f"  {states:<6d}  {law:9s}  {gamma:<5g}  {sampling:10s}{best['fast']:8.2f}"
            for name, width in (("C++", 9), ("NumPy", 9), ("reference", 11)):
                line += f"{best[name] / best['fast']:{width}.0f}" if name in best else f"{'-':>9s}"
            print(line, flush=True)


def short_run(engine: str, instance: Instance, gamma: float, sampling: str, seed: int) -> float:
    """Return the CPU ns per iteration of EpochUCB on one of the slow engines."""
    start = time.process_time()
    table = simulate(
        instance, "epoch-ucb", seeds=[seed], gamma=gamma, sampling=sampling, engine=engine, **SHORT
    )  # fmt: skip
    return (time.process_time() - start) / table["iteration"].iloc[-1] * 1e9


def overheads() -> None:
    """Print what a seed costs, and a start."""
    instance = generate("anticorrelated", 4, 4, 3)
    simulate(instance, "epoch-ucb", epochs=5, seeds=[0])
    print("\nOverheads")
    start = time.process_time()
    simulate(instance, "epoch-ucb", epochs=5, seeds=range(500))
    print(f"  overhead of a seed {(time.process_time() - start) / 500 * 1e6:.0f} us")
    code = (
        "import time; from epochbandits.model.generators import generate;"
        "from epochbandits.engine.simulation import Simulation;"
        "run = Simulation(generate('anticorrelated', 4, 4, 3), 'epoch-ucb', epochs=5);"
        "run.columns([0]); print(time.process_time())"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            for _ in range(3)]  # fmt: skip
    print(f"  a warm start, from python to a finished run: "
          f"{min(float(run.stdout) for run in runs):.2f} s of CPU")  # fmt: skip


def with_laws(law: str, states: int = 4) -> Instance:
    """Return an instance of the class: as it is (mixed), or all laws of a kind, with its means."""
    base = generate("anticorrelated", 4, states, 3)
    if law == "mixed":
        return base
    rewards = tuple(
        tuple(SINGLE_LAWS[law](float(mean)) for mean in row) for row in base.reward_means
    )
    return Instance(f"{base.name}-{law}", base.transition, rewards, base.initial)


if __name__ == "__main__":
    main()
