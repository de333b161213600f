r"""How long UCB stays locked on a worse arm: a prediction without fitted numbers.

While UCB is locked it plays the best of the other arms, b, nearly always. It probes the best arm
when the index of that arm reaches the index of b. With r₀ the mean reward of the probes and
sqrt(a log t / T), a = 2, UCB's bonus, the number of plays of the best arm by time t is

.. math:: n(t) = \frac{a \log t}{D(t)^2}, \qquad
          D(t) = μ_b - r_0 + \sqrt{a \log t / t} .

Example 1 has r₀ = 0 and μ_b = ½, hence the 8 log t probes.

A probe begins a burst. A play with reward r adds (r - r₀)/n to the best arm's mean and takes D/(2n)
off its bonus, so that in units of 1/n its lead over b changes by r - r₀ - D/2. UCB goes on while
the lead is positive; a burst whose lead never returns to zero is an escape. Its probability e
depends on the distribution ν of the state at the probe and on what moves during the burst:

``trajectory``  the path moves by P_*, from a state that is drawn from ν once. The index of b falls
                when b pays less than μ_b, so a probe comes after such a reward:
                ν = ν' P_b, where ν'(θ) is proportional to π_b(θ) E[(μ_b - r_b^θ)⁺].
``marginal``    each play draws a new state, and only the distribution moves by P_*, from
                ν = π_b. One good reward then says nothing about the next one.

P(locked at t) is the product of 1 - e over the probes by time t. On Example 1 e is ε/(1 + ε) on a
path, and P(locked at t) is about t^(-8ε): regret grows as t^(1-8ε).

The prediction ignores the initial rounds, in which all arms are played in turn; every arm except b
and the best; and the growth of n within a burst. `tests/model/test_lock_in.py` tests it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.rewards import Law
from epochbandits.model.structure import best_other, good_states
from epochbandits.validation import choice, number

Array = NDArray[np.float64]

CONSTANT = 2.0
"""UCB1's constant under the root."""
STEPS = 20
"""Grid points of a unit of reward."""
FAR = 10
"""A lead of this many units is an escape: some forty plays without any reward would undo it."""
PLAYS = 1000
"""Plays after which a burst that goes on is an escape."""
TIMES = 6
"""Times at which e is computed, from the first round to t, equally spaced in log t."""


def probes(t: float, shortfall: float) -> float:
    """Return n(t), how often UCB plays an arm whose mean stays ``shortfall`` below the leader's.

    Examples
    --------
    >>> round(probes(1e5, 0.5), 1), round(8 * math.log(1e5), 1)
    (86.8, 92.1)
    """
    log = CONSTANT * math.log(t)
    return log / (shortfall + math.sqrt(log / t)) ** 2


def probe_law(instance: Instance, sampling: Sampling) -> Array:
    """Return ν, the distribution of the state when a probe begins, as an (S,) array."""
    choice(sampling, "sampling", SAMPLINGS)
    b = best_other(instance)
    distribution: Array = instance.pi[b]
    if sampling == "marginal":
        return distribution
    rewards = np.arange(STEPS + 1) / STEPS
    below = _on_grid(instance.rewards[b]) @ np.maximum(instance.mu[b] - rewards, 0)
    weight = distribution * below
    if weight.sum() > 1e-12:  # with constant rewards the index of b falls whatever the state
        distribution = weight @ instance.transition[b] / weight.sum()
    return distribution


def probe_reward(instance: Instance, sampling: Sampling) -> float:
    """Return r₀, the mean reward of probes while UCB is locked: on a path, those outside S*."""
    weight, good = probe_law(instance, sampling), good_states(instance)
    if sampling == "trajectory" and not good.all():
        weight = weight * ~good
    return float(weight @ instance.reward_means[instance.best_arm] / weight.sum())


def escape_probability(instance: Instance, sampling: Sampling, level: float) -> float:
    """Return e, the probability that a burst never ends.

    Parameters
    ----------
    level : float
        The level r₀ + D/2, the reward above which a play adds to the lead.
    """
    start, best = probe_law(instance, sampling), instance.best_arm
    P, laws = instance.transition[best], _on_grid(instance.rewards[best])
    # The level lies between two grid points; both get a share, so that its mean is exact.
    whole = int(level * STEPS)
    share = level * STEPS - whole
    changes = np.array([np.convolve(law, [share, 1 - share]) for law in laws])
    zero, top = whole + 1, FAR * STEPS
    # Rows are states on a path; states that are redrawn at each play need no memory.
    lead = np.zeros((len(start) if sampling == "trajectory" else 1, top))
    lead[:, 0] = start if sampling == "trajectory" else 1.0
    escaped = 0.0
    for _ in range(PLAYS):
        steps = changes if sampling == "trajectory" else start[None] @ changes
        after = np.array([np.convolve(row, step) for row, step in zip(lead, steps, strict=True)])
        escaped += float(after[:, zero + top :].sum())
        lead = after[:, zero : zero + top]
        lead[:, 0] = 0
        if sampling == "trajectory":
            lead = P.T @ lead
        else:
            start = start @ P
        if lead.sum() < 1e-6:
            break
    return escaped + float(lead.sum())


def locked_probability(instance: Instance, t: float, sampling: Sampling) -> float:
    """Return the predicted probability that UCB is locked on a worse arm after t iterations.

    Zero where probes alone show that the best arm is best.

    Examples
    --------
    >>> from epochbandits.model.generators import failure_example
    >>> round(locked_probability(failure_example(0.01), 1e5, "trajectory"), 3)
    0.426
    """
    number(t, "t", 2 * instance.arms, 1e15)
    r0 = probe_reward(instance, sampling)
    shortfall = instance.mu[best_other(instance)] - r0
    if shortfall <= 0:
        return 0.0
    times = np.geomspace(2 * instance.arms, t, TIMES)
    count = np.array([probes(time, shortfall) for time in times])
    windows = np.sqrt(CONSTANT * np.log(times) / count)
    escapes = np.array(
        [escape_probability(instance, sampling, r0 + window / 2) for window in windows]
    )
    if escapes.max() >= 1:
        return 0.0
    rate = -np.log1p(-escapes)
    # The first play is not a probe: it belongs to the round in which each arm is played once.
    return math.exp(-rate[0] * max(0.0, count[0] - 1) - np.trapezoid(rate, count))


def _on_grid(laws: tuple[Law, ...]) -> Array:
    """Return each law rounded to the grid of rewards, as an (S, STEPS + 1) array."""
    edges = (np.arange(STEPS) + 0.5) / STEPS
    table = np.zeros((len(laws), STEPS + 1))
    for row, law in zip(table, laws, strict=True):
        for value, mass in law.atoms:
            row[round(value * STEPS)] += mass
        for weight, density in law.components:
            row += weight * np.diff(density.cdf(edges), prepend=0, append=1)
    return table
