"""One epoch of one arm, in both samplings: the feedback drawn, and its exact expectation.

The feedback is Σ_s γ^{τ-1-s} r_s / R(τ). Rewards before the last `window` iterations weigh less
than 2^-54 of the rest and are not drawn; the state, or its distribution, is advanced over those
iterations by exact powers of P. In the kernels ``env`` is a `prepared.Prepared`, ``work`` a
`Workspace`, j an arm, and beta a distribution of the state.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.draws import next_reward, sum_law, sum_table
from epochbandits.engine.states import (
    advance,
    first_above,
    holding_time,
    move,
    pick,
    put,
    split,
    walk,
)
from epochbandits.engine.uniforms import load_words, next_bits, next_uniform, store_words
from epochbandits.jit import inlined, kernel

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Workspace(NamedTuple):
    """Arrays that a run writes to, so that no kernel allocates memory."""

    beta: Array
    """(2, S): the distribution of the state before and after a play; the rows take turns."""
    passing: Array
    """(S,): a distribution that moves on within an epoch."""
    moved: Array
    """(S,): what `states.move` writes before it replaces its argument."""
    rest: Array
    """(S,): rest of `states.split`, which `stretches.marginal_part` uses again in its next call."""
    shares: Array
    """(2,): theta, and the sum of rest, of `stretches.marginal_part`."""
    visits: IntArray
    """(S,): iterations of the present epoch spent in each state."""
    plays: IntArray
    """(m,): how often each arm was chosen."""

    @classmethod
    def empty(cls, arms: int, states: int) -> Workspace:
        """Return a workspace for a new run."""
        beta, passing, moved, rest = np.zeros((2, states)), *np.zeros((3, states))
        visits, plays = np.zeros(states, dtype=np.int64), np.zeros(arms, dtype=np.int64)
        return cls(beta, passing, moved, rest, np.zeros(2), visits, plays)


class Position(NamedTuple):
    """Where a run is between two plays."""

    turn: int
    """Row of `Workspace.beta` that is the distribution of the state now."""
    state: int
    """The state now (under `trajectory`)."""
    steady: int
    """For how many iterations the arm to play next has been played without interruption."""


@kernel
def weight_sum(gamma, tau):
    """R(tau) = sum_{s<tau} gamma^s."""
    if gamma == 1.0:
        return float(tau)
    return -math.expm1(tau * math.log(gamma)) / (1.0 - gamma)


@kernel
def stationary_sum(rng, env, j, n):
    """Sum of n rewards whose states are i.i.d. from pi_j: by state counts when that is cheaper."""
    S = env.pi.shape[1]
    if n < env.bulk[j]:
        return sum_table(rng, env.tables, j, n, 1.0, 0.0)
    total, rest = 0.0, 1.0
    for s in range(S):  # multinomial counts as a chain of binomials
        p = env.pi[j, s]
        c = n
        if s < S - 1:
            c = rng.binomial(n, min(1.0, p / rest)) if p > 0.0 and n > 0 else 0
        total += sum_law(rng, env, j, s, c)
        n -= c
        rest = max(rest - p, p * 1e-300 + 1e-300)
    return total


@kernel
def transient_sum(rng, env, work, j, n):
    """Rewards of n iterations of arm j from beta = `work.passing`, before it equals pi_j.

    If theta = min_s beta(s)/pi(s), then beta P^d >= theta pi for every d >= 0: each iteration is
    stationary with probability theta, and otherwise its state follows rest P^d with
    rest = beta - theta pi. theta is recomputed in blocks of 4, 4, 8, 16, ... iterations; inside a
    block the lengths of the stationary runs are geometric, and a draw from rest P^d is one from
    rest moved by rows of P^(2^i). So only about (1 + log C)/(1 - lambda) iterations need the draw
    of a state.

    Returns (the sum so far, number of stationary rewards still to be added); at gamma < 1 the order
    counts, so that there they are drawn in place and the number is 0.
    """
    m, S = env.pi.shape
    gamma, base, beta, rest = env.gamma, m + j * S, work.passing, work.rest
    rewards, missing, done, rung = 0.0, 0, 0, 2
    while done < n:
        size = min(1 << rung, n - done)
        theta, total = split(env, j, beta, rest)
        run = 0.0 if theta <= 0.0 else min(-1.0 / math.log(theta), 1e18) if theta < 1.0 else 1e18
        d = 0
        while True:
            stay = min(int(min(rng.standard_exponential() * run, 1e18)), size - d)
            if gamma == 1.0:
                missing += stay
            else:
                rewards = sum_table(rng, env.tables, j, stay, gamma, rewards)
            d += stay
            if d >= size:
                break
            u, words = next_uniform(load_words(rng))
            s, words = walk(words, env, j, d, pick(u * total, rest))
            r, words = next_reward(words, env.tables, base + s)
            store_words(rng, words)
            rewards = rewards * gamma + r
            d += 1
        done += size
        if done < n:
            move(beta, env.power[j, rung], work.moved)
            put(beta, work.moved)
        if done > 4:
            rung += 1
    return rewards, missing


@kernel
def marginal_epoch(rng, env, work, j, tau, position):
    """Epoch with independent states from beta P_j^t; leaves beta P_j^tau in the other row.

    Returns (feedback, its expectation given beta, the same for gamma = 1).
    """
    beta, end = work.beta[position.turn], work.beta[1 - position.turn]
    gamma, mix, steady = env.gamma, env.mix[j], position.steady
    R = weight_sum(gamma, tau)
    drawn = min(tau, env.window)
    transient = max(0, min(drawn, mix - steady - (tau - drawn)))
    rewards, missing, expected, plain = 0.0, 0, env.mu[j], env.mu[j]
    if transient > 0:
        put(work.passing, beta)
        if tau > drawn:
            advance(env, j, tau - drawn, work.passing, work.moved)
        rewards, missing = transient_sum(rng, env, work, j, transient)
    if gamma == 1.0:
        rewards += stationary_sum(rng, env, j, drawn - transient + missing)
    else:
        rewards = sum_table(rng, env.tables, j, drawn - transient, gamma, rewards)
    if steady < mix:
        put(end, beta)
        excess, flat = advance(env, j, tau, end, work.moved)
        expected += excess / R
        plain += flat / tau
    if steady + tau >= mix:
        put(end, env.pi[j])
    return rewards / R, expected, plain


@kernel
def _visit(rng, words, hold, jump, visits, left, state):
    """Follow a path for ``left`` iterations and count those in each state.

    Returns (state at the end, words).
    """
    s = np.uint64(state)  # not negative: indexing need not check
    while left > 0:
        n = holding_time(rng, hold[s])
        visits[s] += min(n, left)
        if n <= left:
            bits, words = next_bits(words)
            s = np.uint64(first_above(bits, jump[s]))
        left -= n
    return np.int64(s), words


@kernel
def trajectory_epoch(rng, env, work, j, tau, state):
    """Epoch along a path of the chain from `state`.

    At gamma = 1 only the visit counts matter, and each state's rewards are summed at once.

    Returns (feedback, its expectation given the state, the same for gamma = 1, state at the end).
    """
    m, S = env.pi.shape
    gamma, visits, beta = env.gamma, work.visits, work.passing
    R = weight_sum(gamma, tau)
    drawn = min(tau, env.window)
    for s in range(S):
        visits[s] = 0
        beta[s] = 0.0
    beta[state] = 1.0  # the expectation is that of a start in this state
    excess, flat = advance(env, j, tau, beta, work.moved)
    state, words = walk(load_words(rng), env, j, tau - drawn, state)  # the weightless stretch
    rewards, left, base = 0.0, drawn, m + j * S
    if gamma == 1.0:
        state, words = _visit(rng, words, env.hold[j], env.jump[j], visits, left, state)
        store_words(rng, words)
        for s in range(S):
            rewards += sum_law(rng, env, j, s, visits[s])
    else:
        store_words(rng, words)
        while left > 0:
            hold = holding_time(rng, env.hold[j, state])
            rewards = sum_table(rng, env.tables, base + state, min(hold, left), gamma, rewards)
            if hold <= left:
                bits, words = next_bits(load_words(rng))
                store_words(rng, words)
                state = first_above(bits, env.jump[j, state])
            left -= hold
    return rewards / R, env.mu[j] + excess / R, env.mu[j] + flat / tau, state


@inlined
def play(rng, env, work, observed, arm, tau, position):
    """Play an arm for tau iterations.

    The row of `work.beta` that is not in turn receives the distribution of the state after the
    play; under `trajectory` only if ``observed``.

    Returns (feedback, its expectation given what is known now, the same for gamma = 1, new state).
    """
    m, S = env.pi.shape
    state, beta, after = position.state, work.beta[position.turn], work.beta[1 - position.turn]
    if tau > 1:
        if env.trajectory:
            reward, expected, plain, state = trajectory_epoch(rng, env, work, arm, tau, state)
            if observed:
                put(after, beta)
                advance(env, arm, tau, after, work.moved)
        else:
            reward, expected, plain = marginal_epoch(rng, env, work, arm, tau, position)
        return reward, expected, plain, state
    # A single iteration, without the machinery of epochs.
    base, words = m + arm * S, load_words(rng)
    if env.trajectory:
        reward, words = next_reward(words, env.tables, base + state)
        expected = env.mean[arm, state]
        u, words = next_uniform(words)
        state = pick(u, env.power[arm, 0, state])
        if observed:
            move(beta, env.power[arm, 0], after)
    elif position.steady >= env.mix[arm]:
        reward, words = next_reward(words, env.tables, arm)
        expected = env.mu[arm]
        put(after, env.pi[arm])
    else:
        u, words = next_uniform(words)
        reward, words = next_reward(words, env.tables, base + pick(u, beta))
        expected = 0.0
        for i in range(S):
            expected += beta[i] * env.mean[arm, i]
        move(beta, env.power[arm, 0], after)
    store_words(rng, words)
    return reward, expected, expected, state
