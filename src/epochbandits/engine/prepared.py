r"""What the fast engine needs of an instance, prepared once for all seeds.

For arm j with D = P - 1π the excess of an epoch over μ_j is linear in the distribution of the state
at its start (see `model.moments`):

.. math::
    W(τ) = \sum_{s<τ} γ^{τ-1-s} P^s (r - μ), \qquad W(a + b) = γ^b W(a) + P^a W(b) .

Keeping P^c and W(c) for c = 1, 2, 4, ... (a ladder) gives β P^τ and β·W(τ) in log₂ τ steps for
every τ, with memory that depends neither on the horizon nor on the mixing time. P^c = 1π + D^c is
formed from D^c, which has no noise floor.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.sampling_tables import Tables, build_tables
from epochbandits.model.densities import TINY
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.rewards import BINOMIAL, CONSTANT

Array = NDArray[np.float64]
RUNGS = 41  # epochs of fewer than 2^41 iterations; `schedules.MAX_EPOCH_LENGTH` is 2^40
_MAX_CACHED_LAWS = 64  # laws of an instance whose tables are cached
NEGLIGIBLE = 2.0**-54  # relative weight below which nothing changes a double
_BOUND_NAMES = tuple(f"bound{i}" for i in range(7))
STEP = np.dtype(
    {
        "names": ("cell", "bits", "mean", "hold", *_BOUND_NAMES),
        "formats": ["u8", "u8", "f8", "f8"] + ["u8"] * len(_BOUND_NAMES),
        "itemsize": 128,  # a power of two, so that a row is found by a shift
    }
)
"""What one iteration of an arm in a state needs, on a path: the first cell and the bits of its
reward's table (`sampling_tables.HEAD`), the reward's mean, -1/log P(s, s), and the cumulative
distribution of the next state in units of 2^-53 (`uniforms.next_bits`)."""
_NEVER = 2**64 - 1  # a bound that no number of 53 bits reaches


class Prepared(NamedTuple):
    """An instance as compiled code sees it, for one discount and sampling; arms come first."""

    tables: Tables
    summation: Array
    """(m, S, 3): `rewards.Summation` of the reward laws."""
    power: Array
    """(m, RUNGS, S, S): P^(2^i)."""
    excess: Array
    """(m, RUNGS, S): W(2^i)."""
    flat: Array
    """(m, RUNGS, S): W(2^i) for γ = 1."""
    decay: Array
    """(RUNGS,): γ^(2^i)."""
    pi: Array
    inverse: Array
    """1/π."""
    mean: Array
    """(m, S): mean rewards."""
    mu: Array
    mix: NDArray[np.int64]
    """(m,): iterations after which the distribution of the state is π to double precision."""
    bulk: NDArray[np.int64]
    """(m,): stationary stretches of this length or more are counted, not drawn one by one."""
    hold: Array
    """(m, S): -1/log P(s, s)."""
    jump: NDArray[np.uint64]
    """(m, S, S): cumulative distribution of the next state, given that s is left, in units of
    2^-53."""
    steps: NDArray[np.void]
    """(m·S,): `STEP` of arm j in state s, in row j·S + s."""
    more_bounds: NDArray[np.uint64]
    """(m·S, max(S - 8, 0)): the bounds that `STEP` has no room for."""
    initial: Array
    best: float
    """μ_*."""
    gamma: float
    window: int
    """Only this many iterations at the end of an epoch carry weight."""
    trajectory: bool


def prepare(instance: Instance, gamma: float, sampling: Sampling = "marginal") -> Prepared:
    """Return the view of an instance that compiled code works on; large ones are not cached."""
    small = instance.arms * instance.states <= _MAX_CACHED_LAWS
    build = _prepare if small else _prepare.__wrapped__
    return build(instance, float(gamma), sampling)


@lru_cache(maxsize=16)  # policies share it
def _prepare(instance: Instance, gamma: float, sampling: Sampling) -> Prepared:
    m, S = instance.arms, instance.states
    pi, mean, mu = (np.array(x) for x in (instance.pi, instance.reward_means, instance.mu))
    decay = np.power(gamma, 2.0 ** np.arange(RUNGS, dtype=np.float64))
    power, mix = np.empty((m, RUNGS, S, S)), np.empty(m, dtype=np.int64)
    excess, flat = np.empty((m, RUNGS, S)), np.empty((m, RUNGS, S))
    for j, P in enumerate(instance.transition):
        D = _powers(P - pi[j])
        power[j] = np.maximum(D + pi[j], 0.0)
        power[j] /= power[j].sum(axis=2, keepdims=True)
        excess[j] = _ladder(D, mean[j] - mu[j], decay)
        flat[j] = _ladder(D, mean[j] - mu[j], np.ones(RUNGS))
        mix[j] = _mixing_steps(D, pi[j])
    summation = np.array([[law.summation for law in row] for row in instance.rewards])
    hold, jump = _holding(instance.transition)
    tables = _reward_tables(instance)
    steps, more_bounds = _steps(instance.transition, mean, hold, tables)
    return Prepared(
        tables=tables,
        summation=summation,
        power=power,
        excess=excess,
        flat=flat,
        decay=decay,
        pi=pi,
        inverse=1.0 / np.maximum(pi, TINY),
        mean=mean,
        mu=mu,
        mix=mix,
        bulk=_bulk_lengths(summation, pi),
        hold=hold,
        jump=jump,
        steps=steps,
        more_bounds=more_bounds,
        initial=np.array(instance.initial),
        best=float(mu[instance.best_arm]),
        gamma=gamma,
        window=2**62 if gamma == 1 else math.ceil(math.log(NEGLIGIBLE) / math.log(gamma)),
        trajectory=sampling == "trajectory",
    )


def _reward_tables(instance: Instance) -> Tables:
    """Return the tables of an instance's laws; those of large instances are not cached."""
    small = instance.arms * instance.states <= _MAX_CACHED_LAWS
    return (_cached_tables if small else _cached_tables.__wrapped__)(instance)


