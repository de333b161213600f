r"""How often EpochGreedy explores, and sums over epochs without adding up every epoch.

With ε_k = min(1, k'/k) and harmonic numbers H, for K ≥ k'

.. math:: \sum_{i \le K} ε_i = \lfloor k' \rfloor + k' (H_K - H_{\lfloor k' \rfloor}) .

`cumulative_sum` adds a function that is smooth in log k: term by term at first, then by the
Euler-Maclaurin formula at midpoints,

.. math:: \sum_{k=a}^{b} g(k) ≈ \int_{a-1/2}^{b+1/2} g - \tfrac{1}{24} [g']_{a-1/2}^{b+1/2} .
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
_DIRECT = 1 << 14  # terms that are added one by one
_PANEL = 0.02  # width in log k of a panel of the quadrature
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_FEW = np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, 64))])  # H_0 to H_63


def _harmonic(k: ArrayLike) -> Array:
    """Return H_k for whole k ≥ 0; from 64 on for any k, by its asymptotic series."""
    k = np.asarray(k, dtype=np.float64)
    inverse = (np.maximum(k, 64) + 0.5) ** -2
    series = inverse * (1 / 24 - inverse * (7 / 960 - inverse * 31 / 8064))
    large = np.log(np.maximum(k, 64) + 0.5) + np.euler_gamma + series
    return np.asarray(np.where(k < 64, _FEW[np.minimum(k, 63).astype(int)], large))


def explored(k: ArrayLike, k_prime: float) -> Array:
    """Return Σ_{i≤k} ε_i, the expected number of exploring epochs among the first k ≥ 0."""
    k = np.asarray(k, dtype=np.float64)
    whole = math.floor(k_prime)
    later = whole + k_prime * (_harmonic(np.maximum(k, whole)) - _harmonic(whole))
    return np.where(k <= k_prime, k, later)


def exploited(k: ArrayLike, k_prime: float) -> Array:
    """Return Σ_{i≤k} (1 - ε_i), the expected number of exploiting epochs among the first k."""
    return np.asarray(k, dtype=np.float64) - explored(k, k_prime)


def first_epoch(total: Array, k_prime: float) -> Array:
    """Return the least K with Σ_{i≤K} ε_i ≥ total, for totals above ⌊k'⌋."""
    whole = math.floor(k_prime)
    height = _harmonic(whole) + (total - whole) / k_prime
    # H_K = log(K + ½) + 0.577… + O(K⁻²), so the guess is off by less than one.
    with np.errstate(over="ignore"):
        guess = np.maximum(np.ceil(np.exp(height - np.euler_gamma) - 0.5), whole + 1)
    guess = np.where(explored(guess - 1, k_prime) >= total, guess - 1, guess)
    return np.asarray(np.where(explored(guess, k_prime) < total, guess + 1, guess))


def cumulative_sum(g: Callable[[Array], Array], first: int, horizons: ArrayLike) -> Array:
    """Return Σ_{k=first}^{n} g(k) for each n in ascending ``horizons``; 0 for n < first.

    Parameters
    ----------
    g : Callable[[Array], Array]
        Function of an array of k; over a hundredth of k it must change by a factor of a few at
        most.
    """
    n = np.asarray(horizons, dtype=np.float64)
    switch = first + _DIRECT
    k = np.arange(first, min(switch, max(n[-1] + 1, first)))
    direct = np.concatenate([[0.0], np.cumsum(g(k))])
    result = direct[(np.clip(n, first - 1, first + len(k) - 1) - first + 1).astype(int)]
    late = n >= switch
    if late.any():
        result[late] += _euler_maclaurin(g, switch - 0.5, n[late] + 0.5)
    return np.asarray(result)


def _euler_maclaurin(g: Callable[[Array], Array], start: float, ends: Array) -> Array:
    """Return the sums of g over the whole numbers between ``start`` and each of ``ends``."""
    panels = math.ceil(math.log(ends[-1] / start) / _PANEL)
    edges = np.union1d(np.geomspace(start, ends[-1], panels + 1), np.r_[start, ends])
    low, high = np.log(edges[:-1]), np.log(edges[1:])
    x = np.exp((low + high)[:, None] / 2 + (high - low)[:, None] / 2 * _NODES)
    integrals = (g(x.ravel()).reshape(x.shape) * x) @ _WEIGHTS * (high - low) / 2
    total = np.concatenate([[0.0], np.cumsum(integrals)])[np.searchsorted(edges, ends)]
    slope = g(np.r_[start, ends] + 0.5) - g(np.r_[start, ends] - 0.5)
    return np.asarray(total - (slope[1:] - slope[0]) / 24)
