"""Compiled runs of policies that decide each iteration.

A policy with `decide` (`policies.base`) says for how long its choice is certain; such a stretch is
played without asking it again, through the ends of blocks and pieces. For the others a stretch is
one iteration. Blocks of one decision between two recorded ones are played as one.
`loop.PythonEngine.run` is the same without these shortcuts, on other random numbers (`uniforms`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Interrupted, Row, Run, Trace, Whole
from epochbandits.engine.draws import Sums
from epochbandits.engine.epochs import Workspace
from epochbandits.engine.prepared import Prepared
from epochbandits.engine.stretches import (
    is_over,
    marginal_part,
    observed_iteration,
    pick,
    put,
    trajectory_part,
)
from epochbandits.jit import entry, kernel
from epochbandits.policies.base import Rewards, Stretch, decide, learn, observes

__all__ = ["run_compiled"]


class Blocks(NamedTuple):
    """Some blocks of a run, and where their results go."""

    decisions: Whole
    """Decisions in each block, which are also its iterations."""
    single: bool
    """Whether each of them is 1."""
    trace: Trace
    stop: NDArray[np.uint8]


class Progress(NamedTuple):
    """Counters and sums that a run carries from piece to piece."""

    k: int = 0
    """Decisions so far."""
    block: int = 0
    row: int = 0
    """Rows of the trace that are filled."""
    last: int = -1
    """The arm played last; none yet."""
    steady: int = 0
    """For how many iterations it has been played without interruption."""
    turn: int = 0
    """Row of `Workspace.beta` that is the distribution of the state now."""
    state: int = 0
    hold: int = 0
    """For how many more iterations the state is held, see `stretches.trajectory_part`."""
    regret: float = 0.0
    expected_regret: float = 0.0
    subopt_regret: float = 0.0
    iteration_regret: float = 0.0
    stretch: Stretch = Stretch(0, 0, 0.0, 0.0, 0.0)
    """The stretch that is being played."""
    sums: Sums = Sums()
    """Of its rewards so far."""


def run_compiled(run: Run, prepared: Prepared, memory: Any) -> Iterator[Whole]:
    """Play a run's blocks and fill its trace; yield the iterations in each block."""
    work, progress = Workspace.empty(*prepared.pi.shape), Progress()
    streams = run.streams.policy_uniforms, run.streams.environment_uniforms
    for decisions in run.pieces:
        blocks = Blocks(decisions, bool(decisions.max() == 1), run.trace, run.stop)
        progress = _enter_run(memory, prepared, *streams, blocks, work, progress)
        if run.stop[0]:
            raise Interrupted
        yield decisions


@kernel
def _run(policy, env, policy_rng, rng, blocks, work, progress):
    """Play some blocks, fill the trace, and return the progress after them."""
    k, block, row, last, steady, turn, state, hold = progress[:8]
    regret, expected_regret, subopt_regret, iteration_regret, stretch, sums = progress[8:]
    decisions, single, (records, rows), stop = blocks
    if k == 0:
        put(work.beta[0], env.initial)
        state = pick(rng.random(), env.initial) if env.trajectory else 0
    observed = observes(policy)
    i = 0
    while i < len(decisions) and not stop[0]:
        n, count = decisions[i], 1
        if single:
            count = len(decisions) - i
            if row < len(records):  # a recorded block is played by itself
                count = max(1, min(count, records[row] - 1 - block))
        rewards, expected, stationary, left = 0.0, 0.0, 0.0, n * count
        while left > 0:
            if sums.plays >= stretch.plays or is_over(stretch, sums):
                stretch, sums = (
                    decide(policy, k + 1, work.beta[turn], policy_rng),
                    Sums(0.0, 0.0, 0.0),
                )
                if stretch.arm != last:
                    last, steady, hold = stretch.arm, 0, 0
            most = min(left, stretch.plays - int(sums.plays))
            before = turn
            if env.trajectory and observed:
                total, mean, state = observed_iteration(rng, env, work, turn, state, last)
                played, sums, turn = 1, Sums(1.0, total, total * total), 1 - turn
            elif env.trajectory:
                played, total, mean, sums, place = trajectory_part(
                    rng, env, (state, hold), most, stretch, sums
                )
                state, hold = place
            else:
                played, total, mean, sums, turn = marginal_part(
                    rng, env, work.beta, turn, steady, most, stretch, sums
                )
            k += played
            left -= played
            steady += played
            rewards += total
            expected += mean
            stationary += played * env.mu[last]
            if sums.plays >= stretch.plays or is_over(stretch, sums):
                learned = Rewards(sums.plays, stretch.centre, sums.total, sums.squares)
                learn(policy, k, last, learned, work.beta[before], work.beta[turn])
        iteration_regret += n * count * env.best - expected
        if n > 1:
            rewards, expected, stationary = rewards / n, expected / n, stationary / n
        regret += count * env.best - rewards
        expected_regret += count * env.best - expected
        subopt_regret += count * env.best - stationary
        i += count
        block += count
        if row < len(records) and block == records[row]:
            values = Row(
                float(last), float(n), float(k), rewards, regret, expected_regret, subopt_regret,
                expected_regret - subopt_regret, iteration_regret,
            )  # fmt: skip
            for column in range(len(values)):
                rows[row, column] = values[column]
            row += 1
    return Progress(
        k, block, row, last, steady, turn, state, hold, regret, expected_regret, subopt_regret,
        iteration_regret, stretch, sums,
    )  # fmt: skip


@entry
def _enter_run(policy, env, policy_rng, rng, blocks, work, progress):
    return _run(policy, env, policy_rng, rng, blocks, work, progress)
