"""Claims of Section 5.2.2: the regret of EpochUCB and EpochGreedy."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import (
    final_difference,
    final_ratio,
    final_ratio_of_other,
)
from epochbandits.claims.rules import Below
from epochbandits.config.models import Thresholds

__all__ = ["claims"]

_DECAYS = (1000.0, 100.0, 10.0, 1e4, 1e5)
"""The best factor first: the ledger shows the first condition's estimate beside the verdict."""
_DISCOUNTS = (0.9, 0.7, 0.5, 0.3, 0.1, 0.95, 0.99)
_CLASSES = ("slow_suboptimal", "inverted", "fast", "literal")


def _decayed(*factors: float) -> tuple[Condition, ...]:
    """Return conditions with EpochGreedy's c* divided by each factor."""
    return tuple(
        Condition(f"f = {factor:g}", "ensemble_decay", "epoch-greedy-decayed", value=factor)
        for factor in factors
    )


def _discounted(
    policy: str, prefix: str = "", column: str = "expected_regret"
) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            f"{prefix}γ = {gamma:g}", "ensemble_discounts", policy, gamma=gamma, column=column
        )
        for gamma in _DISCOUNTS
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Figs. 4 and 5."""
    smaller = Below(1.0, thresholds.level)
    return [
        Claim(
            id="fig4a_ucb_beats_greedy",
            where="Section 5.2.2, Fig. 4a",
            statement="EpochUCB significantly outperforms EpochGreedy with the theory's c*.",
            quantifier="mean",
            estimator=final_ratio(
                "final regret of EpochUCB over EpochGreedy's, for each instance",
                policy="epoch-greedy-decayed",
                value=1.0,
            ),
            rule=smaller,
            conditions=(Condition("50 fresh instances", "ensemble_decay", "epoch-ucb"),),
            figure="fig4a_ucb_vs_greedy",
        ),
        Claim(
            id="fig4b_improves",
            where="Section 5.2.2, Fig. 4b",
            statement="EpochGreedy improves dramatically as c* is decayed.",
            quantifier="mean",
            estimator=final_ratio(
                "final regret with c*/f over that with c*, for each instance", value=1.0
            ),
            rule=Below(thresholds.dramatic, thresholds.level),
            conditions=_decayed(*_DECAYS),
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig4b_tends",
            where="Section 5.2.2, Fig. 4b",
            statement="EpochGreedy tends toward EpochUCB's regret as c* is decayed.",
            quantifier="mean",
            estimator=final_ratio(
                "final regret with c*/f over EpochUCB's, for each instance",
                policy="epoch-ucb",
                value=None,
            ),
            rule=Below(thresholds.close, thresholds.level),
            conditions=_decayed(*_DECAYS),
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig4b_monotone",
            where="Section 5.2.2, Fig. 4b",
            statement="Decaying c* further does not make EpochGreedy worse again.",
            quantifier="mean",
            estimator=final_ratio_of_other(
                "final regret with c*/1e5 over that with c*/f, for each instance", value=1e5
            ),
            rule=smaller,
            conditions=_decayed(1000.0, 1e4),
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig5a_ucb_decays",
            where="Section 5.2.2, Fig. 5a",
            statement="EpochUCB's regret is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=final_ratio("final regret at γ over that at 1, for each instance", gamma=1.0),
            rule=smaller,
            conditions=(
                *_discounted("epoch-ucb", "anticorrelated, "),
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
            estimator=final_ratio(
                "final regret at γ over that at 1 (c fixed), for each instance", gamma=1.0
            ),
            rule=smaller,
            conditions=_discounted("epoch-greedy"),
            figure="fig5b_greedy_discount",
        ),
        Claim(
            id="remark1_penalty",
            where="Remark 1",
            statement="The Markovian penalty is smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=final_difference(
                "EpochUCB's penalty at γ minus that at 1, for each instance", gamma=1.0
            ),
            rule=Below(0.0, thresholds.level),
            conditions=_discounted("epoch-ucb", column="markov_penalty"),
            figure="fig5a_ucb_discount",
        ),
    ]
