r"""Inequalities whose two sides are computed exactly.

For an instance and a setting (τ0, ζ, γ):

``lemma1``
    max over starting laws of |μ_j - E[epoch reward]| against C_j Υ_j(τ)/R(τ);
``lemma2``
    the mean of those over an arm's first T epochs against L_j(T)/T, which is Lemma 2, and, times T,
    what Proposition 2 adds to the regret for that arm;
``remark1_paper``, ``remark1_tight``, ``remark1_min``
    Σ_j L_j(n) with a discount against the same for γ = 1, for each form of L;
``corollary2_order``
    growth of Corollary 2's bound from n/10 to n against that of √(n log n);
``reasonable_lambda2``, ``reasonable_rho``
    λ₂(M(P_j)) against the larger 95th percentile that Section 3.3 prints, and Theorem 1's ρ_j
    against √(6 log n), which it is added to.

Without an instance:

``example2``
    1 minus the penalty of the optimal arm's first epoch in Example 2 against ε: a penalty of almost
    one although the gap is zero; ``at`` is 1/ε;
``theorem2_valid``
    the excess of a valid bound over exploration against Theorem 2's second and third terms;
``positive_diagonal``, ``reversible``, ``ergodic``
    the largest number of irreducible classes of M(P), over ergodic P with a condition, against one;
    ``ergodic`` is the control without a condition, which has more than one (errata E3);
``not_necessary``
    one against the number of patterns of P that satisfy neither condition and yet have one class.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from epochbandits.model import patterns
from epochbandits.model.generators import failure_example
from epochbandits.model.instance import Instance
from epochbandits.model.moments import epoch_mean, worst_deviation
from epochbandits.model.setting import Setting
from epochbandits.pipeline.cases import Case
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import VARIANTS, lemma1_bound, penalty_bound, rho
from epochbandits.theory.printed_numbers import EIGENVALUES
from epochbandits.theory.theorem2_valid import grid, valid_excess

_PLAYS = 200  # T up to which the lemmas are checked
_LEMMA_PLAYS = (1, 2, 5, 20, 50, 100, 200)
_PENALTY_HORIZONS = (100, 1000, 10_000)
_DECADES = (10**5, 10**6, 10**7)
ALL_STATES = (2, 3, 4)  # every pattern of these sizes is checked
RANDOM_STATES = (6, 10, 20)
_RANDOM_PATTERNS = 2000


def lemmas(instance: Instance, setting: Setting, _: int) -> Iterator[Case]:
    """Yield Lemmas 1 and 2 for each arm."""
    gamma, plays = setting.gamma, np.arange(1, _PLAYS + 1)
    lengths = setting.length(plays).astype(int)
    bound2 = penalty_bound(plays, instance.mixing, setting)
    for arm in range(instance.arms):
        worst = worst_deviation(instance, arm, lengths, gamma)
        bound1 = lemma1_bound(lengths.astype(float), instance.mixing[arm], gamma)
        means = np.cumsum(worst) / plays
        for T in _LEMMA_PLAYS:
            for name, at, left, right in (
                ("lemma1", lengths[T - 1], worst[T - 1], bound1[T - 1]),
                ("lemma2", T, means[T - 1], bound2[arm, T - 1] / T),
            ):
                yield Case(
                    name=name, gamma=gamma, arm=arm, at=int(at), left=left, right=right, trivial=1.0
                )


def remark1(instance: Instance, setting: Setting, n: int) -> Iterator[Case]:
    """Yield Σ_j L_j against that of time averages, at n and at other horizons."""
    if setting.gamma == 1:
        return
    average = Setting(setting.tau0, setting.zeta, 1.0)
    horizons = np.unique([n, *_PENALTY_HORIZONS])
    for variant in VARIANTS:
        both = (
            penalty_bound(horizons, instance.mixing, discounting, variant).sum(axis=0)
            for discounting in (setting, average)
        )
        for at, left, right in zip(horizons.tolist(), *both, strict=True):
            yield Case(
                name=f"remark1_{variant}", gamma=setting.gamma, at=at, left=left, right=right
            )


def corollary2_order(instance: Instance, setting: Setting, _: int) -> Iterator[Case]:
    """Yield the growth of Corollary 2's bound over decades."""
    for n in _DECADES:
        before, after = ucb.gap_independent_bound([n // 10, n], instance, setting)
        root = math.sqrt(10 * math.log(n) / math.log(n // 10))
        yield Case(
            name="corollary2_order", gamma=setting.gamma, at=n, left=after / before, right=root
        )


def reasonable(instance: Instance, setting: Setting, n: int) -> Iterator[Case]:
    """Yield the constants that depend on mixing, for each arm."""
    largest, rhos = largest_reasonable(n), rho(n, instance.mixing, setting)
    for arm, mixing in enumerate(instance.mixing):
        for name, left in (("lambda2", mixing.lam**2), ("rho", rhos[arm])):
            yield Case(name=f"reasonable_{name}", gamma=setting.gamma, arm=arm, at=n, left=left,
                       right=largest[name])  # fmt: skip


def largest_reasonable(n: int) -> dict[str, float]:
    """Return the largest λ₂ and ρ that are reasonable at horizon n."""
    return {"lambda2": EIGENVALUES["normal"][1], "rho": math.sqrt(6 * math.log(n))}


def example2() -> Iterator[Case]:
    """Yield Example 2, with epochs of one iteration."""
    for index, epsilon in enumerate((0.1, 0.01, 0.001)):
        instance = failure_example(epsilon)  # its optimal arm is that of Example 2
        arm = instance.best_arm
        mean = epoch_mean(instance, arm, instance.initial, 1, 1.0)
        yield Case(
            name="example2",
            instances="failure",
            instance=index,
            arm=arm,
            at=round(1 / epsilon),
            left=1 - float(instance.mu[arm] - mean),
            right=epsilon,
        )


def theorem2_valid() -> Iterator[Case]:
    """Yield both bounds on EpochGreedy's chance beyond exploration, over the grid."""
    for text, chosen, k in grid():
        yield replace(valid_case(chosen, k), instances=text)


def valid_case(chosen: greedy.GreedyConstants, k: int) -> Case:
    """Return ``theorem2_valid`` for some constants; 1 - trivial is exploration's chance."""
    return Case(
        name="theorem2_valid",
        at=k,
        left=valid_excess(k, chosen),
        right=float(greedy.theorem2_excess(k, chosen)),
        trivial=1 - chosen.c / chosen.d**2 / k,
    )


def irreducible() -> Iterator[Case]:
    """Yield the number of classes of M(P): all patterns of few states, random ones of more."""
    rng = np.random.default_rng(np.random.SeedSequence(0))
    for states in ALL_STATES:
        candidates = patterns.all_patterns(states)
        candidates = candidates[patterns.ergodic(candidates)]
        for condition, holds in patterns.CONDITIONS.items():
            yield _classes(condition, "all patterns", candidates[holds(candidates)])
        sufficient = [patterns.CONDITIONS[name] for name in ("positive_diagonal", "reversible")]
        without = candidates[~np.any([holds(candidates) for holds in sufficient], axis=0)]
        single = int((patterns.classes_of_m(without) == 1).sum())
        if states > 2:  # with two states every ergodic pattern is symmetric
            yield Case(
                name="not_necessary", instances="all patterns", at=states, left=1.0,
                right=float(single), runs=len(without),
            )  # fmt: skip
    for states in RANDOM_STATES:
        for condition in patterns.CONDITIONS:
            candidates = patterns.random_patterns(states, _RANDOM_PATTERNS, condition, rng)
            yield _classes(condition, "random patterns", candidates[patterns.ergodic(candidates)])


def _classes(condition: str, text: str, candidates: patterns.Patterns) -> Case:
    most = float(patterns.classes_of_m(candidates).max())
    return Case(
        name=condition,
        instances=text,
        at=candidates.shape[1],
        left=most,
        right=1.0,
        runs=len(candidates),
    )
