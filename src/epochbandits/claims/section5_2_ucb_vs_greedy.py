"""Claims of Section 5.2: the bounds and the regret of EpochUCB and EpochGreedy.

EpochGreedy's constants are those with the least bound at n = 1e7, so its bounds are compared there.
"""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import NEAR_ONE, OTHER_CLASSES, BoundAt, Condition
from epochbandits.claims.estimators import regret_ratio
from epochbandits.claims.estimators_theory import DECADES, bound_ratio
from epochbandits.claims.rules import Above, Below
from epochbandits.claims.texts import plain
from epochbandits.config.thresholds import Thresholds

_ALGORITHMS = (("ucb", "EpochUCB", ""), ("greedy", "EpochGreedy", "corrected"))
"""Key, name, and the form of the bound that is compared."""
_DECAYS = (10.0, 100.0, 300.0, 1000.0, 3000.0, 1e4, 1e5)
"""Every factor that is swept."""
_DECAYED = tuple(
    Condition(f"c*/{factor:g}", "ensemble_decay", "epoch-greedy-decayed", value=factor)
    for factor in _DECAYS
)


def _bounds(key: str, form: str, *gammas: float) -> tuple[BoundAt, ...]:
    return tuple(
        BoundAt(f"γ = {gamma:g}", "ensemble", f"epoch-{key}", 1e7, gamma, form=form)
        for gamma in gammas
    )


def _discounted(key: str, *gammas: float) -> tuple[Condition, ...]:
    return tuple(
        Condition(f"γ = {gamma:g}", "ensemble_discounts", f"epoch-{key}", gamma=gamma)
        for gamma in gammas
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Figs. 3 to 5."""
    return [*_bound_claims(thresholds), *_regret_claims(thresholds)]


def _bound_claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 5.2.1, on Fig. 3."""
    level = thresholds.level
    smaller = Below(1.0, level)
    low, high = 0.1, 0.5
    corrected = BoundAt("corrected", "ensemble", "epoch-greedy", 1e7, form="corrected")
    result = [
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
        *(
            Claim(
                id=f"fig3a_{key}_logarithmic",
                where="Section 5.2.1, Fig. 3a",
                statement=f"{name}'s bound grows logarithmically.",
                quantifier="mean",
                estimator=DECADES,
                rule=Below(thresholds.logarithmic, level),
                setting=(BoundAt("as printed", "ensemble", f"epoch-{key}", 1e7, form=form),),
                beyond=beyond,
                figure="fig3a_bounds",
            )
            for key, name, form, beyond in (
                ("ucb", "EpochUCB", "", ()),
                ("greedy", "EpochGreedy", "paper", (corrected,)),
            )
        ),
    ]
    for panel, (key, name, form) in zip("bc", _ALGORITHMS, strict=True):
        shown: dict[str, Any] = {
            "where": f"Section 5.2.1, Fig. 3{panel}",
            "quantifier": "mean",
            "figure": f"fig3{panel}_{key}_bound_discount",
        }
        result += [
            Claim(
                id=f"fig3{panel}_{key}_decays",
                statement=f"{name}'s bound is smaller with discounted feedback than averaged.",
                estimator=bound_ratio(
                    "mean bound at γ divided by that at γ = 1, n = 1e7", gamma=1.0
                ),
                rule=smaller,
                setting=_bounds(key, form, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1),
                beyond=_bounds(key, form, *NEAR_ONE),
                **shown,
            ),
            Claim(
                id=f"fig3{panel}_{key}_saturates",
                statement=f"The improvement of {name}'s bound saturates as γ decays.",
                estimator=bound_ratio(
                    f"mean bound at γ = {plain(low)} divided by that at {plain(high)}, n = 1e7",
                    gamma=high,
                ),
                rule=Above(1 / thresholds.close, level),
                setting=_bounds(key, form, low),
                **shown,
            ),
        ]
    return result


def _regret_claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 5.2.2, on Figs. 4 and 5."""
    level = thresholds.level
    smaller = Below(1.0, level)
    other_classes = tuple(
        Condition(f"{cls}, γ = {gamma:g}", "controls_discounts", "epoch-ucb", cls, gamma=gamma)
        for cls in OTHER_CLASSES
        for gamma in (0.95, 0.5, 0.1)
    )
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
            rule=Below(thresholds.dramatic, level),
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
            rule=Below(thresholds.close, level),
            setting=_DECAYED,
            beyond=(
                *(
                    Condition(f"tuned c, n = {n}", experiment, "epoch-greedy")
                    for n, experiment in (
                        ("1,500", "ensemble_4x4"),
                        ("5,000", "ensemble_discounts"),
                        ("16,000", "long_4x4"),
                        ("20,000", "identify_4x4"),
                    )
                ),
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
        *(
            Claim(
                id=f"fig5{panel}_{key}_decays",
                where=f"Section 5.2.2, Fig. 5{panel}",
                statement=f"{name}'s regret is smaller with discounted feedback than averaged.",
                quantifier="mean",
                estimator=regret_ratio(
                    "mean final regret at γ divided by that at γ = 1", gamma=1.0
                ),
                rule=smaller,
                setting=_discounted(key, 0.9, 0.7, 0.5, 0.3, 0.1),
                beyond=(*_discounted(key, *NEAR_ONE), *classes),
                figure=f"fig5{panel}_{key}_discount",
            )
            for panel, (key, name, _), classes in zip(
                "ab", _ALGORITHMS, (other_classes, ()), strict=True
            )
        ),
    ]
