"""What every engine offers: environments in which an arm can be played for an epoch."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["RECORDED", "Blocks", "Engine", "Environment", "Interrupted", "Outcome"]

Array = NDArray[np.float64]


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


_NONE = np.empty(0, dtype=np.int64)


class Blocks(NamedTuple):
    """How a run is divided for its accounts.

    An epoch is a block of one decision. A policy that decides each iteration is cut into longer
    blocks, whose feedback is averaged. Nothing here grows with the horizon unless it is asked for.
    """

    total: int
    cuts: NDArray[np.int64] = _NONE
    """Decisions of each block; empty: one each."""
    records: NDArray[np.int64] = _NONE
    """The blocks, counted from 1, of which the accounts are kept."""
    lengths: NDArray[np.int64] = _NONE
    """Where to put the iterations of each block; empty: nowhere."""

    @property
    def decisions(self) -> int:
        return int(self.cuts.sum()) if len(self.cuts) else self.total


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
