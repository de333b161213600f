r"""EpochGreedy: its constants, Theorem 2 as printed and corrected, and the regret bound to plot.

With κ = max_{i≤n, j} L_j(i)/√i, a number 0 < d ≤ Δ_min and a free c' > 8 the paper sets

.. math::
    ν = \max(κ, d/\sqrt{c'}), \quad c = c'ν^2, \quad c'' = 4c' / (\sqrt{c'/2} - 2)^2, \quad
    ε_k = \min(1, k'/k), \; k' = cm/d^2 .

Both forms of the bound b_j(k) on P(arm j is played in epoch k) are 1/m while ε_k = 1. After that

``corrected``
    ε_k/m + (1-ε_k) min(1, 2[exp(-x₀/5) + (c''/Δ_j²) exp(-Δ_j² ⌊x₀⌋/c'')]), with
    x₀ = (1/2m) Σ_{i<k} ε_i summed exactly, and the bracket 1 while k-1 < k' (errata E6 to E8);
``paper``
    the three terms of Theorem 2, not below the first and not above one.

Then E[T_j(n)] ≤ Σ_{k≤n} b_j(k) and R(n) ≤ Σ_j Δ_j E[T_j(n)] + Σ_j L_j(n).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.theory.penalty import Variant, chunks, kappa_per_arm, penalty_bound
from epochbandits.validation import InputError, choice, number

__all__ = [
    "FORMS",
    "Form",
    "GreedyConstants",
    "best_constants",
    "check_cprime",
    "constants",
    "play_probability",
    "plays_bound",
    "regret_bound",
]

Array = NDArray[np.float64]
Form = Literal["corrected", "paper"]
FORMS: tuple[str, ...] = get_args(Form)
_LARGEST_CPRIME = 1e300  # c' = c/κ² has to stay finite; κ may be zero by underflow


@dataclass(frozen=True)
class GreedyConstants:
    """The constants of one EpochGreedy run: c', ν, c, c'' (``c2``), d, and the number of arms."""

    cprime: float
    nu: float
    c: float
    c2: float
    d: float
    arms: int

    @property
    def k_prime(self) -> float:
        """Epoch k' = cm/d²: exploration is certain (ε_k = 1) up to this epoch."""
        return self.arms * (self.c / self.d**2)  # in this order k' = m exactly when c = d²


def constants(cprime: float, kappa: float, d: float, arms: int) -> GreedyConstants:
    """Return the constants that follow from a choice of c' > 8."""
    cprime = check_cprime(cprime)
    c = max(cprime * kappa**2, d**2)
    return GreedyConstants(cprime, math.sqrt(c / cprime), c, _c2(cprime), d, arms)


def check_cprime(cprime: float) -> float:
    """Return c', or refuse one that the theory does not allow."""
    return number(cprime, "cprime", 8, _LARGEST_CPRIME, above=True)


def _c2(cprime: float) -> float:
    root = math.sqrt(cprime / 2)
    return 4 * cprime * (2 * (root + 2) / (cprime - 8)) ** 2  # √(c'/2) - 2 without cancellation


# --- the bound ---------------------------------------------------------------------------------


def play_probability(k: int, instance: Instance, chosen: GreedyConstants, form: Form) -> Array:
    """Return b_j(k) for each arm: the bound on the probability that epoch k plays it.

    For an optimal arm, of which Theorem 2 says nothing, ``corrected`` has 1.
    """
    *_, (_, last) = _probability_chunks(k, instance, chosen, form)
    return _all_arms(last[:, -1:], np.ones(1), instance, form)[:, 0]


def plays_bound(
    n: ArrayLike, instance: Instance, chosen: GreedyConstants, form: Form = "corrected"
) -> Array:
    """Return Σ_{k≤n} b_j(k), which bounds E[T_j(n)] of a suboptimal arm.

    Returns
    -------
    (m,) array, or (m, k) for an array of n; those of optimal arms have no meaning
    """
    horizons = np.atleast_1d(np.asarray(n, dtype=np.int64))
    needed, where = np.unique(horizons, return_inverse=True)
    total, columns = np.zeros((1, 1)), []
    for k, chunk in _probability_chunks(int(needed[-1]), instance, chosen, form):
        sums = total + np.cumsum(chunk, axis=1)
        total = sums[:, -1:]
        columns.append(sums[:, needed[(needed >= k[0]) & (needed <= k[-1])] - int(k[0])])
    result = _all_arms(np.concatenate(columns, axis=1)[:, where], horizons, instance, form)
    return result[:, 0] if np.ndim(n) == 0 else result


def _all_arms(rows: Array, optimal: ArrayLike, instance: Instance, form: Form) -> Array:
    """Return a row for each arm from those that were computed: suboptimal arms', or one for all."""
    if form == "paper":
        return np.tile(rows, (instance.arms, 1))
    result = np.tile(np.asarray(optimal, dtype=np.float64), (instance.arms, 1))
    result[instance.gap > 0] = rows
    return result


def regret_bound(
    n: ArrayLike,
    instance: Instance,
    setting: Setting,
    chosen: GreedyConstants,
    variant: Variant = "paper",
    form: Form = "corrected",
) -> Array:
    """Return the bound on EpochGreedy's regret (Corollary 3) at each n."""
    penalty = penalty_bound(n, instance.mixing, setting, variant).sum(axis=0)
    return np.asarray(instance.gap @ plays_bound(n, instance, chosen, form) + penalty)


