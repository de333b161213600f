"""Runs of a policy on an instance, over seeds: what `epochbandits.simulate` does.

A policy that decides each iteration by default, run for a number of epochs, is paired: it makes as
many decisions as EpochUCB takes iterations in that many epochs on the same instance and seed. Its
rewards are cut at the ends of EpochUCB's epochs and averaged inside each block, and the average
counts as that epoch's feedback. So all policies share one axis. With ``iterations``, with an
explicit ``schedule`` or with ``pair=False`` nothing is paired, and an epoch is a decision.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.engine.base import Engine, IntArray, Row, Run, Trace
from epochbandits.engine.loop import new_policy
from epochbandits.engine.pairing import PAIR, is_paired, paired_decisions, single_decisions
from epochbandits.engine.selection import parse_seeds, record_epochs
from epochbandits.engine.stepping import ENGINES, EngineName
from epochbandits.engine.streams import Streams
from epochbandits.engine.threads import run_in_threads
from epochbandits.io.schemas import RUNS
from epochbandits.model.instance import Instance
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.schedules import Schedule, parse_schedule
from epochbandits.model.setting import MAX_EPOCHS, TAU0, ZETA, Setting
from epochbandits.policies import POLICIES, Builtin, Info, Policy
from epochbandits.policies.base import default_schedule
from epochbandits.validation import InputError, choice, integer

if TYPE_CHECKING:
    import pandas as pd

TraceName = Literal["thin", "full"]
COLUMNS = tuple(RUNS.names)


def simulate(
    instance: Instance | str | os.PathLike[str],
    policy: str | type[Policy] | Callable[..., Policy],
    *,
    epochs: int | None = None,
    iterations: int | None = None,
    seeds: int | str | Iterable[int],
    tau0: int = TAU0,
    zeta: int = ZETA,
    gamma: float = 1.0,
    schedule: str | None = None,
    sampling: Sampling = "marginal",
    engine: EngineName = "fast",
    trace: TraceName = "thin",
    threads: int = 1,
    experiment: str = "",
    root: int = 0,
    **params: Any,
) -> pd.DataFrame:
    """Run a policy and return one row per seed and recorded epoch.

    Parameters
    ----------
    instance : Instance or path
        The problem, or its JSON file.
    policy : str, class or callable
        A name of `policies.POLICIES`, or a class or factory of objects with the methods of
        `policies.Policy`.
    epochs, iterations : int, optional
        The horizon; give one of them. See the module's docstring.
    seeds : int, str or iterable of int
        N for the seeds 0 to N-1, "A:B" for A to B-1, or distinct seeds.
    tau0, zeta : int
        Epoch lengths τ = τ0 + ζ·(earlier plays of the arm).
    gamma : float
        Discount γ of the feedback, in (0, 1]; 1 for time averages.
    schedule : str, optional
        Other epoch lengths (`model.schedules`), such as "fixed:1"; by default the policy's.
    sampling : {"marginal", "trajectory"}
        Draw the state at each iteration from its distribution, as Algorithm 1 does, or follow a
        path of the Markov chain.
    engine : {"fast", "plain", "reference"}
        Compiled, compiled without deciding ahead, or as readable as the paper's Algorithm 1; all
        sample the same model.
    trace : {"thin", "full"}
        Record about 400 epochs, or all.
    threads : int
        Seeds that run at the same time; results do not depend on it.
    experiment : str
        Part of the key of the random streams (`engine.streams`).
    root : int
        Root seed, also part of that key; non-negative.
    **params : dict
        The policy's parameters.

    Returns
    -------
    pandas.DataFrame
        The columns `COLUMNS`, which `io.schemas.RUNS` describes; regrets are cumulative.

    Raises
    ------
    InputError
        If an argument is not allowed, or the policy breaks the protocol.

    Examples
    --------
    >>> from epochbandits import failure_example, simulate
    >>> table = simulate(failure_example(), "epoch-ucb", epochs=50, seeds=2)
    >>> len(table), int(table["epoch"].max())
    (100, 50)
    """
    import pandas as pd

    run = Simulation(
        Instance.read(instance), policy, params, epochs=epochs, iterations=iterations,
        setting=Setting(tau0, zeta, gamma), schedule=schedule, sampling=sampling, engine=engine,
        trace=trace, experiment=experiment, root=root,
    )  # fmt: skip
    return pd.DataFrame(run.columns(parse_seeds(seeds), threads=threads))


@dataclass(frozen=True)
class Simulation:
    """All that determines a run except its seed; validated when it is created."""

    instance: Instance
    policy: str | Callable[..., Policy]
    """A name of `policies.POLICIES`, or a class or factory with the methods of `Policy`."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """The policy's parameters."""
    epochs: int | None = None
    iterations: int | None = None
    """The horizon is one of these; see the module's docstring."""
    setting: Setting = field(default_factory=Setting)
    schedule: str | None = None
    """None: the policy's default."""
    pair: bool = True
    """If false, a policy that decides each iteration gets ``epochs`` decisions, unpaired."""
    sampling: Sampling = "marginal"
    engine: EngineName = "fast"
    trace: TraceName = "thin"
    """"thin" records about 400 epochs, "full" all of them."""
    experiment: str = ""
    root: int = 0
    """With ``experiment``, the rest of the random streams' key (`streams`)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", dict(self.params))  # the caller may change theirs
        choice(self.sampling, "sampling", SAMPLINGS)
        choice(self.engine, "engine", ENGINES)
        choice(self.trace, "trace", get_args(TraceName))
        integer(self.root, "root", 0, 2**63 - 1)
        if (self.epochs is None) == (self.iterations is None):
            raise InputError("give either epochs or iterations")
        if self.iterations is not None and not self.parsed_schedule.each_iteration:
            raise InputError(
                f"iterations is for policies that decide each iteration; {self.name!r} runs in "
                f"epochs on the schedule {self.schedule or self._default_schedule!r}: give epochs"
            )
        longest = self._pair if self.paired else self
        longest.parsed_schedule.check(self.blocks)
        if isinstance(self.implementation, Builtin):  # reject bad parameters before any work
            self.implementation.memory_for(self._info(self.blocks), self.params)

    @property
    def name(self) -> str:
        """The policy's name."""
        if isinstance(self.policy, str):
            return self.policy
        return str(getattr(self.policy, "__qualname__", type(self.policy).__name__))

    @cached_property
    def blocks(self) -> int:
        """Number of epochs, or blocks of a paired policy, or decisions."""
        if self.iterations is not None:
            return integer(self.iterations, "iterations", 1, MAX_EPOCHS)
        return integer(self.epochs, "epochs", 1, MAX_EPOCHS)

    @cached_property
    def parsed_schedule(self) -> Schedule:
        """The schedule of the run: the explicit one, or the policy's default."""
        default = self._default_schedule  # creates a policy, so that bad parameters are rejected
        return parse_schedule(default if self.schedule is None else self.schedule, self.setting)

    @property
    def paired(self) -> bool:
        """Whether the run is cut at EpochUCB's epochs."""
        in_epochs = self.iterations is None
        return in_epochs and is_paired(self.pair, self.schedule, self._default_schedule)

    @property
    def compiled(self) -> bool:
        """Whether its runs are compiled code."""
        return ENGINES[self.engine].compiles(self.implementation)

    def columns(
        self,
        seeds: Sequence[int],
        *,
        threads: int = 1,
        progress: Callable[[int], object] = lambda _: None,
    ) -> dict[str, NDArray[Any]]:
        """Run the seeds and return the table's columns, seed by seed in the order of ``seeds``.

        ``progress`` is called with each seed that is finished. Ctrl-C stops the threads within an
        epoch.
        """
        integer(threads, "threads", 1, 1024)
        full = self.trace == "full"
        # Count a full trace before it is allocated: a horizon of 10^9 is 8 GB of epochs.
        points = self.blocks if full else len(record_epochs(self.blocks))
        if points * len(seeds) > limits.MAX_ROWS:
            raise InputError(
                f"{len(seeds)} seeds with {points} recorded epochs each are more than "
                f"{limits.MAX_ROWS} rows; take fewer seeds at a time or trace 'thin'"
            )
        records = record_epochs(self.blocks, full)
        engine = ENGINES[self.engine](self.instance, self.setting.gamma, self.sampling)
        stop = np.zeros(1, dtype=np.uint8)

        def run_seed(seed: int) -> NDArray[np.float64]:
            trace = Trace.empty(records)
            for _ in self._run(engine, seed, trace, stop):
                pass
            progress(seed)
            return trace.rows

        if threads == 1 and not self.compiled:
            table = np.concatenate([run_seed(seed) for seed in seeds])
        else:  # compiled code never runs in the main thread, which Ctrl-C interrupts
            table = np.concatenate(run_in_threads(run_seed, seeds, threads, stop))
        columns: dict[str, NDArray[Any]] = {
            "seed": np.repeat(np.asarray(seeds, dtype=np.int64), len(records)),
            "epoch": np.tile(records, len(seeds)),
        }
        columns.update(zip(Row._fields, table.T, strict=True))
        return {c.name: columns[c.name].astype(c.type) for c in RUNS.columns}

    def description(self) -> dict[str, Any]:
        """Return the simulation as plain data, for a table's metadata."""
        return {
            "instance": self.instance.name,
            "instance_digest": self.instance.digest,
            "policy": self.name,
            "params": self.params,
            "blocks": self.blocks,
            "paired": self.paired,
            "tau0": self.setting.tau0,
            "zeta": self.setting.zeta,
            "gamma": self.setting.gamma,
            "schedule": list(self.parsed_schedule),
            "sampling": self.sampling,
            "engine": self.engine,
            "experiment": self.experiment,
            "root": self.root,
        }

    # --- one seed -------------------------------------------------------------------------------

    def _run(
        self, engine: Engine, seed: int, trace: Trace, stop: NDArray[np.uint8]
    ) -> Iterator[IntArray]:
        """Return an iterator that plays the blocks and yields their lengths, piece by piece."""
        decisions, pieces = self._decisions(engine, seed, stop)
        return engine.run(
            Run(
                policy=self.implementation,
                params=self.params,
                label=f"policy {self.name!r}, seed {seed}",
                info=self._info(decisions),
                streams=Streams(self.root, self.experiment, self.instance, self.name, seed),
                schedule=self.parsed_schedule,
                pieces=pieces,
                trace=trace,
                stop=stop,
            )
        )

    def _decisions(
        self, engine: Engine, seed: int, stop: NDArray[np.uint8]
    ) -> tuple[int, Iterable[IntArray]]:
        """Return the number of decisions in the run, and in each block, piece by piece."""
        if not self.paired:
            return self.blocks, single_decisions(self.blocks)

        def lengths() -> Iterator[IntArray]:
            return self._pair._run(engine, seed, Trace.empty(np.empty(0, dtype=np.int64)), stop)

        key = (
            self.instance.digest, self.blocks, self.setting, self.sampling, self.engine,
            self.experiment, self.root, seed,
        )  # fmt: skip
        return paired_decisions(key, self.blocks, lengths)

    def _info(self, decisions: int) -> Info:
        each_iteration = self.parsed_schedule.each_iteration
        return Info(self.instance, self.setting, decisions, each_iteration)

    @cached_property
    def _pair(self) -> Simulation:
        """EpochUCB, at whose epochs a paired run is cut."""
        return replace(self, policy=PAIR, params={})

    @cached_property
    def implementation(self) -> Builtin | Callable[..., Policy]:
        """The built-in policy, or the user's class or factory."""
        if isinstance(self.policy, str):
            return POLICIES[choice(self.policy, "policy", POLICIES)]
        lacking = inspect.isclass(self.policy) and not issubclass(self.policy, Policy)
        if lacking or not callable(self.policy):
            raise InputError(
                f"policy {self.name!r} must be a name or a class with the methods reset, choose "
                "and update"
            )
        return self.policy

    @cached_property
    def _default_schedule(self) -> str:
        policy = new_policy(self.implementation, self.params, f"policy {self.name!r}")
        return default_schedule(policy)
