"""The horizon from which a regret bound says more than is known without it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

from epochbandits.model.instance import Instance
from epochbandits.model.setting import MAX_EPOCHS, Setting
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import Variant
from epochbandits.validation import InputError, choice

Bound = Literal["epoch-ucb", "gap-independent", "epoch-greedy"]
Rival = Literal["worst", "random"]
BOUNDS: tuple[Bound, ...] = get_args(Bound)
RIVALS: tuple[Rival, ...] = get_args(Rival)


def first_useful_horizon(
    instance: Instance,
    setting: Setting,
    bound: Bound = "epoch-ucb",
    rival: Rival = "worst",
    variant: Variant = "paper",
) -> float:
    """Return the n from which a bound is below n·Δ, infinite if that is beyond 10⁹ epochs.

    Parameters
    ----------
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    bound : {"epoch-ucb", "gap-independent", "epoch-greedy"}
        Corollary 1, Corollary 2, or Corollary 3 with the constants that are best for each n.
    rival : {"worst", "random"}
        Δ is that of the worst arm, or the mean over all arms, which random play has. Against the
        worst arm EpochGreedy's bound is useful early: exploring forever is random play.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the docstring of `theory.penalty`.

    Returns
    -------
    float
        Epochs.
    """
    choice(bound, "bound", BOUNDS)
    choice(rival, "rival", RIVALS)
    if instance.min_gap is None:
        raise InputError("a bound on the regret is never useful where all arms tie")
    slope = float(instance.gap.max() if rival == "worst" else instance.gap.mean())
    evaluate = _evaluator(instance, setting, bound, variant)
    # Each bound over n falls with n, from a start far above the slope, so there is one crossing.
    low = high = max(3, instance.arms)
    while evaluate(high) >= slope * high:
        if high > MAX_EPOCHS:
            return math.inf
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if evaluate(middle) < slope * middle else (middle, high)
    return float(high)


def _evaluator(
    instance: Instance, setting: Setting, bound: Bound, variant: Variant
) -> Callable[[int], float]:
    def greedy_bound(n: int) -> float:
        chosen = greedy.best_constants(n, instance, setting, variant)
        return float(greedy.regret_bound(n, instance, setting, chosen, variant))

    if bound == "epoch-greedy":
        return greedy_bound
    formula = ucb.regret_bound if bound == "epoch-ucb" else ucb.gap_independent_bound
    return lambda n: float(formula(n, instance, setting, variant))
