"""Claims of Section 5.3: the epoch algorithms against the baselines."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, everywhere
from epochbandits.claims.estimators import DOUBLING, final_ratio, minus_least
from epochbandits.claims.rules import Above, Below, MostOf
from epochbandits.config.models import Thresholds

__all__ = ["claims"]

_FIGURE = "fig6a_baselines_4x4"
_MINUS_BASELINES = minus_least(
    "final regret minus the least of the baselines', for each instance",
    "ucb",
    "ucb-tuned",
    "eps-greedy",
    "exp3",
    "q-learning",
)


def _horizons(policy: str) -> tuple[Condition, ...]:
    """Return conditions over 16,000 epochs, where EpochUCB has explored, and over 1,500."""
    return (
        Condition("4×4, marginal, n = 16,000", "ensemble_growth", policy),
        Condition("4×4, marginal, n = 16,000, the figure's five instances", "growth", policy),
        *everywhere(policy, ", n = 1,500"),
    )


def _both_counts(policy: str) -> tuple[Condition, ...]:
    """Return conditions with regret counted per epoch, and per iteration."""
    name, column = "counted per iteration", "iteration_regret"
    return (
        *everywhere(policy),
        Condition(f"4×4, marginal, {name}", "ensemble_4x4", policy, column=column),
        Condition(
            f"4×4, trajectory, {name}",
            "ensemble_4x4",
            policy,
            sampling="trajectory",
            column=column,
        ),
    )


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on Fig. 6."""
    linear = MostOf(thresholds.linear, thresholds.most, thresholds.level)
    sublinear = Below(thresholds.sublinear, thresholds.level)
    wins = Below(0.0, thresholds.level)
    return [
        Claim(
            id="fig6_ucb_linear",
            where="Section 5.3, Fig. 6",
            statement="UCB suffers linear regret.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=linear,
            conditions=everywhere("ucb"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_ucb_tuned_linear",
            where="Section 5.3, Fig. 6",
            statement="UCB+ suffers linear regret.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=linear,
            conditions=everywhere("ucb-tuned"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_eps_greedy_linear",
            where="Section 5.3, Fig. 6",
            statement="ε-greedy suffers linear regret.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=linear,
            conditions=everywhere("eps-greedy"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_exp3_linear",
            where="Section 5.3, Fig. 6",
            statement="EXP3 suffers linear regret.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=linear,
            conditions=everywhere("exp3"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_q_learning_linear",
            where="Section 5.3, Fig. 6",
            statement="RL suffers linear regret.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=linear,
            conditions=everywhere("q-learning"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_epoch_ucb_sublinear",
            where="Section 5.3, Fig. 6",
            statement="EpochUCB's regret is sublinear.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=sublinear,
            conditions=_horizons("epoch-ucb"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_epoch_ucb_wins",
            where="Section 5.3, Fig. 6",
            statement="EpochUCB has less regret than every baseline.",
            quantifier="mean",
            estimator=_MINUS_BASELINES,
            rule=wins,
            conditions=_both_counts("epoch-ucb"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_epoch_greedy_sublinear",
            where="Section 5.3, Fig. 6",
            statement="EpochGreedy's regret is sublinear.",
            quantifier="mean",
            estimator=DOUBLING,
            rule=sublinear,
            conditions=_horizons("epoch-greedy"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_epoch_greedy_wins",
            where="Section 5.3, Fig. 6",
            statement="EpochGreedy has less regret than every baseline.",
            quantifier="mean",
            estimator=_MINUS_BASELINES,
            rule=wins,
            conditions=_both_counts("epoch-greedy"),
            figure=_FIGURE,
        ),
        Claim(
            id="fig6_rl_poor",
            where="Section 5.3",
            statement="RL does worse than EpochUCB although it observes the law of the state.",
            quantifier="mean",
            estimator=final_ratio(
                "final regret of RL over EpochUCB's, for each instance", policy="epoch-ucb"
            ),
            rule=Above(1.0, thresholds.level),
            conditions=everywhere("q-learning"),
            figure=_FIGURE,
        ),
    ]
