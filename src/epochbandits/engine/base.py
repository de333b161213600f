"""What every engine offers: environments in which an arm is played, and whole runs of a policy."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.streams import Streams
from epochbandits.io.schemas import RECORDED
from epochbandits.model.schedules import Schedule
from epochbandits.policies.base import Builtin, Info, Policy

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Interrupted(Exception):
    """The run's stop flag was set."""


class Outcome(NamedTuple):
    """The feedback of an epoch, and its expectation."""

    reward: float
    """The smoothed feedback."""
    expected: float
    """Its exact conditional mean: given the distribution of the state at the epoch's start under
    `marginal` sampling, given the state itself under `trajectory`."""
    plain: float
    """The same mean for γ = 1: of the average over the epoch's iterations."""


# mypy only knows a namedtuple whose fields are written out.
Row = cast(Any, namedtuple("Row", [column.name for column in RECORDED]))
"""What a run records about a block: the columns `io.schemas.RECORDED`.

An epoch is a block of one decision. A policy that decides each iteration is cut into longer blocks,
whose feedback is averaged; ``arm`` is the last one played.
"""


class Trace(NamedTuple):
    """The recorded blocks of a run."""

    records: IntArray
    """The recorded blocks, counted from 1."""
    rows: Array
    """(recorded blocks, fields of `Row`)."""

    @classmethod
    def empty(cls, records: IntArray) -> Trace:
        """Return a trace of these blocks that is still to be filled."""
        return cls(records, np.zeros((len(records), len(Row._fields))))


class Run(NamedTuple):
    """One seed's run of a policy."""

    policy: Builtin | Callable[..., Policy]
    params: Mapping[str, Any]
    label: str
    """Names the run in error messages."""
    info: Info
    streams: Streams
    schedule: Schedule
    pieces: Iterable[IntArray]
    """The number of decisions in each block, some blocks at a time."""
    trace: Trace
    """Filled by the run."""
    stop: NDArray[np.uint8]
    """(1,): the run raises `Interrupted` at the next block once this is 1."""


class Environment(Protocol):
    """One run's hidden state."""

    @property
    def distribution(self) -> Array:
        """(S,): the distribution of the state now, given the arms played so far; a copy."""
        ...

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch of ``tau`` iterations."""
        ...


class Engine(Protocol):
    """Prepared once for an instance, a discount and a sampling; serves all seeds."""

    def environment(self, streams: Streams, observed: bool) -> Environment:
        """Return a new environment; it tracks the distribution only if that is ``observed``."""
        ...

    @staticmethod
    def compiles(policy: Builtin | Callable[..., Policy]) -> bool:
        """Return whether runs of the policy are compiled code, which Ctrl-C does not interrupt."""
        ...

    def run(self, run: Run) -> Iterator[IntArray]:
        """Play a run's blocks and fill its trace.

        Yields
        ------
        IntArray
            The number of iterations in each block, after each of the run's pieces.
        """
        ...
