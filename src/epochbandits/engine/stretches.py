"""Iterations of a policy that decides each: one, or a stretch of which it is certain.

A `policies.base.Stretch` ends when its rewards fall below a line, so they are drawn one by one;
everything else is done once for many iterations. How a stretch is cut into parts changes nothing:
the same random numbers give the same rewards. Names are those of `epochs`.
"""

from __future__ import annotations

from typing import NamedTuple

from epochbandits.engine import draws, epochs
from epochbandits.engine.draws import Sums, draw_while
from epochbandits.engine.epochs import advance, split, walk
from epochbandits.jit import inlined
from epochbandits.policies.base import Rewards, Stretch, choose, decide, dot, learn, observes

# Inlined here; in the kernels of epochs, which use them less often, calls compile faster.
draw, move = inlined(draws.draw), inlined(epochs.move)
pick, put = inlined(epochs.pick), inlined(epochs.put)
first_above, holding_time = inlined(epochs.first_above), inlined(epochs.holding_time)
_SOON = 10.0  # -1/log P(s, s) up to which a state is soon left


class Place(NamedTuple):
    """Where a run is between two iterations."""

    k: int = 0
    """Decisions so far."""
    last: int = -1
    """The arm played last; none yet."""
    steady: int = 0
    """For how many iterations it has been played without interruption; 0 outside stretches."""
    turn: int = 0
    """Row of `Workspace.beta` that is the distribution of the state now."""
    state: int = 0
    hold: int = 0
    """For how many more iterations the state is held, see `trajectory_part`."""
    stretch: Stretch = Stretch(0, 0, 0.0, 0.0, 0.0)
    """The stretch that is being played."""
    sums: Sums = Sums()
    """Of its rewards so far."""


@inlined
def play_iteration(policy, env, policy_rng, rng, work, place, left):  # noqa: ARG001
    """Make one decision, and play and learn it.

    Returns (iterations, sum of the rewards, sum of their conditional means, new place).
    """
    m, S = env.pi.shape
    k, turn, state = place.k + 1, place.turn, place.state
    before, after = work.beta[turn], work.beta[1 - turn]
    j = choose(policy, k, before, policy_rng)
    if observes(policy) or not env.trajectory:
        move(before, env.power[j, 0], after)
    if env.trajectory:
        reward, mean = draw(rng, env.tables, m + j * S + state), env.mean[j, state]
        state = pick(rng.random(), env.power[j, 0, state])
    else:
        reward = draw(rng, env.tables, m + j * S + pick(rng.random(), before))
        mean = dot(before, env.mean[j])
    learn(policy, k, j, Rewards(1.0, 0.0, reward, reward * reward), before, after)
    return 1, reward, mean, Place(k, j, 0, 1 - turn, state, 0, place.stretch, place.sums)


@inlined
def play_stretch(policy, env, policy_rng, rng, work, place, left):
    """Play up to ``left`` iterations of the present stretch, or of a new one if it is over.

    Returns (iterations, sum of the rewards, sum of their conditional means, new place).
    """
    k, last, steady, turn, state, hold, stretch, sums = place
    if sums.plays >= stretch.plays or is_over(stretch, sums):
        stretch = decide(policy, k + 1, work.beta[turn], policy_rng)
        sums = Sums(0.0, 0.0, 0.0)
        if stretch.arm != last:
            last, steady, hold = stretch.arm, 0, 0
    most = min(left, stretch.plays - int(sums.plays))
    if env.trajectory:
        played, total, mean, sums, state, hold = trajectory_part(
            rng, env, state, hold, most, stretch, sums
        )
    else:
        played, total, mean, sums = marginal_part(rng, env, work, turn, steady, most, stretch, sums)
    k += played
    if sums.plays >= stretch.plays or is_over(stretch, sums):
        learned = Rewards(sums.plays, stretch.centre, sums.total, sums.squares)
        learn(policy, k, last, learned, work.beta[turn], work.beta[turn])
    place = Place(k, last, steady + played, turn, state, hold, stretch, sums)
    return played, total, mean, place


@inlined
def is_over(stretch, sums):
    """Tell whether a stretch is no longer certain."""
    return sums.total <= stretch.level + stretch.slope * sums.plays


@inlined
def marginal_part(rng, env, work, turn, steady, n, stretch, sums):
    """Play up to n iterations with states drawn afresh from the distribution of the state.

    As in `epochs.transient_sum` an iteration before the arm has mixed is stationary with
    probability theta, and otherwise its state follows rest P^d. Both are computed anew when the arm
    has been played for 0, 4, 8, 16, ... iterations, wherever parts begin; so the distribution is
    moved once for many iterations.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`).
    """
    m, S = env.pi.shape
    j, played, rewards, expected, over = stretch.arm, 0, 0.0, 0.0, False
    beta, rest, mix = work.beta[turn], work.scratch[1], env.mix[j]
    start = 0
    while 2 * max(start, 2) <= steady:
        start = 2 * max(start, 2)
    while played < n and steady < mix and not over:
        end = min(2 * max(start, 2), mix)
        if steady == start:
            work.shares[0], work.shares[1] = split(env, j, beta, rest)
        theta, total = work.shares[0], work.shares[1]
        first = played
        while played < n and steady < end and not over:
            table = j
            if rng.random() >= theta:
                s = pick(rng.random() * total, rest)
                table = m + j * S + walk(rng, env, j, steady - start, s)
            r = draw(rng, env.tables, table)
            played += 1
            steady += 1
            rewards += r
            r -= stretch.centre
            sums = Sums(sums.plays + 1.0, sums.total + r, sums.squares + r * r)
            over = is_over(stretch, sums)
        _, excess = advance(env, j, played - first, beta, work.scratch[0])
        expected += excess
        start = end
        if steady == mix:
            put(beta, env.pi[j])
    if played < n and not over:
        more, total, sums = draw_while(rng, env.tables, j, n - played, stretch, sums)
        played += more
        rewards += total
    return played, rewards, expected + played * env.mu[j], sums


@inlined
def trajectory_part(rng, env, state, hold, n, stretch, sums):
    """Play up to n iterations along a path of the chain.

    ``hold`` is for how many more iterations the state is held; 0 stands for a time that is still to
    be drawn. Where a state is soon left, the next one is drawn at each iteration instead.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`, state, hold).
    """
    m, S = env.pi.shape
    j, played, rewards, expected, over = stretch.arm, 0, 0.0, 0.0, False
    while played < n and not over:
        table, more = m + j * S + state, 1
        expected += env.mean[j, state]
        if env.hold[j, state] < _SOON:
            r = draw(rng, env.tables, table)
            rewards += r
            r -= stretch.centre
            sums = Sums(sums.plays + 1.0, sums.total + r, sums.squares + r * r)
            state = first_above(rng.random(), env.next[j, state])
        else:
            if hold == 0:
                hold = holding_time(rng, env.hold[j, state])
            most = min(hold, n - played)
            more, total, sums = draw_while(rng, env.tables, table, most, stretch, sums)
            rewards += total
            expected += (more - 1) * env.mean[j, state]
            hold -= more
            if hold == 0:
                state = first_above(rng.random(), env.jump[j, state])
        played += more
        over = is_over(stretch, sums)
    return played, rewards, expected, sums, state, hold
