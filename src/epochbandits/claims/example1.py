"""Claims of Example 1: who settles on the worse arm.

Each ε is a single instance, so samples have one value per run.
"""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition
from epochbandits.claims.estimators import DOUBLING_PER_RUN, FOUND_BEST_PER_RUN, LATE_GAP_PER_RUN
from epochbandits.claims.rules import Above, Below, MostOf
from epochbandits.config.models import Thresholds

__all__ = ["claims"]


def _by_epsilon(policy: str) -> tuple[Condition, ...]:
    """Return a condition for each ε, with each decision counted as an epoch."""
    return (
        Condition("ε = .001", "failure", policy, "failure", epsilon=0.001),
        Condition("ε = .01", "failure", policy, "failure", epsilon=0.01),
    )


def _both_axes(policy: str) -> tuple[Condition, ...]:
    """Return conditions for each ε and for both ways to count a policy's decisions."""
    cut = "cut at EpochUCB's epochs"
    return (
        *_by_epsilon(policy),
        Condition(f"ε = .001, {cut}", "failure_paired", policy, "failure", epsilon=0.001),
        Condition(f"ε = .01, {cut}", "failure_paired", policy, "failure", epsilon=0.01),
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Example 1."""
    locks = MostOf(thresholds.late, thresholds.most, thresholds.level)
    finds = MostOf(1 - thresholds.late, thresholds.nearly_all, thresholds.level)
    linear = Above(thresholds.linear, thresholds.level)
    sublinear = Below(thresholds.sublinear, thresholds.level)
    return [
        Claim(
            id="fig1b_ucb_locks",
            where="Example 1, Fig. 1b",
            statement="On Example 1 UCB settles on the worse arm.",
            quantifier="all",
            estimator=LATE_GAP_PER_RUN,
            rule=locks,
            conditions=_both_axes("ucb"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_ucb_linear",
            where="Example 1, Fig. 1b",
            statement="On Example 1 the regret of UCB is linear.",
            quantifier="mean",
            estimator=DOUBLING_PER_RUN,
            rule=linear,
            conditions=_both_axes("ucb"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_eps_greedy_locks",
            where="Example 1, Fig. 1b",
            statement="On Example 1 ε-greedy settles on the worse arm.",
            quantifier="all",
            estimator=LATE_GAP_PER_RUN,
            rule=locks,
            conditions=_both_axes("eps-greedy-auer"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_eps_greedy_linear",
            where="Example 1, Fig. 1b",
            statement="On Example 1 the regret of ε-greedy is linear.",
            quantifier="mean",
            estimator=DOUBLING_PER_RUN,
            rule=linear,
            conditions=_both_axes("eps-greedy-auer"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_epoch_ucb_finds",
            where="Example 1, Fig. 1b",
            statement="On Example 1 EpochUCB finds the better arm.",
            quantifier="all",
            estimator=FOUND_BEST_PER_RUN,
            rule=finds,
            conditions=_by_epsilon("epoch-ucb"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_epoch_ucb_sublinear",
            where="Example 1, Fig. 1b",
            statement="On Example 1 the regret of EpochUCB is sublinear.",
            quantifier="mean",
            estimator=DOUBLING_PER_RUN,
            rule=sublinear,
            conditions=_by_epsilon("epoch-ucb"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_epoch_greedy_finds",
            where="Example 1, Fig. 1b",
            statement="On Example 1 EpochGreedy finds the better arm.",
            quantifier="all",
            estimator=FOUND_BEST_PER_RUN,
            rule=finds,
            conditions=_by_epsilon("epoch-greedy-failure"),
            figure="fig1b_failure_regret",
        ),
        Claim(
            id="fig1b_epoch_greedy_sublinear",
            where="Example 1, Fig. 1b",
            statement="On Example 1 the regret of EpochGreedy is sublinear.",
            quantifier="mean",
            estimator=DOUBLING_PER_RUN,
            rule=sublinear,
            conditions=_by_epsilon("epoch-greedy-failure"),
            figure="fig1b_failure_regret",
        ),
    ]
