"""Compare policies on the same instances and seeds: `epochbandits.compare`.

Let R_p(u) be the expected regret of policy p at the end of unit u: of an instance, averaged over
its seeds, or of a seed if there is one instance. Policies are ranked by the mean of R_p over the
units. Two of them differ by D(u) = R_p(u) - R_q(u), whose mean has Student's interval over the
units. With m policies there are m(m-1)/2 pairs; each interval has the level 1 - (1 - level)/pairs,
so that all of them hold simultaneously with probability at least ``level`` (Bonferroni). This also
covers the comparison of each policy with the one ranked first.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from epochbandits.engine.selection import parse_seeds
from epochbandits.engine.simulation import Simulation
from epochbandits.engine.stepping import EngineName
from epochbandits.io.schemas import COMPARISON
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.setting import TAU0, ZETA, Setting
from epochbandits.policies import Policy
from epochbandits.policies.loading import find_policy
from epochbandits.stats import LEVEL, Interval, t_interval
from epochbandits.validation import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Unit = Literal["instances", "seeds"]
AnyPolicy = str | Callable[..., Policy]
AnyInstance = Instance | str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Policies that ran on the same instances and seeds, as `compare` returns them.

    Parameters
    ----------
    runs : pandas.DataFrame
        The columns of `simulate`, after ``policy`` and ``instance`` (from 0).
    unit : {"instances", "seeds"}
        What the intervals are over; "seeds" if there is a single instance.
    """

    runs: pd.DataFrame
    unit: Unit

    @cached_property
    def finals(self) -> pd.DataFrame:
        """(units, policies): the expected regret at the end."""
        last = self.runs[self.runs["epoch"] == self.runs["epoch"].max()]
        by = "instance" if self.unit == "instances" else "seed"
        means = last.groupby(["policy", by], sort=False)["expected_regret"].mean()
        return means.unstack("policy")[self.policies]

    @property
    def policies(self) -> list[str]:
        """The policies in the order in which they were given."""
        return [str(name) for name in self.runs["policy"].unique()]

    @cached_property
    def table(self) -> pd.DataFrame:
        """All pairs: mean difference of ``first`` minus ``second``, interval, number of units.

        ``clear`` is true if the interval does not contain 0.
        """
        import pandas as pd

        rows = []
        for first, second in combinations(self.policies, 2):
            difference, low, high = self._difference(first, second)
            clear = low > 0 or high < 0
            rows.append((first, second, difference, low, high, len(self.finals), clear))
        return pd.DataFrame(rows, columns=COMPARISON.names)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The policies by mean regret, each with its interval and how far it is behind the first.

        ``low`` and ``high`` hold together for all policies; ``behind_low`` and ``behind_high`` are
        those of `table`. ``tied`` is true if the policy is not clearly behind the first.
        """
        import pandas as pd

        means = self.finals.mean().sort_values(kind="stable")
        level = 1 - (1 - LEVEL) / len(means)
        best, rows = str(means.index[0]), []
        for rank, policy in enumerate(map(str, means.index), start=1):
            mean, low, high = t_interval(self.finals[policy], level)
            behind = self._difference(policy, best) if rank > 1 else (0.0, 0.0, 0.0)
            tied = rank > 1 and not behind[1] > 0
            rows.append((rank, policy, mean, low, high, *behind, tied))
        names = ["rank", "policy", "regret", "low", "high"]
        names += ["behind", "behind_low", "behind_high", "tied"]
        return pd.DataFrame(rows, columns=names)

    def plot(self) -> Figure:
        """Draw the regret of all policies over the epochs.

        Returns
        -------
        matplotlib.figure.Figure
            The mean over units, its interval, and each unit.
        """
        from epochbandits.figures.runs import draw_runs

        by = "instance" if self.unit == "instances" else "seed"
        return draw_runs(self.runs.assign(unit=self.runs[by]), self.unit)

    def _difference(self, first: str, second: str) -> Interval:
        """Return two policies' mean difference, with its interval corrected for all pairs."""
        level = 1 - (1 - LEVEL) / math.comb(len(self.policies), 2)
        return t_interval(self.finals[first] - self.finals[second], level)


