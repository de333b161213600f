"""Claims of Section 3.1: mixing, the Markovian penalty, and why epochs must grow."""

from __future__ import annotations

from typing import Any

from epochbandits.claims import estimators_exact as exact
from epochbandits.claims import estimators_theory as theory
from epochbandits.claims.claim import Claim, Estimator, inequality_fields
from epochbandits.claims.conditions import (
    NEAR_ONE,
    OTHER_CLASSES,
    Condition,
    Inequality,
    InstancesOf,
)
from epochbandits.claims.estimators import PENALTY_RATIO, late_plays
from epochbandits.claims.growth import growth_fields, identification_fields, linear
from epochbandits.claims.rules import Below, MostBelow, MostOf
from epochbandits.claims.texts import plain
from epochbandits.config.thresholds import Thresholds

_FIXED_POLICIES = ("ucb", "epoch-ucb", "epoch-greedy")
_LONG = {
    "marginal": {"experiment": "long_4x4", "instances": "long_4x4"},
    "trajectory": {"experiment": "long_paths", "instances": "long_paths"},
}
"""Where the controls run, by sampling."""


def _penalties(*gammas: float) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            f"γ = {gamma:g}", "ensemble_discounts", "epoch-ucb", gamma=gamma,
            column="markov_penalty",
        )
        for gamma in gammas
    )  # fmt: skip


def _exact(estimator: Estimator, level: float, n: float = 1.0) -> dict[str, Any]:
    """Return the fields shared by claims on instances; other classes are taken at horizon n."""
    return {
        **inequality_fields(estimator, level),
        "setting": (InstancesOf("4×4", "ensemble_4x4", n=1000),),
        "beyond": tuple(InstancesOf(cls, cls, n=n) for cls in OTHER_CLASSES),
        "figure": "exact",
    }


def _ensemble(*gammas: float) -> tuple[InstancesOf, ...]:
    return tuple(InstancesOf(f"γ = {gamma:g}", "ensemble_4x4", gamma, 5000) for gamma in gammas)


def _fixed(policy: str, instances: str, sampling: str = "marginal") -> Condition:
    """Return a policy whose epochs all have 40 iterations, with controls from the long run."""
    label = f"{policy}, {instances}, {sampling}"
    return Condition(label, "fixed_length", policy, instances, sampling, controls=_LONG[sampling])


_FIXED: dict[str, Any] = {
    "quantifier": "all",
    "figure": "exact",
    "setting": tuple(_fixed(policy, "identify_4x4") for policy in _FIXED_POLICIES),
    "beyond": (
        *(_fixed(policy, "identify_4x4", "trajectory") for policy in _FIXED_POLICIES),
        *(
            _fixed("ucb", f"identify_{cls}", sampling)
            for cls in OTHER_CLASSES
            for sampling in ("marginal", "trajectory")
        ),
    ),
}


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Section 3.1 and Appendix D."""
    level = thresholds.level
    inequality = {"figure": "inequalities", **inequality_fields(theory.BOTH_SIDES, level)}
    return [
        Claim(
            id="proposition1",
            where="Proposition 1",
            statement=(
                "From any start the law of a chain approaches the stationary one within "
                "¼(1 + (1-π_min)²/π_min) λ₂(M)ⁿ, in squared total variation."
            ),
            **_exact(exact.FILL, level),
        ),
        Claim(
            id="proposition1_start",
            where="Proposition 1",
            statement="χ² of the start is at most 1 + (1-π_min)²/π_min.",
            **_exact(exact.FILL_START, level),
        ),
        Claim(
            id="lemma1",
            where="Lemma 1",
            statement="An epoch's expected reward is within C Υ(τ)/R(τ) of the stationary one.",
            setting=(Inequality("γ = 1 and below", "lemma1"),),
            **inequality,
        ),
        Claim(
            id="lemma1_branches",
            where="Lemma 1, remark",
            statement="The bound Υ for γ ≠ λ is tighter than the form for γ = λ.",
            **_exact(exact.UPSILON_BRANCHES, level),
        ),
        Claim(
            id="penalty_branches",
            where="Lemma 1, remark",
            statement="The later bounds too: L for γ ≠ λ is never above the form for γ = λ.",
            **_exact(exact.PENALTY_BRANCHES, level, n=1000),
        ),
        Claim(
            id="lemma2",
            where="Lemma 2",
            statement=(
                "The mean expected reward of an arm's first T epochs is within L(T)/T of the "
                "stationary one."
            ),
            setting=(Inequality("γ = 1 and below", "lemma2"),),
            **inequality,
        ),
        Claim(
            id="proposition2",
            where="Proposition 2",
            statement="The Markovian penalty is at most Σ L_j(n).",
            setting=_penalties(1.0, 0.9, 0.5, 0.1),
            beyond=tuple(
                Condition(
                    f"{cls}, {sampling}",
                    "controls",
                    "epoch-ucb",
                    cls,
                    sampling,
                    column="markov_penalty",
                )
                for cls in OTHER_CLASSES
                for sampling in ("marginal", "trajectory")
            ),
            figure="finding3_discount_classes",
            **inequality_fields(theory.OVER_PENALTY_BOUND, level),
        ),
        Claim(
            id="remark1",
            where="Remark 1",
            statement="Σ L_j is typically smaller with discounted feedback than averaged.",
            quantifier="mean",
            estimator=theory.PENALTY_BOUND_OVER_AVERAGED,
            rule=MostBelow(1.0, thresholds.most, level),
            setting=_ensemble(0.9, 0.8, 0.7, 0.5, 0.3, 0.1),
            beyond=(
                *_ensemble(*NEAR_ONE),
                *(
                    InstancesOf(f"{cls}, γ = {plain(gamma)}", cls, gamma, 5000)
                    for gamma in (0.5, 0.95)
                    for cls in OTHER_CLASSES
                ),
            ),
            figure="finding4_bounds_near_one",
        ),
        Claim(
            id="remark1_measured",
            where="Remark 1",
            statement=(
                "The measured Markovian penalty is smaller with discounted feedback, since late "
                "rewards are nearer to stationary."
            ),
            quantifier="mean",
            estimator=PENALTY_RATIO,
            rule=Below(1.0, level),
            setting=_penalties(0.9, 0.7, 0.5, 0.3, 0.1),
            beyond=_penalties(*NEAR_ONE),
            figure="fig5a_ucb_discount",
        ),
        Claim(
            id="fixed_length_linear",
            where="Section 3.1, Appendix D",
            statement=(
                "With epochs of a fixed length one cannot hope for sublinear regret, as the text "
                "infers from its bounds."
            ),
            rule=linear(thresholds),
            **growth_fields(thresholds),
            **_FIXED,
        ),
        Claim(
            id="fixed_length_infeasible",
            where="Appendix D",
            statement=(
                "With epochs of a fixed length it is infeasible to tell the arms apart, since "
                "rewards need not approach stationary ones."
            ),
            estimator=late_plays(thresholds.late, identified=False),
            rule=MostOf(thresholds.late, thresholds.most, level),
            epochs=thresholds.identify_epochs,
            units=thresholds.identify_units,
            **_FIXED,
        ),
        Claim(
            id="growing_length_finds",
            where="Section 3.1",
            statement="Growing epochs distinguish the optimal arm from nearly optimal ones.",
            setting=(
                Condition("EpochUCB, marginal", "identify_4x4", "epoch-ucb"),
                Condition("EpochGreedy, marginal", "identify_4x4", "epoch-greedy"),
            ),
            figure="fig6a_baselines_4x4",
            **identification_fields(thresholds),
        ),
    ]
