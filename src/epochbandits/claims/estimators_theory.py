"""Estimators of the theory: bounds, both sides of inequalities, eigenvalues, exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.claims.claim import Estimator
from epochbandits.claims.conditions import BoundAt, Condition, Inequality, InstancesOf, Matrices
from epochbandits.claims.estimators import quotient
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.sample import Sample
from epochbandits.claims.texts import plain
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline.exact_cases import ALL_STATES, RANDOM_STATES, largest_reasonable
from epochbandits.stats import t_quantile
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import penalty_bound
from epochbandits.theory.useful_horizon import Bound, first_useful_horizon

Array = NDArray[np.float64]
Formula = Callable[[Any, Instance, Setting], Any]

# --- measured regret against its bound ------------------------------------------------------------


def _over_bound(
    evidence: Evidence, condition: Condition, bound: Formula, name: Bound | None
) -> Sample:
    """Return measured regret over its bound for each instance, with the errors of its seeds."""
    n, setting = int(evidence.finals(condition)["epoch"].max()), evidence.setting(condition)
    instances = evidence.instances(condition)
    bounds = np.array([float(bound(n, instance, setting)) for instance in instances])
    trivial = np.array([n * float(instance.gap.max()) for instance in instances])
    regret = evidence.by_instance(condition, condition.column)[..., 0]
    count, seeds = regret.shape
    # One seed says nothing about the spread; a huge error leaves the case open.
    errors = regret.std(axis=1, ddof=1) / seeds**0.5 if seeds > 1 else np.full(count, 1e12)
    return Sample(
        regret.mean(axis=1) / bounds,
        regret.size,
        errors / bounds,
        np.full(count, max(seeds - 1.0, 1.0)),
        vacuous=bool((bounds >= trivial).all()),
        useful_from=_useful_from(name, instances, setting),
    )


def _useful_from(name: Bound | None, instances: list[Instance], setting: Setting) -> float | None:
    """Return the median over instances of the first n at which a bound is below n·Δ_max."""
    if name is None:
        return None
    median = float(
        np.median([first_useful_horizon(instance, setting, name) for instance in instances])
    )
    return median if np.isfinite(median) else None


def _greedy_bound(n: int, instance: Instance, setting: Setting) -> Any:
    constants = greedy.best_constants(n, instance, setting)
    return greedy.regret_bound(n, instance, setting, constants)


def _penalty_bound(n: Any, instance: Instance, setting: Setting) -> Any:
    return penalty_bound(n, instance.mixing, setting).sum(axis=0)


def _regret_over(bound: Formula, name: Bound) -> Estimator:
    description = "measured mean regret divided by the bound, for the worst instance"
    return Estimator(description, partial(_over_bound, bound=bound, name=name))


OVER_GAP_DEPENDENT_BOUND = _regret_over(ucb.regret_bound, "epoch-ucb")
OVER_GAP_INDEPENDENT_BOUND = _regret_over(ucb.gap_independent_bound, "gap-independent")
OVER_GREEDY_BOUND = _regret_over(_greedy_bound, "epoch-greedy")
OVER_PENALTY_BOUND = Estimator(
    "measured mean Markovian penalty divided by Σ L_j(n), for the worst instance",
    partial(_over_bound, bound=_penalty_bound, name=None),
)
"""For conditions whose column is markov_penalty."""

# --- comparisons of bounds ------------------------------------------------------------------------


def bound_ratio(description: str, **other: Any) -> Estimator:
    """Return the estimator of a mean bound over that of an ``other`` condition."""
    return Estimator(description, partial(_bounds, statistic=quotient), (other,))


def _bounds(evidence: Evidence, *conditions: BoundAt, statistic: Callable[..., Array]) -> Sample:
    parts = (evidence.bound(condition)[:, None, None] for condition in conditions)
    return Sample.of(statistic, *parts)._replace(runs=0)


def _growths(high: Array, middle: Array, low: Array) -> Array:
    return np.asarray((high - middle)[..., 0] / (middle - low)[..., 0])


DECADES = Estimator(
    "growth of the mean bound over n = 1e6 to 1e7 divided by that over 1e5 to 1e6 "
    "(a logarithm gives 1, a square root 3.16, a straight line 10)",
    partial(_bounds, statistic=_growths),
    against=({"n": 1e6}, {"n": 1e5}),
)
"""For conditions at n = 1e7."""


def _penalty_bounds(evidence: Evidence, condition: InstancesOf, averaged: InstancesOf) -> Sample:
    values = [
        float(_penalty_bound(int(condition.n), instance, Setting(gamma=condition.gamma)))
        / float(_penalty_bound(int(averaged.n), instance, Setting(gamma=averaged.gamma)))
        for instance in evidence.members(condition)
    ]
    return Sample(np.array(values), 0)


PENALTY_BOUND_OVER_AVERAGED = Estimator(
    "share of instances on which Σ L_j(n) is smaller at γ than at 1",
    _penalty_bounds,
    ({"gamma": 1.0},),
)

# --- inequalities and eigenvalues -----------------------------------------------------------------


def _both_sides(evidence: Evidence, condition: Inequality) -> Sample:
    cases = evidence.inequality(condition)
    # The cases of one instance and γ share their simulated runs.
    runs = int(cases.groupby(["instances", "instance", "gamma"])["runs"].max().sum())
    right = cases["right"].to_numpy(dtype=np.float64)
    dof = np.maximum(cases["runs"].to_numpy(dtype=np.float64) - 1, 1)
    errors = cases["margin"].to_numpy() / t_quantile(dof) / right
    trivial = cases["trivial"].to_numpy(dtype=np.float64)
    known = np.isfinite(trivial)
    return Sample(
        cases["left"].to_numpy(dtype=np.float64) / right,
        runs,
        errors,
        dof,
        vacuous=bool((right >= trivial)[known].all()) if known.any() else None,
    )


BOTH_SIDES = Estimator("measured side divided by the bound, in the worst case", _both_sides)
ORDER = Estimator(
    "growth of the bound over a decade divided by that of √(n log n), in the worst case",
    _both_sides,
)


def _classes(evidence: Evidence, condition: Inequality, control: Inequality) -> Sample:
    """Return the numbers of classes; no values if no ergodic chain has more than one."""
    classes = evidence.inequality(condition)["left"].to_numpy(dtype=np.float64)
    if evidence.inequality(control)["left"].max() <= 1:
        classes = classes[:0]
    return Sample(classes, 0)


CLASSES = Estimator(
    f"largest number of irreducible classes of M(P) over all patterns of {ALL_STATES[0]} to "
    f"{ALL_STATES[-1]} states and random ones of {RANDOM_STATES[0]} to {RANDOM_STATES[-1]}",
    _classes,
    ({"name": "ergodic"},),
)


WITHOUT_CONDITIONS = Estimator(
    "1 divided by the number of patterns that meet neither condition and have one class, in the "
    "worst case of 3 and 4 states",
    _both_sides,
)


_REASONABLE = largest_reasonable(5000)


def _reasonable(evidence: Evidence, condition: Inequality | Matrices) -> Sample:
    if isinstance(condition, Matrices):
        ratios = evidence.eigenvalues(condition) / _REASONABLE[condition.column]
        return Sample(np.minimum(ratios, 1e9), 0)  # ρ is infinite if M(P) is reducible
    cases = evidence.inequality(condition)
    grouped = (cases["left"] / cases["right"]).groupby([cases["instances"], cases["instance"]])
    return Sample(grouped.max().to_numpy(dtype=np.float64), 0)


REASONABLE = Estimator(
    "share of random matrices, or of instances with all their arms, whose constant is reasonable",
    _reasonable,
)


def _eigenvalue(evidence: Evidence, condition: Matrices) -> Sample:
    return Sample(evidence.eigenvalues(condition), 0)


MEAN_EIGENVALUE = Estimator("mean over random matrices with 10 states", _eigenvalue)
PERCENTILE_EIGENVALUE = Estimator(
    "95th percentile over random matrices with 10 states", _eigenvalue
)


def bounded_eigenvalue(away: float) -> Estimator:
    """Return the estimator for the rule that λ₂ below ``away`` is bounded away from 1."""
    description = f"share of random matrices with 10 states whose λ₂ is below {plain(away)}"
    return Estimator(description, _eigenvalue)
