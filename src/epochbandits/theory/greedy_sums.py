r"""EpochGreedy's corrected bound, added up over epochs.

For a suboptimal arm with rate = Δ_j²/c'' the bound on P(epoch k plays it) is, after k',

.. math::
    ε_k/m + (1-ε_k) \min(1, B(k)), \quad
    B(k) = 2 [\exp(-x_0/5) + \exp(-\mathrm{rate} ⌊x_0⌋) / \mathrm{rate}], \quad
    x_0 = \frac{1}{2m} \sum_{i<k} ε_i .

B falls with k. So the sum has a closed form up to the last epoch with B ≥ 1; after it, the first
part of B is smooth in log k, and the second is constant on each step of ⌊x₀⌋.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from epochbandits.theory.exploration import cumulative_sum, exploited, explored, first_epoch
from epochbandits.theory.penalty import CHUNK

Array = NDArray[np.float64]


def bracket(k: float, rate: float, k_prime: float, arms: int) -> float:
    """Return B(k); infinite while k-1 < k'."""
    if k - 1 < k_prime or rate == 0:
        return math.inf
    x0 = float(explored(k - 1, k_prime)) / (2 * arms)
    return 2 * (math.exp(-x0 / 5) + math.exp(-rate * math.floor(x0)) / rate)


def last_above_one(bound: Callable[[int], float], first: int, last: int) -> int:
    """Return the last epoch of first..last at which a falling bound is at least one.

    It is first - 1 if there is none.
    """
    low, high = first - 1, max(first, last + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if bound(middle) >= 1:
            low = middle
        else:
            high = middle
    return low


def corrected_sums(n: NDArray[np.int64], rates: Array, k_prime: float, arms: int) -> Array:
    """Return the sum of the bounds on epochs 1..n as a (rates, n) array, for ascending n."""
    last = int(n[-1])
    clipped = np.array(
        [
            last_above_one(
                partial(bracket, rate=rate, k_prime=k_prime, arms=arms),
                math.floor(k_prime) + 1,
                last,
            )
            for rate in rates.tolist()
        ]
    )
    sums = explored(n, k_prime) / arms + exploited(np.minimum(n, clipped[:, None]), k_prime)
    falling = clipped < last
    if falling.any():
        sums[falling] += 2 * _stepped_sums(n, clipped[falling], rates[falling], k_prime, arms)
        if k_prime / arms < 400:  # else exp(-x₀/5) < 1e-17

            def unlikely(k: Array) -> Array:
                return np.asarray(
                    (1 - k_prime / k) * np.exp(-explored(k - 1, k_prime) / (10 * arms))
                )

            for row in np.flatnonzero(falling):
                sums[row] += 2 * cumulative_sum(unlikely, int(clipped[row]) + 1, n)
    return np.asarray(sums)


def _stepped_sums(
    n: NDArray[np.int64], clipped: NDArray[np.int64], rates: Array, k_prime: float, arms: int
) -> Array:
    """Return Σ_{clipped<k≤n} (1-ε_k) exp(-rate ⌊x₀(k)⌋)/rate, by the steps of the floor."""
    from_step, end = (np.floor(explored(k, k_prime) / (2 * arms)) for k in (clipped, n[-1] - 1))
    to_step = np.minimum(end, from_step + np.ceil(36 / rates))  # the rest is below e⁻³⁶ of this
    start, until = exploited(clipped, k_prime), exploited(n, k_prime)
    sums = np.zeros((len(rates), len(n)))
    for low in range(int(from_step.min()), int(to_step.max()) + 1, CHUNK):
        steps = np.arange(low, min(low + CHUNK, int(to_step.max()) + 1))
        # The floor rises to a step in the epoch after this one.
        edges = exploited(first_epoch(2.0 * arms * np.r_[steps, steps[-1] + 1], k_prime), k_prime)
        for row, rate in enumerate(rates):
            heights = np.exp(-rate * steps) / rate
            heights[steps > to_step[row]] = 0
            inside = np.maximum(edges, start[row])
            areas = np.r_[0.0, np.cumsum(heights * np.diff(inside))]
            i = np.clip(np.searchsorted(inside, until, side="right") - 1, 0, len(steps))
            part = np.r_[heights, 0.0][i] * np.maximum(until - inside[i], 0.0)
            sums[row] += areas[i] + part
    return sums
