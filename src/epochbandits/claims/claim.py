"""What a claim is: what the paper says, where, and how it is decided here.

Each claim has the statement in our own words, an estimator, a rule with thresholds that stand in
the configuration (`config.models`), and the conditions it is tried under, the paper's own first.
Conditions are named by size, sampling, class or parameter. Samples have a value per instance unless
the estimator says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from epochbandits.claims.evidence import Evidence
from epochbandits.claims.rules import Rule, Sample

__all__ = ["Claim", "Take", "Thresholds"]

Take = Callable[[Evidence], Sample]


@dataclass(frozen=True)
class Thresholds:
    """The numbers that verdicts depend on; fixed in the configuration before the run."""

    level: float
    """Level of all intervals."""
    linear: float
    """R(n)/R(n/2) above this is a line: it tends to 2, and to √2 for a square root."""
    sublinear: float
    """R(n)/R(n/2) below this grows slower than a line."""
    late: float
    """Mean gap of later plays over Δ_min above which a run has not found the best arm."""
    most: float
    """Share of instances or runs that counts as 'typically'."""
    nearly_all: float
    """Share that counts as 'always'."""
    close: float
    """Ratio of regrets below which one 'tends toward' the other."""
    dramatic: float
    """Ratio of regrets below which an improvement is 'dramatic'."""
    logarithmic: float
    """Growth over a decade over that of the decade before below which a bound is logarithmic: it
    is 1 for a logarithm, √10 for a square root, 10 for a line."""
    printed: float
    """Tolerance of a number that the paper prints with two digits."""


@dataclass(frozen=True)
class Claim:
    """A statement of the paper that can be checked."""

    id: str
    where: str
    """Place in the paper."""
    statement: str
    """What is claimed, in our words."""
    estimator: str
    rule: Rule
    conditions: Mapping[str, Take]
    figure: str
    """The figure or table that shows it."""
