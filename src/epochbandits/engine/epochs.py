"""One epoch of one arm, in both samplings: the feedback drawn, and its exact expectation.

The feedback is Σ_s γ^{τ-1-s} r_s / R(τ). Rewards before the last `window` iterations weigh less
than 2^-54 of the rest and are not drawn; the state, or its law, crosses that stretch by exact
powers of P. ``env`` is a `prepared.Prepared`, j an arm, ``spare`` two rows of scratch.
"""

from __future__ import annotations

import math

from epochbandits.engine.draws import draw, sum_state, sum_table
from epochbandits.jit import kernel


@kernel
def weight_sum(gamma, tau):
    """R(tau) = sum_{s<tau} gamma^s."""
    if gamma == 1.0:
        return float(tau)
    return -math.expm1(tau * math.log(gamma)) / (1.0 - gamma)


@kernel
def pick(u, law):
    """State whose cumulative probability first exceeds u; without branches."""
    s, c = 0, 0.0
    for i in range(len(law) - 1):
        c += law[i]
        s += u >= c
    return s


@kernel
def put(out, values):
    """out[:] = values; the slice assignment itself guards against overlap with an allocation."""
    for i in range(len(out)):
        out[i] = values[i]


@kernel
def move(beta, P, out):
    """Out = beta P, row by row: the inner loop is contiguous and vectorises."""
    S = len(beta)
    for b in range(S):
        out[b] = beta[0] * P[0, b]
    for a in range(1, S):
        for b in range(S):
            out[b] += beta[a] * P[a, b]


@kernel
def advance(env, j, tau, beta, spare):
    """Beta <- beta P_j^tau in place; return beta . W_j(tau), and the same for gamma = 1."""
    value, flat, rung = 0.0, 0.0, 0
    while tau:
        if tau & 1:
            dot, plain = 0.0, 0.0
            for s in range(len(beta)):
                dot += beta[s] * env.excess[j, rung, s]
                plain += beta[s] * env.flat[j, rung, s]
            value = value * env.decay[rung] + dot
            flat += plain
            move(beta, env.power[j, rung], spare)
            put(beta, spare)
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
    t = env.pi.shape[0] + j * S
    for s in range(S):  # multinomial counts as a chain of binomials
        p = env.pi[j, s]
        c = n
        if s < S - 1:
            c = rng.binomial(n, min(1.0, p / rest)) if p > 0.0 and n > 0 else 0
        total += sum_state(
            rng, env.tables, t + s, env.laws[j, s, 0], env.laws[j, s, 1], env.laws[j, s, 2], c
        )
        n -= c
        rest = max(rest - p, p * 1e-300 + 1e-300)
    return total


@kernel
def transient_sum(rng, env, j, n, now, nu, acc):
    """Rewards of n iterations of arm j from the law `now` (overwritten), before it equals pi_j.

    If theta = min_s now(s)/pi(s), then now P^d >= theta pi for every d >= 0: each iteration is
    stationary with probability theta, and otherwise its state follows nu P^d, nu = now - theta pi.
    theta is renewed in blocks of 4, 4, 8, 16, ... iterations; inside a block the lengths of the
    stationary runs are geometric, and a draw from nu P^d is one from nu moved by rows of P^(2^i).
    So only about (1 + log C)/(1 - lambda) iterations need a state of their own.

    Returns (acc, number of stationary rewards still to be added); at gamma < 1 the order counts,
    so that there they are drawn in place and the number is 0.
    """
    m, S = env.pi.shape
    gamma, base = env.gamma, m + j * S
    owed, done, rung = 0, 0, 2
    while done < n:
        size = min(1 << rung, n - done)
        theta = 1.0
        for s in range(S):
            theta = min(theta, now[s] * env.inverse[j, s])
        total = 0.0
        for s in range(S):
            nu[s] = max(now[s] - theta * env.pi[j, s], 0.0)
            total += nu[s]
        run = 0.0 if theta <= 0.0 else min(-1.0 / math.log(theta), 1e18) if theta < 1.0 else 1e18
        d = 0
        while True:
            stay = min(int(min(rng.standard_exponential() * run, 1e18)), size - d)
            if gamma == 1.0:
                owed += stay
            else:
                acc = sum_table(rng, env.tables, j, stay, gamma, acc)
            d += stay
            if d >= size:
                break
            s = pick(rng.random() * total, nu)
            left, i = d, 0
            while left:
                if left & 1:
                    s = pick(rng.random(), env.power[j, i, s])
                left >>= 1
                i += 1
            acc = acc * gamma + draw(rng, env.tables, base + s)
            d += 1
        done += size
        if done < n:
            move(now, env.power[j, rung], nu)
            put(now, nu)
        if done > 4:
            rung += 1
    return acc, owed


