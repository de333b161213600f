r"""Thompson sampling for rewards in [0, 1], Algorithm 2 of Agrawal and Goyal (2012).

A decision draws θ_j ~ Beta(S_j + a, F_j + b) for each arm and plays the largest. Its reward r is
then replaced by a Bernoulli trial of probability r, and

.. math:: S_j \leftarrow S_j + 1 \text{ on success}, \qquad F_j \leftarrow F_j + 1 \text{ else.}

The paper's prior is uniform, a = b = 1. The trial needs a random number, so it is made at the start
of the next decision.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, argmax, register
from epochbandits.validation import number

_LOG_4, _LOG_5 = math.log(4.0), math.log(5.0)


def cheng_constant(a: float, b: float) -> float:
    """Return the constant β of Cheng's algorithm, see `draw_beta`."""
    if min(a, b) > 1.0:
        return math.sqrt((a + b - 2.0) / (2.0 * a * b - a - b))
    return 1.0 / min(a, b)


compiled_cheng_constant = inlined(cheng_constant)


class Thompson(NamedTuple):
    """Memory of Thompson sampling; arrays over the arms, except ``last``."""

    success: Array
    """S + a."""
    failure: Array
    """F + b."""
    cheng_constant: Array
    """The constant of `draw_beta`, which depends on the two."""
    theta: Array
    last: Array
    """(2,): arm and reward of the last decision; arm -1 before the first."""


def build(info: Info, *, a: float = 1.0, b: float = 1.0) -> Thompson:
    """Parameters: the prior Beta(a, b)."""
    a = number(a, "a", 0, 1e6, above=True)
    b = number(b, "b", 0, 1e6, above=True)
    shape = info.arms
    return Thompson(
        success=np.full(shape, a),
        failure=np.full(shape, b),
        cheng_constant=np.full(shape, cheng_constant(a, b)),
        theta=np.zeros(shape),
        last=np.array([-1.0, 0.0]),
    )


@inlined
def choose(policy, k, beta, rng):
    arm = int(policy.last[0])
    if arm >= 0:
        if rng.random() < policy.last[1]:
            policy.success[arm] += 1.0
        else:
            policy.failure[arm] += 1.0
        policy.cheng_constant[arm] = compiled_cheng_constant(
            policy.success[arm], policy.failure[arm]
        )
    for j in range(len(policy.theta)):
        policy.theta[j] = draw_beta(
            policy.success[j], policy.failure[j], policy.cheng_constant[j], rng
        )
    return argmax(policy.theta, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    policy.last[0], policy.last[1] = arm, rewards.total


@inlined
def draw_beta(a, b, rate, rng):
    """Return a number with the law Beta(a, b), by rejection (Cheng 1978, algorithm BA).

    The first two tests accept by log x ≤ x - 1, without a logarithm or with one.
    """
    while True:
        u, v = rng.random(), rng.random()
        x = rate * math.log(u / (1.0 - u))
        w = a * math.exp(min(x, 700.0))
        z = u * u * v
        r = (a + 1.0 / rate) * x - _LOG_4
        s = a + r - w
        if s + 1.0 + _LOG_5 >= 5.0 * z:
            break
        t = math.log(z)
        if s >= t or r + (a + b) * math.log((a + b) / (b + w)) >= t:
            break
    return w / (b + w)


register("thompson", schedule="fixed:1", memory=Thompson, build=build, choose=choose, learn=learn)
