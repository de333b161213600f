"""What a claim is: what the paper says, where, and how it is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from epochbandits.claims.conditions import AnyCondition, Condition
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Holds, Rule
from epochbandits.claims.sample import Sample
from epochbandits.claims.verdicts import Quantifier


@dataclass(frozen=True)
class Estimator:
    """What is measured under a condition."""

    description: str
    """The statistic with its unit, so that its number can be read."""
    statistic: Callable[..., Sample]
    """Function of the evidence and of the conditions that `reads` returns."""
    against: tuple[Mapping[str, Any], ...] = ()
    """What differs in each condition that the claim's condition is compared with."""
    beside: Callable[[Any], AnyCondition] | None = None
    """Returns a condition of another kind that the statistic takes as well."""

    def reads(self, condition: AnyCondition) -> tuple[AnyCondition, ...]:
        """Return a condition, followed by all others that the statistic takes."""
        compared = (replace(condition, **changes) for changes in self.against)
        return (condition, *compared, *([self.beside(condition)] if self.beside else []))

    def sample(self, evidence: Evidence, condition: AnyCondition) -> Sample:
        """Return the sample of a condition."""
        return self.statistic(evidence, *self.reads(condition))


@dataclass(frozen=True)
class Control:
    """A policy whose outcome is known: a rule that misses it cannot judge others."""

    description: str
    policy: str
    rule: Rule

    def condition(self, condition: Condition) -> Condition:
        """Return the condition of the control beside a claim's condition."""
        return replace(condition, policy=self.policy, value=None, **condition.controls)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that can be checked."""

    id: str
    where: str
    """Place in the paper."""
    statement: str
    """What is claimed, in our words."""
    quantifier: Quantifier
    """What the paper's statement is about: all instances (or runs), some, or their mean."""
    estimator: Estimator
    rule: Rule
    setting: tuple[AnyCondition, ...]
    """The paper's setting: what it states or shows, its gaps filled by errata D1 to D8."""
    figure: str
    """The figure or table that shows it."""
    beyond: tuple[AnyCondition, ...] = ()
    """Other classes, samplings, sizes and horizons."""
    controls: tuple[Control, ...] = ()
    epochs: int = 0
    """Smallest horizon that its conditions may have."""
    units: int = 0
    """Smallest number of instances that they may have; of runs for Example 1."""

    @property
    def conditions(self) -> tuple[AnyCondition, ...]:
        """All conditions, the paper's first."""
        return (*self.setting, *self.beyond)


@dataclass(frozen=True)
class NotAssessed:
    """A statement of the paper that is listed without a verdict."""

    id: str
    where: str
    statement: str
    quantifier: Quantifier
    reason: str


def inequality_fields(estimator: Estimator, level: float) -> dict[str, Any]:
    """Return the fields shared by claims that an inequality holds in every case."""
    return {"quantifier": "all", "estimator": estimator, "rule": Holds(level)}
