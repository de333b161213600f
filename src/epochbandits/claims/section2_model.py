"""Claims of Sections 1.2 and 2.1: what the model covers, its assumptions, its notion of regret."""

from __future__ import annotations

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Counters, Inequality, InstancesOf
from epochbandits.claims.estimators_exact import RECURRENT, STATE_POLICY
from epochbandits.claims.estimators_theory import CLASSES, WITHOUT_CONDITIONS
from epochbandits.claims.rules import Above, Below, Holds
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on the model."""
    assumption = Below(0.5, thresholds.level)
    return [
        Claim(
            id="model_rotting",
            where="Section 1.2",
            statement="Rotting bandits are a special case: the state counts the plays of each arm.",
            quantifier="all",
            estimator=RECURRENT,
            rule=assumption,
            setting=(Counters("counts up to 3", "rotting", 3),),
            beyond=(Counters("counts up to 6", "rotting", 6),),
            figure="exact",
        ),
        Claim(
            id="model_recharging",
            where="Section 1.2",
            statement=(
                "Recharging bandits are a special case: the state tracks the time since each "
                "arm's last play."
            ),
            quantifier="all",
            estimator=RECURRENT,
            rule=assumption,
            setting=(Counters("times up to 3", "recharging", 3),),
            beyond=(Counters("times up to 6", "recharging", 6),),
            figure="exact",
        ),
        Claim(
            id="irreducible_diagonal",
            where="Section 2.1",
            statement="An ergodic P with a positive diagonal has an irreducible M(P).",
            quantifier="all",
            estimator=CLASSES,
            rule=Below(1.5, thresholds.level),
            setting=(Inequality("positive diagonal", "positive_diagonal"),),
            figure="inequalities",
        ),
        Claim(
            id="irreducible_reversible",
            where="Section 2.1",
            statement="An ergodic and reversible P has an irreducible M(P).",
            quantifier="all",
            estimator=CLASSES,
            rule=Below(1.5, thresholds.level),
            setting=(Inequality("reversible", "reversible"),),
            figure="inequalities",
        ),
        Claim(
            id="irreducible_not_necessary",
            where="Section 2.1",
            statement="Neither of these conditions is necessary.",
            quantifier="some",
            estimator=WITHOUT_CONDITIONS,
            rule=Holds(thresholds.level),
            setting=(Inequality("neither condition", "not_necessary"),),
            figure="inequalities",
        ),
        Claim(
            id="regret_weak",
            where="Section 2.1.1",
            statement="A policy that depends on the state can beat the best fixed arm.",
            quantifier="some",
            estimator=STATE_POLICY,
            rule=Above(1.0, thresholds.level),
            setting=(InstancesOf("4×4", "ensemble_4x4"),),
            beyond=(
                InstancesOf("fast", "fast"),
                InstancesOf("literal", "literal"),
                InstancesOf("uncorrelated", "uncorrelated"),
            ),
            figure="exact",
        ),
    ]
