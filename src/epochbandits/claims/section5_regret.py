"""Claims of Section 5.2.2: the regret of EpochUCB and EpochGreedy."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import regret_ratio
from epochbandits.claims.rules import Below
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]

_DECAYS = (10.0, 100.0, 300.0, 1000.0, 3000.0, 1e4, 1e5)
"""Every factor that is swept."""
_DISCOUNTS = (0.9, 0.7, 0.5, 0.3, 0.1)
_NEAR_ONE = (0.95, 0.99)
_CLASSES = ("slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")
_OVER_AVERAGED = regret_ratio("mean final regret at γ divided by that at γ = 1", gamma=1.0)

_DECAYED = tuple(
    Condition(f"c*/{factor:g}", "ensemble_decay", "epoch-greedy-decayed", value=factor)
    for factor in _DECAYS
)


def _discounted(policy: str, *gammas: float) -> tuple[Condition, ...]:
    return tuple(
        Condition(f"γ = {gamma:g}", "ensemble_discounts", policy, gamma=gamma) for gamma in gammas
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Figs. 4 and 5."""
    smaller = Below(1.0, thresholds.level)
    return [
        Claim(
            id="fig4a_ucb_beats_greedy",
            where="Section 5.2.2, Fig. 4a",
            statement="EpochUCB has less regret than EpochGreedy with the theory's c*.",
            quantifier="mean",
            estimator=regret_ratio(
                "mean final regret of EpochUCB divided by that of EpochGreedy with c*",
                policy="epoch-greedy-decayed",
                value=1.0,
            ),
            rule=smaller,
            setting=(Condition("4×4", "ensemble_decay", "epoch-ucb"),),
            figure="fig4a_ucb_vs_greedy",
        ),
        Claim(
            id="fig4b_improves",
            where="Section 5.2.2, Fig. 4b",
            statement="There is a decay of c* that improves EpochGreedy dramatically.",
            quantifier="some",
            estimator=regret_ratio(
                "mean final regret with c*/f divided by that with c*", value=1.0
            ),
            rule=Below(thresholds.dramatic, thresholds.level),
            setting=_DECAYED,
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig4b_tends",
            where="Section 5.2.2, Fig. 4b",
            statement="There is a decay of c* with which EpochGreedy comes near EpochUCB.",
            quantifier="some",
            estimator=regret_ratio(
                "mean final regret of EpochGreedy with c*/f divided by that of EpochUCB",
                policy="epoch-ucb",
                value=None,
            ),
            rule=Below(thresholds.close, thresholds.level),
            setting=_DECAYED,
            beyond=(
                Condition("tuned c, n = 1,500", "ensemble_4x4", "epoch-greedy"),
                Condition("tuned c, n = 5,000", "ensemble_discounts", "epoch-greedy"),
                Condition("tuned c, n = 16,000", "long_4x4", "epoch-greedy"),
                Condition("tuned c, n = 20,000", "identify_4x4", "epoch-greedy"),
                Condition(
                    "tuned c, path, n = 20,000",
                    "identify_paths",
                    "epoch-greedy",
                    "identify_4x4",
                    "trajectory",
                ),
            ),
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig5a_ucb_decays",
            where="Section 5.2.2, Fig. 5a",
            statement="EpochUCB's regret is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            setting=_discounted("epoch-ucb", *_DISCOUNTS),
            beyond=(
                *_discounted("epoch-ucb", *_NEAR_ONE),
                *(
                    Condition(
                        f"{cls}, γ = {gamma:g}", "controls_discounts", "epoch-ucb", cls, gamma=gamma
                    )
                    for cls in _CLASSES
                    for gamma in (0.95, 0.5, 0.1)
                ),
            ),
            figure="fig5a_ucb_discount",
        ),
        Claim(
            id="fig5b_greedy_decays",
            where="Section 5.2.2, Fig. 5b",
            statement="EpochGreedy's regret is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=_OVER_AVERAGED,
            rule=smaller,
            setting=_discounted("epoch-greedy", *_DISCOUNTS),
            beyond=_discounted("epoch-greedy", *_NEAR_ONE),
            figure="fig5b_greedy_discount",
        ),
    ]
