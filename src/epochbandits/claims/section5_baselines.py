"""Claims of Section 5.3: the epoch algorithms against the baselines."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import GROWTH, MISSED_BEST, regret_ratio
from epochbandits.claims.growth import controls, linear, sublinear
from epochbandits.claims.rules import Above, Below, MostOf
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]

_WHERE = "Section 5.3, Fig. 6"
_FIGURE = "fig6a_baselines_4x4"
_FAST = ("ucb", "ucb-tuned", "eps-greedy")
"""Baselines that take less time and run on more instances than EXP3 and RL."""
_LONG = {"experiment": "long_4x4", "instances": "long_4x4"}
_CLASSES = ("slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")


def _long(policy: str, suffix: str) -> dict[str, Any]:
    """Return conditions at n = 16,000: both sizes in the paper's setting; paths and classes."""
    setting = (
        Condition("4×4", f"long_4x4{suffix}", policy, f"long_4x4{suffix}"),
        Condition("4×8", f"long_4x8{suffix}", policy, f"long_4x8{suffix}"),
    )
    paths = Condition("4×4, path", f"long_paths{suffix}", policy, sampling="trajectory")
    classes = tuple(
        Condition(cls, "long_classes", policy, f"long_{cls}")
        for cls in ("literal", "uncorrelated")
        if not suffix
    )
    return {"setting": setting, "beyond": (paths, *classes)}


