r"""EpochUCB (Algorithm 2): optimism with a window that allows for mixing.

After playing each arm once, epoch k plays

.. math:: \arg\max_j \; \bar R_j + f \frac{L_j(T_j)}{T_j} + \sqrt{\frac{a \log k}{T_j}},

with a = 6 and f = 1 in the paper; then what is added to the mean is
`theory.penalty.confidence_window`. L_j bounds the Markovian penalty, in one of the variants of
`theory.penalty`. For γ < 1 each of them is a sum over the arm's plays, of

    C φ^{τ-1}/(1-ψ)  (γ ≠ λ),     C φ^{τ-1} τ  (γ = λ),     C Υ(τ)/R(τ)  (``tight``),

which is updated at each play, so that memory does not grow with the horizon; for γ = 1 the printed
form is a logarithm of the number of plays. L_j is that of the paper's epochs τ0 + ζT, with the
run's τ0 and ζ, also when the policy runs on another schedule.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.model.chains import Mixing
from epochbandits.policies.base import Array, Info, best_arm, learn_mean, register
from epochbandits.theory.penalty import VARIANTS, Variant, is_equal, phi_psi
from epochbandits.validation import InputError, choice, number

TIME, UNEQUAL, EQUAL, MIN, TIGHT = range(5)


class EpochUCB(NamedTuple):
    """Memory of EpochUCB; arrays over the arms."""

    plays: Array
    mean: Array
    known: Array
    """Mean plus the mixing part of the window, at the current number of plays."""
    root: Array
    """1/√T."""
    score: Array
    sums: Array
    """(m, 2): the sums of L_j so far, of the branches γ ≠ λ (or ``tight``) and γ = λ."""
    chain: Array
    """(m, 4): C_j, log λ_j, log φ_j, log ψ_j."""
    kind: int
    constant: float
    factor: float
    tau0: float
    zeta: float
    gamma: float


def build(
    info: Info,
    *,
    variant: Variant = "paper",
    constant: float = 6.0,
    factor: float = 1.0,
    worst: bool = False,
    C_factor: float = 1.0,
    eigengap_factor: float = 1.0,
) -> EpochUCB:
    """Return a new memory.

    Parameters
    ----------
    info : Info
        The problem, and the run's setting.
    variant : {"paper", "tight", "min"}
        Form of L; see `theory.penalty`.
    constant : float
        a, under the root.
    factor : float
        f, on L. With a = 6 and f = 1 the window is `theory.penalty.confidence_window`.
    worst : bool
        Whether all arms use the largest C and λ of any arm: a learner that knows only those.
    C_factor, eigengap_factor : float
        For a learner whose knowledge is wrong: it uses C_j and 1 - λ_j (up to 1) multiplied by
        them.

    Returns
    -------
    EpochUCB
        Arrays of zeros, and the constants.
    """
    choice(variant, "variant", VARIANTS)
    if not isinstance(worst, bool):
        raise InputError(f"worst must be true or false, not {worst!r:.60}")
    gamma, mixing = info.setting.gamma, info.mixing
    if worst:
        slowest, widest = max(arm.log_lam for arm in mixing), max(arm.C for arm in mixing)
        mixing = (Mixing(slowest, widest),) * info.arms
    C_factor = number(C_factor, "C_factor", 0, 1e12)
    eigengap_factor = number(eigengap_factor, "eigengap_factor", 0, 1e12, above=True)
    mixing = tuple(misstated(arm, C_factor, eigengap_factor) for arm in mixing)
    if variant == "tight":
        kind = TIGHT
    elif gamma == 1:
        kind = TIME
    elif variant == "min":
        kind = MIN
    else:  # the printed condition is on all arms together
        kind = EQUAL if any(is_equal(arm, gamma) for arm in mixing) else UNEQUAL
    chain = np.array([[arm.C, arm.log_lam, *phi_psi(arm, gamma)] for arm in mixing])
    plays, mean, known, root, score = np.zeros((5, info.arms))
    return EpochUCB(
        plays=plays,
        mean=mean,
        known=known,
        root=root,
        score=score,
        sums=np.zeros((info.arms, 2)),
        chain=chain,
        kind=kind,
        constant=number(constant, "constant", 0, 1e6),
        factor=number(factor, "factor", 0, 1e6),
        tau0=float(info.setting.tau0),
        zeta=float(info.setting.zeta),
        gamma=float(gamma),
    )


def misstated(arm: Mixing, C_factor: float, eigengap_factor: float) -> Mixing:
    """Return an arm's constants with C and 1 - λ multiplied; 1 - λ is at most 1."""
    log_lam = arm.log_lam
    if eigengap_factor != 1:
        eigengap = -math.expm1(log_lam) * eigengap_factor
        log_lam = math.log1p(-eigengap) if eigengap < 1 else -math.inf
    return Mixing(log_lam, arm.C * C_factor)


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    width = math.sqrt(policy.constant * math.log(k))
    for j in range(m):
        policy.score[j] = policy.known[j] + width * policy.root[j]
    return best_arm(policy.score, policy.mean, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    learn_mean(policy, k, arm, rewards, before, after)
    T = policy.plays[arm]
    policy.root[arm] = 1.0 / math.sqrt(T)
    policy.known[arm] = policy.mean[arm] + policy.factor * penalty(policy, arm) / T


@inlined
def penalty(policy, arm):
    """Return L_j(T) for the play that was just counted, T = plays[arm]."""
    T, C, log_lam = policy.plays[arm], policy.chain[arm, 0], policy.chain[arm, 1]
    if policy.kind == TIME:
        growth = 1.0 / policy.tau0 + math.log1p(policy.zeta * T / policy.tau0) / policy.zeta
        return C * growth / -math.expm1(log_lam)
    log_phi, log_psi = policy.chain[arm, 2], policy.chain[arm, 3]
    tau = policy.tau0 + policy.zeta * (T - 1.0)
    decay = math.exp((tau - 1.0) * log_phi)
    if policy.kind == TIGHT:
        terms = tau if log_psi == 0.0 else math.expm1(tau * log_psi) / math.expm1(log_psi)
        weight = tau
        if policy.gamma < 1.0:
            log_gamma = math.log(policy.gamma)
            weight = math.expm1(tau * log_gamma) / math.expm1(log_gamma)
        policy.sums[arm, 0] += C * decay * terms / weight
        return policy.sums[arm, 0]
    policy.sums[arm, 0] += C * decay / -math.expm1(log_psi) if log_psi < 0.0 else math.inf
    policy.sums[arm, 1] += C * decay * tau
    if policy.kind == UNEQUAL:
        return policy.sums[arm, 0]
    if policy.kind == EQUAL:
        return policy.sums[arm, 1]
    return min(policy.sums[arm, 0], policy.sums[arm, 1])


register("epoch-ucb", schedule="linear", memory=EpochUCB, build=build, choose=choose, learn=learn)
