r"""Inequalities whose left side is estimated from runs.

``theorem1``
    an arm's mean number of plays under EpochUCB in n epochs against its bound;
``theorem2``
    the probability that EpochGreedy plays a suboptimal arm in epoch k against its bound. In

    .. math:: P(α(k) = j) = ε_k/m + (1-ε_k) P(\arg\max_i \bar R_i = j) ,

    only the last factor is estimated: the share of runs that would exploit j, ties split evenly.
    The cases ``theorem2_valid`` (`exact_cases`) use the constants of the runs, for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.simulation import Simulation
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.setting import Setting
from epochbandits.pipeline.cases import Case
from epochbandits.pipeline.exact_cases import valid_case
from epochbandits.stats import t_interval, wilson_interval
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import kappa_per_arm

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Runs:
    """The runs of a policy on one instance; `trace` simulates them."""

    instance: Instance
    setting: Setting
    sampling: Sampling
    epochs: int
    seeds: int
    root: int = 0

    def trace(self, policy: str, **params: Any) -> tuple[NDArray[np.int64], Array]:
        """Return the arm and the reward of each epoch, as (seeds, epochs) arrays."""
        run = Simulation(
            self.instance, policy, params, epochs=self.epochs, setting=self.setting,
            sampling=self.sampling, trace="full", experiment="inequalities", root=self.root,
        )  # fmt: skip
        columns = run.columns(range(self.seeds))
        shape = (self.seeds, self.epochs)
        return columns["arm"].reshape(shape), columns["reward"].reshape(shape)


def theorem1(runs: Runs) -> Iterator[Case]:
    """Yield Theorem 1 for each suboptimal arm, at an eighth, a quarter, half and all the epochs."""
    arms, _ = runs.trace("epoch-ucb")
    instance, setting = runs.instance, runs.setting
    for n in np.unique([max(instance.arms, runs.epochs // part) for part in (8, 4, 2, 1)]).tolist():
        bound = ucb.plays_bound(n, instance, setting)
        for arm in np.flatnonzero(instance.gap > 0).tolist():
            plays, low, high = t_interval((arms[:, :n] == arm).sum(axis=1))
            yield Case(
                name="theorem1", gamma=setting.gamma, arm=arm, at=n, left=plays,
                margin=(high - low) / 2, right=float(bound[arm]), runs=runs.seeds,
                sampling=runs.sampling, trivial=float(n),
            )  # fmt: skip


def theorem2(runs: Runs, c: float) -> Iterator[Case]:
    """Yield Theorem 2 for each suboptimal arm, at some epochs from ⌈cm/d²⌉ on.

    c' is the largest that c allows. There is no case if c ≤ 8κ², which the theorem does not cover.
    """
    instance, setting = runs.instance, runs.setting
    kappa = float(kappa_per_arm(runs.epochs, instance.mixing, setting).max())
    d = instance.min_gap
    if d is None or c <= 8 * kappa**2 or c < d**2:
        return
    chosen = greedy.from_c(c, kappa, d, instance.arms)
    epochs = _assessable(chosen, runs)
    if not epochs:
        return
    arms, rewards = replace(runs, epochs=epochs[-1]).trace("epoch-greedy", c=c, d=d)
    for k, shares in zip(epochs, exploit_shares(arms, rewards, epochs, instance.arms), strict=True):
        eps = min(1.0, chosen.k_prime / k)
        yield replace(valid_case(chosen, k), gamma=setting.gamma, sampling=runs.sampling)
        for arm in np.flatnonzero(instance.gap > 0).tolist():
            successes = float(shares[:, arm].sum())
            share = successes / runs.seeds
            # Wilson's interval needs whole successes; ties, which split one, are rare.
            _, low, high = wilson_interval(round(successes), runs.seeds)
            yield Case(
                name="theorem2", gamma=setting.gamma, arm=arm, at=k,
                left=eps / instance.arms + (1 - eps) * share,
                margin=(1 - eps) * max(high - share, share - low),
                right=float(greedy.theorem2(k, chosen)), runs=runs.seeds,
                sampling=runs.sampling, trivial=1.0,
            )  # fmt: skip


def _assessable(chosen: greedy.GreedyConstants, runs: Runs) -> list[int]:
    """Return up to eight epochs at which this many runs can decide whether Theorem 2 holds.

    If none of n runs exploits a wrong arm, its chance may still be 3.8/n. So later epochs, where
    the bound exceeds exploration alone by less than twice that, cannot be decided.
    """
    k = np.arange(math.ceil(chosen.k_prime), runs.epochs + 1)
    resolution = wilson_interval(0, runs.seeds).high
    decidable = k[greedy.theorem2_excess(k, chosen) >= 2 * resolution]
    return (
        np.unique(np.geomspace(decidable[0], decidable[-1], 8).round().astype(int)).tolist()
        if len(decidable)
        else []
    )


def exploit_shares(
    arms: NDArray[np.int64], rewards: Array, epochs: Sequence[int], count: int
) -> Array:
    """Return the chance of each arm in some epochs, given that they exploit.

    Parameters
    ----------
    arms, rewards : (seeds, n) array
        The arm of each epoch of the runs, and its reward.
    epochs : Sequence[int]
        Ascending, from 2 on.
    count : int
        Number of arms.

    Returns
    -------
    (epochs, seeds, arms) array
        Probabilities.
    """
    starts = [0, *(k - 1 for k in epochs[:-1])]
    means = np.empty((len(epochs), len(arms), count))
    for arm in range(count):
        played = arms[:, : epochs[-1] - 1] == arm
        earned = np.where(played, rewards[:, : epochs[-1] - 1], 0.0)
        plays, sums = (
            np.cumsum(np.add.reduceat(values, starts, axis=1, dtype=np.float64), axis=1)
            for values in (played, earned)
        )
        means[:, :, arm] = (sums / np.maximum(plays, 1)).T  # 0 for an arm that was not played
    # The policy adds in another order; a difference of the last bits is a tie.
    best = means >= means.max(axis=2, keepdims=True) - 1e-12
    return np.asarray(best / best.sum(axis=2, keepdims=True))
