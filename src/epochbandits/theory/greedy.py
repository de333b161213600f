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
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.theory.exploration import cumulative_sum, explored
from epochbandits.theory.greedy_sums import corrected_sums, last_above_one
from epochbandits.theory.penalty import Variant, kappa_per_arm, penalty_bound
from epochbandits.validation import InputError, choice, number

Array = NDArray[np.float64]
Form = Literal["corrected", "paper"]
FORMS: tuple[Form, ...] = get_args(Form)
_MAX_CPRIME = 1e300  # c' = c/κ² has to stay finite; κ may be zero by underflow


@dataclass(frozen=True)
class GreedyConstants:
    """The constants of one EpochGreedy run; `constants` and `best_constants` compute them.

    Parameters
    ----------
    cprime : float
        c' > 8.
    nu : float
        ν = √(c/c').
    c : float
        The constant of ε_k = min(1, cm/(d²k)).
    c2 : float
        c'' of Theorem 2.
    d : float
        0 < d ≤ Δ_min.
    arms : int
        m.
    """

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
    """Return the constants that follow from a choice of c'.

    Parameters
    ----------
    cprime : float
        c' > 8.
    kappa : float
        κ, the largest entry of `penalty.kappa_per_arm`.
    d : float
        0 < d ≤ Δ_min.
    arms : int
        The number m of arms.

    Returns
    -------
    GreedyConstants
        With c = max(c'κ², d²), so that ν = max(κ, d/√c').

    Raises
    ------
    InputError
        If c' is not above 8.

    Examples
    --------
    >>> chosen = constants(18.0, kappa=0.5, d=0.4, arms=2)
    >>> chosen.c, chosen.c2, round(chosen.k_prime, 6)
    (4.5, 72.0, 56.25)
    """
    cprime = check_cprime(cprime)
    c = max(cprime * kappa**2, d**2)
    return GreedyConstants(cprime, math.sqrt(c / cprime), c, second_constant(cprime), d, arms)


def check_cprime(cprime: float) -> float:
    """Return c'; reject a value that the theory does not allow."""
    return number(cprime, "cprime", 8, _MAX_CPRIME, above=True)


def second_constant(cprime: float) -> float:
    """Return c'' = 4c' / (√(c'/2) - 2)², for c' > 8.

    Examples
    --------
    >>> second_constant(18.0)
    72.0
    """
    root = math.sqrt(cprime / 2)
    return 4 * cprime * (2 * (root + 2) / (cprime - 8)) ** 2  # √(c'/2) - 2 without cancellation


# --- the bound ---------------------------------------------------------------------------------


def theorem2(k: ArrayLike, chosen: GreedyConstants) -> Array:
    """Return the three terms of Theorem 2, added up as they are printed.

    Parameters
    ----------
    k : int or array of int
        Epochs, at least 2; before k' the theorem says nothing.
    chosen : GreedyConstants
        The run's constants.

    Returns
    -------
    array
        The printed bound on P(a suboptimal arm is played in epoch k), not clipped at one, in the
        shape of ``k``.

    Examples
    --------
    >>> chosen = constants(1000.0, kappa=0.25, d=0.4, arms=2)
    >>> round(chosen.k_prime, 6), theorem2([1000, 10000], chosen).round(5).tolist()
    (781.25, [3.0057, 0.03906])
    """
    k = np.asarray(k, dtype=np.float64)
    return chosen.c / (chosen.d**2 * k) + theorem2_excess(k, chosen)


def theorem2_excess(k: ArrayLike, chosen: GreedyConstants) -> Array:
    """Return the second and third term of Theorem 2: what it has beyond exploration.

    Parameters
    ----------
    k : int or array of int
        Epochs, at least 2.
    chosen : GreedyConstants
        The run's constants.

    Returns
    -------
    array
        `theorem2` without its first term c/(d²k), in the shape of ``k``.
    """
    k = np.asarray(k, dtype=np.float64)
    c, d2 = chosen.c, chosen.d**2
    with np.errstate(over="ignore"):
        z = np.log((k - 1) / chosen.k_prime) + 0.5
        second = (2 * c / d2) * z * np.exp(-z * c / (5 * d2))
        third = (2 * chosen.c2 * math.e / d2) * np.exp(-z * c / chosen.c2)
        return np.asarray(second + third)


