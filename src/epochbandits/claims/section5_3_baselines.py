"""Claims of Section 5.3: the epoch algorithms against the baselines, and the conclusions."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import OTHER_CLASSES, Condition
from epochbandits.claims.estimators import late_plays, regret_ratio
from epochbandits.claims.growth import growth_fields, identification_fields, linear, sublinear
from epochbandits.claims.rules import Above, Below, MostOf
from epochbandits.config.thresholds import Thresholds

_WHERE = "Section 5.3, Fig. 6"
_LAST = "Section 5.3, last paragraph"
_FIGURE = "fig6a_baselines_4x4"
_FAST = ("ucb", "ucb-tuned", "eps-greedy")
"""Baselines that take less time and run on more instances than EXP3 and RL."""
_GROUPS = (("", _FAST), ("_slow", ("exp3", "q-learning")))
"""Baselines by the suffix of their experiments' names."""
_EPOCH_ALGORITHMS = (("epoch-ucb", "EpochUCB"), ("epoch-greedy", "EpochGreedy"))
_LONG = {"experiment": "long_4x4", "instances": "long_4x4"}
_WEAK = ("literal", "uncorrelated")
"""Classes that are run for as long as the paper's."""

_AGAINST: dict[str, Any] = {
    "setting": tuple(
        Condition(f"{baseline}, {size}", f"long_{size}{suffix}", baseline, f"long_{size}{suffix}")
        for suffix, baselines in _GROUPS
        for size in ("4x4", "4x8")
        for baseline in baselines
    ),
    "beyond": (
        *(
            Condition(f"{baseline}, 4x4, path", f"long_paths{suffix}", baseline,
                      sampling="trajectory")
            for suffix, baselines in _GROUPS
            for baseline in baselines
        ),
        *(
            Condition(f"{baseline}, {cls}", "long_classes", baseline, f"long_{cls}")
            for cls in _WEAK
            for baseline in _FAST
        ),
        *(
            Condition(f"ucb, {cls}, {sampling}", "controls", "ucb", cls, sampling)
            for cls in OTHER_CLASSES
            for sampling in ("marginal", "trajectory")
        ),
        *(
            Condition(f"{baseline}, 4x4, counted per iteration", "long_4x4", baseline,
                      "long_4x4", column="iteration_regret")
            for baseline in _FAST
        ),
    ),
}  # fmt: skip
"""Conditions for each baseline, which is the condition's policy."""

_SLOWER: dict[str, Any] = {
    "quantifier": "some",
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
            for cls in OTHER_CLASSES
            if cls != "uncorrelated"
        ),
    ),
}  # fmt: skip


def _long(policy: str, suffix: str) -> dict[str, Any]:
    """Return conditions at n = 16,000: both sizes in the paper's setting; paths and classes."""
    setting = tuple(
        Condition(size.replace("x", "×"), f"long_{size}{suffix}", policy, f"long_{size}{suffix}")
        for size in ("4x4", "4x8")
    )
    paths = Condition("4×4, path", f"long_paths{suffix}", policy, sampling="trajectory")
    classes = () if suffix else _classes(policy)
    return {"setting": setting, "beyond": (paths, *classes)}


def _classes(policy: str) -> tuple[Condition, ...]:
    return tuple(Condition(cls, "long_classes", policy, f"long_{cls}") for cls in _WEAK)


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
            *_classes(policy),
        ),
    }


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Fig. 6, and what the paper concludes from its experiments."""
    return [*_growth(thresholds), *_comparisons(thresholds), *_conclusions(thresholds)]


def _growth(thresholds: Thresholds) -> list[Claim]:
    shared = {"where": _WHERE, "quantifier": "mean", "figure": _FIGURE, **growth_fields(thresholds)}
    return [
        *(
            Claim(
                id=f"fig6_{policy.replace('-', '_')}_linear",
                statement=f"{name} suffers linear regret.",
                rule=linear(thresholds),
                **shared,
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
                **shared,
                **_epochwise(policy),
            )
            for policy, name in _EPOCH_ALGORITHMS
        ),
    ]


def _comparisons(thresholds: Thresholds) -> list[Claim]:
    return [
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
                **_AGAINST,
            )
            for policy, name in _EPOCH_ALGORITHMS
        ),
        *(
            Claim(
                id=key,
                where="Section 5.3",
                statement=f"{name} does poorly {statement}",
                quantifier="mean",
                estimator=regret_ratio(
                    f"mean final regret of {name} with one decision per epoch divided by that of "
                    f"{name} with one per iteration",
                    policy=policy,
                ),
                rule=Below(1.0, thresholds.level),
                setting=(Condition("4×4", "mechanisms", f"{policy}-epochs", "ensemble_4x4"),),
                beyond=(
                    Condition(
                        "4×4, path",
                        "mechanisms",
                        f"{policy}-epochs",
                        "ensemble_4x4",
                        "trajectory",
                    ),
                    Condition("literal", "mechanisms", f"{policy}-epochs", "literal"),
                ),
                figure=_FIGURE,
            )
            for key, policy, name, statement in (
                (
                    "fig6_rl_switches",
                    "q-learning",
                    "RL",
                    "partly because it switches too rapidly: made to decide once an epoch it does "
                    "better.",
                ),
                (
                    "fig6_exp3_adaptive",
                    "exp3",
                    "EXP3",
                    "because rewards depend on its earlier actions: with one decision an epoch, "
                    "where they hardly do, it does better.",
                ),
            )
        ),
        Claim(
            id="fig6_baselines_miss",
            where="Section 1.1, Section 5.3",
            statement="UCB, UCB+ and ε-greedy do not identify the optimal arm.",
            quantifier="all",
            estimator=late_plays(thresholds.late, identified=False),
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


def _conclusions(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of the last paragraph."""
    finds: dict[str, Any] = {"where": _LAST, "figure": _FIGURE, **identification_fields(thresholds)}
    return [
        *(
            Claim(
                id=f"end_{policy.replace('-', '_')}_finds",
                statement=f"{name} always identifies the optimal arm.",
                setting=(
                    Condition("4×4", "identify_4x4", policy),
                    Condition("uncorrelated", "identify_uncorrelated", policy),
                ),
                beyond=(Condition("4×4, path", "identify_paths", policy, sampling="trajectory"),),
                **finds,
            )
            for policy, name in _EPOCH_ALGORITHMS
        ),
        *(
            Claim(
                id=key,
                where=_LAST,
                statement=(
                    f"Where correlation is weak some alternative has less regret than {name}."
                ),
                estimator=regret_ratio(
                    f"mean final regret of the alternative divided by that of {name}", policy=policy
                ),
                rule=Below(1.0, thresholds.level),
                figure=_FIGURE,
                **_SLOWER,
            )
            for key, (policy, name) in zip(
                ("end_slower", "end_greedy_slower"), _EPOCH_ALGORITHMS, strict=True
            )
        ),
    ]
