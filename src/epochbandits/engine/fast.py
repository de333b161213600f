"""The fast engine: compiled runs, with every shortcut that keeps the law.

`play` is one decision: an arm for an epoch. `_run` is a whole run of a compiled policy; a policy in
plain Python goes through `FastEnvironment.play` instead, which draws the same numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.compiled import entry, inlined, kernel
from epochbandits.engine.base import RECORDED, Interrupted, Outcome
from epochbandits.engine.draws import draw
from epochbandits.engine.epochs import advance, marginal_epoch, move, pick, put, trajectory_epoch
from epochbandits.engine.prepared import Prepared, prepare
from epochbandits.expectations import Sampling
from epochbandits.instance import Instance
from epochbandits.policies.base import choose, learn, observes
from epochbandits.schedules import LINEAR, LONGEST, Schedule
from epochbandits.streams import Streams

__all__ = ["FastEngine", "FastEnvironment"]

Array = NDArray[np.float64]
_LONGEST = float(LONGEST)


class Position(NamedTuple):
    """Where a run stands: all that changes while it goes on."""

    at: NDArray[np.int64]
    """State (under `trajectory`), last arm, and for how many iterations that arm was played."""
    laws: Array
    """(2, S): the law of the state, in the row that `turn` names, and the row for the next one."""
    spare: Array
    """(2, S): scratch."""
    plays: NDArray[np.int64]
    """(m,): how often each arm was chosen."""


def _position(env: Prepared) -> Position:
    m, S = env.pi.shape
    return Position(
        np.array([0, -1, 0]), np.zeros((2, S)), np.zeros((2, S)), np.zeros(m, dtype=np.int64)
    )


@kernel
def start(rng, env, trajectory, position):
    """Put a run at its beginning."""
    put(position.laws[0], env.initial)
    if trajectory:
        position.at[0] = pick(rng.random(), env.initial)


@inlined
def play(rng, env, trajectory, observed, position, arm, tau, law, after):
    """Play an arm for tau iterations; `after` receives the law of the state if it is needed.

    Returns (feedback, its expectation given what is known at the start, the same for gamma = 1).
    """
    at = position.at
    m, S = env.pi.shape
    if arm != at[1]:
        at[1], at[2] = arm, 0
    steady = at[2]
    at[2] += tau
    if tau > 1:
        if not trajectory:
            return marginal_epoch(rng, env, arm, tau, law, steady, after, position.spare)
        reward, expected, plain, state = trajectory_epoch(rng, env, arm, tau, at[0], position.spare)
        at[0] = state
        if observed:
            put(after, law)
            advance(env, arm, tau, after, position.spare[0])
        return reward, expected, plain
    # A single iteration, without the machinery of epochs.
    if trajectory:
        state = at[0]
        reward = draw(rng, env.tables, m + arm * S + state)
        expected = env.mean[arm, state]
        at[0] = pick(rng.random(), env.power[arm, 0, state])
        if observed:
            move(law, env.power[arm, 0], after)
    elif steady >= env.mix[arm]:
        reward = draw(rng, env.tables, arm)
        expected = env.mu[arm]
        put(after, env.pi[arm])
    else:
        state = pick(rng.random(), law)
        reward = draw(rng, env.tables, m + arm * S + state)
        expected = 0.0
        for s in range(S):
            expected += law[s] * env.mean[arm, s]
        move(law, env.power[arm, 0], after)
    return reward, expected, expected


@kernel
def epoch_length(schedule, plays):
    """Iterations of the next epoch of an arm that was chosen ``plays`` times before."""
    if schedule.kind == LINEAR:
        return int(schedule.base + schedule.rate * plays)
    growth = 1.0 + schedule.rate
    longer, shorter = min(growth ** (plays + 1.0), _LONGEST), min(growth**plays, _LONGEST)
    return max(1, int(np.ceil(longer)) - int(np.ceil(shorter)))


@kernel
def _run(policy, env, schedule, policy_rng, rng, trajectory, cuts, records, out, lengths, position,
         stop):  # fmt: skip
    """Play the blocks and fill ``out`` and ``lengths``; `loop.run` is the same in Python."""
    start(rng, env, trajectory, position)
    observed = observes(policy)
    k, iteration, row, arm, done = 0, 0, 0, 0, 0
    regret, expected_regret, subopt, iteration_regret = 0.0, 0.0, 0.0, 0.0
    for block in range(len(cuts)):
        if stop[0]:
            break
        decisions = cuts[block]
        got, due, fair = 0.0, 0.0, 0.0
        started = iteration
        for _ in range(decisions):
            law, after = position.laws[k & 1], position.laws[1 - (k & 1)]
            k += 1
            arm = choose(policy, k, law, policy_rng)
            tau = epoch_length(schedule, position.plays[arm])
            position.plays[arm] += 1
            reward, expected, plain = play(
                rng, env, trajectory, observed, position, arm, tau, law, after
            )
            learn(policy, k, arm, reward, law, after)
            iteration += tau
            got += reward
            due += expected
            fair += env.mu[arm]
            iteration_regret += tau * (env.best - plain)
        regret += env.best - got / decisions
        expected_regret += env.best - due / decisions
        subopt += env.best - fair / decisions
        lengths[block] = iteration - started
        if row < len(records) and block + 1 == records[row]:
            out[row, 0], out[row, 1], out[row, 2] = arm, lengths[block], iteration
            out[row, 3], out[row, 4], out[row, 5] = got / decisions, regret, expected_regret
            out[row, 6], out[row, 7] = subopt, expected_regret - subopt
            out[row, 8] = iteration_regret
            row += 1
        done += 1
    return done


def _enter_run(policy, env, schedule, policy_rng, rng, trajectory, cuts, records, out, lengths,
               position, stop):  # fmt: skip
    return _run(policy, env, schedule, policy_rng, rng, trajectory, cuts, records, out, lengths,
                position, stop)  # fmt: skip


_run_cached = entry(_enter_run)
_run_fresh = entry(_enter_run, cached=False)  # for a user's policy: our cache cannot see its edits


@entry
def _enter_start(rng, env, trajectory, position):
    start(rng, env, trajectory, position)


@entry
def _enter_play(rng, env, trajectory, observed, position, arm, tau, turn):
    return play(rng, env, trajectory, observed, position, arm, tau, position.laws[turn],
                position.laws[1 - turn])  # fmt: skip


class FastEngine:
    """Prepared tables of one instance; serves all seeds, also in threads."""

    def __init__(self, instance: Instance, gamma: float, sampling: Sampling) -> None:
        self.prepared = prepare(instance, gamma)
        self.trajectory = sampling == "trajectory"

    def environment(self, rng: np.random.Generator, observed: bool) -> FastEnvironment:
        """Return a new environment for a policy in plain Python."""
        return FastEnvironment(self.prepared, self.trajectory, rng, observed)

    def run(
        self,
        policy: Any,
        streams: Streams,
        schedule: Schedule,
        cuts: NDArray[np.int64],
        records: NDArray[np.int64],
        stop: NDArray[np.uint8],
    ) -> tuple[Array, NDArray[np.int64]]:
        """Run a compiled policy; arguments and results as in `loop.run`."""
        out = np.zeros((len(records), len(RECORDED)))
        lengths = np.zeros(len(cuts), dtype=np.int64)
        ours = type(policy).__module__.startswith("epochbandits.policies.")
        run = _run_cached if ours else _run_fresh
        done = run(
            policy, self.prepared, schedule, streams.policy, streams.environment, self.trajectory,
            cuts, records, out, lengths, _position(self.prepared), stop,
        )  # fmt: skip
        if done < len(cuts):
            raise Interrupted
        return out, lengths


class FastEnvironment:
    """One run's hidden state, for a policy in plain Python."""

    def __init__(
        self, prepared: Prepared, trajectory: bool, rng: np.random.Generator, observed: bool
    ) -> None:
        self._arguments = rng, prepared, trajectory
        self._observed, self._turn, self._position = observed, 0, _position(prepared)
        _enter_start(*self._arguments, self._position)

    @property
    def law(self) -> Array:
        """(S,): the law of the state now."""
        return np.asarray(self._position.laws[self._turn])

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch and move on."""
        outcome = _enter_play(
            *self._arguments, self._observed, self._position, arm, tau, self._turn
        )
        self._turn = 1 - self._turn
        return Outcome(*outcome)
