"""Check the ledger against a configuration: the run must produce all that a claim reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from epochbandits.claims.claim import Claim
from epochbandits.claims.conditions import (
    AnyCondition,
    BoundAt,
    Condition,
    Counters,
    Inequality,
    InstancesOf,
    Matrices,
)
from epochbandits.claims.ledger import ledger
from epochbandits.config.instance_sets import Drawn, Failure
from epochbandits.config.models import Config
from epochbandits.pipeline.benchmark_cases import BENCHMARKS
from epochbandits.validation import InputError


def check(config: Config, studies: bool = False) -> None:
    """Refuse a configuration that assesses claims without what their conditions need."""
    if config.claims.assess:
        check_claims(config, ledger(config.claims, studies))


def check_claims(config: Config, claims: Sequence[Claim]) -> None:
    """Refuse a configuration without what the conditions of some claims need."""
    for claim in claims:
        for condition in claim.conditions:
            for part in _parts(claim, condition):
                missing = _missing(config, part) or _too_small(config, claim, part)
                if missing:
                    raise InputError(
                        f"claims: {claim.id} (condition {condition.label!r}) needs {missing}; "
                        "add it, or set claims.assess to false"
                    )


def _parts(claim: Claim, condition: AnyCondition) -> list[AnyCondition]:
    """Return all that a claim reads for a condition: itself, what it is compared with, controls."""
    controls = claim.controls if isinstance(condition, Condition) else ()
    beside = [control.condition(condition) for control in controls]  # type: ignore[arg-type]
    return [*claim.estimator.reads(condition), *beside]


def _missing(config: Config, condition: AnyCondition) -> str | None:
    """Return what the configuration lacks for a condition, with its key, or None."""
    if isinstance(condition, Condition):
        return _missing_runs(config, condition)
    if isinstance(condition, BoundAt):
        return _missing_bound(config, condition)
    if isinstance(condition, Matrices):
        return _absent(config, "eigenvalues", condition.table, laws=[condition.law])
    if isinstance(condition, InstancesOf):
        name = condition.instances
        used = any(name in block.instances for block in config.experiments.values())
        return None if used else f"{name} in the instances of some experiment"
    if isinstance(condition, Counters):
        return None
    return _absent(
        config,
        "inequalities",
        condition.table,
        checks=[_CHECKS.get(condition.name, condition.name)],
        instances=[condition.instances],
        sampling=[condition.sampling],
        gammas=condition.gammas,
    )


def _too_small(config: Config, claim: Claim, condition: AnyCondition) -> str | None:
    """Return the horizon or the number of instances that a claim's rule needs, or None."""
    if not isinstance(condition, Condition | Inequality):
        return None
    if isinstance(condition, Inequality):
        names = [condition.instances] if condition.instances else []
        return _too_few(config, names, claim.units)
    key = f"experiments.{condition.experiment}"
    block = config.experiments[condition.experiment]
    if block.epochs < claim.epochs:
        return f"{key}.epochs of at least {claim.epochs}"
    names = [condition.instances] if condition.instances else block.instances
    example = any(isinstance(config.instances[name], Failure) for name in names)
    if example and block.seeds < claim.units:
        return f"{key}.seeds of at least {claim.units}"
    return _too_few(config, names, claim.units)


def _too_few(config: Config, names: list[str], units: int) -> str | None:
    for name in names:
        chosen = config.instances[name]
        if isinstance(chosen, Drawn) and chosen.count < units:
            return f"instances.{name}.count of at least {units}"
    return None


def _absent(config: Config, kind: str, name: str, **required: Iterable[Any]) -> str | None:
    """Return the block, or the first required value, that the configuration lacks."""
    block = getattr(config, kind).get(name)
    if block is None:
        return f"{kind}.{name}"
    for key, values in required.items():
        for value in values:
            if value is not None and value not in getattr(block, key):
                text = f"{value:g}" if isinstance(value, float) else str(value)
                return f"{repr(text) if ' ' in text else text} in {kind}.{name}.{key}"
    return None


def _missing_runs(config: Config, condition: Condition) -> str | None:
    if missing := _absent(
        config,
        "experiments",
        condition.experiment,
        policies=[condition.policy],
        instances=[condition.instances],
        sampling=[condition.sampling],
        gammas=[condition.gamma],
    ):
        return missing
    if condition.instances is not None and condition.epsilon is not None:
        epsilons = getattr(config.instances[condition.instances], "epsilon", ())
        if condition.epsilon not in epsilons:
            return f"{condition.epsilon:g} in instances.{condition.instances}.epsilon"
    return _missing_value(config, condition)


def _missing_value(config: Config, condition: Condition) -> str | None:
    """Return what is missing for the policy to run with exactly the condition's value."""
    policy = config.policies[condition.policy]
    key = f"policies.{condition.policy}.sweep"
    if condition.value is not None:
        swept = [value for values in policy.sweep.values() for value in values]
        return None if condition.value in swept else f"{condition.value:g} in {key}"
    if policy.sweep:
        return f"one value of the parameter in {key}, put in params instead"
    if policy.tuned and config.experiments[condition.experiment].tuned_on is None:
        return f"experiments.{condition.experiment}.tuned_on (to tune {condition.policy})"
    return None


def _missing_bound(config: Config, condition: BoundAt) -> str | None:
    gammas, variants = [condition.gamma], [condition.variant]
    if missing := _absent(config, "bounds", condition.table, gammas=gammas, variants=variants):
        return missing
    key, block = f"bounds.{condition.table}", config.bounds[condition.table]
    if block.horizon < condition.n:
        return f"{key}.horizon of at least {condition.n:.0f}"
    if block.horizons is not None and condition.n not in block.horizons:
        return f"{condition.n:.0f} in {key}.horizons"
    return None


_NAMES = {
    "lemmas": ("lemma1", "lemma2"),
    "reasonable": ("reasonable_lambda2", "reasonable_rho"),
    "irreducible": ("positive_diagonal", "reversible", "ergodic", "not_necessary"),
    "benchmarks": [f"benchmark_{name}" for name in BENCHMARKS],
}
_CHECKS = {name: check for check, names in _NAMES.items() for name in names}
"""The check that computes an inequality, where it has another name."""
