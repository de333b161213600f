"""The plain C++ kernels of `yardstick.cpp`: compiled, checked against the library, and timed."""

from __future__ import annotations

import math
import subprocess
from dataclasses import astuple
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from epochbandits import Instance, simulate
from epochbandits.model.moments import Sampling
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Law, Uniform

GENERATORS = ("xoshiro", "random")
LAW_CODES = {Bernoulli: 0, Beta: 1, Uniform: 2, Constant: 3}
DRAWS, SEEDS = 100_000, 64  # of a check
HORIZONS = {"ucb": ("iterations", 10_000), "epoch-ucb": ("epochs", 120)}  # of a check
LIMIT = 6.0  # standard errors; all seeds are fixed, so a check that passes always passes


class Yardstick:
    """The program, compiled with -O3."""

    def __init__(self, folder: Path) -> None:
        self._program = folder / "yardstick"
        source = Path(__file__).with_name("yardstick.cpp")
        subprocess.run(["g++", "-O3", "-o", self._program, source], check=True)

    def time(
        self, instance: Instance, generator: str, policy: str, sampling: Sampling, n: int,
        seeds: int,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return each seed's CPU ns per iteration: n iterations of UCB, or epochs of EpochUCB."""
        runs = self._run(instance, generator, policy, sampling, n, seeds)
        return runs[:, 0] / runs[:, 1] * 1e9

    def check_laws(self, instance: Instance) -> float:
        """Compare the first two moments of each reward law with the exact ones.

        Returns
        -------
        The largest deviation, in standard errors.

        Raises
        ------
        SystemExit
            If a deviation is larger than `LIMIT`.
        """
        laws = [law for row in instance.rewards for law in row]
        mean, variance = np.array([(law.mean, law.variance) for law in laws]).T
        worst = 0.0
        for generator in GENERATORS:
            moments = self._run(instance, generator, "laws", "marginal", DRAWS, 1)
            first, second, fourth = moments.T
            exact = mean**2 + variance
            spread = np.sqrt(np.maximum(fourth - second**2, 0))
            for name, difference, deviation in (
                ("mean", first - mean, np.sqrt(variance)),
                ("mean square", second - exact, spread),
            ):
                z = np.abs(difference) / (deviation / math.sqrt(DRAWS) + 1e-9)
                law = laws[int(z.argmax())]
                _require(z.max(), f"{instance.name}: the {name} of {law} with {generator!r}")
                worst = max(worst, float(z.max()))
        return worst

    def check_regret(self, instance: Instance, sampling: Sampling) -> float:
        """Compare the mean regret of both policies with the library's, as `check_laws` does."""
        worst = 0.0
        for policy, (unit, n) in HORIZONS.items():
            table = simulate(instance, policy, seeds=range(SEEDS), sampling=sampling, **{unit: n})
            library = table.groupby("seed")["regret"].last()
            for generator in GENERATORS:
                runs = self._run(instance, generator, policy, sampling, n, SEEDS)
                regret = n * instance.mu[instance.best_arm] - runs[:, 2]
                error = math.sqrt((regret.var(ddof=1) + library.var()) / SEEDS)
                z = abs(regret.mean() - library.mean()) / error
                _require(
                    z,
                    f"{instance.name}, {sampling}: the mean regret of {policy} is "
                    f"{regret.mean():.1f} with {generator!r} and {library.mean():.1f} in the "
                    f"library, standard error {error:.1f}; it",
                )
                worst = max(worst, z)
        return worst

    def _run(
        self, instance: Instance, generator: str, task: str, sampling: Sampling, n: int,
        seeds: int,
    ) -> NDArray[np.float64]:  # fmt: skip
        """Run the program and return the numbers of its output, line by line."""
        mixing = [arm.C / -np.expm1(arm.log_lam) for arm in instance.mixing]
        laws = [_code(law) for row in instance.rewards for law in row]
        parts = (instance.transition, laws, instance.initial, mixing)
        numbers = np.concatenate([np.ravel(part) for part in parts]).tolist()
        done = subprocess.run(
            [self._program, generator, task, sampling, str(n), str(seeds)],
            input=f"{instance.arms} {instance.states} " + " ".join(map(repr, numbers)),
            capture_output=True,
            text=True,
            check=True,
        )
        return np.array([line.split() for line in done.stdout.splitlines()], dtype=np.float64)


def _code(law: Law) -> tuple[float, float, float]:
    """Return a law as the program reads it: kind and two parameters."""
    values = astuple(law)
    return LAW_CODES[type(law)], values[0], values[-1]


def _require(z: float, what: str) -> None:
    if z > LIMIT:
        raise SystemExit(
            f"The C++ yardstick does not simulate the library's model, so nothing is timed. {what} "
            f"deviates by {z:.1f} standard errors; at most {LIMIT:g} are allowed."
        )
