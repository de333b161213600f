"""Claims of Example 1: who settles on the worse arm."""

from __future__ import annotations

from collections.abc import Callable

from epochbandits.claims.claim import Claim, Take, Thresholds
from epochbandits.claims.evidence import Evidence, Runs
from epochbandits.claims.rules import Above, Below, MostOf, Sample

__all__ = ["example_claims"]

_FIGURE = "fig1b_failure_regret"


def example_claims(limits: Thresholds) -> list[Claim]:
    """Return the claims of Example 1; a sample has one value per run, since it is one instance."""
    claims = []
    for policy, key, label in (
        ("ucb", "ucb", "UCB"),
        ("eps-greedy-auer", "eps_greedy", "ε-greedy"),
    ):
        claims += [
            Claim(
                id=f"fig1b_{key}_locks",
                where="Example 1, Fig. 1b",
                statement=f"On Example 1 {label} settles on the worse arm.",
                estimator="mean gap of each run's later plays over Δ",
                rule=MostOf(limits.late, limits.most, limits.level),
                conditions=_both_axes(policy, lambda runs: runs.per_run("late_gap")),
                figure=_FIGURE,
            ),
            Claim(
                id=f"fig1b_{key}_linear",
                where="Example 1, Fig. 1b",
                statement=f"On Example 1 the regret of {label} is linear.",
                estimator="R(n)/R(n/2) of each run",
                rule=Above(limits.linear, limits.level),
                conditions=_both_axes(policy, lambda runs: runs.doubling_per_run()),
                figure=_FIGURE,
            ),
        ]
    for policy, key, label in (
        ("epoch-ucb", "epoch_ucb", "EpochUCB"),
        ("epoch-greedy-failure", "epoch_greedy", "EpochGreedy"),
    ):
        claims += [
            Claim(
                id=f"fig1b_{key}_finds",
                where="Example 1, Fig. 1b",
                statement=f"On Example 1 {label} finds the better arm.",
                estimator="1 minus the mean gap of each run's later plays over Δ",
                rule=MostOf(1 - limits.late, limits.nearly_all, limits.level),
                conditions=_by_epsilon("failure", policy, lambda runs: runs.found_best_per_run()),
                figure=_FIGURE,
            ),
            Claim(
                id=f"fig1b_{key}_sublinear",
                where="Example 1, Fig. 1b",
                statement=f"On Example 1 the regret of {label} is sublinear.",
                estimator="R(n)/R(n/2) of each run",
                rule=Below(limits.sublinear, limits.level),
                conditions=_by_epsilon("failure", policy, lambda runs: runs.doubling_per_run()),
                figure=_FIGURE,
            ),
        ]
    return claims


def _both_axes(policy: str, take: Callable[[Runs], Sample]) -> dict[str, Take]:
    """Return conditions for ε and for how a decision of the policy is counted."""
    cut = _by_epsilon("failure_paired", policy, take)
    return {
        **_by_epsilon("failure", policy, take),
        **{f"{name}, cut at EpochUCB's epochs": sample for name, sample in cut.items()},
    }


def _by_epsilon(experiment: str, policy: str, take: Callable[[Runs], Sample]) -> dict[str, Take]:
    def one(index: int) -> Take:
        def sample(evidence: Evidence) -> Sample:
            return take(evidence.runs(experiment, policy, instance=index))

        return sample

    # The order of ε in the configuration's set `failure`, which a test holds to these names.
    return {"ε = .001": one(0), "ε = .01": one(1)}
