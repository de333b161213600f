"""What the page's playground starts from: its instances, and a table of bounds.

The browser simulates by itself (``assets/engine.js``). Example 1 and a 4×4 instance have sliders;
the latter is Section 5.1 without random draws. Arm 1 holds the state in the first state, the others
avoid it: P = a·I + (1-a)·1κᵀ, with κ = (1-δ, δ·split) for arm 1 and (δ, (1-δ)·split) for the
others, so that κ is the stationary distribution and a the arm's λ.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from epochbandits.model.generators import failure_example
from epochbandits.model.instance import Instance
from epochbandits.model.setting import TAU0, ZETA, Setting
from epochbandits.theory import greedy, ucb

GAMMAS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""Discounts of the sliders."""
HORIZONS = tuple(int(n) for n in np.unique(np.logspace(1, 6, 21).astype(int)))
"""Horizons n of the table of bounds."""

_SPLITS = [[0.4, 0.35, 0.25], [0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]]
_STICKS = [None, 0.4, 0.55, 0.7]
_REWARDS: list[list[dict[str, Any]]] = [
    [{"law": "beta", "a": 5.4, "b": 0.6}, {"law": "bernoulli", "p": 0.05},
     {"law": "uniform", "low": 0.0, "high": 0.1}, {"law": "bernoulli", "p": 0.08}],
    [{"law": "bernoulli", "p": 0.05}, {"law": "uniform", "low": 0.4, "high": 0.9},
     {"law": "beta", "a": 3.0, "b": 2.5}, {"law": "bernoulli", "p": 0.5}],
    [{"law": "uniform", "low": 0.0, "high": 0.12}, {"law": "bernoulli", "p": 0.5},
     {"law": "beta", "a": 2.4, "b": 1.6}, {"law": "uniform", "low": 0.3, "high": 0.8}],
    [{"law": "bernoulli", "p": 0.03}, {"law": "beta", "a": 2.0, "b": 2.0},
     {"law": "uniform", "low": 0.2, "high": 0.8}, {"law": "bernoulli", "p": 0.62}],
]  # fmt: skip
_DEFAULTS: dict[str, dict[str, Any]] = {
    "example1": {"eps": 0.001, "tau0": 1, "zeta": 1, "c": 1.0},
    "four": {"delta": 0.03, "stick": 0.97, "tau0": TAU0, "zeta": ZETA, "c": 0.3, "n": 50000},
}


def four_arms(delta: float, stick: float) -> Instance:
    """Return the playground's instance of 4 arms and 4 states; arm 0 is the best one."""
    transition = []
    for split, stickiness in zip(_SPLITS, _STICKS, strict=True):
        home = 1 - delta if stickiness is None else delta
        row = np.array([home, *(np.array(split) * (1 - home))])
        a = stick if stickiness is None else stickiness
        transition.append((1 - a) * row + a * np.eye(4))
    return Instance.from_dict({"name": "playground", "transition": np.array(transition).tolist(),
                               "rewards": _REWARDS, "initial": [0.25] * 4})  # fmt: skip


def setup() -> dict[str, Any]:
    """Return all that the playground's script needs, as plain data."""
    return {
        "shape": {"splits": _SPLITS, "sticks": _STICKS, "rewards": _REWARDS},
        "defaults": _DEFAULTS,
        "gammas": GAMMAS,
        "horizons": HORIZONS,
        "bounds": _bounds(),
    }


@cache
def _bounds() -> dict[str, list[list[list[float]]]]:
    """Return the bounds of both instances by discount and horizon, to six digits.

    In a row: EpochUCB's gap-dependent bound as printed and with the tight L, its gap-independent
    one, EpochGreedy's corrected one with the constants that are best at the last horizon, and
    n·Δ_max.
    """
    first, second = _DEFAULTS["example1"], _DEFAULTS["four"]
    problems = {
        "example1": (failure_example(first["eps"]), first),
        "four": (four_arms(second["delta"], second["stick"]), second),
    }
    n = np.array(HORIZONS)
    result = {}
    for name, (instance, values) in problems.items():
        tables = []
        for gamma in GAMMAS:
            setting = Setting(values["tau0"], values["zeta"], gamma)
            chosen = greedy.best_constants(HORIZONS[-1], instance, setting)
            columns = [
                ucb.regret_bound(n, instance, setting),
                ucb.regret_bound(n, instance, setting, "tight"),
                ucb.gap_independent_bound(n, instance, setting),
                greedy.regret_bound(n, instance, setting, chosen),
                n * float(instance.gap.max()),
            ]
            rows = np.stack(columns, axis=1).tolist()
            tables.append([[float(f"{value:.6g}") for value in row] for row in rows])
        result[name] = tables
    return result
