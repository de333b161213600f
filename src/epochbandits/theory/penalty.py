r"""The Markovian penalty: Lemma 1's Υ, the regret decomposition's L_j, and Theorem 1's ρ_j.

An arm's i-th epoch has τ_i = τ0 + ζ(i-1) iterations and discount sum R(τ) = Σ_{s<τ} γ^s. Lemma 1
bounds how far its expected reward is from μ_j by C_j Υ_j(τ)/R(τ), and L_j(T) bounds the sum of
those deviations over T plays. Three variants of L and ρ, chosen by name:

``paper``
    As printed. For γ<1 it has two branches, one for γ≠λ_j and one for γ=λ_j; the printed condition
    is on all arms at once: one arm with λ_j=γ puts every arm on the second branch.
``min``
    The smaller of the two printed branches, arm by arm: both hold for every γ<1, and the first
    one diverges as γ→λ_j (errata E4).
``tight``
    The sum Σ_{i≤T} C_j Υ_j(τ_i)/R(τ_i) itself, without the printed steps that drop 1/R ≤ 1
    (errata E5). Its ρ_j is max_{ℓ≤n} L_j(ℓ)/√ℓ, the least constant with which the proof of
    Theorem 1 goes through at horizon n.

Powers are taken through logarithms and differences through expm1, because λ and γ near one, and
near each other, are where the bounds matter most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.chains import Mixing
from epochbandits.model.setting import Setting, discount_sum, geometric_sum
from epochbandits.validation import InputError, choice

Array = NDArray[np.float64]
Variant = Literal["paper", "tight", "min"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
CHUNK = 1 << 17  # numbers (arms × epochs) evaluated at once: 1 MB, which fits in a cache
_EQUAL = 1e-9  # γ = λ_j is |γ - λ_j| ≤ this (a computed λ_j is never equal to the last bit)


def upsilon(tau: ArrayLike, mixing: Mixing, gamma: float) -> Array:
    """Return Lemma 1's Υ(τ) = Σ_{s<τ} γ^{τ-1-s} λ^s in its closed form.

    Parameters
    ----------
    tau : int or array of int
        Iterations of the epoch, at least 1.
    mixing : Mixing
        λ and C of an arm: an entry of `Instance.mixing`.
    gamma : float
        γ in (0, 1].

    Returns
    -------
    array
        Υ in the shape of ``tau``.

    Examples
    --------
    >>> from epochbandits import failure_example
    >>> upsilon([1, 2, 40], failure_example(0.1).mixing[0], gamma=1.0).round(6).tolist()
    [1.0, 1.1, 1.111111]
    """
    tau = np.asarray(tau, dtype=np.float64)
    if gamma == 1:
        return geometric_sum(tau, mixing.log_lam)
    log_phi, log_psi = phi_psi(mixing, gamma)
    # Both printed cases at once: they agree in the limit γ → λ.
    return np.exp((tau - 1) * log_phi) * geometric_sum(tau, log_psi)


def lemma1_bound(tau: ArrayLike, mixing: Mixing, gamma: float) -> Array:
    """Return C Υ(τ) / R(τ), which bounds |μ - E[epoch reward]| from any start (Lemma 1).

    Parameters
    ----------
    tau : int or array of int
        Iterations of the epoch, at least 1.
    mixing : Mixing
        λ and C of an arm: an entry of `Instance.mixing`.
    gamma : float
        γ in (0, 1].

    Returns
    -------
    array
        The bound in units of reward, in the shape of ``tau``.

    Examples
    --------
    >>> from epochbandits import failure_example
    >>> lemma1_bound([1, 40], failure_example(0.1).mixing[0], gamma=1.0).round(5).tolist()
    [1.58831, 0.04412]
    """
    return mixing.C * upsilon(tau, mixing, gamma) / discount_sum(tau, gamma)


def penalty_bound(
    T: ArrayLike, mixings: Sequence[Mixing], setting: Setting, variant: Variant = "paper"
) -> Array:
    """Return L_j(T), Equations (lj1) and (lj12), for each arm and each number of plays.

    Parameters
    ----------
    T : int or (k,) array of int
        Plays of the arm, at least 1.
    mixings : sequence of m Mixing
        λ_j and C_j of each arm: `Instance.mixing`.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L; see the module's docstring.

    Returns
    -------
    (m,) or (m, k) array
        Sum of the deviations of T epochs' rewards from μ_j at most, in units of reward.

    Raises
    ------
    InputError
        If a T is below 1, or the variant is unknown.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> penalty_bound(100, instance.mixing, Setting()).round(4).tolist()
    [2.255, 2.255]
    >>> penalty_bound([1, 10, 100], instance.mixing, Setting()).shape
    (2, 3)
    """
    choice(variant, "variant", VARIANTS)
    plays = np.atleast_1d(np.asarray(T, dtype=np.float64))
    if not plays.size or plays.min() < 1:
        raise InputError("L_j(T) and the confidence window are defined for T ≥ 1 plays only")
    if variant == "tight":
        needed, where = np.unique(plays, return_inverse=True)
        columns = [
            L[:, needed[(needed >= i[0]) & (needed <= i[-1])].astype(int) - int(i[0])]
            for i, L in _penalty_chunks(int(needed[-1]), mixings, setting, variant)
        ]
        result = np.concatenate(columns, axis=1)[:, where]
    else:
        result = _printed(plays, mixings, setting, variant)
    return result[:, 0] if np.ndim(T) == 0 else result


def kappa_per_arm(
    n: int, mixings: Sequence[Mixing], setting: Setting, variant: Variant = "paper"
) -> Array:
    """Return κ_j = max_{i≤n} L_j(i)/√i; the paper's κ is the largest of them.

    The maximum is inside [1, n] in general (errata E9), so the i are scanned until no later one
    can attain it.

    Parameters
    ----------
    n : int
        Horizon in epochs.
    mixings : sequence of m Mixing
        λ_j and C_j of each arm: `Instance.mixing`.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L; see the module's docstring.

    Returns
    -------
    (m,) array
        κ_j of each arm.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> kappa_per_arm(1000, instance.mixing, Setting()).round(4).tolist()
    [0.2281, 0.2281]
    """
    return _kappa_per_arm(n, tuple(mixings), setting, variant).copy()


@lru_cache(maxsize=64)  # one horizon's κ serves ρ, the greedy constants and three bounds
def _kappa_per_arm(
    n: int, mixings: tuple[Mixing, ...], setting: Setting, variant: Variant
) -> Array:
    largest = np.zeros(len(mixings))
    # L grows, so L(i)/√i ≤ L(n)/√i. The sum `tight` is below the printed forms.
    form: Variant = "min" if variant == "tight" else variant
    most = _printed(np.array([float(n)]), mixings, setting, form)[:, 0]
    for i, L in _penalty_chunks(n, mixings, setting, variant):
        np.maximum(largest, (L / np.sqrt(i)).max(axis=1), out=largest)
        if (most / math.sqrt(i[-1]) <= largest).all():
            break
    return largest


def rho(n: int, mixings: Sequence[Mixing], setting: Setting, variant: Variant = "paper") -> Array:
    """Return ρ_j of Theorem 1, Equations (rhoj) and (rhoj-avg).

    Parameters
    ----------
    n : int
        Horizon in epochs; only ``tight`` depends on it.
    mixings : sequence of m Mixing
        λ_j and C_j of each arm: `Instance.mixing`.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the module's docstring.

    Returns
    -------
    (m,) array
        ρ_j of each arm.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> rho(1000, instance.mixing, Setting()).round(4).tolist()
    [0.286, 0.286]
    """
    if variant == "tight":
        return kappa_per_arm(n, mixings, setting, variant)
    if setting.gamma == 1:
        scale = (1 + setting.zeta / setting.tau0) / math.sqrt(setting.zeta * setting.tau0)
        return np.array([a.C * scale / -math.expm1(a.log_lam) for a in mixings])
    return _printed(np.array([np.inf]), mixings, setting, variant)[:, 0]


def confidence_window(
    k: ArrayLike,
    T: ArrayLike,
    mixings: Sequence[Mixing],
    setting: Setting,
    variant: Variant = "paper",
) -> Array:
    """Return EpochUCB's window L_j(T)/T + sqrt(6 log k / T), Equation (confidence_window).

    The policy (`policies.epoch_ucb`) updates the same window play by play.

    Parameters
    ----------
    k : int or (k,) array of int
        The epoch, counted from 1.
    T : int or (k,) array of int
        Earlier plays of the arm, at least 1.
    mixings : sequence of m Mixing
        λ_j and C_j of each arm: `Instance.mixing`.
    setting : Setting
        τ0, ζ and γ.
    variant : {"paper", "tight", "min"}
        Form of L; see the module's docstring.

    Returns
    -------
    (m,) or (m, k) array
        What is added to the mean reward of each arm.

    Raises
    ------
    InputError
        If a T is below 1, or the variant is unknown.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> instance = failure_example(0.1)
    >>> confidence_window(10, 5, instance.mixing, Setting()).round(4).tolist()
    [1.7127, 1.7127]
    """
    plays = np.asarray(T, dtype=np.float64)
    return penalty_bound(T, mixings, setting, variant) / plays + np.sqrt(6 * np.log(k) / plays)


# --- the printed closed forms ------------------------------------------------------------------


def _printed(T: Array, mixings: Sequence[Mixing], setting: Setting, variant: Variant) -> Array:
    """Return the printed L_j(T) as an (m, k) array; T may be infinite for γ < 1."""
    gamma = setting.gamma
    if gamma == 1:
        growth = 1 / setting.tau0 + np.log1p(setting.zeta * T / setting.tau0) / setting.zeta
        return np.array([arm.C / -math.expm1(arm.log_lam) * growth for arm in mixings])
    if variant == "min":
        return np.array(
            [
                np.minimum(_unequal_branch(T, a, setting), _equal_branch(T, a, setting))
                for a in mixings
            ]
        )
    branch = _equal_branch if any(is_equal(a, gamma) for a in mixings) else _unequal_branch
    return np.array([branch(T, arm, setting) for arm in mixings])


def _unequal_branch(T: Array, arm: Mixing, setting: Setting) -> Array:
    """C φ^τ0 / (φ - η) · (1 - φ^{ζT}) / (1 - φ^ζ), for γ ≠ λ."""
    log_phi, log_psi = phi_psi(arm, setting.gamma)
    if log_psi == 0:
        return np.full(T.shape, np.inf)
    lead = math.exp((setting.tau0 - 1) * log_phi) / -math.expm1(log_psi)
    return arm.C * lead * geometric_sum(T, setting.zeta * log_phi)


def _equal_branch(T: Array, arm: Mixing, setting: Setting) -> Array:
    """C φ^{τ0-1} Σ_{i<T} φ^{ζi} (τ0 + ζi), for γ = λ; it holds for γ ≠ λ too."""
    log_phi, _ = phi_psi(arm, setting.gamma)
    step = setting.zeta * log_phi
    series = setting.tau0 * geometric_sum(T, step) + setting.zeta * _arithmetic_sum(T, -step)
    return arm.C * math.exp((setting.tau0 - 1) * log_phi) * series


def is_equal(arm: Mixing, gamma: float) -> bool:
    """Return whether γ = λ_j, up to the rounding of a computed λ_j."""
    return abs(gamma - arm.lam) <= _EQUAL


def phi_psi(arm: Mixing, gamma: float) -> tuple[float, float]:
    """Return log φ and log ψ, φ = max(γ, λ) and ψ = min(γ, λ)/φ."""
    log_gamma = math.log(gamma)
    log_phi = max(log_gamma, arm.log_lam)
    return log_phi, min(log_gamma, arm.log_lam) - log_phi


def _arithmetic_sum(T: Array, x: float) -> Array:
    r"""Return Σ_{i<T} i e^{-ix} for x > 0; T may be infinite.

    The textbook form e^{-x}/(1-e^{-x}) · [Σ_{i<T} e^{-ix} - T e^{-(T-1)x}] cancels when y = Tx is
    small. With g(t) = (1-e^{-t})/t its bracket is T/g(x) · [h(y) - e^{-y} k(x)], where
    h(y) = g(y) - e^{-y} and k(x) = (e^x-1)/x - 1 are both of first order and are computed so.
    """
    y = T * x
    with np.errstate(invalid="ignore"):
        fading = np.where(np.isinf(T), 0.0, T * np.exp(-y))
        last = np.where(np.isinf(T), 0.0, T * np.exp(x - y))
    if x >= 0.1:
        bracket = np.expm1(-y) / math.expm1(-x) - last
    else:
        h = _series(
            np.minimum(y, 0.5), [(-1) ** (i + 1) * i / math.factorial(i + 1) for i in range(1, 16)]
        )
        k = _series(x, [1 / math.factorial(i + 1) for i in range(1, 12)])
        with np.errstate(invalid="ignore"):
            first = np.where(y < 0.5, T * h, -np.expm1(-y) / x - fading)
        bracket = np.where(T == 1, 0.0, (first - fading * k) * x / -math.expm1(-x))
    return bracket * math.exp(-x) / -math.expm1(-x)


def _series(t: float | Array, coefficients: list[float]) -> Array:
    """Return Σ_i c_i t^i, i from 1."""
    return np.asarray(np.polynomial.polynomial.polyval(t, [0.0, *coefficients]))


def chunks(n: int, arms: int) -> Iterator[Array]:
    """Yield 1..n in pieces that keep (arms, piece) arrays small, whatever n is."""
    if n < 1:
        raise InputError(f"a horizon must be at least 1, not {n}")
    size = max(1, CHUNK // arms)
    for start in range(1, n + 1, size):
        yield np.arange(start, min(start + size, n + 1), dtype=np.float64)


def _penalty_chunks(
    n: int, mixings: Sequence[Mixing], setting: Setting, variant: Variant
) -> Iterator[tuple[Array, Array]]:
    """Yield (i, L_j(i)) over i = 1..n in pieces."""
    choice(variant, "variant", VARIANTS)
    total = np.zeros((len(mixings), 1))
    for i in chunks(n, len(mixings)):
        if variant == "tight":
            tau = setting.length(i)
            terms = np.array([lemma1_bound(tau, arm, setting.gamma) for arm in mixings])
            L = total + np.cumsum(terms, axis=1)
            total = L[:, -1:]
        else:
            L = _printed(i, mixings, setting, variant)
        yield i, L
