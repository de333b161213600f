"""Claims of the experiments: EpochUCB, EpochGreedy and the baselines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from epochbandits.claims.claim import Claim, Take, Thresholds
from epochbandits.claims.evidence import Evidence, Runs
from epochbandits.claims.rules import Above, Below, MostOf, Sample

__all__ = ["experiment_claims"]

BASELINES = {
    "ucb": "UCB",
    "ucb-tuned": "UCB+",
    "eps-greedy": "ε-greedy",
    "exp3": "EXP3",
    "q-learning": "RL",
}
_CONTROLS = ("slow_suboptimal", "inverted", "fast", "literal")
_DECAYS = (1000.0, 100.0, 10.0, 1e4, 1e5)
"""The one that does best first, so that a claim is judged by what speaks for it."""
_DISCOUNTS = (0.9, 0.7, 0.5, 0.3, 0.1, 0.95, 0.99)

Find = Callable[[str], Runs]
"""The runs of a policy under a condition."""


def experiment_claims(limits: Thresholds) -> list[Claim]:
    """Return the claims of Sections 5.2.2 and 5.3."""
    return [*_decay(limits), *_discount(limits), *_baselines(limits), *_conclusions(limits)]


# --- Section 5.2.2 --------------------------------------------------------------------------------


def _decay(limits: Thresholds) -> list[Claim]:
    def against(over: tuple[str, float | None], under: tuple[str, float | None]) -> Take:
        def sample(evidence: Evidence) -> Sample:
            top, bottom = (
                evidence.runs("ensemble_decay", policy, value=value)
                for policy, value in (over, under)
            )
            return top.ratio(bottom)

        return sample

    greedy, own = "epoch-greedy-decayed", ("epoch-ucb", None)
    return [
        Claim(
            id="fig4a_ucb_beats_greedy",
            where="Section 5.2.2, Fig. 4a",
            statement="EpochUCB significantly outperforms EpochGreedy with the theory's c*.",
            estimator="final regret of EpochUCB over EpochGreedy's, for each instance",
            rule=Below(1.0, limits.level),
            conditions={"50 fresh instances": against(own, (greedy, 1.0))},
            figure="fig4a_ucb_vs_greedy",
        ),
        Claim(
            id="fig4b_improves",
            where="Section 5.2.2, Fig. 4b",
            statement="EpochGreedy improves dramatically as c* is decayed.",
            estimator="final regret with c*/f over that with c*, for each instance",
            rule=Below(limits.dramatic, limits.level),
            conditions={f"f = {f:g}": against((greedy, f), (greedy, 1.0)) for f in _DECAYS},
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig4b_tends",
            where="Section 5.2.2, Fig. 4b",
            statement="EpochGreedy tends toward EpochUCB's regret as c* is decayed.",
            estimator="final regret with c*/f over EpochUCB's, for each instance",
            rule=Below(limits.close, limits.level),
            conditions={f"f = {f:g}": against((greedy, f), own) for f in _DECAYS},
            figure="fig4b_greedy_decay",
        ),
        Claim(
            id="fig4b_monotone",
            where="Section 5.2.2, Fig. 4b",
            statement="Decaying c* further does not make EpochGreedy worse again.",
            estimator="final regret with c*/1e5 over that with c*/f, for each instance",
            rule=Below(1.0, limits.level),
            conditions={f"f = {f:g}": against((greedy, 1e5), (greedy, f)) for f in (1000.0, 1e4)},
            figure="fig4b_greedy_decay",
        ),
    ]


def _discount(limits: Thresholds) -> list[Claim]:
    def ratio(experiment: str, policy: str, gamma: float, **where: Any) -> Take:
        def sample(evidence: Evidence) -> Sample:
            top, bottom = (
                evidence.runs(experiment, policy, gamma=g, **where) for g in (gamma, 1.0)
            )
            return top.ratio(bottom)

        return sample

    def penalty(gamma: float) -> Take:
        def sample(evidence: Evidence) -> Sample:
            top, bottom = (
                evidence.runs("ensemble_discounts", "epoch-ucb", gamma=g) for g in (gamma, 1.0)
            )
            return top.difference(bottom, "markov_penalty")

        return sample

    classes = {
        f"{name}, γ = {g:g}": ratio("controls_discounts", "epoch-ucb", g, instances=name)
        for name in _CONTROLS
        for g in (0.95, 0.5, 0.1)
    }
    return [
        Claim(
            id="fig5a_ucb_decays",
            where="Section 5.2.2, Fig. 5a",
            statement="EpochUCB's regret is smaller with discounted feedback than averaged.",
            estimator="final regret at γ over that at 1, for each instance",
            rule=Below(1.0, limits.level),
            conditions={
                **{
                    f"anticorrelated, γ = {g:g}": ratio("ensemble_discounts", "epoch-ucb", g)
                    for g in _DISCOUNTS
                },
                **classes,
            },
            figure="fig5a_ucb_discount",
        ),
        Claim(
            id="fig5b_greedy_decays",
            where="Section 5.2.2, Fig. 5b",
            statement="EpochGreedy's regret is smaller with discounted feedback than averaged.",
            estimator="final regret at γ over that at 1 (c fixed), for each instance",
            rule=Below(1.0, limits.level),
            conditions={
                f"γ = {g:g}": ratio("ensemble_discounts", "epoch-greedy", g) for g in _DISCOUNTS
            },
            figure="fig5b_greedy_discount",
        ),
        Claim(
            id="remark1_penalty",
            where="Remark 1",
            statement="The Markovian penalty is smaller with discounted feedback than averaged.",
            estimator="EpochUCB's penalty at γ minus that at 1, for each instance",
            rule=Below(0.0, limits.level),
            conditions={f"γ = {g:g}": penalty(g) for g in _DISCOUNTS},
            figure="fig5a_ucb_discount",
        ),
    ]


# --- Section 5.3 ----------------------------------------------------------------------------------


def _everywhere(take: Callable[[Find], Sample]) -> dict[str, Take]:
    """Return a condition for each size, class and sampling, the paper's own first."""

    def one(experiment: str, instances: str, sampling: str) -> Take:
        def sample(evidence: Evidence) -> Sample:
            return take(
                lambda policy: evidence.runs(
                    experiment, policy, instances=instances, sampling=sampling
                )
            )

        return sample

    conditions = {}
    for sampling in ("marginal", "trajectory"):
        for size, name in (("4×4", "ensemble_4x4"), ("4×8", "ensemble_4x8")):
            conditions[f"{size}, {sampling}"] = one(name, name, sampling)
        for control in _CONTROLS:
            conditions[f"{control}, {sampling}"] = one("controls", control, sampling)
    return conditions


