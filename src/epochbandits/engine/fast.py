"""The fast engine: compiled runs, with every shortcut that leaves the law of a run unchanged.

`epochs.play` is one decision: an arm for an epoch. `_run` is a piece of a compiled policy's run; a
policy in plain Python goes through `FastEnvironment.play` instead, which draws the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine import iterations
from epochbandits.engine.base import IntArray, Interrupted, Outcome, Row, Run, Trace
from epochbandits.engine.epochs import Position, Workspace, play
from epochbandits.engine.loop import PythonEngine
from epochbandits.engine.prepared import Prepared, prepare
from epochbandits.engine.states import pick, put
from epochbandits.engine.streams import Streams
from epochbandits.engine.uniforms import Stream
from epochbandits.jit import entry, kernel
from epochbandits.model import schedules
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.policies.base import Builtin, Policy, Rewards, choose, learn, observes

Array = NDArray[np.float64]

epoch_length = kernel(schedules.epoch_length)
decides_each_iteration = kernel(schedules.decides_each_iteration)


class Progress(NamedTuple):
    """Counters and sums that a run carries from piece to piece."""

    k: int = 0
    """Decisions so far."""
    iteration: int = 0
    block: int = 0
    row: int = 0
    """Rows of the trace that are filled."""
    last: int = -1
    """The arm played last; none yet."""
    steady: int = 0
    """For how many iterations it has been played without interruption."""
    state: int = 0
    regret: float = 0.0
    expected_regret: float = 0.0
    subopt_regret: float = 0.0
    iteration_regret: float = 0.0


class Piece(NamedTuple):
    """Some blocks of a run, and where their results go."""

    decisions: IntArray
    """Decisions in each block."""
    lengths: IntArray
    """Receives the iterations in each block."""
    trace: Trace
    stop: NDArray[np.uint8]


@kernel
def _run(policy, env, schedule, policy_rng, rng, piece, work, progress):
    """Play a piece, fill its lengths and trace, and return the progress after it.

    `loop.PythonEngine.run` is the same in Python.
    """
    k, iteration, block, row, last, steady, state = progress[:7]
    regret, expected_regret, subopt_regret, iteration_regret = progress[7:]
    decisions, lengths, (records, rows), stop = piece
    if k == 0:
        put(work.beta[0], env.initial)
        state = pick(rng.random(), env.initial) if env.trajectory else 0
    observed = observes(policy)
    single = decides_each_iteration(schedule)
    for i in range(len(decisions)):
        if stop[0]:
            break
        n = decisions[i]
        rewards, expected, stationary = 0.0, 0.0, 0.0
        start = iteration
        for _ in range(n):
            turn = k & 1
            k += 1
            arm = choose(policy, k, work.beta[turn], policy_rng)
            tau = 1 if single else epoch_length(schedule, work.plays[arm])
            work.plays[arm] += 1
            if arm != last:
                last, steady = arm, 0
            position = Position(turn, state, steady)
            reward, mean, plain, state = play(rng, env, work, observed, arm, tau, position)
            rewarded = Rewards(1.0, 0.0, reward, reward * reward)
            learn(policy, k, arm, rewarded, work.beta[turn], work.beta[1 - turn])
            steady += tau
            iteration += tau
            rewards += reward
            expected += mean
            stationary += env.mu[arm]
            iteration_regret += tau * (env.best - plain)
        if n > 1:
            rewards, expected, stationary = rewards / n, expected / n, stationary / n
        regret += env.best - rewards
        expected_regret += env.best - expected
        subopt_regret += env.best - stationary
        lengths[i] = iteration - start
        block += 1
        if row < len(records) and block == records[row]:
            values = Row(
                float(last), float(lengths[i]), float(iteration), rewards, regret, expected_regret,
                subopt_regret, expected_regret - subopt_regret, iteration_regret,
            )  # fmt: skip
            for column in range(len(values)):
                rows[row, column] = values[column]
            row += 1
    return Progress(
        k, iteration, block, row, last, steady, state, regret, expected_regret, subopt_regret,
        iteration_regret,
    )  # fmt: skip


@entry
def _enter_run(policy, env, schedule, policy_rng, rng, piece, work, progress):
    return _run(policy, env, schedule, policy_rng, rng, piece, work, progress)


@kernel
def _play(rng, env, work, observed, arm, tau, position):
    return play(rng, env, work, observed, arm, tau, position)


@entry
def _enter_play(rng, env, work, observed, arm, tau, position):
    return _play(rng, env, work, observed, arm, tau, position)


@entry
def _enter_pick(rng, beta):
    return pick(rng.random(), beta)


class PlainEngine(PythonEngine):
    """Compiled runs, decision by decision: prepared tables of one instance, for all seeds."""

    def __init__(self, instance: Instance, gamma: float, sampling: Sampling) -> None:
        self.prepared = prepare(instance, gamma, sampling)

    def environment(self, streams: Streams, observed: bool) -> FastEnvironment:
        """Return a new environment for a policy in plain Python."""
        return FastEnvironment(self.prepared, streams.environment_uniforms, observed)

    @staticmethod
    def compiles(policy: Builtin | Callable[..., Policy]) -> bool:
        """Return whether runs of the policy are compiled code."""
        return isinstance(policy, Builtin)

    def run(self, run: Run) -> Iterator[IntArray]:
        """Play a run's blocks, compiled for a built-in policy."""
        if isinstance(run.policy, Builtin):
            return self._run_compiled(run, run.policy.memory_for(run.info, run.params))
        return super().run(run)

    def _run_compiled(self, run: Run, memory: Any) -> Iterator[IntArray]:
        work, progress = Workspace.empty(*self.prepared.pi.shape), Progress()
        for decisions in run.pieces:
            piece = Piece(decisions, np.empty_like(decisions), run.trace, run.stop)
            progress = _enter_run(
                memory, self.prepared, run.schedule, run.streams.policy,
                run.streams.environment_uniforms, piece, work, progress,
            )  # fmt: skip
            if run.stop[0]:
                raise Interrupted
            yield piece.lengths


class FastEngine(PlainEngine):
    """The same, but a policy that decides each iteration may decide ahead (`iterations`)."""

    def _run_compiled(self, run: Run, memory: Any) -> Iterator[IntArray]:
        if run.schedule.each_iteration:
            return iterations.run_compiled(run, self.prepared, memory)
        return super()._run_compiled(run, memory)


class FastEnvironment:
    """One run's hidden state, for a policy in plain Python."""

    def __init__(self, prepared: Prepared, rng: Stream, observed: bool) -> None:
        self._work = Workspace.empty(*prepared.pi.shape)
        self._work.beta[0] = prepared.initial
        self._arguments = rng, prepared, self._work, observed
        state = _enter_pick(rng, prepared.initial) if prepared.trajectory else 0
        self._position, self._last = Position(0, state, 0), -1

    @property
    def distribution(self) -> Array:
        """(S,): the distribution of the state now."""
        return np.array(self._work.beta[self._position.turn])  # later plays overwrite the row

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch of ``tau`` iterations."""
        turn, state, steady = self._position
        if arm != self._last:
            self._last, steady = arm, 0
        *outcome, state = _enter_play(*self._arguments, arm, tau, Position(turn, state, steady))
        self._position = Position(1 - turn, state, steady + tau)
        return Outcome(*outcome)
