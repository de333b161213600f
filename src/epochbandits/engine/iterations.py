"""Compiled runs of policies that decide each iteration.

A policy with `decide` (`policies.base`) returns how long its choice is certain to stay the same;
such a stretch is played without calling it again, across the ends of blocks and pieces. Other
policies are called at every iteration. Consecutive unrecorded blocks of one decision are played as
one. `loop.PythonEngine.run` does the same without these shortcuts, on other random numbers
(`uniforms`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from epochbandits.engine.base import IntArray, Interrupted, Row, Run, Trace
from epochbandits.engine.decisions import play_iterations
from epochbandits.engine.epochs import Workspace
from epochbandits.engine.prepared import Prepared
from epochbandits.engine.states import pick, put
from epochbandits.engine.stretches import Place, Totals, play_stretch
from epochbandits.jit import INLINED, entry, kernel
from epochbandits.policies.base import decides_ahead


class Blocks(NamedTuple):
    """Some blocks of a run, and where their results go."""

    decisions: IntArray
    """Decisions in each block, which are also its iterations."""
    single: bool
    """Whether each of them is 1."""
    trace: Trace
    stop: NDArray[np.uint8]


class Progress(NamedTuple):
    """Counters and sums that a run carries from piece to piece."""

    block: int = 0
    row: int = 0
    """Rows of the trace that are filled."""
    regret: float = 0.0
    expected_regret: float = 0.0
    subopt_regret: float = 0.0
    iteration_regret: float = 0.0
    place: Place = Place()


def run_compiled(run: Run, prepared: Prepared, memory: Any) -> Iterator[IntArray]:
    """Play a run's blocks and fill its trace; yield the iterations in each block."""
    work, progress = Workspace.empty(*prepared.pi.shape), Progress()
    streams = run.streams.policy_uniforms, run.streams.environment_uniforms
    for decisions in run.pieces:
        blocks = Blocks(decisions, bool(decisions.max() == 1), run.trace, run.stop)
        progress = _enter_run(memory, prepared, *streams, blocks, work, progress)
        if run.stop[0]:
            raise Interrupted
        yield decisions


def play_some(policy, env, policy_rng, rng, work, place, left, totals):
    """Play up to ``left`` iterations by `play_stretch` or `play_iterations`."""
    raise NotImplementedError


@overload(play_some, jit_options=INLINED)
def _play_some(policy, env, policy_rng, rng, work, place, left, totals):  # noqa: ARG001
    function = play_stretch if decides_ahead(policy) else play_iterations
    return lambda policy, env, policy_rng, rng, work, place, left, totals: function(
        policy, env, policy_rng, rng, work, place, left, totals
    )


@kernel
def _run(policy, env, policy_rng, rng, blocks, work, progress):
    """Play some blocks, fill the trace, and return the progress after them."""
    block, row, regret, expected_regret, subopt_regret, iteration_regret, place = progress
    decisions, single, (records, rows), stop = blocks
    if place.k == 0:
        put(work.beta[0], env.initial)
        if env.trajectory:
            place = Place(0, -1, 0, 0, pick(rng.random(), env.initial), *place[5:])
    i = 0
    while i < len(decisions) and not stop[0]:
        n, count = decisions[i], 1
        if single:
            count = len(decisions) - i
            if row < len(records):  # a recorded block is played by itself
                count = max(1, min(count, records[row] - 1 - block))
        totals, left = Totals(0.0, 0.0, 0.0), n * count
        while left > 0:
            played, totals, place = play_some(
                policy, env, policy_rng, rng, work, place, left, totals
            )
            left -= played
        rewards, expected, stationary = totals
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
                float(place.last), float(n), float(place.k), rewards, regret, expected_regret,
                subopt_regret, expected_regret - subopt_regret, iteration_regret,
            )  # fmt: skip
            for column in range(len(values)):
                rows[row, column] = values[column]
            row += 1
    return Progress(block, row, regret, expected_regret, subopt_regret, iteration_regret, place)


@entry
def _enter_run(policy, env, policy_rng, rng, blocks, work, progress):
    return _run(policy, env, policy_rng, rng, blocks, work, progress)
