"""Claims of Sections 1.2 and 2: what the model covers, its assumptions, and Example 1.

Each ε of Example 1 is a single instance, so samples are of runs. The paper gives no ε: the authors'
public code for an earlier version has .01, which is the first condition; .001 is smaller, as the
text asks for ("sufficiently small"). A statement that holds for small enough ε is about 'some' ε.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Condition, Counters, Inequality, InstancesOf
from epochbandits.claims.estimators import late_plays_per_run, locked_estimate
from epochbandits.claims.estimators_exact import REDUCIBLE_SHARE, STATE_POLICY
from epochbandits.claims.estimators_theory import CLASSES, WITHOUT_CONDITIONS
from epochbandits.claims.growth import growth_fields, identification_fields, linear, sublinear
from epochbandits.claims.rules import Above, Below, Holds, MostOf
from epochbandits.config.thresholds import Thresholds

_WHERE = "Example 1, Fig. 1b"
_FIGURE = "fig1b_failure_regret"
_CONTROLS = {"experiment": "failure_growth", "instances": "failure", "epsilon": 0.01}


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Sections 1.2 and 2."""
    return [*_model(thresholds), *_example1(thresholds)]


def _model(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on what the model covers, its assumptions and its notion of regret."""
    level = thresholds.level
    special: dict[str, Any] = {
        "where": "Section 1.2",
        "quantifier": "all",
        "estimator": REDUCIBLE_SHARE,
        "rule": Below(0.5, level),
        "figure": "exact",
    }
    return [
        Claim(
            id="model_rotting",
            statement="Rotting bandits are a special case: the state counts the plays of each arm.",
            setting=(Counters("counts up to 3", "rotting", 3),),
            beyond=(Counters("counts up to 6", "rotting", 6),),
            **special,
        ),
        Claim(
            id="model_recharging",
            statement=(
                "Recharging bandits are a special case: the state tracks the time since each "
                "arm's last play."
            ),
            setting=(Counters("times up to 3", "recharging", 3),),
            beyond=(Counters("times up to 6", "recharging", 6),),
            **special,
        ),
        *(
            Claim(
                id=f"irreducible_{key}",
                where="Section 2.1",
                statement=f"An ergodic {chain} has an irreducible M(P).",
                quantifier="all",
                estimator=CLASSES,
                rule=Below(1.5, level),
                setting=(Inequality(name.replace("_", " "), name),),
                figure="inequalities",
            )
            for key, name, chain in (
                ("diagonal", "positive_diagonal", "P with a positive diagonal"),
                ("reversible", "reversible", "and reversible P"),
            )
        ),
        Claim(
            id="irreducible_not_necessary",
            where="Section 2.1",
            statement="Neither condition on P is necessary for M(P) to be irreducible.",
            quantifier="some",
            estimator=WITHOUT_CONDITIONS,
            rule=Holds(level),
            setting=(Inequality("neither condition", "not_necessary"),),
            figure="inequalities",
        ),
        Claim(
            id="regret_weak",
            where="Section 2.1.1",
            statement="A policy that depends on the state can beat the best fixed arm.",
            quantifier="some",
            estimator=STATE_POLICY,
            rule=Above(1.0, level),
            setting=(InstancesOf("4×4", "ensemble_4x4"),),
            beyond=tuple(InstancesOf(cls, cls) for cls in ("fast", "literal", "uncorrelated")),
            figure="exact",
        ),
    ]


def _at(
    policy: str, place: Mapping[str, Any], sampling: str, *epsilons: float
) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            f"ε = {epsilon:g}, {sampling}",
            policy=policy,
            sampling=sampling,
            epsilon=epsilon,
            **place,
        )
        for epsilon in epsilons
    )


def _stepwise(policy: str) -> dict[str, Any]:
    """Return the conditions of a policy whose decisions, one an iteration, count as epochs."""
    place = {"experiment": "failure_long", "instances": "failure_sweep", "controls": _CONTROLS}
    return {
        "setting": _at(policy, place, "marginal", 0.01, 0.001),
        "beyond": (
            *_at(policy, place, "marginal", 0.1, 0.05, 0.0001),
            *_at(policy, place, "trajectory", 0.01, 0.001, 0.1, 0.05, 0.0001),
        ),
    }


def _epochwise(policy: str) -> dict[str, Any]:
    """Return the conditions of an epoch algorithm."""
    place = {"experiment": "failure_growth", "instances": "failure"}
    return {
        "setting": _at(policy, place, "marginal", 0.01, 0.001),
        "beyond": _at(policy, place, "trajectory", 0.01, 0.001),
    }


def _example1(thresholds: Thresholds) -> list[Claim]:
    """Return the claims of Example 1."""
    shown: dict[str, Any] = {"where": _WHERE, "figure": _FIGURE}
    identified = late_plays_per_run(thresholds.late, identified=True)
    finds = shown | identification_fields(thresholds) | {"estimator": identified, "epochs": 0}
    grows = shown | growth_fields(thresholds)
    result = []
    for key, name, policy in (
        ("ucb", "UCB", "ucb"),
        ("eps_greedy", "ε-greedy", "eps-greedy-auer"),
    ):
        settles = f"For small enough ε {name} settles on the worse arm"
        result += [
            Claim(
                id=f"fig1b_{key}_locks",
                statement=f"{settles}.",
                quantifier="some",
                estimator=late_plays_per_run(thresholds.late, identified=False),
                rule=MostOf(thresholds.late, thresholds.most, thresholds.level),
                units=thresholds.identify_units,
                **shown,
                **_stepwise(policy),
            ),
            Claim(
                id=f"fig1b_{key}_linear",
                statement=f"For small enough ε the regret of {name} is linear.",
                quantifier="some",
                rule=linear(thresholds),
                **grows,
                **_stepwise(policy),
            ),
            Claim(
                id=f"fig1b_{key}_underestimates",
                where="Example 1",
                statement=f"{settles} because it estimates arm 1 to be near zero.",
                quantifier="some",
                estimator=locked_estimate(thresholds.late),
                rule=Below(thresholds.near_zero, thresholds.level),
                figure=_FIGURE,
                **_stepwise(policy),
            ),
        ]
    for key, name, policy in (
        ("epoch_ucb", "EpochUCB", "epoch-ucb"),
        ("epoch_greedy", "EpochGreedy", "epoch-greedy-failure"),
    ):
        result += [
            Claim(
                id=f"fig1b_{key}_finds",
                statement=f"{name} finds the better arm.",
                **finds,
                **_epochwise(policy),
            ),
            Claim(
                id=f"fig1b_{key}_sublinear",
                statement=f"The regret of {name} is sublinear.",
                quantifier="mean",
                rule=sublinear(thresholds),
                **grows,
                **_epochwise(policy),
            ),
        ]
    return [
        *result,
        Claim(
            id="fig1b_rapidly",
            statement="EpochUCB and EpochGreedy find the better arm rapidly: within 1000 epochs.",
            setting=tuple(
                Condition(
                    f"ε = {epsilon:g}, {policy}", "failure", policy, "failure", epsilon=epsilon
                )
                for epsilon in (0.01, 0.001)
                for policy in ("epoch-ucb", "epoch-greedy-failure")
            ),
            **finds,
        ),
    ]
