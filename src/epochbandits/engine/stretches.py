"""Iterations of one arm in a row, as long as its policy is certain to choose it.

A `policies.base.Stretch` ends when its rewards fall below a line, so they are drawn one by one;
everything else is done once for many iterations. How a stretch is cut into parts changes nothing:
the same random numbers give the same rewards. Names are those of `epochs`.
"""

from __future__ import annotations

from epochbandits.engine import draws, epochs
from epochbandits.engine.draws import Sums, draw_while
from epochbandits.jit import inlined

# Inlined here; in the kernels of epochs, which use them less often, calls compile faster.
draw, move = inlined(draws.draw), inlined(epochs.move)
pick, put = inlined(epochs.pick), inlined(epochs.put)


@inlined
def is_over(stretch, sums):
    """Tell whether a stretch is no longer certain."""
    return sums.total <= stretch.level + stretch.slope * sums.plays


@inlined
def marginal_part(rng, env, beta, turn, steady, n, stretch, sums):
    """Play up to n iterations with states drawn afresh from the rows of beta in turn.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`, row of the
    distribution after them).
    """
    m, S = env.pi.shape
    j, played, rewards, expected = stretch.arm, 0, 0.0, 0.0
    transient = min(n, env.mix[j] - steady)
    while played < transient:
        s = pick(rng.random(), beta[turn])
        r = draw(rng, env.tables, m + j * S + s)
        for i in range(S):
            expected += beta[turn, i] * env.mean[j, i]
        move(beta[turn], env.power[j, 0], beta[1 - turn])
        turn = 1 - turn
        played += 1
        rewards += r
        r -= stretch.centre
        sums = Sums(sums.plays + 1.0, sums.total + r, sums.squares + r * r)
        if is_over(stretch, sums):
            n = transient = played
    if played < n:
        more, total, sums = draw_while(rng, env.tables, j, n - played, stretch, sums)
        played += more
        rewards += total
        expected += more * env.mu[j]
    if steady < env.mix[j] <= steady + played:
        put(beta[turn], env.pi[j])
    return played, rewards, expected, sums, turn


@inlined
def trajectory_part(rng, env, place, n, stretch, sums):
    """Play up to n iterations along a path of the chain.

    ``place`` is (state, for how many more iterations it is held). 0 stands for a time that is still
    to be drawn: 1 + floor(E / -log P(s, s)) with E standard exponential, the geometric law.

    Returns (iterations, sum of the rewards, sum of their conditional means, `Sums`, new place).
    """
    m, S = env.pi.shape
    state, hold = place
    j, played, rewards, expected, over = stretch.arm, 0, 0.0, 0.0, False
    while played < n and not over:
        if hold == 0:
            hold = 1 + int(min(rng.standard_exponential() * env.hold[j, state], 4e18))
        most = min(hold, n - played)
        table = m + j * S + state
        more, total, sums = draw_while(rng, env.tables, table, most, stretch, sums)
        rewards += total
        expected += more * env.mean[j, state]
        played += more
        hold -= more
        over = is_over(stretch, sums)
        if hold == 0:
            u, s = rng.random(), 0
            for i in range(S - 1):
                s += u >= env.jump[j, state, i]
            state = s
    return played, rewards, expected, sums, (state, hold)


@inlined
def observed_iteration(rng, env, work, turn, state, j):
    """Play one iteration along a path, and move the distribution of the state along.

    Returns (reward, its conditional mean, new state).
    """
    m, S = env.pi.shape
    move(work.beta[turn], env.power[j, 0], work.beta[1 - turn])
    reward = draw(rng, env.tables, m + j * S + state)
    return reward, env.mean[j, state], pick(rng.random(), env.power[j, 0, state])