def _against_all(policy: str, column: str) -> Callable[[Find], Sample]:
    def take(find: Find) -> Sample:
        """Return a policy's final value minus the least of all baselines', for each instance."""
        parts = [find(name).part(column) for name in (policy, *BASELINES)]
        return Sample.of(
            lambda own, *others: own[..., 0] - np.min([o[..., 0] for o in others], axis=0), *parts
        )

    return take


def _baselines(limits: Thresholds) -> list[Claim]:
    def doubling(policy: str) -> Callable[[Find], Sample]:
        return lambda find: find(policy).doubling()

    claims = [
        Claim(
            id=f"fig6_{policy.replace('-', '_')}_linear",
            where="Section 5.3, Fig. 6",
            statement=f"{label} suffers linear regret.",
            estimator="R(n)/R(n/2), for each instance",
            rule=MostOf(limits.linear, limits.most, limits.level),
            conditions=_everywhere(doubling(policy)),
            figure="fig6a_baselines_4x4",
        )
        for policy, label in BASELINES.items()
    ]
    for policy, label in (("epoch-ucb", "EpochUCB"), ("epoch-greedy", "EpochGreedy")):

        def longer(experiment: str, policy: str = policy) -> Take:
            return lambda evidence: evidence.runs(experiment, policy).doubling()

        key = policy.replace("-", "_")
        claims += [
            Claim(
                id=f"fig6_{key}_sublinear",
                where="Section 5.3, Fig. 6",
                statement=f"{label}'s regret is sublinear.",
                estimator="R(n)/R(n/2), for each instance",
                rule=Below(limits.sublinear, limits.level),
                conditions={
                    "4×4, marginal, n = 16,000": longer("ensemble_growth"),
                    "4×4, marginal, n = 16,000, the figure's five instances": longer("growth"),
                    **{f"{k}, n = 1,500": v for k, v in _everywhere(doubling(policy)).items()},
                },
                figure="fig6a_baselines_4x4",
            ),
            Claim(
                id=f"fig6_{key}_wins",
                where="Section 5.3, Fig. 6",
                statement=f"{label} has less regret than every baseline.",
                estimator="final regret minus the least of the baselines', for each instance",
                rule=Below(0.0, limits.level),
                conditions={
                    **_everywhere(_against_all(policy, "expected_regret")),
                    **{
                        f"{name}, counted per iteration": take
                        for name, take in _everywhere(
                            _against_all(policy, "iteration_regret")
                        ).items()
                        if name.startswith("4×4")
                    },
                },
                figure="fig6a_baselines_4x4",
            ),
        ]
    claims.append(
        Claim(
            id="fig6_rl_poor",
            where="Section 5.3",
            statement="RL does worse than EpochUCB although it observes the law of the state.",
            estimator="final regret of RL over EpochUCB's, for each instance",
            rule=Above(1.0, limits.level),
            conditions=_everywhere(lambda find: find("q-learning").ratio(find("epoch-ucb"))),
            figure="fig6a_baselines_4x4",
        )
    )
    return claims


def _conclusions(limits: Thresholds) -> list[Claim]:
    def found_best(policy: str) -> Callable[[Find], Sample]:
        return lambda find: find(policy).found_best()

    slower = _everywhere(lambda find: find("epoch-ucb").ratio(find("ucb")))
    weak = {name: take for name, take in slower.items() if name.startswith("literal")}
    return [
        Claim(
            id="end_slower",
            where="Section 5.3, last paragraph",
            statement="Where correlation is weak EpochUCB can be slower than an alternative (UCB).",
            estimator="final regret of EpochUCB over UCB's, for each instance",
            rule=Above(1.0, limits.level),
            conditions=weak,
            figure="fig6a_baselines_4x4",
        ),
        *(
            Claim(
                id=f"end_{policy.replace('-', '_')}_finds",
                where="Section 5.3, last paragraph",
                statement=f"{label} always identifies the optimal arm.",
                estimator="1 minus the mean gap of later plays over Δ_min, for each instance",
                rule=MostOf(1 - limits.late, limits.nearly_all, limits.level),
                conditions=_everywhere(found_best(policy)),
                figure="fig6a_baselines_4x4",
            )
            for policy, label in (("epoch-ucb", "EpochUCB"), ("epoch-greedy", "EpochGreedy"))
        ),
    ]
