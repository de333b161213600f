"""Conditions: the parts of a run that a claim is tried on.

A condition is plain data. Its label names it in the ledger; its other fields say which rows of
which table it takes. `check` requires that the configuration produces them.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AnyCondition", "BoundAt", "Condition", "Inequality", "Matrices", "everywhere"]


@dataclass(frozen=True)
class Condition:
    """Final values of a policy's runs in an experiment."""

    label: str
    experiment: str
    policy: str
    instances: str | None = None
    """One of the experiment's sets of instances; None: all of them."""
    sampling: str = "marginal"
    gamma: float = 1.0
    value: float | None = None
    """Value of the parameter that the policy sweeps."""
    epsilon: float | None = None
    """ε of the one instance to take from a set of Example 1."""
    column: str = "expected_regret"
    """The final value that ratios and differences compare."""


@dataclass(frozen=True)
class BoundAt:
    """A regret bound at horizon n, for each instance of a table of bounds."""

    label: str
    table: str
    algorithm: str
    n: float
    gamma: float = 1.0
    variant: str = "paper"
    """Which L the bound uses (`theory.penalty`)."""
    form: str = ""
    """EpochGreedy's bound "corrected" or as in the "paper"; EpochUCB's has one form."""


@dataclass(frozen=True)
class Matrices:
    """Eigenvalues of M(P) of all random matrices whose rows follow a law."""

    label: str
    law: str
    table: str = "mixing"


@dataclass(frozen=True)
class Inequality:
    """Every case of an inequality in a table of both sides."""

    label: str
    name: str
    table: str = "theory"
    instances: str | None = None
    """A set of instances without which the table has no case."""


AnyCondition = Condition | BoundAt | Matrices | Inequality


def everywhere(policy: str, suffix: str = "") -> tuple[Condition, ...]:
    """Return a policy's conditions for each sampling, size and class, the paper's own first."""
    places = {
        "4×4": ("ensemble_4x4", "ensemble_4x4"),
        "4×8": ("ensemble_4x8", "ensemble_4x8"),
        "slow_suboptimal": ("controls", "slow_suboptimal"),
        "inverted": ("controls", "inverted"),
        "fast": ("controls", "fast"),
        "literal": ("controls", "literal"),
    }
    return tuple(
        Condition(f"{place}, {sampling}{suffix}", experiment, policy, instances, sampling)
        for sampling in ("marginal", "trajectory")
        for place, (experiment, instances) in places.items()
    )