def compare(
    instance: AnyInstance | Sequence[AnyInstance],
    policies: Iterable[AnyPolicy] | Mapping[str, AnyPolicy | tuple[AnyPolicy, Mapping[str, Any]]],
    *,
    seeds: int | str | Iterable[int],
    epochs: int | None = None,
    iterations: int | None = None,
    tau0: int = TAU0,
    zeta: int = ZETA,
    gamma: float = 1.0,
    schedule: str | None = None,
    sampling: Sampling = "marginal",
    engine: EngineName = "fast",
    threads: int = 1,
    experiment: str = "",
    root: int = 0,
) -> Comparison:
    """Run policies on the same instances and seeds, and compare their regret.

    Parameters
    ----------
    instance : Instance, path, or sequence of these
        The problems.
    policies : iterable or mapping
        At least two: names, classes, or text such as "file.py:Class". In a mapping the key is the
        policy's name in the result, and the value a policy or a pair of policy and parameters.
    seeds : int, str or iterable of int
        N for the seeds 0 to N-1, "A:B" for A to B-1, or distinct seeds.
    epochs, iterations : int, optional
        The horizon; give one of them. See `simulate`.
    tau0, zeta : int
        Epoch lengths τ = τ0 + ζ·(earlier plays of the arm).
    gamma : float
        Discount γ of the feedback, in (0, 1]; 1 for time averages.
    schedule : str, optional
        Epoch lengths of all policies (`model.schedules`); by default each policy's own.
    sampling : {"marginal", "trajectory"}
        How states are drawn, as in `simulate`.
    engine : {"fast", "plain", "reference"}
        As in `simulate`.
    threads : int
        Seeds that run at the same time; results do not depend on it.
    experiment : str
        Part of the key of the random streams.
    root : int
        Another part of it, non-negative.

    Returns
    -------
    Comparison
        ``ranking`` and ``table`` are data frames, ``plot()`` is a Matplotlib figure.

    Raises
    ------
    InputError
        If an argument is not allowed, or a policy breaks the protocol.

    Examples
    --------
    >>> from epochbandits import compare, failure_example
    >>> comparison = compare(failure_example(), ["epoch-ucb", "uniform"], epochs=100, seeds=5)
    >>> comparison.ranking["policy"].tolist(), bool(comparison.table["clear"][0])
    (['epoch-ucb', 'uniform'], True)
    """
    listed = [instance] if isinstance(instance, Instance | str | os.PathLike) else list(instance)
    runs = simulations(
        listed, policies, epochs=epochs, iterations=iterations,
        setting=Setting(tau0, zeta, gamma), schedule=schedule, sampling=sampling, engine=engine,
        experiment=experiment, root=root,
    )  # fmt: skip
    return run_all(runs, parse_seeds(seeds), threads)


def simulations(
    instances: Sequence[AnyInstance],
    policies: Iterable[AnyPolicy] | Mapping[str, AnyPolicy | tuple[AnyPolicy, Mapping[str, Any]]],
    **options: Any,
) -> dict[tuple[str, int], Simulation]:
    """Return the simulation of each policy on each instance, by name and number of the instance."""
    problems = [Instance.read(given) for given in instances]
    if not problems or len(set(problems)) < len(problems):
        raise InputError("a comparison needs at least one instance, each given only once")
    pairs = list(policies.items() if isinstance(policies, Mapping) else map(_named, policies))
    names = [name for name, _ in pairs]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError("a comparison needs at least two policies, each given only once")
    result = {}
    for name, entry in pairs:
        policy, params = entry if isinstance(entry, tuple) else (entry, {})
        source = find_policy(policy) if isinstance(policy, str) else policy
        for index, one in enumerate(problems):
            result[name, index] = Simulation(one, source, params, **options)
    return result


def run_all(
    runs: Mapping[tuple[str, int], Simulation],
    seeds: Sequence[int],
    threads: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> Comparison:
    """Run `simulations` and compare the policies; ``progress`` is called with each seed."""
    import pandas as pd

    parts = []
    for (name, index), run in runs.items():
        part = pd.DataFrame(run.columns(seeds, threads=threads, progress=progress))
        part.insert(0, "policy", name)
        part.insert(1, "instance", index)
        parts.append(part)
    several = any(index for _, index in runs)
    return Comparison(pd.concat(parts, ignore_index=True), "instances" if several else "seeds")


def _named(policy: AnyPolicy) -> tuple[str, AnyPolicy]:
    name = policy if isinstance(policy, str) else getattr(policy, "__qualname__", repr(policy))
    return str(name), policy
