"""Claims of Section 3.4: EpochGreedy."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, Inequality
from epochbandits.claims.estimators_theory import BOTH_SIDES, OVER_GREEDY_BOUND
from epochbandits.claims.rules import Holds
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 3.4."""
    holds = Holds(thresholds.level)
    return [
        Claim(
            id="theorem2",
            where="Theorem 2",
            statement=(
                "EpochGreedy's probability of playing a suboptimal arm in epoch k is under its "
                "bound."
            ),
            quantifier="all",
            estimator=BOTH_SIDES,
            rule=holds,
            setting=(
                Inequality("γ = 1", "theorem2", "theorem2", None, (1.0,), "marginal"),
                Inequality("γ = .9", "theorem2", "theorem2", None, (0.9,), "marginal"),
            ),
            beyond=(
                Inequality("γ = 1, path", "theorem2", "theorem2", None, (1.0,), "trajectory"),
                Inequality("γ = .9, path", "theorem2", "theorem2", None, (0.9,), "trajectory"),
            ),
            figure="inequalities",
        ),
        Claim(
            id="corollary3",
            where="Corollary 3",
            statement="EpochGreedy's regret with c* is under its bound.",
            quantifier="all",
            estimator=OVER_GREEDY_BOUND,
            rule=holds,
            setting=(
                Condition("4×4, n = 5,000", "ensemble_decay", "epoch-greedy-decayed", value=1.0),
            ),
            figure="fig3a_bounds",
        ),
    ]
