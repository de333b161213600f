"""The fast engine: compiled runs, with every shortcut that keeps the law.

`play` is one decision: an arm for an epoch. `_run` is a piece of a compiled policy's run; a policy
in plain Python goes through `FastEnvironment.play` instead, which draws the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Interrupted, Outcome, Run, Whole
from epochbandits.engine.draws import draw
from epochbandits.engine.epochs import advance, marginal_epoch, move, pick, put, trajectory_epoch
from epochbandits.engine.loop import PythonEngine
from epochbandits.engine.prepared import Prepared, prepare
from epochbandits.jit import entry, inlined, kernel
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.schedules import LINEAR
from epochbandits.policies.base import Builtin, Policy, choose, learn, observes

__all__ = ["FastEngine", "FastEnvironment"]

Array = NDArray[np.float64]


@inlined
def play(rng, env, trajectory, observed, arm, tau, state, steady, law, after, spare):
    """Play an arm for tau iterations; `after` receives the law of the state where it is needed.

    ``state`` is the state now (under `trajectory`), ``steady`` for how many iterations the arm has
    been played already, ``law`` the law of the state (kept up under `trajectory` if ``observed``).

    Returns (feedback, its expectation given what is known now, the same for gamma = 1, new state).
    """
    m, S = env.pi.shape
    if tau > 1:
        if trajectory:
            reward, expected, plain, state = trajectory_epoch(rng, env, arm, tau, state, spare)
            if observed:
                put(after, law)
                advance(env, arm, tau, after, spare[0])
        else:
            reward, expected, plain = marginal_epoch(rng, env, arm, tau, law, steady, after, spare)
        return reward, expected, plain, state
    # A single iteration, without the machinery of epochs.
    if trajectory:
        reward = draw(rng, env.tables, m + arm * S + state)
        expected = env.mean[arm, state]
        state = pick(rng.random(), env.power[arm, 0, state])
        if observed:
            move(law, env.power[arm, 0], after)
    elif steady >= env.mix[arm]:
        reward = draw(rng, env.tables, arm)
        expected = env.mu[arm]
        put(after, env.pi[arm])
    else:
        s = pick(rng.random(), law)
        reward = draw(rng, env.tables, m + arm * S + s)
        expected = 0.0
        for i in range(S):
            expected += law[i] * env.mean[arm, i]
        move(law, env.power[arm, 0], after)
    return reward, expected, expected, state


@kernel
def epoch_length(schedule, plays):
    """Iterations of the next epoch of an arm that was chosen ``plays`` times before."""
    if schedule.kind == LINEAR:
        return int(schedule.base + schedule.rate * plays)
    growth = 1.0 + schedule.rate
    return max(1, int(np.ceil(growth ** (plays + 1.0))) - int(np.ceil(growth ** float(plays))))


@kernel
def _run(policy, env, schedule, policy_rng, rng, trajectory, cuts, lengths, records, out, plays,
         work, counts, sums, stop):  # fmt: skip
    """Play a piece and fill ``lengths`` and ``out``; `loop.run` is the same in Python.

    Returns ``counts`` and ``sums``, from which the next piece goes on.
    """
    laws, spare = work[:2], work[2:]
    k, iteration, block, row, last, steady, state = counts
    regret, expected_regret, subopt, iteration_regret = sums
    if k == 0:
        put(laws[0], env.initial)
        state = pick(rng.random(), env.initial) if trajectory else 0
    observed = observes(policy)
    single = schedule.kind == LINEAR and schedule.base == 1.0 and schedule.rate == 0.0
    for i in range(len(cuts)):
        if stop[0]:
            break
        decisions = cuts[i]
        got, due, fair = 0.0, 0.0, 0.0
        started = iteration
        for _ in range(decisions):
            law, after = laws[k & 1], laws[1 - (k & 1)]
            k += 1
            arm = choose(policy, k, law, policy_rng)
            tau = 1 if single else epoch_length(schedule, plays[arm])
            plays[arm] += 1
            if arm != last:
                last, steady = arm, 0
            reward, expected, plain, state = play(
                rng, env, trajectory, observed, arm, tau, state, steady, law, after, spare
            )
            learn(policy, k, arm, reward, law, after)
            steady += tau
            iteration += tau
            got += reward
            due += expected
            fair += env.mu[arm]
            iteration_regret += tau * (env.best - plain)
        if decisions > 1:
            got, due, fair = got / decisions, due / decisions, fair / decisions
        regret += env.best - got
        expected_regret += env.best - due
        subopt += env.best - fair
        lengths[i] = iteration - started
        block += 1
        if row < len(records) and block == records[row]:
            out[row, 0], out[row, 1], out[row, 2] = last, lengths[i], iteration
            out[row, 3], out[row, 4], out[row, 5] = got, regret, expected_regret
            out[row, 6], out[row, 7] = subopt, expected_regret - subopt
            out[row, 8] = iteration_regret
            row += 1
    counts = k, iteration, block, row, last, steady, state
    return counts, (regret, expected_regret, subopt, iteration_regret)


@entry
def _enter_run(policy, env, schedule, policy_rng, rng, trajectory, cuts, lengths, records, out,
               plays, work, counts, sums, stop):  # fmt: skip
    return _run(policy, env, schedule, policy_rng, rng, trajectory, cuts, lengths, records, out,
                plays, work, counts, sums, stop)  # fmt: skip


@kernel
def _play(rng, env, trajectory, observed, arm, tau, state, steady, turn, work):
    law, after, spare = work[turn], work[1 - turn], work[2:]
    return play(rng, env, trajectory, observed, arm, tau, state, steady, law, after, spare)


@entry
def _enter_play(rng, env, trajectory, observed, arm, tau, state, steady, turn, work):
    return _play(rng, env, trajectory, observed, arm, tau, state, steady, turn, work)


@entry
def _enter_pick(rng, law):
    return pick(rng.random(), law)


class FastEngine(PythonEngine):
    """Prepared tables of one instance; serves all seeds, also in threads."""

    def __init__(self, instance: Instance, gamma: float, sampling: Sampling) -> None:
        self.prepared = prepare(instance, gamma)
        self.trajectory = sampling == "trajectory"

    def environment(self, rng: np.random.Generator, observed: bool) -> FastEnvironment:
        """Return a new environment for a policy in plain Python."""
        return FastEnvironment(self.prepared, self.trajectory, rng, observed)

    def compiles(self, policy: Builtin | Callable[..., Policy]) -> bool:
        """Tell whether runs of the policy are compiled code."""
        return isinstance(policy, Builtin)

    def run(self, run: Run) -> Iterator[Whole]:
        """Play a run's blocks, compiled for a built-in policy."""
        if isinstance(run.policy, Builtin):
            return self._run_compiled(run, run.policy.memory_for(run.info, run.params))
        return super().run(run)

    def _run_compiled(self, run: Run, memory: Any) -> Iterator[Whole]:
        m, S = self.prepared.pi.shape
        plays, work = np.zeros(m, dtype=np.int64), np.zeros((4, S))
        counts, sums = (0, 0, 0, 0, -1, 0, 0), (0.0, 0.0, 0.0, 0.0)  # no arm was the last
        for piece in run.pieces:
            lengths = np.empty_like(piece)
            counts, sums = _enter_run(
                memory, self.prepared, run.schedule, run.streams.policy, run.streams.environment,
                self.trajectory, piece, lengths, *run.trace, plays, work, counts, sums, run.stop,
            )  # fmt: skip
            if run.stop[0]:
                raise Interrupted
            yield lengths


class FastEnvironment:
    """One run's hidden state, for a policy in plain Python."""

    def __init__(
        self, prepared: Prepared, trajectory: bool, rng: np.random.Generator, observed: bool
    ) -> None:
        self._arguments = rng, prepared, trajectory, observed
        self._work = np.zeros((4, prepared.pi.shape[1]))  # two laws that take turns, and scratch
        self._work[0] = prepared.initial
        self._turn, self._last, self._steady = 0, -1, 0
        self._state = _enter_pick(rng, prepared.initial) if trajectory else 0

    @property
    def distribution(self) -> Array:
        """(S,): the distribution of the state now."""
        return np.array(self._work[self._turn])  # a copy: the row is written to two plays on

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch and move on."""
        if arm != self._last:
            self._last, self._steady = arm, 0
        *outcome, self._state = _enter_play(
            *self._arguments, arm, tau, self._state, self._steady, self._turn, self._work
        )
        self._steady += tau
        self._turn = 1 - self._turn
        return Outcome(*outcome)
