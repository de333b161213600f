"""Estimators that need no run: what follows exactly from chains, instances and formulas."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from epochbandits.claims.claim import Estimator
from epochbandits.claims.conditions import Counters, InstancesOf
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.sample import Sample
from epochbandits.claims.texts import plain
from epochbandits.model import chains, counters
from epochbandits.model.control import known_state, policy_reward
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.theory.penalty import penalty_bound, upsilon

Array = NDArray[np.float64]

_STEPS = (0, 1, 2, 5, 10, 20, 50, 100)
_TINY = 1e-20  # below this the square of a computed distance is rounding
_OFFSETS = (-0.2, -0.05, -0.01, -0.001, 0.001, 0.01, 0.05, 0.2)
_NEAR = f"for γ within {plain(max(_OFFSETS))} of λ"


def _each(
    description: str, values: Callable[[Instance, InstancesOf], Iterator[float]]
) -> Estimator:
    """Return the estimator of values of a set's instances."""

    def sample(evidence: Evidence, condition: InstancesOf) -> Sample:
        members = evidence.members(condition)
        return Sample(np.array([x for instance in members for x in values(instance, condition)]), 0)

    return Estimator(description, sample)


def _fill(instance: Instance, _: InstancesOf) -> Iterator[float]:
    """Squared total variation after n steps over Equation (boundoverall), for every start."""
    for P, pi, mixing in zip(instance.transition, instance.pi, instance.mixing, strict=True):
        for n in _STEPS:
            bound = mixing.C**2 * math.exp(2 * n * mixing.log_lam) if n else mixing.C**2
            if bound > _TINY:
                distance = np.abs(np.linalg.matrix_power(P, n) - pi).sum(axis=1).max() / 2
                yield distance**2 / bound


FILL = _each(
    "squared total-variation distance after n steps divided by the bound, in the worst case", _fill
)


def _fill_start(instance: Instance, _: InstancesOf) -> Iterator[float]:
    for pi in instance.pi:
        least = float(pi.min())
        yield (1 / least - 1) / (1 + (1 - least) ** 2 / least)


FILL_START = _each(
    "largest χ² distance of a starting law divided by 1 + (1 - π_min)²/π_min, in the worst case",
    _fill_start,
)


def _discounts(instance: Instance) -> list[tuple[int, float]]:
    """Return (arm, γ) for discounts near each arm's λ."""
    pairs = itertools.product(range(instance.arms), _OFFSETS)
    near = [(arm, instance.mixing[arm].lam + offset) for arm, offset in pairs]
    return [(arm, gamma) for arm, gamma in near if 0 < gamma < 1]


def _upsilon_branches(instance: Instance, _: InstancesOf) -> Iterator[float]:
    for arm, gamma in _discounts(instance):
        for tau in (2.0, 40.0, 400.0):
            largest = max(gamma, instance.mixing[arm].lam)
            equal = math.exp((tau - 1) * math.log(largest)) * tau
            if equal > _TINY:
                yield float(upsilon(tau, instance.mixing[arm], gamma)) / equal


UPSILON_BRANCHES = _each(
    f"Υ for γ ≠ λ divided by the form for γ = λ, {_NEAR}, in the worst case",
    _upsilon_branches,
)


def _penalty_branches(instance: Instance, condition: InstancesOf) -> Iterator[float]:
    for arm, gamma in _discounts(instance):
        setting, chain = Setting(gamma=gamma), [instance.mixing[arm]]
        printed = penalty_bound(int(condition.n), chain, setting, "paper")
        smaller = penalty_bound(int(condition.n), chain, setting, "min")
        yield float(printed[0] / smaller[0])


PENALTY_BRANCHES = _each(
    f"L for γ ≠ λ divided by the smaller of both printed forms, {_NEAR}, in the worst case",
    _penalty_branches,
)


def _state_policy(instance: Instance, _: InstancesOf) -> Iterator[float]:
    best = policy_reward(instance, known_state(instance).policy.tolist())
    yield best / float(instance.mu.max())


STATE_POLICY = _each(
    "long-run reward of the best state-dependent policy divided by that of the best fixed arm, "
    "mean over instances",
    _state_policy,
)


def _reducible(evidence: Evidence, condition: Counters) -> Sample:  # noqa: ARG001
    """Whether each arm's chain over counters of two arms fails to be irreducible: 1 if so."""
    matrices = counters.transition(condition.kind, condition.cap)
    return Sample(np.array([0.0 if chains.is_irreducible(P) else 1.0 for P in matrices]), 0)


REDUCIBLE_SHARE = Estimator(
    "share of arms whose chain over the counters violates Assumption 1 (it is not irreducible)",
    _reducible,
)
