r"""Q-learning with linear function approximation on the state's distribution (Appendix C, 'RL').

The only policy that sees more than rewards: the distribution β of the state before a decision. With
Q(β, j) = w_j·β it plays the largest Q, or with probability ε_t a uniform arm, and learns by

.. math:: w_j \leftarrow w_j + \frac{1}{\sqrt k}
          \bigl(r + γ_Q \max_i Q(β', i) - Q(β, j)\bigr) β, \qquad ε_t = e^{-t \ln 20 / (N/2)},

so that ε is .05 at half of the N decisions; γ_Q = .9 and w = 0 at the start (errata D3). The step
sizes do not satisfy the condition that the paper cites for them (errata E13).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, argmax, dot, register
from epochbandits.validation import number

_MASK = 1023


class QLearning(NamedTuple):
    """Memory of Q-learning."""

    weight: Array
    """(m, S): w_j."""
    value: Array
    """(m,): Q(β, ·) of the next decision."""
    eps: Array
    """(1,): ε of this decision."""
    speed: float
    """ε_t = exp(-t·speed)."""
    decay: float
    """ε_{t+1}/ε_t."""
    discount: float


def build(info: Info, *, discount: float = 0.9, eps_half: float = 0.05) -> QLearning:
    """Parameters: the discount γ_Q, and ε at half the horizon."""
    discount = number(discount, "discount", 0, 1, below=True)
    eps_half = number(eps_half, "eps_half", 0, 1, above=True)
    speed = -math.log(eps_half) / (info.decisions / 2)
    weight, value = np.zeros((info.arms, info.states)), np.zeros(info.arms)
    return QLearning(weight, value, np.zeros(1), speed, math.exp(-speed), discount)


@inlined
def choose(policy, k, beta, rng):
    # `value` is Q(beta, ·): the last update computed it, and at the start all weights are 0.
    if k & _MASK == 1:  # now and then from its formula, so that rounding does not add up
        policy.eps[0] = math.exp(-k * policy.speed)
    else:
        policy.eps[0] *= policy.decay
    if rng.random() < policy.eps[0]:
        return int(rng.random() * len(policy.value))
    return argmax(policy.value, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    old = policy.value[arm]
    best = dots(policy.weight, after, policy.value)
    step = (rewards.total + policy.discount * best - old) * (1.0 / math.sqrt(k))
    add_multiple(policy.weight[arm], step, before)
    policy.value[arm] += step * dot(before, after)


# Four states are written out: a loop would read beta again for each row, as a store might have
# changed it, or would first check whether the arrays overlap.


@inlined
def dots(rows, beta, out):
    """Store `dot` of each row and beta in ``out``; return the largest."""
    largest = -math.inf
    if len(beta) == 4:
        b0, b1, b2, b3 = beta[0], beta[1], beta[2], beta[3]
        for j in range(len(out)):
            a = rows[j]
            out[j] = (a[0] * b0 + a[1] * b1) + (a[2] * b2 + a[3] * b3)
            largest = max(largest, out[j])
        return largest
    for j in range(len(out)):
        out[j] = dot(rows[j], beta)
        largest = max(largest, out[j])
    return largest


@inlined
def add_multiple(row, factor, beta):
    """Add factor·beta to a row."""
    if len(row) == 4:
        row[0] += factor * beta[0]
        row[1] += factor * beta[1]
        row[2] += factor * beta[2]
        row[3] += factor * beta[3]
        return
    for s in range(len(row)):
        row[s] += factor * beta[s]


register(
    "q-learning",
    schedule="fixed:1",
    memory=QLearning,
    build=build,
    choose=choose,
    learn=learn,
    observes=True,
)