@kernel
def marginal_epoch(rng, env, j, tau, beta, steady, end, spare):
    """Epoch with states drawn afresh from beta_t; `end` receives beta P_j^tau.

    `steady` counts the iterations arm j has already been played without interruption.
    Returns (feedback, its expectation given beta, the same for gamma = 1).
    """
    gamma, mix = env.gamma, env.mix[j]
    R = weight_sum(gamma, tau)
    drawn = min(tau, env.window)
    transient = max(0, min(drawn, mix - steady - (tau - drawn)))
    acc, owed, expected, plain = 0.0, 0, env.mu[j], env.mu[j]
    if transient > 0:
        put(spare[0], beta)
        if tau > drawn:
            advance(env, j, tau - drawn, spare[0], spare[1])
        acc, owed = transient_sum(rng, env, j, transient, spare[0], spare[1], acc)
    if gamma == 1.0:
        acc += stationary_sum(rng, env, j, drawn - transient + owed)
    else:
        acc = sum_table(rng, env.tables, j, drawn - transient, gamma, acc)
    if steady < mix:
        put(end, beta)
        excess, flat = advance(env, j, tau, end, spare[0])
        expected += excess / R
        plain += flat / tau
    if steady + tau >= mix:
        put(end, env.pi[j])
    return acc / R, expected, plain


@kernel
def trajectory_epoch(rng, env, j, tau, state, visits):
    """Epoch along a path of the chain from `state`.

    A state is held for 1 + floor(E / -log P(s,s)) iterations, E standard exponential: the geometric
    law. At gamma = 1 only the visit counts matter, and each state's rewards are summed at once.

    Returns (feedback, its expectation given the state, the same for gamma = 1, state at the end).
    """
    m, S = env.pi.shape
    gamma = env.gamma
    R = weight_sum(gamma, tau)
    drawn = min(tau, env.window)
    skip = tau - drawn
    rung, law, spare = 0, visits[0], visits[1]
    law[:] = 0.0
    law[state] = 1.0  # the expectation: the ladder from a point mass
    excess, flat = advance(env, j, tau, law, spare)
    while skip:  # cross the weightless stretch by rows of P^(2^i)
        if skip & 1:
            state = pick(rng.random(), env.power[j, rung, state])
        skip >>= 1
        rung += 1
    law[:] = 0.0  # from here: visit counts
    acc, left, base = 0.0, drawn, m + j * S
    while left > 0:
        h = 1 + int(min(rng.standard_exponential() * env.hold[j, state], 4e18))
        n = min(h, left)
        if gamma == 1.0:
            law[state] += n
        else:
            acc = sum_table(rng, env.tables, base + state, n, gamma, acc)
        if h <= left:
            u, s = rng.random(), 0
            for i in range(S - 1):
                s += u >= env.jump[j, state, i]
            state = s
        left -= n
    if gamma == 1.0:
        for s in range(S):
            acc += sum_state(
                rng,
                env.tables,
                base + s,
                env.laws[j, s, 0],
                env.laws[j, s, 1],
                env.laws[j, s, 2],
                int(law[s]),
            )
    return acc / R, env.mu[j] + excess / R, env.mu[j] + flat / tau, state