def _probability_chunks(
    n: int, instance: Instance, chosen: GreedyConstants, form: Form
) -> Iterator[tuple[Array, Array]]:
    """Yield (k, b_j(k)) over k = 1..n in pieces, so that memory does not grow with n.

    b has a row for each suboptimal arm; the printed form, the same for all of them, has one.
    """
    choice(form, "form", FORMS)
    bound: Callable[..., Array] = _corrected if form == "corrected" else _printed
    arms, k_prime = instance.arms, chosen.k_prime
    gap = instance.gap[instance.gap > 0]
    rows = len(gap) if form == "corrected" else 1
    explored = 0.0  # Σ_{i<k} ε_i before the piece
    for k in chunks(n, arms):
        eps = np.minimum(1.0, k_prime / k)
        total = explored + np.cumsum(eps)
        if eps[-1] == 1:
            chunk = np.full((rows, len(k)), 1 / arms)
        else:
            chunk = bound(k, eps, (total - eps) / (2 * arms), gap, chosen)
            chunk[:, eps == 1] = 1 / arms
        explored = float(total[-1])
        yield k, chunk


def _corrected(k: Array, eps: Array, x0: Array, gap: Array, chosen: GreedyConstants) -> Array:
    rate = (gap**2)[:, None] / chosen.c2
    with np.errstate(divide="ignore"):
        bracket = 2 * (np.exp(-x0 / 5) + np.exp(-rate * np.floor(x0)) / rate)
    np.minimum(bracket, 1.0, out=bracket)
    bracket[:, k - 1 < chosen.k_prime] = 1.0
    return np.asarray(eps / chosen.arms + (1 - eps) * bracket)


def _printed(k: Array, eps: Array, x0: Array, gap: Array, chosen: GreedyConstants) -> Array:  # noqa: ARG001
    c, d2 = chosen.c, chosen.d**2
    first = c / (d2 * k)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = np.log((k - 1) / chosen.k_prime) + 0.5
        second = (2 * c / d2) * z * np.exp(-z * c / (5 * d2))
        third = (2 * chosen.c2 * math.e / d2) * np.exp(-z * c / chosen.c2)
        # k = 1 has log 0: no information, hence one.
        total = np.nan_to_num(first + second + third, nan=1.0)
    return np.asarray(np.clip(total, first, 1.0)[None])


# --- the search for c' -------------------------------------------------------------------------


@lru_cache(maxsize=256)  # the runs of many seeds share one search
def best_constants(
    n: int, instance: Instance, setting: Setting, variant: Variant = "paper"
) -> GreedyConstants:
    """Return the constants whose corrected regret bound at horizon n is smallest.

    The search is over c ≥ max(8κ², d²), c' = c/κ², which misses nothing: for a given c the largest
    c' has the smallest c''. The candidates are found on a smooth stand-in for the sum (integrated
    over log k, the floor averaged), zooming in on its minimum, and compared by the exact sum.
    Beyond c = d²n/m every epoch explores and the bound no longer changes.
    """
    d = instance.min_gap
    if d is None:
        raise InputError("EpochGreedy's constants need a suboptimal arm: here all arms tie")
    kappa = float(kappa_per_arm(n, instance.mixing, setting, variant).max())
    lowest = max(8 * kappa**2 * (1 + 1e-9), d**2)
    forever = d**2 * n / instance.arms * (1 + 1e-9)  # past the step at k' = n, not on it
    candidates = [lowest]
    if forever > lowest:
        candidates.append(forever)
        low, high = math.log(lowest), math.log(forever)
        for _ in range(4):
            grid = np.exp(np.linspace(low, high, 65)[:-1])
            best = math.log(grid[np.argmin(_smooth_bound(grid, n, kappa, d, instance))])
            width = (high - low) / 16
            low, high = max(low, best - width), min(high, best + width)
        candidates.append(math.exp(best))
    return min(
        (_from_c(c, kappa, d, instance.arms) for c in candidates),
        key=lambda chosen: float(instance.gap @ plays_bound(n, instance, chosen)),
    )


def _from_c(c: float, kappa: float, d: float, arms: int) -> GreedyConstants:
    cprime = min(c / kappa**2, _LARGEST_CPRIME) if kappa > 1e-150 else _LARGEST_CPRIME
    return GreedyConstants(cprime, math.sqrt(c / cprime), c, _c2(cprime), d, arms)


def _smooth_bound(c: Array, n: int, kappa: float, d: float, instance: Instance) -> Array:
    """Return approximately Σ_j Δ_j E[T_j(n)] for each c, all with k' < n."""
    m, gaps = instance.arms, instance.gap[instance.gap > 0]
    c = c[:, None]
    c2 = np.array([_from_c(x, kappa, d, m).c2 for x in c[:, 0]])[:, None]
    k_prime = c * m / d**2
    share = np.linspace(0, 1, 513)
    u = share * np.log(n / k_prime)  # u = log(k/k')
    x0 = c / (2 * d**2) * (1 + u)
    result = np.zeros(len(c))
    for gap in gaps:
        rate = gap**2 / c2
        # exp(-rate ⌊x⌋) averages expm1(rate)/rate · exp(-rate x) over a unit step of x
        bracket = 2 * (np.exp(-x0 / 5) + np.expm1(rate) / rate**2 * np.exp(-rate * x0))
        f = np.exp(-u) / m + (1 - np.exp(-u)) * np.minimum(1.0, bracket)
        integral = np.trapezoid(f * k_prime * np.exp(u), u, axis=1)
        result += gap * (k_prime[:, 0] / m + integral)
    return result
