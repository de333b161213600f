"""Play a policy that decides each iteration, one decision at a time.

Names are as in `stretches`, which plays several decisions at once.
"""

from __future__ import annotations

import numpy as np

from epochbandits.engine.draws import next_reward, reward_at
from epochbandits.engine.states import move, next_state, pick
from epochbandits.engine.stretches import Place, Totals
from epochbandits.engine.uniforms import load_words, next_bits, next_uniform, store_words
from epochbandits.jit import inlined, kernel
from epochbandits.policies.base import Rewards, choose, dot, learn, observes


@inlined
def play_iterations(policy, env, policy_rng, rng, work, place, left, totals):
    """Play ``left`` iterations: decide, play and learn each.

    Returns (iterations, `Totals` with theirs, new place).
    """
    words, first = load_words(rng), place.k + 1
    if env.trajectory:
        words, arm, state, turn, totals = _follow_path(
            policy, policy_rng, words, env.tables, env.steps, env.more_bounds, env.power, env.mu,
            work.beta, first, left, place.state, place.turn, totals,
        )  # fmt: skip
    else:
        state = place.state
        words, arm, turn, totals = _draw_states(
            policy, env, policy_rng, words, work.beta, first, left, place.turn, totals
        )
    store_words(rng, words)
    place = Place(place.k + left, arm, 0, turn, state, 0, place.stretch, place.sums)
    return left, totals, place


@inlined
def _draw_states(policy, env, policy_rng, words, distributions, first, left, turn, totals):
    """Play ``left`` decisions from number ``first``, with states drawn from their distribution.

    Returns (words, the last arm, turn, `Totals`).
    """
    m, S = np.uint64(env.pi.shape[0]), np.uint64(env.pi.shape[1])
    rewards, expected, stationary = totals
    j = 0
    for k in range(first, first + left):
        before, after = distributions[turn], distributions[1 - turn]
        j = choose(policy, k, before, policy_rng)
        arm = np.uint64(j)  # not negative: indexing need not check
        u, words = next_uniform(words)
        s = np.uint64(pick(u, before))
        reward, words = next_reward(words, env.tables, m + arm * S + s)
        move(before, env.power[arm, 0], after)
        learn(policy, k, j, Rewards(1.0, 0.0, reward, reward * reward), before, after)
        turn = 1 - turn
        rewards += reward
        expected += dot(before, env.mean[arm])
        stationary += env.mu[arm]
    return words, j, turn, Totals(rewards, expected, stationary)


@kernel
def _follow_path(
    policy, policy_rng, words, tables, steps, more_bounds, power, mu,
    distributions, first, left, state, turn, totals,
):  # fmt: skip
    """Play ``left`` decisions from number ``first``, along a path of the chain.

    The arrays are those of `prepared.Prepared`; to pass all of them, field by field, would take
    longer than a decision.

    Returns (words, the last arm, state, turn, `Totals`).
    """
    rewards, expected, stationary = totals
    m, S = np.uint64(power.shape[0]), np.uint64(power.shape[2])
    s, arm = np.uint64(state), 0  # not negative: indexing need not check
    for k in range(first, first + left):
        before, after = distributions[turn], distributions[1 - turn]
        arm = choose(policy, k, before, policy_rng)
        row = np.uint64(arm) * S + s
        step = steps[row]
        reward, words = reward_at(words, tables, step["cell"], step["bits"], m + row)
        bits, words = next_bits(words)
        s = next_state(bits, S, step, more_bounds[row])
        if observes(policy):
            move(before, power[arm, 0], after)
            turn = 1 - turn
        learn(policy, k, arm, Rewards(1.0, 0.0, reward, reward * reward), before, after)
        rewards += reward
        expected += step["mean"]
        stationary += mu[arm]
    return words, arm, np.int64(s), turn, Totals(rewards, expected, stationary)
