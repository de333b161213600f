"""What every engine offers: environments in which an arm can be played for an epoch."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "RECORDED",
    "Engine",
    "Environment",
    "Interrupted",
    "Outcome",
    "Trace",
    "Whole",
]

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


class Interrupted(Exception):
    """The run was told to stop."""


class Outcome(NamedTuple):
    """What an epoch gave, and what it was expected to give."""

    reward: float
    """The smoothed feedback."""
    expected: float
    """Its exact conditional mean: given the law of the state at the epoch's start under `marginal`
    sampling, given the state itself under `trajectory`."""
    plain: float
    """The same mean for γ = 1: of the average over the epoch's iterations."""


class Trace(NamedTuple):
    """The accounts of a run, kept for some of its blocks.

    An epoch is a block of one decision. A policy that decides each iteration is cut into longer
    blocks, whose feedback is averaged.
    """

    records: Whole
    """The blocks, counted from 1, that are kept."""
    rows: Array
    """(recorded blocks, columns of `RECORDED`)."""

    @classmethod
    def of(cls, records: Whole) -> Trace:
        """Return an empty one."""
        return cls(records, np.zeros((len(records), len(RECORDED))))


class Environment(Protocol):
    """One run's hidden state."""

    @property
    def law(self) -> Array:
        """(S,): the law of the state now, given the arms played so far."""
        ...

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch and move on."""
        ...


class Engine(Protocol):
    """Prepared once for an instance, a discount and a sampling; serves all seeds."""

    def environment(self, rng: np.random.Generator, observed: bool) -> Environment:
        """Return a new environment; the law is kept up only if it is ``observed``."""
        ...


RECORDED = (
    "arm",
    "tau",
    "iteration",
    "reward",
    "regret",
    "expected_regret",
    "subopt_regret",
    "markov_penalty",
    "iteration_regret",
)
"""Columns that a run records. Per block: the last arm, iterations, iterations so far, and feedback;
cumulative: regret k μ_* - Σ feedback, the same with each feedback replaced by its exact conditional
mean, that split into Σ Δ of the arms played and the Markovian penalty, and the expected regret per
iteration Σ_t (μ_* - E[r_t])."""
