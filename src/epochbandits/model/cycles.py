r"""The best open-loop cycle of arms: a sequence that is repeated whatever the rewards are.

A cycle a_1 ... a_L moves the distribution of the state by Π = P_{a_1} ⋯ P_{a_L}, and earns

.. math:: g = \frac1L β \sum_{k=1}^L P_{a_1} \cdots P_{a_{k-1}} r_{a_k}, \qquad β = βΠ,

per iteration, with r_a the arm's mean rewards as a vector over states. Words are composed as pairs
(Π, c) with c the sum above: (Π, c)(Π', c') = (ΠΠ', c + Πc').

Under Algorithm 1's marginal sampling the distribution of the state moves by the played matrices
alone, so rewards say nothing about the future and no policy beats an open-loop sequence. The
optimum is that of a deterministic control problem on the simplex, which long cycles approach and
`beliefs.unobserved` bounds from above.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.model import chains
from epochbandits.model.instance import Instance
from epochbandits.validation import InputError, integer

Array = NDArray[np.float64]

_BLOCKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
_WORDS = 20_000  # of one length


class Cycle(NamedTuple):
    """A cycle of arms with its long-run reward per iteration."""

    reward: float
    arms: tuple[int, ...]


def cycle_reward(instance: Instance, arms: Sequence[int]) -> float:
    """Return g of a cycle, whose Π must have one stationary distribution."""
    if not len(arms):
        raise InputError("the cycle must name at least one arm")
    product, total = np.eye(instance.states), np.zeros(instance.states)
    for arm in arms:
        integer(arm, "an arm of the cycle", 0, instance.arms - 1)
        total = total + product @ instance.reward_means[arm]
        product = product @ instance.transition[arm]
    return float(chains.stationary(product) @ total) / len(arms)


def best_cycle(instance: Instance, longest: int = 8) -> Cycle:
    """Return the best of the cycles that are searched.

    They are all words of up to ``longest`` arms (fewer if there would be more than 20,000 of one
    length), and the blocks a...ab...b of two arms with lengths up to 128. Words whose product has
    no unique stationary distribution are skipped: their reward depends on the start.
    """
    integer(longest, "longest", 1, 20)
    S = instance.states
    candidates = [Cycle(float(mu), (arm,)) for arm, mu in enumerate(instance.mu)]
    words: list[tuple[int, ...]] = [(arm,) for arm in range(instance.arms)]
    products, totals = np.array(instance.transition), np.array(instance.reward_means)
    for _ in range(2, longest + 1):
        if len(words) * instance.arms > _WORDS:
            break
        words = [(*word, arm) for word in words for arm in range(instance.arms)]
        totals = totals[:, None] + np.einsum("wst,at->was", products, instance.reward_means)
        products = np.einsum("wst,atu->wasu", products, instance.transition)
        totals, products = totals.reshape(-1, S), products.reshape(-1, S, S)
        best = int(np.argmax(_rewards(products, totals)))
        candidates.append(_exact(instance, words[best]))
    candidates += _blocks(instance)
    # Repetitions of a shorter cycle differ from it by rounding.
    return max(candidates, key=lambda cycle: (round(cycle.reward, 12), -len(cycle.arms)))


def _blocks(instance: Instance) -> list[Cycle]:
    """Return the best block cycle of each pair of arms."""
    powers = {}
    for arm, length in itertools.product(range(instance.arms), _BLOCKS):
        P, total = np.eye(instance.states), np.zeros(instance.states)
        for _ in range(length):
            total = total + P @ instance.reward_means[arm]
            P = P @ instance.transition[arm]
        powers[arm, length] = P, total
    blocks = []
    for a, b in itertools.combinations(range(instance.arms), 2):
        lengths = list(itertools.product(_BLOCKS, repeat=2))
        products = np.array([powers[a, p][0] @ powers[b, q][0] for p, q in lengths])
        totals = np.array([powers[a, p][1] + powers[a, p][0] @ powers[b, q][1] for p, q in lengths])
        mean = _rewards(products, totals) / np.array([p + q for p, q in lengths])
        p, q = lengths[int(np.argmax(mean))]
        blocks.append(_exact(instance, (a,) * p + (b,) * q))
    return blocks


def _rewards(products: Array, totals: Array) -> Array:
    """Return β·c of many words, β solving β = βΠ; -inf where that has no unique solution."""
    count, states = totals.shape
    system = np.eye(states) - products.transpose(0, 2, 1)
    system[:, -1, :] = 1.0
    right = np.zeros((count, states, 1))
    right[:, -1] = 1.0
    regular = np.abs(np.linalg.det(system)) > 0
    result = np.full(count, -np.inf)
    beta = np.linalg.solve(system[regular], right[regular])[..., 0]
    result[regular] = (beta * totals[regular]).sum(axis=1)
    return result


def _exact(instance: Instance, arms: tuple[int, ...]) -> Cycle:
    try:
        return Cycle(cycle_reward(instance, arms), arms)
    except InputError:  # reducible after all
        return Cycle(-np.inf, arms)
