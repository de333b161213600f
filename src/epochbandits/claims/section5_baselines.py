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
_EPOCH_ALGORITHMS = (("epoch-ucb", "EpochUCB"), ("epoch-greedy", "EpochGreedy"))
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


def _epochwise(policy: str) -> dict[str, Any]:
    """Return conditions of an epoch algorithm."""
    return {
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


def _mechanism(policy: str) -> dict[str, Any]:
    """Return conditions of a baseline that is made to decide once an epoch."""
    return {
        "setting": (Condition("4×4", "mechanisms", policy, "ensemble_4x4"),),
        "beyond": (
            Condition("4×4, path", "mechanisms", policy, "ensemble_4x4", "trajectory"),
            Condition("literal", "mechanisms", policy, "literal"),
        ),
    }


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
    return [
        *(
            Claim(
                id=f"fig6_{policy.replace('-', '_')}_linear",
                statement=f"{name} suffers linear regret.",
                rule=linear(thresholds),
                **growing,
                **_long(policy, suffix),
            )
            for policy, name, suffix in (
                ("ucb", "UCB", ""),
                ("ucb-tuned", "UCB+", ""),
                ("eps-greedy", "ε-greedy", ""),
                ("exp3", "EXP3", "_slow"),
                ("q-learning", "RL", "_slow"),
            )
        ),
        *(
            Claim(
                id=f"fig6_{policy.replace('-', '_')}_sublinear",
                statement=f"{name}'s regret is sublinear.",
                rule=sublinear(thresholds),
                **growing,
                **_epochwise(policy),
            )
            for policy, name in _EPOCH_ALGORITHMS
        ),
        *(
            Claim(
                id=f"fig6_{policy.replace('-', '_')}_wins",
                where=_WHERE,
                statement=f"{name} has less regret than every baseline.",
                quantifier="all",
                estimator=regret_ratio(
                    f"mean final regret of the baseline divided by that of {name}", policy=policy
                ),
                rule=Above(1.0, thresholds.level),
                figure=_FIGURE,
                **_against(),
            )
            for policy, name in _EPOCH_ALGORITHMS
        ),
        *(
            Claim(
                id=key,
                where="Section 5.3",
                statement=statement,
                quantifier="mean",
                estimator=regret_ratio(
                    f"mean final regret of {name} with one decision an epoch divided by that of "
                    f"{name} with one an iteration",
                    policy=policy,
                ),
                rule=Below(1.0, thresholds.level),
                figure=_FIGURE,
                **_mechanism(f"{policy}-epochs"),
            )
            for key, policy, name, statement in (
                (
                    "fig6_rl_switches",
                    "q-learning",
                    "RL",
                    "RL does poorly partly because it switches too rapidly: made to decide once an "
                    "epoch it does better.",
                ),
                (
                    "fig6_exp3_adaptive",
                    "exp3",
                    "EXP3",
                    "EXP3 does poorly because rewards depend on its earlier actions: with one "
                    "decision an epoch, where they hardly do, it does better.",
                ),
            )
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
