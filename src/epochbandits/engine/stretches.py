"""Play a policy that decides each iteration, in stretches of which it is certain.

A `policies.base.Stretch` ends when its rewards fall below a line, so they are drawn one by one;
everything else is done once for many iterations. How a stretch is cut into parts changes nothing:
the same random numbers give the same rewards. Names are as in `epochs`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from epochbandits.engine.draws import Sums, add_reward, draw_while, is_over, next_reward, residual
from epochbandits.engine.states import (
    advance,
    first_above,
    holding_time,
    next_state,
    pick,
    put,
    split,
    walk,
)
from epochbandits.engine.uniforms import (
    load_words,
    next_bits,
    next_column,
    next_uniform,
    store_words,
)
from epochbandits.jit import inlined, kernel
from epochbandits.policies.base import Rewards, Stretch, decide, learn

_SOON = 10.0  # -1/log P(s, s) up to which a state is soon left


class Totals(NamedTuple):
    """Sums over the iterations of a block."""

    rewards: float = 0.0
    expected: float = 0.0
    """Of the rewards' conditional means."""
    stationary: float = 0.0
    """Of the arms' stationary means."""


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
def play_stretch(policy, env, policy_rng, rng, work, place, left, totals):
    """Play up to ``left`` iterations of the present stretch, or of a new one if it is over.

    Returns (iterations, `Totals` with theirs, new place).
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
    rewards, expected, stationary = totals
    totals = Totals(rewards + total, expected + mean, stationary + played * env.mu[last])
    return played, totals, place


@inlined
def marginal_part(rng, env, work, turn, steady, n, stretch, sums):
    """Play up to n iterations with independent states from the distribution of the state.

    As in `epochs.transient_sum` an iteration before the arm has mixed is stationary with
    probability theta, and otherwise its state follows rest P^d. Both are recomputed when the arm
    has been played for 0, 4, 8, 16, ... iterations, wherever parts begin; so the distribution is
    moved once for many iterations.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`).
    """
    m, S = env.pi.shape
    j, played, rewards, expected, over = stretch.arm, 0, 0.0, 0.0, False
    beta, rest, mix = work.beta[turn], work.rest, env.mix[j]
    start = 0
    while 2 * max(start, 2) <= steady:
        start = 2 * max(start, 2)
    while played < n and steady < mix and not over:
        end = min(2 * max(start, 2), mix)
        if steady == start:
            work.shares[0], work.shares[1] = split(env, j, beta, rest)
        theta, total = work.shares[0], work.shares[1]
        first, words = played, load_words(rng)
        while played < n and steady < end and not over:
            table = j
            u, words = next_uniform(words)
            if u >= theta:
                u, words = next_uniform(words)
                s, words = walk(words, env, j, steady - start, pick(u * total, rest))
                table = m + j * S + s
            r, words = next_reward(words, env.tables, table)
            played += 1
            steady += 1
            rewards += r
            sums = add_reward(sums, r - stretch.centre)
            over = is_over(stretch, sums)
        store_words(rng, words)
        _, excess = advance(env, j, played - first, beta, work.moved)
        expected += excess
        start = end
        if steady == mix:
            put(beta, env.pi[j])
    if played < n and not over:
        more, total, sums = draw_while(rng, env.tables, j, n - played, stretch, sums)
        played += more
        rewards += total
    return played, rewards, expected + played * env.mu[j], sums


@kernel
def _walk_columns(words, cells, steps, more_bounds, left, state, rewards, expected, stretch, sums):
    """Step through up to ``left`` iterations of a stretch, in states that are soon left.

    Stops at a reward of the residual, before it is drawn and the state is left (`draws`).

    Returns (words, iterations left, state, sum of the rewards, of their conditional means, `Sums`,
    whether it stopped at the residual).
    """
    plays, total, squares = sums
    S, state = len(steps), np.uint64(state)  # not negative: indexing need not check
    while left > 0:
        step = steps[state]
        if not step["hold"] < _SOON:
            break
        left -= 1
        expected += step["mean"]
        i, v, words = next_column(words, step["bits"])
        cell = cells[step["cell"] + i]
        if not v < cell["q"]:
            sums = Sums(plays, total, squares)
            return words, left, np.int64(state), rewards, expected, sums, True
        r = cell["left"] + v * cell["scale"]
        rewards += r
        r -= stretch.centre
        plays += 1.0
        total += r
        squares += r * r
        bits, words = next_bits(words)
        state = next_state(bits, S, step, more_bounds[state])
        if total <= stretch.level + stretch.slope * plays:
            break
    return words, left, np.int64(state), rewards, expected, Sums(plays, total, squares), False


@inlined
def trajectory_part(rng, env, state, hold, n, stretch, sums):
    """Play up to n iterations along a path of the chain.

    ``hold`` is for how many more iterations the state is held; 0 if that is still to be drawn.
    Where a state is soon left, the next one is drawn at each iteration instead.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`, state, hold).
    """
    m, S = env.pi.shape
    j, played, rewards, expected, over = stretch.arm, 0, 0.0, 0.0, False
    first, base = j * S, m + j * S
    steps, more_bounds = env.steps[first : first + S], env.more_bounds[first : first + S]
    while played < n and not over:
        if env.hold[j, state] < _SOON:
            words, left, state, rewards, expected, sums, stopped = _walk_columns(
                load_words(rng), env.tables.cells, steps, more_bounds, n - played,
                state, rewards, expected, stretch, sums,
            )  # fmt: skip
            played = n - left
            if stopped:
                r, words = residual(words, env.tables, base + state)
                rewards += r
                sums = add_reward(sums, r - stretch.centre)
                bits, words = next_bits(words)
                state = np.int64(next_state(bits, S, steps[state], more_bounds[state]))
            store_words(rng, words)
            over = is_over(stretch, sums)
            continue
        if hold == 0:
            hold = holding_time(rng, env.hold[j, state])
        most = min(hold, n - played)
        more, total, sums = draw_while(rng, env.tables, base + state, most, stretch, sums)
        rewards += total
        expected = expected + env.mean[j, state] + (more - 1) * env.mean[j, state]
        hold -= more
        if hold == 0:
            bits, words = next_bits(load_words(rng))
            store_words(rng, words)
            state = first_above(bits, env.jump[j, state])
        played += more
        over = is_over(stretch, sums)
    return played, rewards, expected, sums, state, hold
