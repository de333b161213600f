r"""The paper's inequalities, both sides computed: lemmas exactly, theorems by simulation.

``example2``
    1 minus the penalty of the optimal arm's first epoch in Example 2, exactly, against ε: a
    penalty of almost one although the gap is zero;
``lemma1``
    max over starting laws of |μ_j - E[epoch reward]| against C_j Υ_j(τ)/R(τ);
``lemma2``
    the mean of those over an arm's first T epochs against L_j(T)/T, which is Lemma 2, and, times T,
    what Proposition 2 adds to the regret for that arm;
``theorem1``
    an arm's mean number of plays under EpochUCB against its bound;
``theorem2``
    the share of runs in which EpochGreedy plays a suboptimal arm in epoch k against its bound.

``left`` is the measured side, ``right`` the bound, ``margin`` the half-width of left's 95% interval
(0 where it is exact), ``runs`` the simulated runs behind it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.simulation import Simulation
from epochbandits.io import parquet
from epochbandits.io.schemas import INEQUALITIES
from epochbandits.model.generators import failure_example
from epochbandits.model.instance import Instance
from epochbandits.model.moments import deviations, epoch_mean
from epochbandits.model.setting import Setting, discount_sum
from epochbandits.pipeline import instance_sets
from epochbandits.stats import t_interval, wilson_interval
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import kappa_per_arm, lemma1_bound, penalty_bound

__all__ = ["example2", "inequality_table", "write_inequalities"]

_PLAYS = 200  # T up to which the lemmas are checked
_LEMMAS = (1, 2, 5, 20, 50, 100, 200)


def write_inequalities(
    out: str | Path, folders: Sequence[str], block: Mapping[str, Any], metadata: Mapping[str, Any]
) -> None:
    """Write the inequalities of some folders' instances, for a block of the configuration.

    ``metadata`` is that of the table; its "root" is the root of the random streams.
    """
    rows: list[tuple[Any, ...]] = []
    sets = {Path(folder).name: instance_sets.read(folder) for folder in folders}
    settings = {key: value for key, value in block.items() if key != "instances"}
    for name, members in sets.items():
        rows += inequality_table(name, members, root=metadata["root"], **settings)
    rows += example2()
    columns = dict(zip(INEQUALITIES.names, map(list, zip(*rows, strict=True)), strict=True))
    metadata = {**metadata, "instances": instance_sets.digests(sets)}
    parquet.write(out, INEQUALITIES, columns, metadata)


def example2() -> list[tuple[Any, ...]]:
    """Return the rows of Example 2, with one iteration to the epoch: ``at`` is 1/ε."""
    rows: list[tuple[Any, ...]] = []
    for index, epsilon in enumerate((0.1, 0.01, 0.001)):
        instance = failure_example(epsilon)  # its optimal arm is that of Example 2
        arm = instance.best_arm
        mean = epoch_mean(instance, arm, instance.initial, 1, 1.0)
        left = 1 - float(instance.mu[arm] - mean)
        at = round(1 / epsilon)
        rows.append(("example2", "failure", index, 1.0, arm, at, left, 0.0, epsilon, 0))
    return rows


def inequality_table(
    name: str,
    instances: Sequence[Instance],
    *,
    tau0: int,
    zeta: int,
    gammas: Sequence[float],
    epochs: int,
    seeds: int,
    cprime: float,
    c: float,
    root: int = 0,
) -> list[tuple[Any, ...]]:
    """Return the rows of `INEQUALITIES` for a set of instances.

    Parameters
    ----------
    epochs, seeds : of the simulations behind the theorems, which are for γ = 1
    cprime, c : of Theorem 2; instances with c < c'ν², of which it says nothing, are left out of it
    """
    rows: list[tuple[Any, ...]] = []
    for index, instance in enumerate(instances):
        for gamma in gammas:
            rows += [
                (kind, name, index, float(gamma), *rest)
                for kind, *rest in _lemmas(instance, Setting(tau0, zeta, gamma))
            ]
        setting = Setting(tau0, zeta, 1.0)
        for kind, *rest in _theorems(instance, setting, epochs, seeds, cprime, c, root):
            rows.append((kind, name, index, 1.0, *rest))
    return rows


def _lemmas(instance: Instance, epochs: Setting) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    lengths = epochs.length(np.arange(1, _PLAYS + 1, dtype=np.float64)).astype(int)
    bound2 = penalty_bound(np.arange(1, _PLAYS + 1), instance.mixing, epochs)
    for arm in range(instance.arms):
        W = deviations(instance, arm, int(lengths[-1]), epochs.gamma)
        worst = np.abs(W[lengths]).max(axis=1) / discount_sum(lengths, epochs.gamma)
        bound1 = lemma1_bound(lengths.astype(float), instance.mixing[arm], epochs.gamma)
        total = np.cumsum(worst)
        for T in _LEMMAS:
            tau = int(lengths[T - 1])
            rows.append(("lemma1", arm, tau, worst[T - 1], 0.0, bound1[T - 1], 0))
            rows.append(("lemma2", arm, T, total[T - 1] / T, 0.0, bound2[arm, T - 1] / T, 0))
    return rows


def _theorems(
    instance: Instance,
    setting: Setting,
    epochs: int,
    seeds: int,
    cprime: float,
    c: float,
    root: int,
) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    arms = _arms(instance, "epoch-ucb", {}, setting, epochs, seeds, root)
    bound = ucb.plays_bound(epochs, instance, setting)
    suboptimal = np.flatnonzero(instance.gap > 0)
    for arm in suboptimal:
        plays, low, high = t_interval((arms == arm).sum(axis=1))
        rows.append(("theorem1", arm, epochs, plays, (high - low) / 2, bound[arm], seeds))
    constants = _constants(instance, setting, epochs, cprime, c)
    first = int(np.ceil(constants.k_prime)) + 1 if constants else epochs
    if constants and first < epochs:
        params = {"c": c, "d": constants.d}
        arms = _arms(instance, "epoch-greedy", params, setting, epochs, seeds, root)
        for k in np.unique(np.geomspace(first, epochs, 5).astype(int)):
            chance = greedy.play_probability(int(k), instance, constants, "paper")
            for arm in suboptimal:
                share, low, high = wilson_interval(int((arms[:, k - 1] == arm).sum()), seeds)
                reach = max(high - share, share - low)
                rows.append(("theorem2", arm, int(k), share, reach, chance[arm], seeds))
    return rows


def _constants(
    instance: Instance, setting: Setting, epochs: int, cprime: float, c: float
) -> greedy.GreedyConstants | None:
    """Return Theorem 2's constants, or None if c < c'ν², where the theorem says nothing."""
    d = instance.min_gap
    if d is None:
        return None
    kappa = float(kappa_per_arm(epochs, instance.mixing, setting).max())
    least = greedy.constants(cprime, kappa, d, instance.arms)
    return replace(least, c=c, nu=math.sqrt(c / cprime)) if c >= least.c else None


def _arms(
    instance: Instance,
    policy: str,
    params: dict[str, Any],
    setting: Setting,
    epochs: int,
    seeds: int,
    root: int,
) -> NDArray[np.int64]:
    """Return the arm of each epoch, as a (seeds, epochs) array."""
    run = Simulation(
        instance, policy, params, epochs=epochs, setting=setting, trace="full",
        experiment="inequalities", root=root,
    )  # fmt: skip
    return np.asarray(run.columns(range(seeds))["arm"]).reshape(seeds, epochs)
