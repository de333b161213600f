"""What a claim is: what the paper says, where, and how it is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from epochbandits.claims.conditions import AnyCondition
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Rule, Sample

__all__ = ["Claim", "Estimator", "Quantifier"]

Quantifier = Literal["all", "some", "mean"]


@dataclass(frozen=True)
class Estimator:
    """What is measured under a condition."""

    words: str
    statistic: Callable[..., Sample]
    """Function of the evidence, the condition and each condition that it is compared with."""
    against: tuple[Mapping[str, Any], ...] = ()
    """What differs in each condition that the claim's condition is compared with."""

    def reads(self, condition: AnyCondition) -> tuple[AnyCondition, ...]:
        """Return a condition, followed by those that it is compared with."""
        return (condition, *(replace(condition, **changes) for changes in self.against))

    def sample(self, evidence: Evidence, condition: AnyCondition) -> Sample:
        """Return the sample of a condition."""
        return self.statistic(evidence, *self.reads(condition))


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
    conditions: tuple[AnyCondition, ...]
    """What the claim is tried on, the paper's own condition first."""
    figure: str
    """The figure or table that shows it."""
