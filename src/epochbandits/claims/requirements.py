"""What claims need of a configuration: a run must produce all that they read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any, NamedTuple

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
from epochbandits.io.schemas import BENCHMARK
from epochbandits.pipeline.benchmark_cases import BENCHMARKS
from epochbandits.validation import InputError, Path


class _Need(NamedTuple):
    """What a claim needs and the configuration lacks."""

    path: Path
    """Where it is missing."""
    text: str = "it"


def check_ledger(config: Config, studies: bool = False) -> None:
    """Reject a configuration that assesses claims without what their conditions need."""
    if config.claims.assess:
        check_claims(config, ledger(config.claims, studies))


def check_claims(config: Config, claims: Sequence[Claim]) -> None:
    """Reject a configuration without what the conditions of some claims need."""
    for claim in claims:
        for condition in claim.conditions:
            for part in _parts(claim, condition):
                need = _missing(part, config) or _too_small(config, claim, part)
                if need:
                    raise InputError(
                        f"claim {claim.id} (condition {condition.label!r}) needs {need.text}; "
                        "change the configuration, or set claims.assess to false",
                        path=need.path,
                    )


def _parts(claim: Claim, condition: AnyCondition) -> list[AnyCondition]:
    """Return all that a claim reads for a condition: itself, what it is compared with, controls."""
    controls = claim.controls if isinstance(condition, Condition) else ()
    beside = [control.condition(condition) for control in controls]  # type: ignore[arg-type]
    return [*claim.estimator.reads(condition), *beside]


@singledispatch
def _missing(condition: AnyCondition, config: Config) -> _Need | None:  # noqa: ARG001
    """Return what the configuration lacks for a condition."""
    raise TypeError(f"no condition: {condition!r}")


@_missing.register
def _(condition: Matrices, config: Config) -> _Need | None:
    return _absent(config, "eigenvalues", condition.table, laws=[condition.law])


@_missing.register
def _(condition: InstancesOf, config: Config) -> _Need | None:
    name = condition.instances
    used = any(name in block.instances for block in config.experiments.values())
    return None if used else _Need(("experiments",), f"{name} in the instances of one")


@_missing.register
def _(_: Counters, __: Config) -> _Need | None:
    return None


@_missing.register
def _(condition: Inequality, config: Config) -> _Need | None:
    return _absent(
        config,
        "inequalities",
        condition.table,
        checks=[_CHECKS.get(condition.name, condition.name)],
        instances=[condition.instances],
        sampling=[condition.sampling],
        gammas=condition.gammas,
    )


@_missing.register
def _(condition: Condition, config: Config) -> _Need | None:
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
            path = ("instances", condition.instances, "epsilon")
            return _Need(path, f"{condition.epsilon:g} in it")
    return _missing_value(config, condition)


@_missing.register
def _(condition: BoundAt, config: Config) -> _Need | None:
    gammas, variants = [condition.gamma], [condition.variant]
    if missing := _absent(config, "bounds", condition.table, gammas=gammas, variants=variants):
        return missing
    path, block = ("bounds", condition.table), config.bounds[condition.table]
    if block.horizon < condition.n:
        return _Need((*path, "horizon"), f"at least {condition.n:.0f}")
    if block.horizons is not None and condition.n not in block.horizons:
        return _Need((*path, "horizons"), f"{condition.n:.0f} in it")
    return None


def _too_small(config: Config, claim: Claim, condition: AnyCondition) -> _Need | None:
    """Return the horizon or the number of instances that a claim's rule needs."""
    if not isinstance(condition, Condition | Inequality):
        return None
    if isinstance(condition, Inequality):
        names = [condition.instances] if condition.instances else []
        return _too_few(config, names, claim.units)
    path = ("experiments", condition.experiment)
    block = config.experiments[condition.experiment]
    if block.epochs < claim.epochs:
        return _Need((*path, "epochs"), f"at least {claim.epochs}")
    names = [condition.instances] if condition.instances else block.instances
    example = any(isinstance(config.instances[name], Failure) for name in names)
    if example and block.seeds < claim.units:
        return _Need((*path, "seeds"), f"at least {claim.units}")
    return _too_few(config, names, claim.units)


def _too_few(config: Config, names: list[str], units: int) -> _Need | None:
    for name in names:
        chosen = config.instances[name]
        if isinstance(chosen, Drawn) and chosen.count < units:
            return _Need(("instances", name, "count"), f"at least {units}")
    return None


def _absent(config: Config, kind: str, name: str, **required: Iterable[Any]) -> _Need | None:
    """Return the block, or the first required value, that the configuration lacks."""
    block = getattr(config, kind).get(name)
    if block is None:
        return _Need((kind, name))
    for key, values in required.items():
        for value in values:
            if value is not None and value not in getattr(block, key):
                text = f"{value:g}" if isinstance(value, float) else str(value)
                return _Need((kind, name, key), f"{repr(text) if ' ' in text else text} in it")
    return None


def _missing_value(config: Config, condition: Condition) -> _Need | None:
    """Return what is missing for the policy to run with exactly the condition's value."""
    policy = config.policies[condition.policy]
    path = ("policies", condition.policy, "sweep")
    if condition.value is not None:
        swept = [value for values in policy.sweep.values() for value in values]
        return None if condition.value in swept else _Need(path, f"{condition.value:g} in it")
    if policy.sweep:
        return _Need(path, "no sweep but one value, in params")
    if policy.tuned and config.experiments[condition.experiment].tuned_on is None:
        path = ("experiments", condition.experiment, "tuned_on")
        return _Need(path, f"it to tune {condition.policy}")
    return None


_NAMES = {
    "lemmas": ("lemma1", "lemma2"),
    "reasonable": ("reasonable_lambda2", "reasonable_rho"),
    "irreducible": ("positive_diagonal", "reversible", "ergodic", "not_necessary"),
    "benchmarks": [f"{BENCHMARK}{name}" for name in BENCHMARKS],
}
_CHECKS = {name: check for check, names in _NAMES.items() for name in names}
"""The check that computes an inequality, where it has another name."""
