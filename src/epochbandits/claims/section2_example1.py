"""Claims of Example 1: who settles on the worse arm, and why.

Each ε is a single instance, so samples are of runs. The paper gives no ε: the authors' public code
for an earlier version has .01, which is the first condition; .001 is smaller, as the text asks for
("sufficiently small"). A statement that holds for small enough ε is one of 'some' ε.
"""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import (
    FOUND_BEST_PER_RUN,
    GROWTH,
    LOCKED_ESTIMATE,
    LOCKED_PER_RUN,
)
from epochbandits.claims.growth import controls, linear, sublinear
from epochbandits.claims.rules import Below, MostOf
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]

_WHERE = "Example 1, Fig. 1b"
_FIGURE = "fig1b_failure_regret"
_CONTROLS = {"experiment": "failure_growth", "instances": "failure", "epsilon": 0.01}


def _stepwise(policy: str) -> dict[str, Any]:
    """Return the conditions of a policy whose decisions, one an iteration, count as epochs."""

    def at(epsilon: float, sampling: str = "marginal") -> Condition:
        label = f"ε = {epsilon:g}, {sampling}"
        return Condition(
            label,
            "failure_long",
            policy,
            "failure_sweep",
            sampling,
            epsilon=epsilon,
            controls=_CONTROLS,
        )

    return {
        "setting": (at(0.01), at(0.001)),
        "beyond": (
            at(0.1),
            at(0.05),
            at(0.0001),
            *(at(epsilon, "trajectory") for epsilon in (0.01, 0.001, 0.1, 0.05, 0.0001)),
        ),
    }


def _epochwise(policy: str) -> dict[str, Any]:
    """Return the conditions of an epoch algorithm."""

    def at(epsilon: float, sampling: str = "marginal") -> Condition:
        label = f"ε = {epsilon:g}, {sampling}"
        return Condition(label, "failure_growth", policy, "failure", sampling, epsilon=epsilon)

    return {
        "setting": (at(0.01), at(0.001)),
        "beyond": (at(0.01, "trajectory"), at(0.001, "trajectory")),
    }


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Example 1."""
    locks = MostOf(thresholds.late, thresholds.most, thresholds.level)
    finds = MostOf(1 - thresholds.late, thresholds.nearly_all, thresholds.level)
    near_zero = Below(thresholds.near_zero, thresholds.level)
    growing: dict[str, Any] = {
        "estimator": GROWTH,
        "controls": controls(thresholds),
        "epochs": thresholds.growth_epochs,
        "units": thresholds.growth_units,
    }
    shares: dict[str, Any] = {"units": thresholds.identify_units}
    return [
        Claim(
            id="fig1b_ucb_locks",
            where=_WHERE,
            statement="For small enough ε UCB settles on the worse arm.",
            quantifier="some",
            estimator=LOCKED_PER_RUN,
            rule=locks,
            figure=_FIGURE,
            **shares,
            **_stepwise("ucb"),
        ),
        Claim(
            id="fig1b_ucb_linear",
            where=_WHERE,
            statement="For small enough ε the regret of UCB is linear.",
            quantifier="some",
            rule=linear(thresholds),
            figure=_FIGURE,
            **growing,
            **_stepwise("ucb"),
        ),
        Claim(
            id="fig1b_ucb_underestimates",
            where="Example 1",
            statement=(
                "For small enough ε UCB settles on the worse arm because it estimates arm 1 to be "
                "near zero."
            ),
            quantifier="some",
            estimator=LOCKED_ESTIMATE,
            rule=near_zero,
            figure=_FIGURE,
            **_stepwise("ucb"),
        ),
        Claim(
            id="fig1b_eps_greedy_locks",
            where=_WHERE,
            statement="For small enough ε ε-greedy settles on the worse arm.",
            quantifier="some",
            estimator=LOCKED_PER_RUN,
            rule=locks,
            figure=_FIGURE,
            **shares,
            **_stepwise("eps-greedy-auer"),
        ),
        Claim(
            id="fig1b_eps_greedy_linear",
            where=_WHERE,
            statement="For small enough ε the regret of ε-greedy is linear.",
            quantifier="some",
            rule=linear(thresholds),
            figure=_FIGURE,
            **growing,
            **_stepwise("eps-greedy-auer"),
        ),
        Claim(
            id="fig1b_eps_greedy_underestimates",
            where="Example 1",
            statement=(
                "For small enough ε ε-greedy settles on the worse arm because it estimates arm 1 "
                "to be near zero."
            ),
            quantifier="some",
            estimator=LOCKED_ESTIMATE,
            rule=near_zero,
            figure=_FIGURE,
            **_stepwise("eps-greedy-auer"),
        ),
        Claim(
            id="fig1b_epoch_ucb_finds",
            where=_WHERE,
            statement="EpochUCB finds the better arm.",
            quantifier="all",
            estimator=FOUND_BEST_PER_RUN,
            rule=finds,
            figure=_FIGURE,
            **shares,
            **_epochwise("epoch-ucb"),
        ),
        Claim(
            id="fig1b_epoch_ucb_sublinear",
            where=_WHERE,
            statement="The regret of EpochUCB is sublinear.",
            quantifier="mean",
            rule=sublinear(thresholds),
            figure=_FIGURE,
            **growing,
            **_epochwise("epoch-ucb"),
        ),
        Claim(
            id="fig1b_epoch_greedy_finds",
            where=_WHERE,
            statement="EpochGreedy finds the better arm.",
            quantifier="all",
            estimator=FOUND_BEST_PER_RUN,
            rule=finds,
            figure=_FIGURE,
            **shares,
            **_epochwise("epoch-greedy-failure"),
        ),
        Claim(
            id="fig1b_epoch_greedy_sublinear",
            where=_WHERE,
            statement="The regret of EpochGreedy is sublinear.",
            quantifier="mean",
            rule=sublinear(thresholds),
            figure=_FIGURE,
            **growing,
            **_epochwise("epoch-greedy-failure"),
        ),
        Claim(
            id="fig1b_rapidly",
            where=_WHERE,
            statement="EpochUCB and EpochGreedy find the better arm rapidly: within 1000 epochs.",
            quantifier="all",
            estimator=FOUND_BEST_PER_RUN,
            rule=finds,
            setting=tuple(
                Condition(
                    f"ε = {epsilon:g}, {policy}", "failure", policy, "failure", epsilon=epsilon
                )
                for epsilon in (0.01, 0.001)
                for policy in ("epoch-ucb", "epoch-greedy-failure")
            ),
            figure=_FIGURE,
            **shares,
        ),
    ]