def plays_bound(
    n: ArrayLike, instance: Instance, chosen: GreedyConstants, form: Form = "corrected"
) -> Array:
    """Return Σ_{k≤n} b_j(k), which bounds E[T_j(n)] of a suboptimal arm.

    Both forms are 1/m up to k', then clipped at one up to some epoch, and smooth after that
    except for the floor of x₀. So the sum has a closed form up to there; `exploration` adds the
    rest.

    Parameters
    ----------
    n : int or (k,) array of int
        Horizons in epochs, at least 1.
    instance : Instance
        The problem, with m arms.
    chosen : GreedyConstants
        The run's constants.
    form : {"corrected", "paper"}
        Which b_j; see the module's docstring.

    Returns
    -------
    (m,) or (m, k) array
        Plays in n epochs; entries of optimal arms have no meaning.

    Raises
    ------
    InputError
        If an n is below 1, or the form is unknown.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> chosen = best_constants(10000, instance, Setting())
    >>> float(plays_bound(10000, instance, chosen)[1].round(1))
    1665.9
    """
    choice(form, "form", FORMS)
    horizons = np.atleast_1d(np.asarray(n, dtype=np.int64))
    needed, where = np.unique(horizons, return_inverse=True)
    if needed[0] < 1:
        raise InputError(f"a horizon must be at least 1, not {needed[0]}")
    if needed[-1] <= chosen.k_prime:  # every epoch explores; k' may be beyond NumPy's integers
        result = np.tile(horizons / instance.arms, (instance.arms, 1))
    elif form == "paper":
        result = np.tile(_printed_sums(needed, chosen)[where], (instance.arms, 1))
    else:
        suboptimal = instance.gap > 0
        result = np.tile(horizons.astype(np.float64), (instance.arms, 1))
        rates = instance.gap[suboptimal] ** 2 / chosen.c2
        result[suboptimal] = corrected_sums(needed, rates, chosen.k_prime, instance.arms)[:, where]
    return result[:, 0] if np.ndim(n) == 0 else result


def regret_bound(
    n: ArrayLike,
    instance: Instance,
    setting: Setting,
    chosen: GreedyConstants,
    variant: Variant = "paper",
    form: Form = "corrected",
) -> Array:
    """Return the bound Σ_j Δ_j E[T_j(n)] + Σ_j L_j(n) on EpochGreedy's regret (Corollary 3).

    Parameters
    ----------
    n : int or (k,) array of int
        Horizons in epochs, at least 1.
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    chosen : GreedyConstants
        The run's constants.
    variant : {"paper", "tight", "min"}
        Form of L; see the docstring of `theory.penalty`.
    form : {"corrected", "paper"}
        Which b_j; see the module's docstring.

    Returns
    -------
    () or (k,) array
        Cumulative regret over n epochs, one unit being the reward 1 in an epoch.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> chosen = best_constants(10000, instance, Setting())
    >>> regret_bound([1000, 10000], instance, Setting(), chosen).round(1).tolist()
    [218.9, 701.1]
    """
    penalty = penalty_bound(n, instance.mixing, setting, variant).sum(axis=0)
    return np.asarray(instance.gap @ plays_bound(n, instance, chosen, form) + penalty)


def _printed_sums(n: NDArray[np.int64], chosen: GreedyConstants) -> Array:
    whole, last = math.floor(chosen.k_prime), int(n[-1])
    clipped = last_above_one(lambda k: float(theorem2(k, chosen)), whole + 1, last)
    sums = np.minimum(n, whole) / chosen.arms + (np.clip(n, whole, clipped) - whole)
    after = explored(np.maximum(n, clipped), chosen.k_prime) - explored(clipped, chosen.k_prime)
    later = cumulative_sum(lambda k: theorem2_excess(k, chosen), clipped + 1, n)
    return np.asarray(sums + after / chosen.arms + later)


# --- the search for c' -------------------------------------------------------------------------


@lru_cache(maxsize=256)  # the runs of many seeds share one search
def best_constants(
    n: int,
    instance: Instance,
    setting: Setting,
    variant: Variant = "paper",
    d: float | None = None,
) -> GreedyConstants:
    """Return the constants whose corrected regret bound at horizon n is smallest.

    The search is over c ≥ max(8κ², d²), c' = c/κ², which misses nothing:
    for a given c the largest c' has the smallest c''. The candidates come from a smooth
    approximation of the sum (integrated over log k, the floor averaged), zooming in on its minimum,
    and compared by the exact sum. Beyond c = d²n/m every epoch explores and the bound no longer
    changes.

    Parameters
    ----------
    n : int
        Horizon in epochs.
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L; see the docstring of `theory.penalty`.
    d : float, optional
        0 < d ≤ Δ_min; Δ_min by default.

    Returns
    -------
    GreedyConstants
        The best of them.

    Raises
    ------
    InputError
        If all arms tie, or d is not in (0, Δ_min].

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> chosen = best_constants(10000, instance, Setting())
    >>> round(chosen.c, 1), round(chosen.k_prime)
    (70.2, 839)
    """
    if instance.min_gap is None:
        raise InputError("EpochGreedy's constants need a suboptimal arm: here all arms tie")
    d = instance.min_gap if d is None else number(d, "d", 0, instance.min_gap, above=True)
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
        (from_c(c, kappa, d, instance.arms) for c in candidates),
        key=lambda chosen: float(instance.gap @ plays_bound(n, instance, chosen)),
    )


def from_c(c: float, kappa: float, d: float, arms: int) -> GreedyConstants:
    """Return the constants of a given c, with the largest c' that it allows, c/κ²."""
    cprime = min(c / kappa**2, _MAX_CPRIME) if kappa > 1e-150 else _MAX_CPRIME
    return GreedyConstants(cprime, math.sqrt(c / cprime), c, second_constant(cprime), d, arms)


def _smooth_bound(c: Array, n: int, kappa: float, d: float, instance: Instance) -> Array:
    """Return approximately Σ_j Δ_j E[T_j(n)] for each c, all with k' < n."""
    m, gaps = instance.arms, instance.gap[instance.gap > 0]
    c = c[:, None]
    c2 = np.array([from_c(x, kappa, d, m).c2 for x in c[:, 0]])[:, None]
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
