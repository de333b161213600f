"""All of the paper's constants and bounds for one instance and horizon, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from epochbandits.model.instance import Instance
from epochbandits.model.setting import MAX_EPOCHS, Setting
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import (
    VARIANTS,
    Variant,
    kappa_per_arm,
    penalty_bound,
    rho,
)
from epochbandits.validation import choice, integer


def summary(
    instance: Instance,
    setting: Setting,
    n: int,
    variant: Variant = "paper",
    cprime: float | None = None,
) -> dict[str, Any]:
    """Return the paper's constants and bounds at a horizon.

    Parameters
    ----------
    instance : Instance
        The problem, with m arms.
    setting : Setting
        τ0, ζ and γ.
    n : int
        Horizon in epochs, at least m.
    variant : {"paper", "tight", "min"}
        Form of L and ρ; see the docstring of `theory.penalty`.
    cprime : float, optional
        c' > 8 of EpochGreedy; by default the one with the smallest regret bound.

    Returns
    -------
    dict
        Plain data: numbers, lists over the arms, and under ``greedy`` EpochGreedy's constants and
        bounds. ``plays_bound`` is None for arms without a gap, ``greedy`` is None if all arms tie.

    Raises
    ------
    InputError
        If an argument is not allowed.

    Examples
    --------
    >>> from epochbandits import Setting, failure_example
    >>> result = summary(failure_example(0.1), Setting(), 1000)
    >>> result["best_arm"], round(result["regret_bound"], 1)
    (0, 460.5)
    """
    choice(variant, "variant", VARIANTS)
    integer(n, f"epochs (with {instance.arms} arms)", instance.arms, MAX_EPOCHS)
    if cprime is not None:
        greedy.check_cprime(cprime)
    mixings, d = instance.mixing, instance.min_gap
    kappa = float(kappa_per_arm(n, mixings, setting, variant).max())
    plays = ucb.plays_bound(n, instance, setting, variant)
    result: dict[str, Any] = {
        "instance": instance.name,
        "tau0": setting.tau0,
        "zeta": setting.zeta,
        "gamma": setting.gamma,
        "epochs": n,
        "variant": variant,
        "pi": instance.pi.tolist(),
        "lam": [arm.lam for arm in mixings],
        "C": [arm.C for arm in mixings],
        "mu": instance.mu.tolist(),
        "gap": instance.gap.tolist(),
        "rho": rho(n, mixings, setting, variant).tolist(),
        "L": penalty_bound(n, mixings, setting, variant).tolist(),
        "plays_bound": [
            float(x) if gap > 0 else None for x, gap in zip(plays, instance.gap, strict=True)
        ],
        "best_arm": instance.best_arm,
        "regret_bound": float(ucb.regret_bound(n, instance, setting, variant)),
        "regret_bound_gap_independent": float(
            ucb.gap_independent_bound(n, instance, setting, variant)
        ),
        "kappa": kappa,
        "greedy": None,
    }
    if d is not None:
        chosen = (
            greedy.best_constants(n, instance, setting, variant)
            if cprime is None
            else greedy.constants(cprime, kappa, d, instance.arms)
        )
        values = asdict(chosen)
        del values["arms"]
        result["greedy"] = values | {
            "regret_bound": float(greedy.regret_bound(n, instance, setting, chosen, variant)),
            "regret_bound_paper": float(
                greedy.regret_bound(n, instance, setting, chosen, variant, "paper")
            ),
        }
    return result
