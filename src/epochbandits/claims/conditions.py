"""Conditions: the parts of a run that a claim is tested on.

A condition is plain data. Its label is its name in the ledger; its other fields say which rows of
which table it takes. `requirements.check_claims` requires that the configuration produces them;
`place` returns a condition's position in the matrix of classes, samplings, sizes and horizons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

OTHER_CLASSES = ("slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")
"""Classes of instances other than the paper's; each is also the name of a set."""
NEAR_ONE = (0.95, 0.99)
"""Discounts above those of the paper."""


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
    """The final value that ratios compare."""
    controls: Mapping[str, Any] = field(default_factory=dict)
    """What differs in the condition of the controls, if they run in another experiment."""


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
    """Mixing of all random matrices whose rows follow a law."""

    label: str
    law: str
    column: str = "lambda2"
    """lambda2 (λ₂ of M(P)), root (its square root), singular (σ₂ of P) or rho."""
    table: str = "mixing"


@dataclass(frozen=True)
class Inequality:
    """Every case of an inequality in a table of both sides."""

    label: str
    name: str
    table: str = "theory"
    instances: str | None = None
    """A set of instances; None: all cases of the table."""
    gammas: tuple[float, ...] = ()
    """The discounts to take; none: all."""
    sampling: str | None = None
    """Of the runs behind it; None: both sides are exact."""


@dataclass(frozen=True)
class InstancesOf:
    """The instances of a set, of which something is computed exactly."""

    label: str
    instances: str
    gamma: float = 1.0
    n: float = 1.0
    """A horizon, where the statistic has one."""


@dataclass(frozen=True)
class Counters:
    """The chain of states that count plays, up to a cap, of two arms."""

    label: str
    kind: Literal["rotting", "recharging"]
    cap: int


AnyCondition = Condition | BoundAt | Matrices | Inequality | InstancesOf | Counters


def place(config: Mapping[str, Any], condition: AnyCondition) -> dict[str, Any]:
    """Return class, sampling, size and horizon of a condition; None where there is none."""
    if isinstance(condition, Condition):
        block = config["experiments"][condition.experiment]
        names = [condition.instances] if condition.instances else block["instances"]
        sampling, horizon = condition.sampling, int(block["epochs"])
    elif isinstance(condition, BoundAt):
        names = [config["bounds"][condition.table]["instances"]]
        sampling, horizon = None, int(condition.n)
    elif isinstance(condition, Inequality):
        block = config["inequalities"][condition.table]
        names = [condition.instances] if condition.instances else block["instances"]
        sampling, horizon = condition.sampling, int(block["epochs"])
    elif isinstance(condition, InstancesOf):
        names, sampling, horizon = [condition.instances], None, int(condition.n)
    elif isinstance(condition, Counters):
        size = f"2×{(condition.cap + 1) ** 2}"
        return {
            "class": f"{condition.kind} bandit",
            "sampling": None,
            "size": size,
            "horizon": None,
        }
    else:
        states = config["eigenvalues"][condition.table]["states"]
        return {"class": condition.law, "sampling": None, "size": f"{states} states",
                "horizon": None}  # fmt: skip
    blocks = [config["instances"][name] for name in names]
    return {
        "class": ", ".join(dict.fromkeys(_class(block, condition) for block in blocks)),
        "sampling": sampling,
        "size": ", ".join(dict.fromkeys(_size(block) for block in blocks)),
        "horizon": horizon,
    }


def _class(block: Mapping[str, Any], condition: AnyCondition) -> str:
    if block.get("class") == "failure":
        epsilon = getattr(condition, "epsilon", None)
        return "Example 1" if epsilon is None else f"Example 1, ε = {epsilon:g}"
    knobs = "".join(f", {key} {value}" for key, value in block.get("knobs", {}).items())
    return str(block.get("class", "files")) + knobs


def _size(block: Mapping[str, Any]) -> str:
    if "arms" in block:
        return f"{block['arms']}×{block['states']}"
    return "2×2" if block.get("class") == "failure" else "as given"
