"""Estimators of simulated runs: from a condition to the sample that a rule judges.

Ratios are ratios of means over instances and seeds, and are bootstrapped as such: a mean of ratios
would give an instance with little regret the same weight as one with much. Shares are shares of
instances, each averaged over its seeds; `late_plays_per_run` counts runs instead.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.claims.claim import Estimator
from epochbandits.claims.conditions import Condition
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.sample import Sample
from epochbandits.claims.texts import multiple, share

Array = NDArray[np.float64]


# --- regret ---------------------------------------------------------------------------------------


def quotient(top: Array, bottom: Array) -> Array:
    """Return the ratio of two parts' means."""
    return np.asarray(top[..., 0] / bottom[..., 0])


def _ratio(evidence: Evidence, over: Condition, under: Condition) -> Sample:
    return Sample.of(
        quotient,
        *(evidence.by_instance(condition, condition.column) for condition in (over, under)),
    )


def regret_ratio(description: str, **other: Any) -> Estimator:
    """Return the estimator of mean final regret over that of an ``other`` condition."""
    return Estimator(description, _ratio, (other,))


PENALTY_RATIO = regret_ratio(
    "mean Markovian penalty of EpochUCB at γ divided by that at γ = 1", gamma=1.0
)
"""For conditions whose column is markov_penalty."""


def _column_ratio(evidence: Evidence, condition: Condition, *, columns: tuple[str, str]) -> Sample:
    parts = evidence.by_instance(condition, *columns)
    return Sample.of(lambda means: np.asarray(means[..., 0] / means[..., 1]), parts)


def column_ratio(description: str, top: str, bottom: str) -> Estimator:
    """Return the estimator of the mean of one final value over that of another."""
    return Estimator(description, partial(_column_ratio, columns=(top, bottom)))


GROWTH = column_ratio(
    "mean regret after n epochs divided by that after n/2 "
    "(a straight line gives 2, a square root 1.41, a logarithm nearly 1)",
    "expected_regret",
    "half_regret",
)

# --- identification -------------------------------------------------------------------------------


def _late(
    evidence: Evidence, condition: Condition, *, identified: bool, per_run: bool = False
) -> Sample:
    """Return the gaps of later plays, or for ``identified`` how far they are below 1."""
    gaps = evidence.by_instance(condition, "late_gap")[..., 0]
    values = gaps.ravel() if per_run else gaps.mean(axis=1)
    return Sample(1 - values if identified else values, gaps.size)


def late_plays(late: float, *, identified: bool) -> Estimator:
    """Return the estimator of how many instances have the best arm found, or missed."""
    verb, side = ("plays", "below") if identified else ("does not play", "above")
    description = (
        f"share of instances on which the second half of the run {verb} the best arm "
        f"(mean gap of its plays {side} {multiple(late)} the smallest gap)"
    )
    return Estimator(description, partial(_late, identified=identified))


def late_plays_per_run(late: float, *, identified: bool) -> Estimator:
    """Return the same per run, for two arms: the mean gap is the share of the worse one."""
    arm, least = ("better", 1 - late) if identified else ("worse", late)
    description = (
        f"share of runs whose second half plays the {arm} arm (more than {share(least)} of the "
        "time)"
    )
    return Estimator(description, partial(_late, identified=identified, per_run=True))


def _locked_estimate(evidence: Evidence, condition: Condition, *, late: float) -> Sample:
    """Mean expected reward of arm 1 where the run settles on arm 2, whose reward is constant.

    Then all of the Markovian penalty comes from arm 1: over its T₁ plays it is T₁ (μ₁ - mean).
    T₁ follows from the regret of suboptimal plays, (n - T₁) Δ. A run that never plays arm 1 has no
    estimate, and runs that settle on arm 1 are not counted.
    """
    runs = evidence.finals(condition)
    instance = evidence.instances(condition)[0]
    gap, best = float(instance.gap.max()), float(instance.mu.max())
    plays = runs["epoch"].to_numpy() - runs["subopt_regret"].to_numpy() / gap
    chosen = (runs["late_gap"].to_numpy() > late) & (plays > 0.5)
    means = best - runs["markov_penalty"].to_numpy()[chosen] / plays[chosen]
    return Sample(means, len(runs))


def locked_estimate(late: float) -> Estimator:
    """Return the estimator for unpaired runs on Example 1 that decide at each iteration."""
    description = (
        "mean reward of arm 1's plays (from 0 to 1; its stationary reward is nearly 1), "
        "over the runs that settle on arm 2"
    )
    return Estimator(description, partial(_locked_estimate, late=late))
