"""Conditions: the parts of a run that a claim is tested on.

A condition is plain data. Its label is its name in the ledger; its other fields say which rows of
which table it takes. `requirements.check_claims` requires that the configuration produces them;
its `Place` is its position in the matrix of classes, samplings, sizes and horizons, as the ledger
shows it, with None where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Place = dict[str, Any]
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

    def place(self, config: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        block = config["experiments"][self.experiment]
        names = [self.instances] if self.instances else block["instances"]
        return _of_sets(config, names, self.sampling, block["epochs"], self.epsilon)


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

    def place(self, config: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        return _of_sets(config, [config["bounds"][self.table]["instances"]], None, self.n)


@dataclass(frozen=True)
class Matrices:
    """Mixing of all random matrices whose rows follow a law."""

    label: str
    law: str
    column: str = "lambda2"
    """lambda2 (λ₂ of M(P)), root (its square root), singular (σ₂ of P) or rho."""
    table: str = "mixing"

    def place(self, config: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        return _of_chains(self.law, f"{config['eigenvalues'][self.table]['states']} states")


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

    def place(self, config: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        block = config["inequalities"][self.table]
        names = [self.instances] if self.instances else block["instances"]
        return _of_sets(config, names, self.sampling, block["epochs"])


@dataclass(frozen=True)
class InstancesOf:
    """The instances of a set, of which something is computed exactly."""

    label: str
    instances: str
    gamma: float = 1.0
    n: float = 1.0
    """A horizon, where the statistic has one."""

    def place(self, config: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        return _of_sets(config, [self.instances], None, self.n)


@dataclass(frozen=True)
class Counters:
    """The chain of states that count plays, up to a cap, of two arms."""

    label: str
    kind: Literal["rotting", "recharging"]
    cap: int

    def place(self, _: Mapping[str, Any]) -> Place:
        """Return class, sampling, size and horizon."""
        return _of_chains(f"{self.kind} bandit", f"2×{(self.cap + 1) ** 2}")


AnyCondition = Condition | BoundAt | Matrices | Inequality | InstancesOf | Counters


def _of_sets(
    config: Mapping[str, Any],
    names: Sequence[str],
    sampling: str | None,
    horizon: float,
    epsilon: float | None = None,
) -> Place:
    """Return the place of a condition on sets of instances."""
    blocks = [config["instances"][name] for name in names]
    return {
        "class": ", ".join(dict.fromkeys(_class(block, epsilon) for block in blocks)),
        "sampling": sampling,
        "size": ", ".join(dict.fromkeys(_size(block) for block in blocks)),
        "horizon": int(horizon),
    }


def _of_chains(name: str, size: str) -> Place:
    """Return the place of a condition on chains, which have no sampling and no horizon."""
    return {"class": name, "sampling": None, "size": size, "horizon": None}


def _class(block: Mapping[str, Any], epsilon: float | None) -> str:
    if block.get("class") == "failure":
        return "Example 1" if epsilon is None else f"Example 1, ε = {epsilon:g}"
    knobs = "".join(f", {key} {value}" for key, value in block.get("knobs", {}).items())
    return str(block.get("class", "files")) + knobs


def _size(block: Mapping[str, Any]) -> str:
    if "arms" in block:
        return f"{block['arms']}×{block['states']}"
    return "2×2" if block.get("class") == "failure" else "as given"
