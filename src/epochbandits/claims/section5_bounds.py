"""Claims of Section 5.2.1: how the regret bounds compare and grow.

EpochGreedy's constants are those with the least bound at n = 1e7, so its bounds are compared there.
"""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import BoundAt
from epochbandits.claims.estimators_theory import DECADES, bound_ratio
from epochbandits.claims.rules import Above, Below
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]

_DISCOUNTS = (0.9, 0.8, 0.7, 0.5, 0.3, 0.1)
_NEAR_ONE = (0.95, 0.99)
_OVER_AVERAGED = bound_ratio("mean bound at γ divided by that at γ = 1, n = 1e7", gamma=1.0)
_OVER_HALF = bound_ratio("mean bound at γ = .1 divided by that at .5, n = 1e7", gamma=0.5)


def _bounds(algorithm: str, form: str, *gammas: float) -> tuple[BoundAt, ...]:
    return tuple(
        BoundAt(f"γ = {gamma:g}", "ensemble", algorithm, 1e7, gamma, form=form) for gamma in gammas
    )


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
            quantifier="mean",
            estimator=bound_ratio(
                "mean bound of EpochUCB divided by that of EpochGreedy",
                algorithm="epoch-greedy",
                form="corrected",
            ),
            rule=smaller,
            setting=(BoundAt("n = 1e7", "ensemble", "epoch-ucb", 1e7),),
            beyond=tuple(
                BoundAt(f"n = {n:.0e}", "ensemble", "epoch-ucb", n) for n in (1e6, 1e5, 1e4)
            ),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_ucb_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochUCB's bound grows logarithmically.",
            quantifier="mean",
            estimator=DECADES,
            rule=logarithmic,
            setting=(BoundAt("as printed", "ensemble", "epoch-ucb", 1e7),),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_greedy_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochGreedy's bound grows logarithmically.",
            quantifier="mean",
            estimator=DECADES,
            rule=logarithmic,
            setting=(BoundAt("as printed", "ensemble", "epoch-greedy", 1e7, form="paper"),),
            beyond=(BoundAt("corrected", "ensemble", "epoch-greedy", 1e7, form="corrected"),),
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3b_ucb_decays",
            where="Section 5.2.1, Fig. 3b",
            statement="EpochUCB's bound is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            setting=_bounds("epoch-ucb", "", *_DISCOUNTS),
            beyond=_bounds("epoch-ucb", "", *_NEAR_ONE),
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="fig3b_ucb_saturates",
            where="Section 5.2.1, Fig. 3b",
            statement="The improvement of EpochUCB's bound saturates as γ decays.",
            quantifier="mean",
            estimator=_OVER_HALF,
            rule=saturates,
            setting=_bounds("epoch-ucb", "", 0.1),
            figure="fig3b_ucb_bound_discount",
        ),
        Claim(
            id="fig3c_greedy_decays",
            where="Section 5.2.1, Fig. 3c",
            statement="EpochGreedy's bound is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            setting=_bounds("epoch-greedy", "corrected", *_DISCOUNTS),
            beyond=_bounds("epoch-greedy", "corrected", *_NEAR_ONE),
            figure="fig3c_greedy_bound_discount",
        ),
        Claim(
            id="fig3c_greedy_saturates",
            where="Section 5.2.1, Fig. 3c",
            statement="The improvement of EpochGreedy's bound saturates as γ decays.",
            quantifier="mean",
            estimator=_OVER_HALF,
            rule=saturates,
            setting=_bounds("epoch-greedy", "corrected", 0.1),
            figure="fig3c_greedy_bound_discount",
        ),
    ]
