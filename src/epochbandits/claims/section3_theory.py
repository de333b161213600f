"""Claims of the theory: examples, lemmas, theorems, corollaries and eigenvalues."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, Inequality, Matrices
from epochbandits.claims.estimators import (
    BOTH_SIDES,
    LAMBDA2,
    OVER_GAP_DEPENDENT_BOUND,
    OVER_GAP_INDEPENDENT_BOUND,
    OVER_GREEDY_BOUND,
    ROOT_LAMBDA2,
)
from epochbandits.claims.rules import Holds, Near
from epochbandits.config.models import Thresholds
from epochbandits.theory.printed import EIGENVALUES

__all__ = ["claims"]

_EPOCH_UCB = (
    Condition("4×4, marginal", "ensemble_4x4", "epoch-ucb"),
    Condition("4×8, marginal", "ensemble_4x8", "epoch-ucb"),
    Condition("4×4, trajectory", "ensemble_4x4", "epoch-ucb", sampling="trajectory"),
    Condition("4×8, trajectory", "ensemble_4x8", "epoch-ucb", sampling="trajectory"),
    *(
        Condition(f"4×4, marginal, γ = {gamma:g}", "ensemble_discounts", "epoch-ucb", gamma=gamma)
        for gamma in (0.99, 0.9, 0.5, 0.1)
    ),
)
_UNIFORM = (Matrices("uniform rows", "uniform"),)
_NORMAL = tuple(Matrices(law, f"normal: {law}") for law in ("|N|", "softmax", "N²", "max(N, 0)"))
"""The paper does not say how it turns normal numbers into rows; these are the ways we tried."""


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 3."""
    uniform, uniform_percentile = EIGENVALUES["uniform"]
    normal, normal_percentile = EIGENVALUES["normal"]
    return [
        Claim(
            id="example2",
            where="Example 2",
            statement=(
                "Where the state is far from the optimal arm's law, its first epoch costs "
                "almost one although its gap is zero."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=Holds(),
            conditions=(Inequality("γ = 1", "example2"),),
            figure="inequalities",
        ),
        Claim(
            id="lemma1",
            where="Lemma 1",
            statement="An epoch's expected reward is within C Υ(τ)/R(τ) of the stationary one.",
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=Holds(),
            conditions=(Inequality("γ = 1 and below", "lemma1"),),
            figure="inequalities",
        ),
        Claim(
            id="lemma2",
            where="Lemma 2, Proposition 2",
            statement=(
                "The mean expected reward of an arm's first T epochs is within L(T)/T of the "
                "stationary one."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=Holds(),
            conditions=(Inequality("γ = 1 and below", "lemma2"),),
            figure="inequalities",
        ),
        Claim(
            id="theorem1",
            where="Theorem 1",
            statement="EpochUCB's mean number of plays of a suboptimal arm is under its bound.",
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=Holds(),
            conditions=(Inequality("γ = 1", "theorem1"),),
            figure="inequalities",
        ),
        Claim(
            id="theorem2",
            where="Theorem 2",
            statement=(
                "EpochGreedy's probability of playing a suboptimal arm in epoch k is under its "
                "bound."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=Holds(),
            conditions=(Inequality("γ = 1", "theorem2", instances="wide_gap"),),
            figure="inequalities",
        ),
        Claim(
            id="corollary1",
            where="Corollary 1",
            statement="EpochUCB's expected regret is under its gap-dependent bound.",
            quantifier="all",
            estimator=OVER_GAP_DEPENDENT_BOUND,
            rule=Holds(),
            conditions=_EPOCH_UCB,
            figure="fig3a_bounds",
        ),
        Claim(
            id="corollary2",
            where="Corollary 2",
            statement="EpochUCB's expected regret is under its gap-independent bound.",
            quantifier="all",
            estimator=OVER_GAP_INDEPENDENT_BOUND,
            rule=Holds(),
            conditions=_EPOCH_UCB,
            figure="fig3a_bounds",
        ),
        Claim(
            id="corollary3",
            where="Corollary 3",
            statement="EpochGreedy's expected regret with c* is under its bound.",
            quantifier="all",
            estimator=OVER_GREEDY_BOUND,
            rule=Holds(),
            conditions=(
                Condition("4×4, marginal", "ensemble_decay", "epoch-greedy-decayed", value=1.0),
            ),
            figure="fig3a_bounds",
        ),
        Claim(
            id="tab1_uniform_lambda2",
            where="Section 3.3",
            statement=(
                f"For random uniform rows λ₂ of M(P) has mean {uniform:g} "
                f"(the 95th percentile, {uniform_percentile:g}, is in finding 5)."
            ),
            quantifier="mean",
            estimator=LAMBDA2,
            rule=Near(uniform, thresholds.printed, thresholds.level),
            conditions=_UNIFORM,
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_uniform_root",
            where="Section 3.3",
            statement=(
                f"For random uniform rows √λ₂ of M(P) has mean {uniform:g} "
                f"(the 95th percentile, {uniform_percentile:g}, is in finding 5)."
            ),
            quantifier="mean",
            estimator=ROOT_LAMBDA2,
            rule=Near(uniform, thresholds.printed, thresholds.level),
            conditions=_UNIFORM,
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_normal_lambda2",
            where="Section 3.3",
            statement=(
                f"For random normal rows λ₂ of M(P) has mean {normal:g} "
                f"(the 95th percentile, {normal_percentile:g}, is in finding 5)."
            ),
            quantifier="mean",
            estimator=LAMBDA2,
            rule=Near(normal, thresholds.printed, thresholds.level),
            conditions=_NORMAL,
            figure="tab1_mixing",
        ),
        Claim(
            id="tab1_normal_root",
            where="Section 3.3",
            statement=(
                f"For random normal rows √λ₂ of M(P) has mean {normal:g} "
                f"(the 95th percentile, {normal_percentile:g}, is in finding 5)."
            ),
            quantifier="mean",
            estimator=ROOT_LAMBDA2,
            rule=Near(normal, thresholds.printed, thresholds.level),
            conditions=_NORMAL,
            figure="tab1_mixing",
        ),
    ]