@lru_cache(maxsize=16)  # discounts and samplings share them; about 0.1 MB a law
def _cached_tables(instance: Instance) -> Tables:
    return build_tables(instance.rewards, instance.pi)


def _powers(D: Array) -> Array:
    """Return D^(2^i) as a (RUNGS, S, S) array."""
    rungs = [D]
    for _ in range(RUNGS - 1):
        rungs.append(rungs[-1] @ rungs[-1])
    return np.array(rungs)


def _ladder(D: Array, centred: Array, decay: Array) -> Array:
    """Return W(2^i): W(2c) = γ^c W(c) + D^c W(c), since π·W = 0."""
    W = [centred]
    for i in range(RUNGS - 1):
        W.append(decay[i] * W[-1] + D[i] @ W[-1])
    return np.array(W)


def _mixing_steps(D: Array, pi: Array) -> int:
    """Return the least t for which every row of P^t is π to double precision, bit by bit."""
    steps, at = 0, np.eye(len(pi)) - pi
    for i in range(RUNGS - 1, -1, -1):
        longer = at @ D[i]
        if np.abs(longer).sum(axis=1).max() > NEGLIGIBLE:
            at, steps = longer, steps + 2**i
    return steps + 1


def _bulk_lengths(summation: Array, pi: Array) -> NDArray[np.int64]:
    """Return the stretch from which counting states (a binomial each) beats drawing rewards."""
    at_once = np.isin(summation[:, :, 0], (BINOMIAL, CONSTANT))  # whatever the number of draws
    share = (pi * at_once).sum(axis=1)
    calls = summation.shape[1] + at_once.sum(axis=1)
    lengths = np.where(share > 0, np.ceil(20.0 * calls / np.maximum(share, 1e-12)), 2.0**62)
    return lengths.astype(np.int64)


def _holding(P: Array) -> tuple[Array, NDArray[np.uint64]]:
    """Return `Prepared.hold` and `Prepared.jump`."""
    stay = np.einsum("jss->js", P)
    with np.errstate(divide="ignore"):
        hold = np.where(stay > 0, np.abs(1.0 / np.log(stay)), 0.0)
    off = P * (1 - np.eye(P.shape[1]))
    total = off.sum(axis=2, keepdims=True)
    jump = np.cumsum(off / np.where(total > 0, total, 1.0), axis=2)
    return np.minimum(hold, 1e18), _in_units(jump)  # 1e18: a single state is never left


def _steps(
    P: Array, mean: Array, hold: Array, tables: Tables
) -> tuple[NDArray[np.void], NDArray[np.uint64]]:
    """Return `Prepared.steps` and `Prepared.more_bounds`."""
    m, S = mean.shape
    bounds = np.full((m * S, max(S - 1, len(_BOUND_NAMES))), _NEVER, dtype=np.uint64)
    bounds[:, : S - 1] = _in_units(np.cumsum(P, axis=2)).reshape(m * S, S)[:, :-1]
    steps = np.zeros(m * S, dtype=STEP)
    steps["cell"], steps["bits"] = tables.head["cell"][m:], tables.head["bits"][m:]
    steps["mean"], steps["hold"] = mean.ravel(), hold.ravel()
    for i, name in enumerate(_BOUND_NAMES):
        steps[name] = bounds[:, i]
    return steps, np.ascontiguousarray(bounds[:, len(_BOUND_NAMES) :])


def _in_units(cumulative: Array) -> NDArray[np.uint64]:
    """Return cumulative probabilities in units of 2^-53.

    They are rounded up: a number of 53 bits reaches the result if and only if it reaches the
    probability.
    """
    return np.ceil(cumulative * 2.0**53).astype(np.uint64)
