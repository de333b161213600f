"""Claims of Sections 3.3 and 3.4: the bounds of EpochUCB and EpochGreedy, and how chains mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from epochbandits.claims import estimators_theory as theory
from epochbandits.claims.claim import Claim, inequality_fields
from epochbandits.claims.conditions import OTHER_CLASSES, Condition, Inequality, Matrices
from epochbandits.claims.rules import MostBelow, Near, NearQuantile
from epochbandits.config.thresholds import Thresholds
from epochbandits.model.random_matrices import NORMAL_LAWS, ROW_LAWS
from epochbandits.theory.printed_numbers import EIGENVALUES


def _averaged(path: str, sampling: str) -> tuple[Condition, ...]:
    return tuple(
        Condition(f"{size}{path}, n = {n:,}", experiment, "epoch-ucb", instances, sampling)
        for size, n, experiment, instances in (
            ("4×4", 1500, "ensemble_4x4", None),
            ("4×8", 1500, "ensemble_4x8", None),
            ("4×4", 100_000, "far", "far_4x4"),
        )
    )


_REGRETS: dict[tuple[str, str], dict[str, Any]] = {
    ("", "time averages"): {
        "setting": _averaged("", "marginal"),
        "beyond": _averaged(", path", "trajectory"),
        "figure": "fig3a_bounds",
    },
    ("_discounted", "discounted feedback"): {
        "setting": tuple(
            Condition(f"γ = {gamma:g}, n = 5,000", "ensemble_discounts", "epoch-ucb", gamma=gamma)
            for gamma in (0.9, 0.5, 0.1, 0.99)
        ),
        "figure": "fig3b_ucb_bound_discount",
    },
}
"""Conditions of EpochUCB's regret by the feedback, and the figure that shows its bound."""
_COLUMNS = {"root": "√λ₂ of M(P)", "singular": "second singular value of P"}
_SETS = ("identify_4x4", "ensemble_4x8", *(f"identify_{cls}" for cls in OTHER_CLASSES))


def _both_samplings(
    name: str, table: str, discounts: Mapping[str, tuple[float, ...]]
) -> dict[str, Any]:
    """Return conditions on an inequality: Algorithm 1's sampling, and beyond it the path."""
    setting = tuple(
        Inequality(label, name, table, None, gammas, "marginal")
        for label, gammas in discounts.items()
    )
    paths = (
        replace(condition, label=f"{condition.label}, path", sampling="trajectory")
        for condition in setting
    )
    return {"setting": setting, "beyond": tuple(paths)}


