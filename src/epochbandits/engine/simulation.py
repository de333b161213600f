"""Runs of a policy on an instance, over seeds: what `epochbandits.simulate` does.

A policy whose schedule is to decide each iteration, run for a number of epochs, is paired: it is
given as many iterations as EpochUCB took in that many epochs on the same instance and seed, and
its stream of rewards is cut at EpochUCB's epoch boundaries, averaged inside each block, and counted
as that epoch's feedback. So all policies share one axis. With ``iterations``, or with an explicit
``schedule``, nothing is paired and an epoch is a decision.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.engine import loop
from epochbandits.engine.base import RECORDED, Engine, Trace, Whole
from epochbandits.engine.fast import FastEngine
from epochbandits.engine.reference import ReferenceEngine
from epochbandits.engine.streams import Streams
from epochbandits.model.instance import Instance
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.schedules import Schedule, parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Builtin, Info, Policy
from epochbandits.validation import InputError, choice, integer, shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "ENGINES", "Simulation", "record_epochs", "simulate"]

ENGINES: dict[str, type[FastEngine] | type[ReferenceEngine]] = {
    "fast": FastEngine,
    "reference": ReferenceEngine,
}
COLUMNS = ("seed", "epoch", *RECORDED)
_WHOLE = ("seed", "epoch", "arm", "tau", "iteration")
_PAIR = "epoch-ucb"
_PIECE = 2**16  # blocks that are run at a time: of no others is anything kept but the trace


def simulate(
    instance: Instance,
    policy: str | type[Policy] | Callable[..., Policy],
    *,
    epochs: int | None = None,
    iterations: int | None = None,
    seeds: str | Iterable[int],
    tau0: int = 40,
    zeta: int = 1,
    gamma: float = 1.0,
    schedule: str | None = None,
    sampling: Sampling = "marginal",
    engine: str = "fast",
    trace: str = "thin",
    threads: int = 1,
    experiment: str = "",
    root: int = 0,
    **params: Any,
) -> pd.DataFrame:
    """Run a policy and return one row per seed and recorded epoch.

    Parameters
    ----------
    instance : Instance
        The problem.
    policy : str or class
        A name of `policies.POLICIES`, or a class with the methods of `policies.Policy`.
    epochs, iterations : int
        The horizon; give one of them. See the module's docstring.
    seeds : str or iterable of int
        Distinct seeds, or "A:B" for A to B-1.
    tau0, zeta : int
        Epoch lengths τ = τ0 + ζ·(earlier plays of the arm).
    gamma : float
        Discount γ of the feedback, in (0, 1]; 1 for time averages.
    schedule : str
        "linear", "fixed:TAU" or "geometric:ALPHA"; by default the policy's.
    sampling : {"marginal", "trajectory"}
        Draw the state at each iteration from its distribution, as Algorithm 1 does, or follow a
        path of the Markov chain.
    engine : {"fast", "reference"}
        Compiled, or as readable as the paper's Algorithm 1; both sample the same model.
    trace : {"thin", "full"}
        Record about 400 epochs, or all.
    threads : int
        Seeds that run at the same time; results do not depend on it.
    experiment, root : str, int
        The rest of the key of the random streams (`engine.streams`).
    **params
        The policy's parameters.

    Returns
    -------
    pandas.DataFrame
        The columns `COLUMNS`; regrets are cumulative and in units of reward.

    Raises
    ------
    InputError
        If an argument is not allowed, or the policy breaks the protocol.

    Examples
    --------
    >>> from epochbandits import failure_example, simulate
    >>> table = simulate(failure_example(), "epoch-ucb", epochs=50, seeds=[0, 1])
    >>> len(table), int(table["epoch"].max())
    (100, 50)
    """
    import pandas as pd

    run = Simulation.of(
        instance, policy, params, epochs=epochs, iterations=iterations,
        setting=Setting(tau0, zeta, gamma), schedule=schedule, sampling=sampling, engine=engine,
        trace=trace, experiment=experiment, root=root,
    )  # fmt: skip
    return pd.DataFrame(run.columns(parse_seeds(seeds), threads=threads))


@dataclass(frozen=True)
class Simulation:
    """All that fixes a run but its seed; checked when it is made with `of`."""

    instance: Instance
    policy: Builtin | Callable[..., Policy]
    name: str
    params: dict[str, Any]
    blocks: int
    """Epochs, or blocks of a paired policy, or decisions."""
    paired: bool
    setting: Setting
    schedule: Schedule
    sampling: Sampling
    engine: str
    full: bool
    experiment: str
    root: int

    @classmethod
    def of(
        cls,
        instance: Instance,
        policy: Any,
        params: dict[str, Any],
        *,
        epochs: int | None,
        iterations: int | None,
        setting: Setting,
        schedule: str | None,
        sampling: Sampling,
        engine: str,
        trace: str,
        experiment: str,
        root: int,
    ) -> Simulation:
        """Return a checked simulation, or say what is wrong with it."""
        chosen, name = _policy(policy)
        choice(sampling, "sampling", SAMPLINGS)
        choice(engine, "engine", ENGINES)
        choice(trace, "trace", ("thin", "full"))
        integer(root, "root", 0, 2**63 - 1)
        new = _new(chosen, name, params)
        default = getattr(new, "schedule", "linear")
        plan = parse_schedule(default if schedule is None else schedule, setting)
        if (epochs is None) == (iterations is None):
            raise InputError("give one of epochs and iterations")
        if iterations is not None and not plan.each_iteration:
            raise InputError(
                f"iterations is for policies that decide each iteration; {name!r} runs in epochs "
                f"on the schedule {schedule or default!r}: give epochs"
            )
        what, horizon = ("epochs", epochs) if iterations is None else ("iterations", iterations)
        blocks = integer(horizon, what, 1, 10**9)
        paired = iterations is None and schedule is None and plan.each_iteration
        (parse_schedule("linear", setting) if paired else plan).check(blocks)
        if isinstance(chosen, Builtin):  # refuse bad parameters before any work
            chosen.memory_for(Info(instance, setting, blocks), params)
        return cls(
            instance, chosen, name, dict(params), blocks, paired, setting, plan, sampling, engine,
            trace == "full", experiment, root,
        )  # fmt: skip

    def columns(
        self,
        seeds: Sequence[int],
        *,
        threads: int = 1,
        progress: Callable[[int], object] = lambda _: None,
    ) -> dict[str, NDArray[Any]]:
        """Run the seeds and return the table's columns, seed by seed in the given order.

        Interrupting (Ctrl-C) stops the threads within an epoch.
        """
        integer(threads, "threads", 1, 1024)
        # A full trace is counted before it is made: a horizon of 10^9 is 8 GB of epochs.
        points = self.blocks if self.full else len(record_epochs(self.blocks))
        if points * len(seeds) > limits.MOST_ROWS:
            raise InputError(
                f"{len(seeds)} seeds with {points} recorded epochs each are more than "
                f"{limits.MOST_ROWS} rows; take fewer seeds at a time or trace 'thin'"
            )
        records = record_epochs(self.blocks, self.full)
        engine = ENGINES[self.engine](self.instance, self.setting.gamma, self.sampling)
        stop = np.zeros(1, dtype=np.uint8)

        def one(seed: int) -> NDArray[np.float64]:
            trace = Trace.of(records)
            for _ in self._pieces(engine, seed, trace, stop):
                pass
            progress(seed)
            return trace.rows

        if threads == 1 and not self._compiled:  # Python code is interrupted in the main thread
            table = np.concatenate([one(seed) for seed in seeds])
        else:
            table = np.concatenate(_in_threads(one, seeds, threads, stop))
        columns: dict[str, NDArray[Any]] = {
            "seed": np.repeat(np.asarray(seeds, dtype=np.int64), len(records)),
            "epoch": np.tile(records, len(seeds)),
        }
        for index, name in enumerate(RECORDED):
            column = table[:, index]
            columns[name] = column.astype(np.int64) if name in _WHOLE else column.copy()
        return columns

    def description(self) -> dict[str, Any]:
        """Return all of it as plain data, for a table's metadata."""
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
            "schedule": list(self.schedule),
            "sampling": self.sampling,
            "engine": self.engine,
            "experiment": self.experiment,
            "root": self.root,
        }

    # --- one seed -------------------------------------------------------------------------------

    def _pieces(
        self, engine: Engine, seed: int, trace: Trace, stop: NDArray[np.uint8]
    ) -> Iterator[Whole]:
        """Return an iterator that runs the blocks and yields their iterations, piece by piece."""
        decisions, cuts = self._cuts(engine, seed, stop)
        info = Info(self.instance, self.setting, decisions)
        streams = Streams(self.root, self.experiment, self.instance, self.name, seed)
        if isinstance(self.policy, Builtin) and isinstance(engine, FastEngine):
            memory = self.policy.memory_for(info, self.params)
            return engine.run(memory, streams, self.schedule, cuts, trace, stop)
        policy = _new(self.policy, self.name, self.params)
        observed = getattr(policy, "observe", None) is not None
        environment = engine.environment(streams.environment, observed)
        label, rng = f"policy {self.name!r}, seed {seed}", streams.policy
        return loop.run(policy, label, info, rng, environment, self.schedule, cuts, trace, stop)

    def _cuts(
        self, engine: Engine, seed: int, stop: NDArray[np.uint8]
    ) -> tuple[int, Iterable[Whole]]:
        """Return the number of decisions, and those of each block, piece by piece.

        A paired run is cut at EpochUCB's epochs. To hold no more than a piece of them, EpochUCB is
        run once to count its iterations, and again beside the paired policy.
        """
        if not self.paired:
            return self.blocks, _singles(self.blocks)
        builtin = POLICIES[_PAIR]
        pair = replace(
            self, policy=builtin, name=_PAIR, params={}, paired=False,
            schedule=parse_schedule(builtin.schedule, self.setting),
        )  # fmt: skip

        def epochs() -> Iterator[Whole]:
            return pair._pieces(engine, seed, Trace.of(np.empty(0, dtype=np.int64)), stop)

        if self.blocks <= _PIECE:  # all of it is one piece: once is enough
            kept = list(epochs())
            return int(kept[0].sum()), kept
        return sum(int(lengths.sum()) for lengths in epochs()), epochs()

    @property
    def _compiled(self) -> bool:
        return isinstance(self.policy, Builtin) and self.engine == "fast"


