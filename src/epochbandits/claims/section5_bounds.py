"""Claims of Section 5.2.1: how the regret bounds compare and grow."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import BoundAt
from epochbandits.claims.estimators import DECADES, bound_ratio
from epochbandits.claims.rules import Above, Below
from epochbandits.config.models import Thresholds

__all__ = ["claims"]

_UCB = ("discounts", "epoch-ucb", 1e6)
_GREEDY = ("discounts", "epoch-greedy", 1e6)
_DISCOUNTS = (0.9, 0.8, 0.7, 0.5, 0.3, 0.1, 0.95, 0.99)
_OVER_AVERAGED = bound_ratio("bound at γ over bound at 1, n = 1e6, for each instance", gamma=1.0)
_OVER_HALF = bound_ratio("bound at γ = .1 over bound at .5, n = 1e6, for each instance", gamma=0.5)


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Fig. 3."""
    smaller = Below(1.0, thresholds.level)
    logarithmic = Below(thresholds.logarithmic, thresholds.level)
    saturates = Above(1 / thresholds.close, thresholds.level)
    return [
        Claim(
            id="fig3a_ucb_tighter",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochUCB's bound is tighter than EpochGreedy's.",
            quantifier="all",
            estimator=bound_ratio(
                "ratio of the bounds at n, for each instance",
                algorithm="epoch-greedy",
                form="corrected",
            ),
            rule=smaller,
            conditions=(
                BoundAt("n = 1e+07", "time_average", "epoch-ucb", 1e7),
                BoundAt("n = 1e+06", "time_average", "epoch-ucb", 1e6),
                BoundAt("n = 1e+05", "time_average", "epoch-ucb", 1e5),
                BoundAt("n = 1e+04", "time_average", "epoch-ucb", 1e4),
                BoundAt("n = 1e+03", "time_average", "epoch-ucb", 1e3),
                BoundAt("n = 1e+07, tight L", "time_average", "epoch-ucb", 1e7, variant="tight"),
            ),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_ucb_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochUCB's bound grows logarithmically.",
            quantifier="all",
            estimator=DECADES,
            rule=logarithmic,
            conditions=(
                BoundAt("as printed", "time_average", "epoch-ucb", 1e7),
                BoundAt("tight L", "time_average", "epoch-ucb", 1e7, variant="tight"),
            ),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_greedy_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochGreedy's bound grows logarithmically.",
            quantifier="all",
            estimator=DECADES,
            rule=logarithmic,
            conditions=(
                BoundAt("corrected", "time_average", "epoch-greedy", 1e7, form="corrected"),
                BoundAt("as printed", "time_average", "epoch-greedy", 1e7, form="paper"),
            ),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3b_ucb_decays",
            where="Section 5.2.1, Fig. 3b",
            statement="EpochUCB's bound is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            conditions=tuple(BoundAt(f"γ = {gamma:g}", *_UCB, gamma=gamma) for gamma in _DISCOUNTS),
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="fig3b_ucb_saturates",
            where="Section 5.2.1, Fig. 3b",
            statement="The improvement of EpochUCB's bound saturates as γ decays.",
            quantifier="mean",
            estimator=_OVER_HALF,
            rule=saturates,
            conditions=(BoundAt("γ = .5 to .1", *_UCB, gamma=0.1),),
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="fig3c_greedy_decays",
            where="Section 5.2.1, Fig. 3c",
            statement="EpochGreedy's bound is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            conditions=tuple(
                BoundAt(f"γ = {gamma:g}", *_GREEDY, gamma=gamma, form="corrected")
                for gamma in _DISCOUNTS
            ),
            figure="fig3c_greedy_bound_discount",
        ),
        Claim(
            id="fig3c_greedy_saturates",
            where="Section 5.2.1, Fig. 3c",
            statement="The improvement of EpochGreedy's bound saturates as γ decays.",
            quantifier="mean",
            estimator=_OVER_HALF,
            rule=saturates,
            conditions=(BoundAt("γ = .5 to .1", *_GREEDY, gamma=0.1, form="corrected"),),
            figure="fig3c_greedy_bound_discount",
        ),
    ]
