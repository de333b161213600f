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
    """Return constants and bounds at horizon n; c' is searched for unless it is given.

    ``plays_bound`` is None for arms without a gap, ``greedy`` is None if all arms tie.
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
