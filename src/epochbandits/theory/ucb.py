r"""EpochUCB: Theorem 1 and its two corollaries.

.. math::
    E[T_j(n)] &\le \frac{4}{Δ_j^2} \bigl(ρ_j + \sqrt{6 \log n}\bigr)^2 + 3 + 2 \log n \\
    R(n) &\le \sum_{j \ne j_*} Δ_j E[T_j(n)] + \sum_j L_j(n) \\
    R(n) &\le \sqrt{n \sum_j \bigl(4 ρ_j^2 + 8 ρ_j \sqrt{6 \log n} + 26 \log n + 3\bigr)}
              + \sum_j L_j(n)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.theory.penalty import Variant, penalty_bound, rho

Array = NDArray[np.float64]


def plays_bound(
    n: ArrayLike, instance: Instance, setting: Setting, variant: Variant = "paper"
) -> Array:
    """Return Theorem 1's bound on the expected plays E[T_j(n)] of each arm.

    Parameters
    ----------
    n : int or (k,) array of int
        Horizons in epochs, at least 1.
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the docstring of `theory.penalty`.

    Returns
    -------
    (m,) or (m, k) array
        Plays in n epochs, not clipped at n; inf for an arm without a gap. With several horizons ρ_j
        is that of the largest one.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> plays_bound(1000, instance, Setting()).round(1).tolist()
    [inf, 1097.4]
    """
    gap, log_n = instance.gap, np.asarray(np.log(np.asarray(n, dtype=np.float64)))
    reach = np.add.outer(_rho(n, instance, setting, variant), np.sqrt(6 * log_n))
    with np.errstate(divide="ignore"):
        return np.asarray(4 / gap**2 * (reach**2).T + (3 + 2 * log_n)[..., None]).T


def regret_bound(
    n: ArrayLike, instance: Instance, setting: Setting, variant: Variant = "paper"
) -> Array:
    """Return the gap-dependent bound on EpochUCB's regret R(n) (Corollary 1).

    Parameters
    ----------
    n : int or (k,) array of int
        Horizons in epochs, at least 1.
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the docstring of `theory.penalty`.

    Returns
    -------
    () or (k,) array
        Cumulative regret over n epochs, one unit being the reward 1 in an epoch.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> regret_bound([1000, 10000], instance, Setting()).round(1).tolist()
    [460.5, 611.1]
    """
    suboptimal = instance.gap > 0
    plays = plays_bound(n, instance, setting, variant)[suboptimal]
    penalty = penalty_bound(n, instance.mixing, setting, variant).sum(axis=0)
    return np.asarray(instance.gap[suboptimal] @ plays + penalty)


def gap_independent_bound(
    n: ArrayLike, instance: Instance, setting: Setting, variant: Variant = "paper"
) -> Array:
    """Return the gap-independent bound (Corollary 2), with the proof's +3 (errata D6).

    Parameters
    ----------
    n : int or (k,) array of int
        Horizons in epochs, at least 1.
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the docstring of `theory.penalty`.

    Returns
    -------
    () or (k,) array
        Cumulative regret over n epochs, as in `regret_bound`.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> gap_independent_bound([1000, 10000], instance, Setting()).round(1).tolist()
    [640.3, 2299.1]
    """
    log_n = np.log(np.asarray(n, dtype=np.float64))
    r = _rho(n, instance, setting, variant)
    inside = np.add.outer(4 * r**2, 26 * log_n + 3) + np.multiply.outer(8 * r, np.sqrt(6 * log_n))
    penalty = penalty_bound(n, instance.mixing, setting, variant).sum(axis=0)
    return np.asarray(np.sqrt(np.asarray(n) * inside.sum(axis=0)) + penalty)


def _rho(n: ArrayLike, instance: Instance, setting: Setting, variant: Variant) -> Array:
    """Return ρ_j at the largest n: a constant for one horizon is valid for every shorter one."""
    return rho(int(np.max(n)), instance.mixing, setting, variant)
