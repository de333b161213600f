"""Claims of the last paragraph of Section 5.3: what the paper concludes from its experiments."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import FOUND_BEST, regret_ratio
from epochbandits.claims.rules import Below, MostOf
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]

_WHERE = "Section 5.3, last paragraph"
_FIGURE = "fig6a_baselines_4x4"
_FAST = ("ucb", "ucb-tuned", "eps-greedy")


def _identify(policy: str) -> dict[str, Any]:
    return {
        "setting": (
            Condition("4×4", "identify_4x4", policy),
            Condition("uncorrelated", "identify_uncorrelated", policy),
        ),
        "beyond": (Condition("4×4, path", "identify_paths", policy, sampling="trajectory"),),
    }


_SLOWER: dict[str, Any] = {
    "setting": (
        *(
            Condition(f"{policy}, uncorrelated, n = 16,000", "long_classes", policy,
                      "long_uncorrelated")
            for policy in _FAST
        ),
        *(
            Condition(f"{policy}, uncorrelated, n = 1,500", "controls", policy, "uncorrelated")
            for policy in _FAST
        ),
    ),
    "beyond": (
        *(
            Condition(f"{policy}, uncorrelated, path", "controls", policy, "uncorrelated",
                      "trajectory")
            for policy in _FAST
        ),
        *(
            Condition(f"ucb, {cls}", "controls", "ucb", cls)
            for cls in ("slow_suboptimal", "inverted", "fast", "literal")
        ),
    ),
}  # fmt: skip


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the paper's conclusions."""
    finds: dict[str, Any] = {
        "where": _WHERE,
        "quantifier": "all",
        "estimator": FOUND_BEST,
        "rule": MostOf(1 - thresholds.late, thresholds.nearly_all, thresholds.level),
        "epochs": thresholds.identify_epochs,
        "units": thresholds.identify_units,
        "figure": _FIGURE,
    }
    slower: dict[str, Any] = {
        "where": _WHERE,
        "quantifier": "some",
        "rule": Below(1.0, thresholds.level),
        "figure": _FIGURE,
    }
    return [
        Claim(
            id="end_epoch_ucb_finds",
            statement="EpochUCB always identifies the optimal arm.",
            **finds,
            **_identify("epoch-ucb"),
        ),
        Claim(
            id="end_epoch_greedy_finds",
            statement="EpochGreedy always identifies the optimal arm.",
            **finds,
            **_identify("epoch-greedy"),
        ),
        Claim(
            id="end_slower",
            statement=("Where correlation is weak some alternative has less regret than EpochUCB."),
            estimator=regret_ratio(
                "mean final regret of the alternative divided by that of EpochUCB",
                policy="epoch-ucb",
            ),
            **slower,
            **_SLOWER,
        ),
        Claim(
            id="end_greedy_slower",
            statement=(
                "Where correlation is weak some alternative has less regret than EpochGreedy."
            ),
            estimator=regret_ratio(
                "mean final regret of the alternative divided by that of EpochGreedy",
                policy="epoch-greedy",
            ),
            **slower,
            **_SLOWER,
        ),
    ]