def _singles(total: int) -> Iterator[Whole]:
    """Yield the decisions of ``total`` blocks of one each, piece by piece."""
    for start in range(0, total, _PIECE):
        yield np.ones(min(_PIECE, total - start), dtype=np.int64)


def _in_threads(
    one: Callable[[int], NDArray[np.float64]],
    seeds: Sequence[int],
    threads: int,
    stop: NDArray[np.uint8],
) -> list[NDArray[np.float64]]:
    """Return ``one(seed)`` for each seed; when anything is raised, tell the threads to stop."""
    pool = ThreadPoolExecutor(threads)
    jobs = [pool.submit(one, seed) for seed in seeds]
    try:
        return [job.result() for job in jobs]
    except BaseException:
        stop[0] = 1
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def record_epochs(n: int, full: bool = False) -> NDArray[np.int64]:
    """Return the recorded epochs: all, or about 400 spaced linearly and logarithmically."""
    if full or n <= 400:
        return np.arange(1, n + 1)
    spaced = np.concatenate([np.linspace(1, n, 200), np.geomspace(1, n, 200)])
    return np.unique(np.rint(spaced).astype(np.int64))


def parse_seeds(seeds: str | Iterable[int]) -> list[int]:
    """Return the seeds of "A:B" (A to B-1) or of a collection, checked."""
    if isinstance(seeds, str):
        low, colon, high = seeds.partition(":")
        try:
            first, last = int(low), int(high) if colon else int(low) + 1
        except ValueError:
            first = last = 0
        if last <= first:
            raise InputError(f"seeds must be A:B with A < B, such as 0:20, not {shown(seeds)}")
        if last - first > limits.MOST_ROWS:
            raise InputError(
                f"seeds {shown(seeds)} are more than {limits.MOST_ROWS}; take fewer at a time"
            )
        numbers: list[Any] = list(range(first, last))
    else:
        numbers = list(seeds)
    checked = [integer(seed, "seeds", 0, 2**63 - 1) for seed in numbers]
    if not checked or len(set(checked)) < len(checked):
        raise InputError("seeds must be at least one number, and none of them twice")
    return checked


def _new(policy: Builtin | Callable[..., Policy], name: str, params: dict[str, Any]) -> Policy:
    """Return a new policy in plain Python."""
    if isinstance(policy, Builtin):
        return loop.BuiltinInPython(policy, params)
    try:
        return policy(**params)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise InputError(f"policy {name!r} cannot be made: {error}") from error


def _policy(policy: Any) -> tuple[Builtin | Callable[..., Policy], str]:
    if isinstance(policy, str):
        return POLICIES[choice(policy, "policy", POLICIES)], policy
    name = getattr(policy, "__qualname__", type(policy).__name__)
    if not callable(policy) or (inspect.isclass(policy) and not issubclass(policy, Policy)):
        raise InputError(
            f"policy {name!r} must be a name or a class with the methods reset, choose and update"
        )
    return policy, name
