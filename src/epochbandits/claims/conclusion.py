"""Claims of the last paragraph of Section 5.3: what the paper concludes from its experiments."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, everywhere
from epochbandits.claims.estimators import FOUND_BEST, final_ratio
from epochbandits.claims.rules import Above, MostOf
from epochbandits.config.models import Thresholds

__all__ = ["claims"]

_WHERE = "Section 5.3, last paragraph"
_FIGURE = "fig6a_baselines_4x4"


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the paper's conclusions."""
    finds = MostOf(1 - thresholds.late, thresholds.nearly_all, thresholds.level)
    return [
        Claim(
            id="end_slower",
            where=_WHERE,
            statement="Where correlation is weak EpochUCB can be slower than an alternative (UCB).",
            quantifier="some",
            estimator=final_ratio(
                "final regret of EpochUCB over UCB's, for each instance", policy="ucb"
            ),
            rule=Above(1.0, thresholds.level),
            conditions=(
                Condition("literal, marginal", "controls", "epoch-ucb", "literal"),
                Condition("literal, trajectory", "controls", "epoch-ucb", "literal", "trajectory"),
            ),
            figure=_FIGURE,
        ),
        Claim(
            id="end_epoch_ucb_finds",
            where=_WHERE,
            statement="EpochUCB always identifies the optimal arm.",
            quantifier="all",
            estimator=FOUND_BEST,
            rule=finds,
            conditions=everywhere("epoch-ucb"),
            figure=_FIGURE,
        ),
        Claim(
            id="end_epoch_greedy_finds",
            where=_WHERE,
            statement="EpochGreedy always identifies the optimal arm.",
            quantifier="all",
            estimator=FOUND_BEST,
            rule=finds,
            conditions=everywhere("epoch-greedy"),
            figure=_FIGURE,
        ),
    ]