def _other_scales(*laws: str) -> tuple[Matrices, ...]:
    return tuple(
        Matrices(f"{law}: {words}", law, column, "mixing_large")
        for law in laws
        for column, words in _COLUMNS.items()
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Sections 3.3 and 3.4."""
    return [*_ucb(thresholds), *_mixing(thresholds), *_greedy(thresholds)]


def _ucb(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    return [
        *(
            Claim(
                id=key,
                where="Theorem 1",
                statement=(
                    "EpochUCB's mean number of plays of a suboptimal arm is under its bound, for "
                    f"{feedback}."
                ),
                figure="inequalities",
                **inequality_fields(theory.BOTH_SIDES, level),
                **_both_samplings("theorem1", "theory", discounts),
            )
            for key, feedback, discounts in (
                ("theorem1", "time averages", {"γ = 1": (1.0,)}),
                ("theorem1_discounted", "discounted feedback", {"γ < 1": (0.95, 0.9, 0.5, 0.1)}),
            )
        ),
        *(
            Claim(
                id=f"corollary{number}{ending}",
                where=f"Corollary {number}",
                statement=f"EpochUCB's regret is under its {kind} bound, for {feedback}.",
                **inequality_fields(estimator, level),
                **conditions,
            )
            for number, kind, estimator in (
                (1, "gap-dependent", theory.OVER_GAP_DEPENDENT_BOUND),
                (2, "gap-independent", theory.OVER_GAP_INDEPENDENT_BOUND),
            )
            for (ending, feedback), conditions in _REGRETS.items()
        ),
        Claim(
            id="corollary2_order",
            where="Corollary 2",
            statement="EpochUCB's gap-independent bound is of the order √(n log n).",
            setting=(
                Inequality("n = 1e5 to 1e7", "corollary2_order", "constants", "ensemble_4x4"),
            ),
            figure="inequalities",
            **inequality_fields(theory.ORDER, level),
        ),
    ]


def _mixing(thresholds: Thresholds) -> list[Claim]:
    level, printed = thresholds.level, thresholds.printed
    rows: dict[str, dict[str, Any]] = {
        "uniform": {
            "quantifier": "mean",
            "setting": (Matrices("λ₂ of M(P)", "uniform"),),
            "beyond": _other_scales("uniform"),
        },
        "normal": {
            "quantifier": "some",
            "setting": tuple(Matrices(f"{law}: λ₂ of M(P)", law) for law in NORMAL_LAWS),
            "beyond": _other_scales(*NORMAL_LAWS),
        },
    }
    return [
        *(
            Claim(
                id=f"tab1_{law}_{key}",
                where="Section 3.3",
                statement=f"For random {law} rows λ₂ of M(P) has {words} {rule.target:g}.",
                estimator=estimator,
                rule=rule,
                figure="tab1_mixing",
                **conditions,
            )
            for law, conditions in rows.items()
            for key, words, estimator, rule in (
                ("mean", "mean", theory.MEAN_EIGENVALUE, Near(EIGENVALUES[law][0], printed, level)),
                (
                    "percentile",
                    "95th percentile",
                    theory.PERCENTILE_EIGENVALUE,
                    NearQuantile(EIGENVALUES[law][1], printed, level, 0.95),
                ),
            )
        ),
        Claim(
            id="tab1_bounded_away",
            where="Section 3.3",
            statement="In practice λ₂ of M(P) is bounded away from 1.",
            quantifier="all",
            estimator=theory.bounded_eigenvalue(thresholds.away),
            rule=MostBelow(thresholds.away, thresholds.nearly_all, level),
            setting=tuple(Matrices(law, law) for law in ROW_LAWS),
            figure="tab1_mixing",
        ),
        *(
            Claim(
                id=f"reasonable_{column}",
                where="Section 3.3",
                statement=f"For the vast majority of instances {statement}",
                quantifier="all",
                estimator=theory.REASONABLE,
                rule=MostBelow(1.0, thresholds.vast, level),
                # The random matrices from which the paper concludes that constants are reasonable.
                setting=tuple(Matrices(law, law, column, "mixing_large") for law in ROW_LAWS),
                beyond=tuple(
                    Inequality(set_name, f"reasonable_{column}", "reasonable", set_name)
                    for set_name in _SETS
                ),
                units=thresholds.identify_units,
                figure="inequalities",
            )
            for column, statement in (
                (
                    "lambda2",
                    f"λ₂ of every arm is at most {EIGENVALUES['normal'][1]:g}, the larger 95th "
                    "percentile that the paper prints.",
                ),
                (
                    "rho",
                    "mixing at most doubles the root of Theorem 1's leading term: ρ of every arm "
                    "is at most √(6 log n).",
                ),
            )
        ),
    ]


def _greedy(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    return [
        Claim(
            id="theorem2",
            where="Theorem 2",
            statement=(
                "EpochGreedy's probability of playing a suboptimal arm in epoch k is under its "
                "bound."
            ),
            figure="inequalities",
            **inequality_fields(theory.BOTH_SIDES, level),
            **_both_samplings("theorem2", "theorem2", {"γ = 1": (1.0,), "γ = .9": (0.9,)}),
        ),
        Claim(
            id="corollary3",
            where="Corollary 3",
            statement="EpochGreedy's regret with c* is under its bound.",
            setting=(
                Condition("4×4, n = 5,000", "ensemble_decay", "epoch-greedy-decayed", value=1.0),
            ),
            figure="fig3a_bounds",
            **inequality_fields(theory.OVER_GREEDY_BOUND, level),
        ),
    ]
