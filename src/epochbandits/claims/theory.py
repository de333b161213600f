"""Claims of the theory: lemmas, theorems, corollaries, eigenvalues and the bounds' shapes."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim, Take, Thresholds
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Above, Below, Holds, Near, Sample

__all__ = ["theory_claims"]

_DISCOUNTS = (0.9, 0.8, 0.7, 0.5, 0.3, 0.1, 0.95, 0.99)


def theory_claims(limits: Thresholds) -> list[Claim]:
    """Return the claims of Sections 3 and 5.2.1."""
    return [*_inequalities(), *_corollaries(), *_eigenvalues(limits), *_bounds(limits)]


def _inequalities() -> list[Claim]:
    statements = {
        "example2": (
            "Example 2",
            "Where the state is far from the optimal arm's law, its first epoch costs almost one "
            "although its gap is zero.",
        ),
        "lemma1": (
            "Lemma 1",
            "An epoch's expected reward is within C Υ(τ)/R(τ) of the stationary one.",
        ),
        "lemma2": (
            "Lemma 2, Proposition 2",
            "The mean expected reward of an arm's first T epochs is within L(T)/T of the "
            "stationary one.",
        ),
        "theorem1": (
            "Theorem 1",
            "EpochUCB's mean number of plays of a suboptimal arm is under its bound.",
        ),
        "theorem2": (
            "Theorem 2",
            "EpochGreedy's probability of playing a suboptimal arm in epoch k is under its bound.",
        ),
    }

    def take(name: str) -> Take:
        return lambda evidence: evidence.inequality(name)

    return [
        Claim(
            id=name,
            where=where,
            statement=statement,
            estimator="measured side over bound, for every arm of every instance",
            rule=Holds(),
            conditions={"γ = 1 and below": take(name)}
            if "lemma" in name
            else {"γ = 1": take(name)},
            figure="inequalities",
        )
        for name, (where, statement) in statements.items()
    ]


def _corollaries() -> list[Claim]:
    def take(which: str, experiment: str, policy: str, **where: Any) -> Take:
        return lambda evidence: evidence.over_bound(which, experiment, policy, **where)

    ensembles = {
        f"{size}, {sampling}": ("ensemble_" + size.replace("×", "x"), sampling)
        for sampling in ("marginal", "trajectory")
        for size in ("4×4", "4×8")
    }
    claims = [
        Claim(
            id=name,
            where=where,
            statement=f"EpochUCB's expected regret is under its {kind} bound.",
            estimator="mean expected regret over bound, for each instance",
            rule=Holds(),
            conditions={
                **{
                    label: take(kind, experiment, "epoch-ucb", sampling=sampling)
                    for label, (experiment, sampling) in ensembles.items()
                },
                **{
                    f"4×4, marginal, γ = {gamma:g}": take(
                        kind, "ensemble_discounts", "epoch-ucb", gamma=gamma
                    )
                    for gamma in (0.99, 0.9, 0.5, 0.1)
                },
            },
            figure="fig3a_bounds",
        )
        for name, where, kind in (
            ("corollary1", "Corollary 1", "gap-dependent"),
            ("corollary2", "Corollary 2", "gap-independent"),
        )
    ]
    claims.append(
        Claim(
            id="corollary3",
            where="Corollary 3",
            statement="EpochGreedy's expected regret with c* is under its bound.",
            estimator="mean expected regret over bound, for each instance",
            rule=Holds(),
            conditions={
                "4×4, marginal": take("greedy", "ensemble_decay", "epoch-greedy-decayed", value=1.0)
            },
            figure="fig3a_bounds",
        )
    )
    return claims


def _eigenvalues(limits: Thresholds) -> list[Claim]:
    def take(law: str, column: str) -> Take:
        return lambda evidence: evidence.eigenvalues(law, column)

    normals = ("|N|", "softmax", "N²", "max(N, 0)")
    rows = {
        "uniform": (0.32, 0.38, {"uniform rows": "uniform"}),
        "normal": (0.70, 0.83, {law: f"normal: {law}" for law in normals}),
    }
    claims = []
    for key, (mean, percentile, laws) in rows.items():
        for scale, column in (("λ₂", "lambda2"), ("√λ₂", "root")):
            claims.append(
                Claim(
                    id=f"tab1_{key}_{column}",
                    where="Section 3.3",
                    statement=f"For random {key} rows {scale} of M(P) has mean {mean:g}"
                    f" (the 95th percentile, {percentile:g}, is in finding 5).",
                    estimator=f"mean {scale} over random matrices",
                    rule=Near(mean, limits.printed, limits.level),
                    conditions={name: take(law, column) for name, law in laws.items()},
                    figure="tab1_mixing",
                )
            )
    return claims


def _bounds(limits: Thresholds) -> list[Claim]:
    def tighter(at: float, variant: str = "paper") -> Take:
        def sample(evidence: Evidence) -> Sample:
            own = evidence.bound("time_average", "epoch-ucb", at=at, variant=variant)
            other = evidence.bound(
                "time_average", "epoch-greedy", at=at, variant=variant, form="corrected"
            )
            return Sample(own / other, 0)

        return sample

    def decades(algorithm: str, form: str, variant: str = "paper") -> Take:
        """Growth over the last decade of n over that of the decade before."""

        def sample(evidence: Evidence) -> Sample:
            low, middle, high = (
                evidence.bound("time_average", algorithm, at=at, variant=variant, form=form)
                for at in (1e5, 1e6, 1e7)
            )
            return Sample((high - middle) / (middle - low), 0)

        return sample

    def discounted(algorithm: str, form: str, over: float, under: float) -> Take:
        def sample(evidence: Evidence) -> Sample:
            top, bottom = (
                evidence.bound("discounts", algorithm, at=1e6, gamma=gamma, form=form)
                for gamma in (over, under)
            )
            return Sample(top / bottom, 0)

        return sample

    claims = [
        Claim(
            id="fig3a_ucb_tighter",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochUCB's bound is tighter than EpochGreedy's.",
            estimator="ratio of the bounds at n, for each instance",
            rule=Below(1.0, limits.level),
            conditions={
                **{f"n = {n:.0e}": tighter(n) for n in (1e7, 1e6, 1e5, 1e4, 1e3)},
                "n = 1e+07, tight L": tighter(1e7, "tight"),
            },
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_ucb_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochUCB's bound grows logarithmically.",
            estimator="growth over n = 1e6..1e7 over that over 1e5..1e6, for each instance",
            rule=Below(limits.logarithmic, limits.level),
            conditions={
                "as printed": decades("epoch-ucb", ""),
                "tight L": decades("epoch-ucb", "", "tight"),
            },
            figure="fig3a_bounds",
        ),
        Claim(
            id="fig3a_greedy_logarithmic",
            where="Section 5.2.1, Fig. 3a",
            statement="EpochGreedy's bound grows logarithmically.",
            estimator="growth over n = 1e6..1e7 over that over 1e5..1e6, for each instance",
            rule=Below(limits.logarithmic, limits.level),
            conditions={
                "corrected": decades("epoch-greedy", "corrected"),
                "as printed": decades("epoch-greedy", "paper"),
            },
            figure="fig3a_bounds",
        ),
    ]
    for key, algorithm, form, label in (
        ("fig3b_ucb", "epoch-ucb", "", "EpochUCB"),
        ("fig3c_greedy", "epoch-greedy", "corrected", "EpochGreedy"),
    ):
        figure = f"{key}_bound_discount"
        claims += [
            Claim(
                id=f"{key}_decays",
                where=f"Section 5.2.1, Fig. {key[3:5]}",
                statement=f"{label}'s bound is smaller with discounted feedback than averaged.",
                estimator="bound at γ over bound at 1, n = 1e6, for each instance",
                rule=Below(1.0, limits.level),
                conditions={f"γ = {g:g}": discounted(algorithm, form, g, 1.0) for g in _DISCOUNTS},
                figure=figure,
            ),
            Claim(
                id=f"{key}_saturates",
                where=f"Section 5.2.1, Fig. {key[3:5]}",
                statement=f"The improvement of {label}'s bound saturates as γ decays.",
                estimator="bound at γ = .1 over bound at .5, n = 1e6, for each instance",
                rule=Above(1 / limits.close, limits.level),
                conditions={"γ = .5 to .1": discounted(algorithm, form, 0.1, 0.5)},
                figure=figure,
            ),
        ]
    return claims
