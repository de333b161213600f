r"""KL-UCB of Garivier and Cappé (2011), with the Bernoulli divergence.

After playing each arm once, decision t plays the arm with the largest

.. math:: U_j = \max\{q \in [0, 1] : T_j \, d(\bar R_j, q) \le \log t + c \log\log t\}, \qquad
          d(p, q) = p \log\frac{p}{q} + (1-p) \log\frac{1-p}{1-q} .

Their theorem takes c = 3, their experiments recommend c = 0, which is the default.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined, kernel
from epochbandits.policies.base import (
    MAX_STRETCH,
    TIE,
    Array,
    Info,
    Stretch,
    best_arm,
    learn_mean,
    register,
    single,
)
from epochbandits.validation import number

TOLERANCE = 1e-12  # an index is at most this much above its exact value
_TINY = 1e-200  # smaller means count as 0
_CERTAIN = TIE + 2 * TOLERANCE  # margin added to an index to bound it from above, ties included
_APART = 2 * _CERTAIN  # smallest lead for which such a bound still fits between two indices


class KLUCB(NamedTuple):
    """Memory of KL-UCB; arrays over the arms."""

    plays: Array
    mean: Array
    score: Array
    c: float


def build(info: Info, *, c: float = 0.0) -> KLUCB:
    """Parameter: the constant c of log log t."""
    plays, mean, score = np.zeros((3, info.arms))
    return KLUCB(plays, mean, score, number(c, "c", 0, 1e6))


@inlined
def budget(policy, k):
    """Return log k + c log log k, which is positive from the third decision on."""
    log_k = math.log(k)
    return log_k + policy.c * math.log(log_k) if policy.c > 0.0 else log_k


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    level = budget(policy, k)
    for j in range(m):
        policy.score[j] = upper(policy.mean[j], level / policy.plays[j])
    return best_arm(policy.score, policy.mean, rng)


@inlined
def divergence(p, q):
    """Return d(p, q) for p and q inside (0, 1), to full relative accuracy for q near p."""
    step = q - p
    return -p * math.log1p(step / p) - (1.0 - p) * math.log1p(-step / (1.0 - p))


@kernel
def upper(p, x):
    r"""Return the largest q with d(p, q) ≤ x, at most `TOLERANCE` too large.

    d(p, ·) is convex and increases from p to 1, so Newton's method from above stays above. It
    starts at the smaller of two bounds, Pinsker's q ≤ p + sqrt(x/2) and

    .. math:: 1 - q \ge \exp\Bigl(-\frac{x - p \log p - (1-p) \log(1-p)}{1-p}\Bigr),

    which follows from -p log q ≥ 0. Each step ends `TOLERANCE` below Newton's point: if d ≤ x
    there, the root is between the two.
    """
    if p >= 1.0:
        return 1.0
    if p < _TINY:
        return -math.expm1(-x)
    entropy = -p * math.log(p) - (1.0 - p) * math.log1p(-p)
    q = min(p + math.sqrt(0.5 * x), -math.expm1(-(x + entropy) / (1.0 - p)))
    if q >= 1.0:  # 1 - q is below the rounding of 1
        return 1.0
    for _ in range(100):
        excess = divergence(p, q) - x
        if excess <= 0.0:
            break
        newton = q - excess * q * (1.0 - q) / (q - p)
        if newton - TOLERANCE <= p:
            return newton
        q = newton - TOLERANCE
    return min(1.0, q + TOLERANCE)


@inlined
def lower(p, q, x):
    """Return a mean at which d(·, q) ≤ x, near the smallest one; p < 1 must have that property.

    d(·, q) is convex and falls from 0 to q. The roots of tangents are at or below the sought mean,
    that of the chord is at or above it; by Pinsker it is at least q - sqrt(x/2).
    """
    p, left, above = min(p, q), max(0.0, q - math.sqrt(0.5 * x)), -math.log1p(-q)
    if above <= x:
        return 0.0
    for _ in range(4):
        if p < _TINY:
            return p
        value, odds = divergence(p, q), q / (1.0 - q)
        left = max(left, p - (x - value) / max(math.log(odds * (1.0 - p) / p), _TINY))
        if left > _TINY:
            above = divergence(left, q)
            left += (above - x) / math.log(odds * (1.0 - left) / left)
            above = divergence(left, q)
        if not value < x < above:
            return p
        p -= (p - left) * (x - value) / (above - value)
    return p


@inlined
def decide(policy, k, beta, rng):
    r"""Say for how long the chosen arm's index stays the largest.

    U_j is concave in the budget x of T_j d ≤ x, so that within n decisions a rival's index grows by
    at most

    .. math:: n \, \frac{1 + c/\log k}{k \, T_j} \, \frac{U_j (1 - U_j)}{U_j - \bar R_j} .

    n is such that each of them grows by at most half of its distance to the chosen arm's; let q be
    their bound. The chosen arm, with T plays and the sum S, stays ahead of q while T d(S/T, q) is
    below the budget. This function of (S, T) is convex, of degree 1 and 0 where S ≥ qT, hence does
    not grow when (i q, i) is added: if p is the smallest mean with T d(p, q) ≤ x, sums above
    p T + q i are certain after i more plays. The rounding of these sums needs no margin of its
    own: it is far below that of q.
    """
    arm = choose(policy, k, beta, rng)
    m = len(policy.score)
    if k <= m:
        return single(arm)
    best, most = policy.score[arm], MAX_STRETCH
    rate = (1.0 + policy.c / math.log(k)) / k
    for j in range(m):
        if j != arm:
            behind = best - policy.score[j] - _APART
            most = min(most, 0.5 * behind / growth(policy, j, rate)) if behind > 0.0 else 0.0
    if most < 2.0:
        return single(arm)
    n, rival = int(most), 0.0
    for j in range(m):
        if j != arm:
            rival = max(rival, policy.score[j] + n * growth(policy, j, rate) + _CERTAIN)
    mean, T = policy.mean[arm], policy.plays[arm]
    least = lower(mean, rival, budget(policy, k) / T)
    return Stretch(arm, n, mean, T * (least - mean), rival - mean)


@inlined
def growth(policy, j, rate):
    """Return an upper bound on the growth per decision of arm j's index, while it is below 1."""
    U = policy.score[j]
    slope = U * (1.0 - U + TOLERANCE) / max(U - TOLERANCE - policy.mean[j], TOLERANCE)
    return rate / policy.plays[j] * slope


register(
    "kl-ucb",
    schedule="fixed:1",
    memory=KLUCB,
    build=build,
    choose=choose,
    learn=learn_mean,
    decide=decide,
)