def _against() -> dict[str, Any]:
    """Return conditions for each baseline, which is the condition's policy."""
    places = [
        (f"long_{size}{suffix}", f"long_{size}{suffix}", baseline, size)
        for suffix, baselines in (("", _FAST), ("_slow", ("exp3", "q-learning")))
        for size in ("4x4", "4x8")
        for baseline in baselines
    ]
    return {
        "setting": tuple(
            Condition(f"{baseline}, {size}", experiment, baseline, instances)
            for experiment, instances, baseline, size in places
        ),
        "beyond": (
            *(
                Condition(f"{baseline}, 4x4, path", f"long_paths{suffix}", baseline,
                          sampling="trajectory")
                for suffix, baselines in (("", _FAST), ("_slow", ("exp3", "q-learning")))
                for baseline in baselines
            ),
            *(
                Condition(f"{baseline}, {cls}", "long_classes", baseline, f"long_{cls}")
                for cls in ("literal", "uncorrelated")
                for baseline in _FAST
            ),
            *(
                Condition(f"ucb, {cls}, {sampling}", "controls", "ucb", cls, sampling)
                for cls in _CLASSES
                for sampling in ("marginal", "trajectory")
            ),
            *(
                Condition(f"{baseline}, 4x4, counted per iteration", "long_4x4", baseline,
                          "long_4x4", column="iteration_regret")
                for baseline in _FAST
            ),
        ),
    }  # fmt: skip


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Fig. 6."""
    growing: dict[str, Any] = {
        "where": _WHERE,
        "quantifier": "mean",
        "estimator": GROWTH,
        "controls": controls(thresholds),
        "epochs": thresholds.growth_epochs,
        "units": thresholds.growth_units,
        "figure": _FIGURE,
    }
    epochwise: dict[str, dict[str, Any]] = {
        policy: {
            "setting": (
                Condition("4×4", "identify_4x4", policy, "identify_4x4", controls=_LONG),
                Condition("4×8", "growth_4x8", policy, "growth_4x8"),
            ),
            "beyond": (
                Condition("4×8, n = 16,000", "long_4x8", policy, "long_4x8"),
                Condition("4×4, path", "long_paths", policy, sampling="trajectory"),
                Condition("literal", "long_classes", policy, "long_literal"),
                Condition("uncorrelated", "long_classes", policy, "long_uncorrelated"),
            ),
        }
        for policy in ("epoch-ucb", "epoch-greedy")
    }
    wins: dict[str, Any] = {
        "where": _WHERE,
        "quantifier": "all",
        "rule": Above(1.0, thresholds.level),
        "figure": _FIGURE,
    }
    return [
        Claim(
            id="fig6_ucb_linear",
            statement="UCB suffers linear regret.",
            rule=linear(thresholds),
            **growing,
            **_long("ucb", ""),
        ),
        Claim(
            id="fig6_ucb_tuned_linear",
            statement="UCB+ suffers linear regret.",
            rule=linear(thresholds),
            **growing,
            **_long("ucb-tuned", ""),
        ),
        Claim(
            id="fig6_eps_greedy_linear",
            statement="ε-greedy suffers linear regret.",
            rule=linear(thresholds),
            **growing,
            **_long("eps-greedy", ""),
        ),
        Claim(
            id="fig6_exp3_linear",
            statement="EXP3 suffers linear regret.",
            rule=linear(thresholds),
            **growing,
            **_long("exp3", "_slow"),
        ),
        Claim(
            id="fig6_q_learning_linear",
            statement="RL suffers linear regret.",
            rule=linear(thresholds),
            **growing,
            **_long("q-learning", "_slow"),
        ),
        Claim(
            id="fig6_epoch_ucb_sublinear",
            statement="EpochUCB's regret is sublinear.",
            rule=sublinear(thresholds),
            **growing,
            **epochwise["epoch-ucb"],
        ),
        Claim(
            id="fig6_epoch_greedy_sublinear",
            statement="EpochGreedy's regret is sublinear.",
            rule=sublinear(thresholds),
            **growing,
            **epochwise["epoch-greedy"],
        ),
        Claim(
            id="fig6_epoch_ucb_wins",
            statement="EpochUCB has less regret than every baseline.",
            estimator=regret_ratio(
                "mean final regret of the baseline divided by that of EpochUCB", policy="epoch-ucb"
            ),
            **wins,
            **_against(),
        ),
        Claim(
            id="fig6_epoch_greedy_wins",
            statement="EpochGreedy has less regret than every baseline.",
            estimator=regret_ratio(
                "mean final regret of the baseline divided by that of EpochGreedy",
                policy="epoch-greedy",
            ),
            **wins,
            **_against(),
        ),
        Claim(
            id="fig6_rl_switches",
            where="Section 5.3",
            statement=(
                "RL does poorly partly because it switches too rapidly: made to decide once an "
                "epoch it does better."
            ),
            quantifier="mean",
            estimator=regret_ratio(
                "mean final regret of RL with one decision an epoch divided by that of RL with "
                "one an iteration",
                policy="q-learning",
            ),
            rule=Below(1.0, thresholds.level),
            setting=(Condition("4×4", "mechanisms", "q-learning-epochs", "ensemble_4x4"),),
            beyond=(
                Condition(
                    "4×4, path", "mechanisms", "q-learning-epochs", "ensemble_4x4", "trajectory"
                ),
                Condition("literal", "mechanisms", "q-learning-epochs", "literal"),
            ),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_exp3_adaptive",
            where="Section 5.3",
            statement=(
                "EXP3 does poorly because rewards depend on its earlier actions: with one "
                "decision an epoch, where they hardly do, it does better."
            ),
            quantifier="mean",
            estimator=regret_ratio(
                "mean final regret of EXP3 with one decision an epoch divided by that of EXP3 "
                "with one an iteration",
                policy="exp3",
            ),
            rule=Below(1.0, thresholds.level),
            setting=(Condition("4×4", "mechanisms", "exp3-epochs", "ensemble_4x4"),),
            beyond=(
                Condition("4×4, path", "mechanisms", "exp3-epochs", "ensemble_4x4", "trajectory"),
                Condition("literal", "mechanisms", "exp3-epochs", "literal"),
            ),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_baselines_miss",
            where="Section 1.1, Section 5.3",
            statement="UCB, UCB+ and ε-greedy do not identify the optimal arm.",
            quantifier="all",
            estimator=MISSED_BEST,
            rule=MostOf(thresholds.late, thresholds.most, thresholds.level),
            setting=tuple(
                Condition(f"{policy}, {size}", f"long_{size}", policy, f"long_{size}")
                for policy in _FAST
                for size in ("4x4", "4x8")
            ),
            beyond=tuple(
                Condition(f"{policy}, 4x4, path", "long_paths", policy, sampling="trajectory")
                for policy in _FAST
            ),
            figure=_FIGURE,
        ),
    ]
