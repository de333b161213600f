"""Estimators: from a condition to the sample that a rule judges.

Instances are the binding sample: a sample has one value per instance, averaged over its seeds.
Estimators named ``..._PER_RUN`` have one value per run instead. An estimator with a fixed sentence
is a constant; a function returns those whose sentence names what is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from epochbandits.claims.claim import Estimator
from epochbandits.claims.conditions import BoundAt, Condition, Inequality, Matrices
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Sample
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.stats import t_margin
from epochbandits.theory import greedy, ucb

__all__ = [
    "BOTH_SIDES",
    "DECADES",
    "DOUBLING",
    "DOUBLING_PER_RUN",
    "FOUND_BEST",
    "FOUND_BEST_PER_RUN",
    "LAMBDA2",
    "LATE_GAP_PER_RUN",
    "OVER_GAP_DEPENDENT_BOUND",
    "OVER_GAP_INDEPENDENT_BOUND",
    "OVER_GREEDY_BOUND",
    "ROOT_LAMBDA2",
    "bound_ratio",
    "final_difference",
    "final_ratio",
    "final_ratio_of_other",
    "minus_least",
]

# --- regret at the end of runs --------------------------------------------------------------------


def final_ratio(words: str, **other: Any) -> Estimator:
    """Return the estimator of final values over those of an ``other`` condition."""
    return Estimator(words, _final_ratio, (other,))


def _final_ratio(evidence: Evidence, over: Condition, under: Condition) -> Sample:
    parts = (evidence.by_instance(one, one.column) for one in (over, under))
    return Sample.of(lambda top, bottom: top[..., 0] / bottom[..., 0], *parts)


def final_ratio_of_other(words: str, **other: Any) -> Estimator:
    """Return the estimator of an ``other`` condition's final values over the condition's."""
    return Estimator(words, _final_ratio_of_other, (other,))


def _final_ratio_of_other(evidence: Evidence, under: Condition, over: Condition) -> Sample:
    return _final_ratio(evidence, over, under)


def final_difference(words: str, **other: Any) -> Estimator:
    """Return the estimator of final values minus those of an ``other`` condition."""
    return Estimator(words, _minus_least, (other,))


def minus_least(words: str, *policies: str) -> Estimator:
    """Return the estimator of final values minus the least of other policies'."""
    return Estimator(words, _minus_least, tuple({"policy": policy} for policy in policies))


def _minus_least(evidence: Evidence, condition: Condition, *others: Condition) -> Sample:
    parts = (evidence.by_instance(one, one.column) for one in (condition, *others))
    return Sample.of(
        lambda first, *rest: first[..., 0] - np.min([one[..., 0] for one in rest], axis=0), *parts
    )


# --- growth and identification --------------------------------------------------------------------


def _doubling(evidence: Evidence, condition: Condition) -> Sample:
    part = evidence.by_instance(condition, "expected_regret", "half_regret")
    return Sample.of(lambda regret: regret[..., 0] / regret[..., 1], part)


def _doubling_per_run(evidence: Evidence, condition: Condition) -> Sample:
    runs = evidence.finals(condition)
    return Sample((runs["expected_regret"] / runs["half_regret"]).to_numpy(), len(runs))


def _found_best(evidence: Evidence, condition: Condition) -> Sample:
    return Sample.of(lambda gap: 1 - gap[..., 0], evidence.by_instance(condition, "late_gap"))


def _late_gap_per_run(evidence: Evidence, condition: Condition) -> Sample:
    values = evidence.finals(condition)["late_gap"].to_numpy(dtype=np.float64)
    return Sample(values, len(values))


def _found_best_per_run(evidence: Evidence, condition: Condition) -> Sample:
    sample = _late_gap_per_run(evidence, condition)
    return sample._replace(values=1 - sample.values)


DOUBLING = Estimator("R(n)/R(n/2), for each instance", _doubling)
"""Near 2 for a line, √2 for a square root, 1 for a logarithm."""
DOUBLING_PER_RUN = Estimator("R(n)/R(n/2) of each run", _doubling_per_run)
FOUND_BEST = Estimator(
    "1 minus the mean gap of later plays over Δ_min, for each instance", _found_best
)
"""1 is the best arm throughout."""
FOUND_BEST_PER_RUN = Estimator(
    "1 minus the mean gap of each run's later plays over Δ", _found_best_per_run
)
LATE_GAP_PER_RUN = Estimator("mean gap of each run's later plays over Δ", _late_gap_per_run)

# --- theory ---------------------------------------------------------------------------------------


def _over_bound(
    evidence: Evidence, condition: Condition, bound: Callable[[int, Instance, Setting], Any]
) -> Sample:
    """Return measured regret over its bound for each instance, with the 95% margin of its seeds."""
    n, setting = int(evidence.finals(condition)["epoch"].max()), evidence.setting(condition)
    bounds = np.array([float(bound(n, one, setting)) for one in evidence.instances(condition)])
    regret = evidence.by_instance(condition, condition.column)[..., 0]
    count, seeds = regret.shape
    margin = t_margin(regret.std(axis=1, ddof=1), seeds) if seeds > 1 else np.full(count, np.inf)
    return Sample(regret.mean(axis=1) / bounds, regret.size, margin / bounds)


def _greedy_bound(n: int, instance: Instance, setting: Setting) -> Any:
    constants = greedy.best_constants(n, instance, setting)
    return greedy.regret_bound(n, instance, setting, constants)


_WORDS = "mean expected regret over bound, for each instance"
OVER_GAP_DEPENDENT_BOUND = Estimator(_WORDS, partial(_over_bound, bound=ucb.regret_bound))
OVER_GAP_INDEPENDENT_BOUND = Estimator(
    _WORDS, partial(_over_bound, bound=ucb.gap_independent_bound)
)
OVER_GREEDY_BOUND = Estimator(_WORDS, partial(_over_bound, bound=_greedy_bound))


def bound_ratio(words: str, **other: Any) -> Estimator:
    """Return the estimator of a bound over that of an ``other`` condition."""
    return Estimator(words, _bound_ratio, (other,))


def _bound_ratio(evidence: Evidence, over: BoundAt, under: BoundAt) -> Sample:
    return Sample(evidence.bound(over) / evidence.bound(under), 0)


def _decades(evidence: Evidence, *conditions: BoundAt) -> Sample:
    high, middle, low = (evidence.bound(one) for one in conditions)
    return Sample((high - middle) / (middle - low), 0)


DECADES = Estimator(
    "growth over n = 1e6..1e7 over that over 1e5..1e6, for each instance",
    _decades,
    against=({"n": 1e6}, {"n": 1e5}),
)
"""Near 1 for a logarithm, √10 for a square root, 10 for a line; for conditions at n = 1e7."""


def _eigenvalue(evidence: Evidence, condition: Matrices, column: str) -> Sample:
    return Sample(evidence.eigenvalues(condition, column), 0)


LAMBDA2 = Estimator("mean λ₂ over random matrices", partial(_eigenvalue, column="lambda2"))
ROOT_LAMBDA2 = Estimator("mean √λ₂ over random matrices", partial(_eigenvalue, column="root"))


def _both_sides(evidence: Evidence, condition: Inequality) -> Sample:
    cases = evidence.inequality(condition)
    # The cases of one instance and γ share their simulated runs.
    runs = int(cases.groupby(["instances", "instance", "gamma"])["runs"].max().sum())
    right = cases["right"].to_numpy()
    return Sample((cases["left"] / right).to_numpy(), runs, (cases["margin"] / right).to_numpy())


BOTH_SIDES = Estimator("measured side over bound, for every arm of every instance", _both_sides)
