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
from epochbandits.engine.uniforms import load_words, next_uniform, store_words
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
    """(S,): what `move` writes before it replaces its argument."""
    rest: Array
    """(S,): rest of `split`, which `stretches.marginal_part` uses again in its next call."""
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
def pick(u, beta):
    """State whose cumulative probability first exceeds u; without branches."""
    if len(beta) == 4:  # nor a loop
        c = beta[0] + beta[1]
        return int(u >= beta[0]) + int(u >= c) + int(u >= c + beta[2])
    s, c = 0, 0.0
    for i in range(len(beta) - 1):
        c += beta[i]
        s += int(u >= c)
    return s


@kernel
def first_above(u, cumulative):
    """State whose cumulative probability first exceeds u; the last one if none does."""
    if len(cumulative) == 4:
        return int(u >= cumulative[0]) + int(u >= cumulative[1]) + int(u >= cumulative[2])
    s = 0
    for i in range(len(cumulative) - 1):
        s += int(u >= cumulative[i])
    return s


@kernel
def holding_time(rng, mean):
    """For how many iterations a state is held: 1 + floor(E / -log P(s,s)), the geometric law.

    E is standard exponential; ``mean`` is -1/log P(s, s).
    """
    return 1 + int(min(rng.standard_exponential() * mean, 4e18))


@kernel
def put(out, values):
    """out[:] = values; a slice assignment would allocate memory in case the two overlap."""
    for i in range(len(out)):
        out[i] = values[i]


@kernel
def move(beta, P, out):
    """Out = beta P; for 4 or 8 states without loops, otherwise row by row, which vectorises."""
    S = len(beta)
    if S == 4:
        first, second, third, fourth = beta[0], beta[1], beta[2], beta[3]
        for b in range(4):
            out[b] = (first * P[0, b] + second * P[1, b]) + (third * P[2, b] + fourth * P[3, b])
        return
    if S == 8:
        c0, c1, c2, c3, c4, c5, c6, c7 = (
            beta[0], beta[1], beta[2], beta[3], beta[4], beta[5], beta[6], beta[7]
        )  # fmt: skip
        for b in range(8):
            total = c0 * P[0, b] + c1 * P[1, b] + c2 * P[2, b] + c3 * P[3, b]
            out[b] = total + c4 * P[4, b] + c5 * P[5, b] + c6 * P[6, b] + c7 * P[7, b]
        return
    for b in range(S):
        out[b] = beta[0] * P[0, b]
    for a in range(1, S):
        for b in range(S):
            out[b] += beta[a] * P[a, b]


@kernel
def advance(env, j, tau, beta, moved):
    """Replace beta by beta P_j^tau; return beta . W_j(tau), and the same for gamma = 1."""
    value, flat, rung = 0.0, 0.0, 0
    while tau:
        if tau & 1:
            dot, plain = 0.0, 0.0
            for s in range(len(beta)):
                dot += beta[s] * env.excess[j, rung, s]
                plain += beta[s] * env.flat[j, rung, s]
            value = value * env.decay[rung] + dot
            flat += plain
            move(beta, env.power[j, rung], moved)
            put(beta, moved)
        tau >>= 1
        rung += 1
    return value, flat


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
def split(env, j, beta, rest):
    """Return theta = min_s beta(s)/pi(s), and the sum of rest = beta - theta pi, which it fills."""
    theta, total = 1.0, 0.0
    for s in range(len(beta)):
        theta = min(theta, beta[s] * env.inverse[j, s])
    for s in range(len(beta)):
        rest[s] = max(beta[s] - theta * env.pi[j, s], 0.0)
        total += rest[s]
    return theta, total


@kernel
def walk(words, env, j, d, s):
    """Return the state d iterations after s, by rows of P^(2^i), and the words of the stream."""
    i = 0
    while d:
        if d & 1:
            u, words = next_uniform(words)
            s = pick(u, env.power[j, i, s])
        d >>= 1
        i += 1
    return s, words


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
            r, words = next_reward(rng, words, env.tables, base + s)
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
    store_words(rng, words)
    rewards, left, base = 0.0, drawn, m + j * S
    while left > 0:
        hold = holding_time(rng, env.hold[j, state])
        n = min(hold, left)
        if gamma == 1.0:
            visits[state] += n
        else:
            rewards = sum_table(rng, env.tables, base + state, n, gamma, rewards)
        if hold <= left:
            state = first_above(rng.random(), env.jump[j, state])
        left -= n
    if gamma == 1.0:
        for s in range(S):
            rewards += sum_law(rng, env, j, s, visits[s])
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
        reward, words = next_reward(rng, words, env.tables, base + state)
        expected = env.mean[arm, state]
        u, words = next_uniform(words)
        state = pick(u, env.power[arm, 0, state])
        if observed:
            move(beta, env.power[arm, 0], after)
    elif position.steady >= env.mix[arm]:
        reward, words = next_reward(rng, words, env.tables, arm)
        expected = env.mu[arm]
        put(after, env.pi[arm])
    else:
        u, words = next_uniform(words)
        reward, words = next_reward(rng, words, env.tables, base + pick(u, beta))
        expected = 0.0
        for i in range(S):
            expected += beta[i] * env.mean[arm, i]
        move(beta, env.power[arm, 0], after)
    store_words(rng, words)
    return reward, expected, expected, state
