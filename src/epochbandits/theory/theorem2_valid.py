r"""A bound with a proof, to compare with Theorem 2 as printed (errata E7).

Epoch k exploits a suboptimal arm j only if its mean is at least the optimal arm's, so one of the
two means is off by Δ_j/2. By then an arm has been explored S times, a sum of independent indicators
with the mean X = Σ_{i<k} ε_i/m. Its mean over i plays is off by Δ_j/2 only if a martingale with
increments in intervals of length one is off by i a_i, a_i = Δ_j/2 - ν/√i. By Chernoff's and
Hoeffding's bounds, for every whole number x < X

.. math::
    P(α(k) = j) \le ε_k/m + (1-ε_k) \min\Bigl(1, 2 \bigl[ e^{-X} (eX/x)^x
        + \sum_{i=x+1}^{k-1} e^{-2 i \max(0, a_i)^2} \bigr]\Bigr) .

`valid_excess` is the second summand with the best x: what the bound adds to exploration. It only
assumes ν = √(c/c') ≥ κ and Δ_j ≥ d. Its printed counterpart is the sum of Theorem 2's second and
third terms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from epochbandits.theory import greedy
from epochbandits.theory.exploration import explored
from epochbandits.theory.greedy import GreedyConstants

Array = NDArray[np.float64]
ARMS = (2, 3, 4, 10)
GRID = {
    "d": (0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0),
    "c/d²": (1.0, 3.0, 10.0, 20.0, 40.0, 70.0, 100.0, 200.0, 400.0, 1000.0),
    "c'": (9.0, 12.0, 20.0, 50.0, 200.0, 1e3, 1e4, 1e6),
}
"""The constants at which the two bounds are compared, for each number of `ARMS`."""
_EPOCHS = (1.0, 1.05, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4)
"""The epochs k of the comparison, over k'."""


def few_explorations(x: Array, mean: float) -> Array:
    """Return Chernoff's bound e^{-X} (eX/x)^x on P(S ≤ x), for a mean X and 0 ≤ x ≤ X."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.where(x > 0, x * np.log(x / mean), 0.0)
    return np.asarray(np.exp(x - mean - log))


def valid_excess(k: int, chosen: GreedyConstants) -> float:
    """Return (1-ε_k) min(1, 2[…]) of the module's docstring, for a gap of at least d."""
    eps = min(1.0, chosen.k_prime / k)
    mean = float(explored(k - 1, chosen.k_prime)) / chosen.arms
    i = np.arange(1.0, min(k - 1, math.ceil(mean)) + 1)
    rest = len(i) + 1.0  # what is beyond these i is bounded by a geometric series
    distance = np.maximum(chosen.d / 2 - chosen.nu / np.sqrt(np.r_[i, rest]), 0.0)
    off = np.exp(-2 * np.r_[i, rest] * distance**2)
    if rest > k - 1:
        off[-1] = 0.0
    elif distance[-1] > 0:
        off[-1] /= -math.expm1(-2 * distance[-1] ** 2)
    else:
        off[-1] = math.inf
    tails = np.cumsum(off[::-1])[::-1]  # tails[x] is the sum from i = x + 1
    x = np.arange(0.0, min(len(tails), math.ceil(mean)))
    bracket = 2 * float(np.min(few_explorations(x, mean) + tails[: len(x)]))
    return (1 - eps) * min(1.0, bracket)


def grid() -> Iterator[tuple[str, GreedyConstants, int]]:
    """Yield the cases of `GRID` in which the printed bound is below one, and so not trivial.

    Each is (its constants in words, the constants, epoch k).
    """
    for m, (d, scale, cprime) in product(ARMS, product(*GRID.values())):
        c = scale * d**2
        chosen = GreedyConstants(
            cprime, math.sqrt(c / cprime), c, greedy.second_constant(cprime), d, m
        )
        text = f"m = {m}, d = {d:g}, c/d² = {scale:g}, c' = {cprime:g}"
        k = np.unique([math.ceil(chosen.k_prime * ratio) for ratio in _EPOCHS])
        # An excess that has nearly underflowed cannot be compared.
        usable = (greedy.theorem2(k, chosen) < 1) & (greedy.theorem2_excess(k, chosen) > 1e-300)
        for epoch in k[usable].tolist():
            yield text, chosen, epoch
