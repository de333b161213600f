"""Claims of Section 3.3 and the discussion of its bounds: EpochUCB, and how fast chains mix."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, Inequality, Matrices
from epochbandits.claims.estimators_theory import (
    BOTH_SIDES,
    BOUNDED_EIGENVALUE,
    MEAN_EIGENVALUE,
    ORDER,
    OVER_GAP_DEPENDENT_BOUND,
    OVER_GAP_INDEPENDENT_BOUND,
    PERCENTILE_EIGENVALUE,
    REASONABLE,
)
from epochbandits.claims.rules import Holds, MostBelow, Near, NearQuantile
from epochbandits.config.thresholds import Thresholds
from epochbandits.theory.printed_numbers import EIGENVALUES

__all__ = ["claims"]

_AVERAGED = (
    Condition("4×4, n = 1,500", "ensemble_4x4", "epoch-ucb"),
    Condition("4×8, n = 1,500", "ensemble_4x8", "epoch-ucb"),
    Condition("4×4, n = 100,000", "far", "epoch-ucb", "far_4x4"),
)
_PATHS = (
    Condition("4×4, path, n = 1,500", "ensemble_4x4", "epoch-ucb", sampling="trajectory"),
    Condition("4×8, path, n = 1,500", "ensemble_4x8", "epoch-ucb", sampling="trajectory"),
    Condition("4×4, path, n = 100,000", "far", "epoch-ucb", "far_4x4", "trajectory"),
)
_DISCOUNTED = tuple(
    Condition(f"γ = {gamma:g}, n = 5,000", "ensemble_discounts", "epoch-ucb", gamma=gamma)
    for gamma in (0.9, 0.5, 0.1, 0.99)
)
_UNIFORM = "uniform"
_NORMAL = ("normal: |N|", "normal: softmax", "normal: N²", "normal: max(N, 0)")
"""The paper does not say how it turns normal numbers into rows; these are the ways we tried."""
_COLUMNS = {"root": "√λ₂ of M(P)", "singular": "second singular value of P"}


_BELOW_ONE = (0.95, 0.9, 0.5, 0.1)


def _plays(label: str, *gammas: float, sampling: str = "marginal") -> Inequality:
    return Inequality(label, "theorem1", gammas=gammas, sampling=sampling)


def _constants(name: str) -> tuple[Inequality, ...]:
    classes = ("slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")
    sets = ("identify_4x4", "ensemble_4x8", *(f"identify_{cls}" for cls in classes))
    return tuple(Inequality(one, name, "reasonable", one) for one in sets)


def _random_rows(column: str) -> tuple[Matrices, ...]:
    """Return the random matrices from which the paper concludes that constants are reasonable."""
    return tuple(Matrices(law, law, column, "mixing_large") for law in (_UNIFORM, *_NORMAL))


def _other_scales(*laws: str) -> tuple[Matrices, ...]:
    return tuple(
        Matrices(f"{law}: {words}", law, column, "mixing_large")
        for law in laws
        for column, words in _COLUMNS.items()
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 3.3."""
    level = thresholds.level
    holds = Holds(level)
    return [
        Claim(
            id="theorem1",
            where="Theorem 1",
            statement=(
                "EpochUCB's mean number of plays of a suboptimal arm is under its bound, for "
                "time averages."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=holds,
            setting=(_plays("γ = 1", 1.0),),
            beyond=(_plays("γ = 1, path", 1.0, sampling="trajectory"),),
            figure="inequalities",
        ),
        Claim(
            id="theorem1_discounted",
            where="Theorem 1",
            statement=(
                "EpochUCB's mean number of plays of a suboptimal arm is under its bound, for "
                "discounted feedback."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=holds,
            setting=(_plays("γ < 1", *_BELOW_ONE),),
            beyond=(_plays("γ < 1, path", *_BELOW_ONE, sampling="trajectory"),),
            figure="inequalities",
        ),
        Claim(
            id="corollary1",
            where="Corollary 1",
            statement="EpochUCB's regret is under its gap-dependent bound, for time averages.",
            quantifier="all",
            estimator=OVER_GAP_DEPENDENT_BOUND,
            rule=holds,
            setting=_AVERAGED,
            beyond=_PATHS,
            figure="fig3a_bounds",
        ),
        Claim(
            id="corollary1_discounted",
            where="Corollary 1",
            statement=(
                "EpochUCB's regret is under its gap-dependent bound, for discounted feedback."
            ),
            quantifier="all",
            estimator=OVER_GAP_DEPENDENT_BOUND,
            rule=holds,
            setting=_DISCOUNTED,
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="corollary2",
            where="Corollary 2",
            statement="EpochUCB's regret is under its gap-independent bound, for time averages.",
            quantifier="all",
            estimator=OVER_GAP_INDEPENDENT_BOUND,
            rule=holds,
            setting=_AVERAGED,
            beyond=_PATHS,
            figure="fig3a_bounds",
        ),
        Claim(
            id="corollary2_discounted",
            where="Corollary 2",
            statement=(
                "EpochUCB's regret is under its gap-independent bound, for discounted feedback."
            ),
            quantifier="all",
            estimator=OVER_GAP_INDEPENDENT_BOUND,
            rule=holds,
            setting=_DISCOUNTED,
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="corollary2_order",
            where="Corollary 2",
            statement="EpochUCB's gap-independent bound is of the order √(n log n).",
            quantifier="all",
            estimator=ORDER,
            rule=holds,
            setting=(
                Inequality("n = 1e5 to 1e7", "corollary2_order", "constants", "ensemble_4x4"),
            ),
            figure="inequalities",
        ),
        Claim(
            id="tab1_uniform_mean",
            where="Section 3.3",
            statement=f"For random uniform rows λ₂ of M(P) has mean {EIGENVALUES['uniform'][0]:g}.",
            quantifier="mean",
            estimator=MEAN_EIGENVALUE,
            rule=Near(EIGENVALUES["uniform"][0], thresholds.printed, level),
            setting=(Matrices("λ₂ of M(P)", _UNIFORM),),
            beyond=_other_scales(_UNIFORM),
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_uniform_percentile",
            where="Section 3.3",
            statement=(
                "For random uniform rows λ₂ of M(P) has 95th percentile "
                f"{EIGENVALUES['uniform'][1]:g}."
            ),
            quantifier="mean",
            estimator=PERCENTILE_EIGENVALUE,
            rule=NearQuantile(EIGENVALUES["uniform"][1], thresholds.printed, level, 0.95),
            setting=(Matrices("λ₂ of M(P)", _UNIFORM),),
            beyond=_other_scales(_UNIFORM),
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_normal_mean",
            where="Section 3.3",
            statement=f"For random normal rows λ₂ of M(P) has mean {EIGENVALUES['normal'][0]:g}.",
            quantifier="some",
            estimator=MEAN_EIGENVALUE,
            rule=Near(EIGENVALUES["normal"][0], thresholds.printed, level),
            setting=tuple(Matrices(f"{law}: λ₂ of M(P)", law) for law in _NORMAL),
            beyond=_other_scales(*_NORMAL),
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_normal_percentile",
            where="Section 3.3",
            statement=(
                "For random normal rows λ₂ of M(P) has 95th percentile "
                f"{EIGENVALUES['normal'][1]:g}."
            ),
            quantifier="some",
            estimator=PERCENTILE_EIGENVALUE,
            rule=NearQuantile(EIGENVALUES["normal"][1], thresholds.printed, level, 0.95),
            setting=tuple(Matrices(f"{law}: λ₂ of M(P)", law) for law in _NORMAL),
            beyond=_other_scales(*_NORMAL),
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_bounded_away",
            where="Section 3.3",
            statement="In practice λ₂ of M(P) is bounded away from 1.",
            quantifier="all",
            estimator=BOUNDED_EIGENVALUE,
            rule=MostBelow(thresholds.away, thresholds.nearly_all, level),
            setting=tuple(Matrices(law, law) for law in (_UNIFORM, *_NORMAL)),
            figure="tab1_mixing",
        ),
        Claim(
            id="reasonable_lambda2",
            where="Section 3.3",
            statement=(
                "For the vast majority of instances λ₂ of every arm is at most "
                f"{EIGENVALUES['normal'][1]:g}, the larger 95th percentile that the paper prints."
            ),
            quantifier="all",
            estimator=REASONABLE,
            rule=MostBelow(1.0, thresholds.vast, level),
            setting=_random_rows("lambda2"),
            beyond=_constants("reasonable_lambda2"),
            units=thresholds.identify_units,
            figure="inequalities",
        ),
        Claim(
            id="reasonable_rho",
            where="Section 3.3",
            statement=(
                "For the vast majority of instances mixing at most doubles the root of Theorem 1's "
                "leading term: ρ of every arm is at most √(6 log n)."
            ),
            quantifier="all",
            estimator=REASONABLE,
            rule=MostBelow(1.0, thresholds.vast, level),
            setting=_random_rows("rho"),
            beyond=_constants("reasonable_rho"),
            units=thresholds.identify_units,
            figure="inequalities",
        ),
    ]
