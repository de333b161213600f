r"""Estimators of the studies' ledger: benchmarks of stronger learners, and growth of regret."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from epochbandits.claims.claim import Estimator
from epochbandits.claims.conditions import Condition, Inequality
from epochbandits.claims.estimators import column_ratio
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.sample import Sample
from epochbandits.io.schemas import BENCHMARK
from epochbandits.theory.lai_robbins import lai_robbins

Array = NDArray[np.float64]


# --- benchmarks: μ_* is ``trivial``, the bounds are ``left`` and ``right`` ------------------------


def _sides(evidence: Evidence, condition: Inequality, *, value: Callable[..., Array]) -> Sample:
    rows = evidence.inequality(condition)
    columns = (rows[key].to_numpy(dtype=np.float64) for key in ("left", "right", "trivial"))
    return Sample(value(*columns), 0)


def _benchmark(words: str, value: Callable[[Array, Array, Array], Array]) -> Estimator:
    return Estimator(words, partial(_sides, value=value))


def at_most(factor: float) -> Estimator:
    """Return the upper bound over ``factor`` times μ_*, for the rule `Holds`."""
    words = f"upper bound of the benchmark divided by {factor:g} μ*, in the worst case"
    return _benchmark(words, lambda _, right, fixed: right / (factor * fixed))


def at_least(factor: float) -> Estimator:
    """Return ``factor`` times μ_* over the lower bound, for the rule `Holds`."""
    words = f"{factor:g} μ* divided by the lower bound of the benchmark, in the worst case"
    return _benchmark(words, lambda left, _, fixed: factor * fixed / left)


lower_share = _benchmark(
    "lower bound of the benchmark divided by μ*, mean over instances",
    lambda left, _, fixed: left / fixed,
)
upper_share = _benchmark(
    "upper bound of the benchmark divided by μ*, mean over instances",
    lambda _, right, fixed: right / fixed,
)

# --- regret of policies that decide each iteration ------------------------------------------------


def _index(mu: Array) -> float:
    """Return Σ_j 2/Δ_j, at which UCB1's index √(2 log t / T_j) settles."""
    gap = mu.max() - mu
    return float((2 / gap[gap > 0]).sum())


def _slope(
    evidence: Evidence, condition: Condition, *, constant: Callable[[Array], float]
) -> Sample:
    (instance,) = evidence.instances(condition)
    scale = constant(instance.mu) * math.log(2)
    parts = evidence.by_instance(condition, "expected_regret", "half_regret")
    return Sample.of(lambda r: np.asarray((r[..., 0] - r[..., 1]) / scale), parts)


def slope(kind: str) -> Estimator:
    """Return growth over the second half, over that of a constant times log t."""
    constant, name = {
        "lai-robbins": (lai_robbins, "the Lai-Robbins constant"),
        "index": (_index, "Σ 2/Δ"),
    }[kind]
    words = f"(R(T) - R(T/2)) / log 2, mean over runs, divided by {name}"
    return Estimator(words, partial(_slope, constant=constant))


PER_ITERATION = column_ratio(
    "mean weak regret divided by the number of iterations", "iteration_regret", "iteration"
)


_SPAN = 1000


def _per_span(evidence: Evidence, ours: Condition, other: Condition) -> Sample:
    columns = ("iteration_regret", "iteration")
    parts = (evidence.by_instance(side, *columns) for side in (ours, other))
    return Sample.of(
        lambda a, b: np.asarray(_SPAN * (a[..., 0] / a[..., 1] - b[..., 0] / b[..., 1])), *parts
    )


MORE_THAN_UCB = Estimator(
    f"mean weak regret of EpochUCB in {_SPAN} iterations minus that of UCB",
    _per_span,
    ({"policy": "ucb"},),
)


def _strong_ratio(r: Array, *, lost: float) -> Array:
    return np.asarray((r[..., 0] + lost * r[..., 2]) / (r[..., 1] + lost * r[..., 2] / 2))


def _strong_growth(evidence: Evidence, condition: Condition, observed: Inequality) -> Sample:
    row = evidence.inequality(observed).iloc[0]
    parts = evidence.by_instance(condition, "expected_regret", "half_regret", "epoch")
    lost = float(row["left"] - row["trivial"])
    return Sample.of(partial(_strong_ratio, lost=lost), parts)


def strong_growth(table: str) -> Estimator:
    """Return R(T)/R(T/2) of the regret against the lower bound of the benchmark `observed`."""

    def observed(condition: Condition) -> Inequality:
        return Inequality(condition.label, f"{BENCHMARK}observed", table, condition.instances)

    return Estimator(
        "mean regret against the best policy that sees rewards, after T iterations divided by that "
        "after T/2 (a straight line gives 2)",
        _strong_growth,
        beside=observed,
    )
