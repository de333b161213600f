"""The state and its distribution: draws of the next state, and steps of the chain.

In the functions ``env`` is a `prepared.Prepared`, j an arm, and beta a distribution of the state.
"""

from __future__ import annotations

import numpy as np

from epochbandits.engine.uniforms import next_uniform
from epochbandits.jit import inlined, kernel


@inlined
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


@inlined
def first_above(u, cumulative):
    """State whose cumulative probability first exceeds u; the last one if none does."""
    if len(cumulative) == 4:
        return int(u >= cumulative[0]) + int(u >= cumulative[1]) + int(u >= cumulative[2])
    s = 0
    for i in range(len(cumulative) - 1):
        s += int(u >= cumulative[i])
    return s


@inlined
def next_state(bits, S, step, more_bounds):
    """Return the next state; the outcome takes no branch for up to 8 states.

    ``step`` and ``more_bounds`` are rows of `Prepared`.
    """
    s = np.uint64(bits >= step["bound0"]) + np.uint64(bits >= step["bound1"])
    s += np.uint64(bits >= step["bound2"])
    if S > 4:
        s += np.uint64(bits >= step["bound3"]) + np.uint64(bits >= step["bound4"])
        s += np.uint64(bits >= step["bound5"]) + np.uint64(bits >= step["bound6"])
        i = 0
        while i < len(more_bounds) and bits >= more_bounds[i]:
            i += 1
        s += np.uint64(i)
    return s


@inlined
def holding_time(rng, mean):
    """For how many iterations a state is held: 1 + floor(E / -log P(s,s)), the geometric law.

    E is standard exponential; ``mean`` is -1/log P(s, s).
    """
    return 1 + int(min(rng.standard_exponential() * mean, 4e18))


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


@inlined
def put(out, values):
    """out[:] = values; a slice assignment would allocate memory in case the two overlap."""
    for i in range(len(out)):
        out[i] = values[i]


@inlined
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


@inlined
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
def split(env, j, beta, rest):
    """Return theta = min_s beta(s)/pi(s), and the sum of rest = beta - theta pi, which it fills."""
    theta, total = 1.0, 0.0
    for s in range(len(beta)):
        theta = min(theta, beta[s] * env.inverse[j, s])
    for s in range(len(beta)):
        rest[s] = max(beta[s] - theta * env.pi[j, s], 0.0)
        total += rest[s]
    return theta, total
