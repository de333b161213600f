"""Claims of Sections 1.2 and 2.1: what the model covers, its assumptions, its notion of regret."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import Counters, Inequality, InstancesOf
from epochbandits.claims.estimators_exact import RECURRENT, STATE_POLICY
from epochbandits.claims.estimators_theory import CLASSES, WITHOUT_CONDITIONS
from epochbandits.claims.rules import Above, Below, Holds
from epochbandits.config.thresholds import Thresholds

__all__ = ["claims"]


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the claims on the model."""
    level = thresholds.level
    special: dict[str, Any] = {
        "where": "Section 1.2",
        "quantifier": "all",
        "estimator": RECURRENT,
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
            statement="Neither of these conditions is necessary.",
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
