"""Study 5: τ0 and ζ: a grid, the place of (40, 1) in it, and a rule of thumb from 1/(1-λ)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import contrasts, heat
from epochbandits.figures.study_tables import ALL, add_holm, add_interval, units
from epochbandits.model.setting import TAU0, ZETA
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.study_comparisons import compare, pooled

TUNING = "tune_"
"""A set with this before the name of its class is for tuning; the others judge."""
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""The rule takes the τ0 of the grid nearest to f/(1-λ) on a log scale, with λ the largest of any
arm and ζ = 1; f is the factor with the least regret on the tuning instances."""
COLUMNS = ["panel", "policy", "label", "tau0", "zeta", "class", "sampling", "mean", "low", "high",
           "p", "p_holm", "relaxation", "count"]  # fmt: skip


def epoch_lengths(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret over the grid of τ0 and ζ, and what the rule of thumb gains.

    ``zeta`` 0 is the schedule ``fixed:τ0``. ``panel`` "grid": mean r (`study_comparisons`) on the
    judging instances, for each class and over all; ``relaxation`` is their mean 1/(1-λ).
    ``panel`` "rule": the paired difference of the rule's r to that of (40, 1), on the judging
    instances; ``tau0`` is the chosen factor f. ``panel`` "best": τ0 with the least mean r of a
    class at ζ = 1.
    """
    slow = {name: [1 / -np.expm1(max(arm.log_lam for arm in instance.mixing))
                   for instance in members]
            for name, members in instance_sets.read_sets(inputs.instances).items()}  # fmt: skip
    table = units(inputs, settings)
    table["relaxation"] = [slow[name][i]
                           for name, i in zip(table["instances"], table["instance"],
                                              strict=True)]  # fmt: skip
    tune = table["instances"] == TUNING + table["class"]
    judged = table[~tune]
    rows: list[dict[str, Any]] = []
    for (policy, tau0, zeta, sampling), part in judged.groupby(
        ["policy", "tau0", "zeta", "sampling"], sort=False
    ):
        for name in (ALL, *dict.fromkeys(part["class"])):
            here = part if name == ALL else part[part["class"] == name]
            head = {"panel": "grid", "policy": policy, "tau0": tau0, "zeta": zeta, "class": name,
                    "sampling": sampling, "relaxation": here["relaxation"].mean(),
                    "count": len(here)}  # fmt: skip
            rows.append(add_interval(head, pooled(here)))
    rules = []
    for policy in dict.fromkeys(table["policy"]):
        mine = table[(table["policy"] == policy) & (table["zeta"] == 1)]
        chosen = min(FACTORS, key=lambda f: pooled(_follow(mine[tune.loc[mine.index]], f)).mean)
        for sampling in dict.fromkeys(mine["sampling"]):
            here = mine[~tune.loc[mine.index] & (mine["sampling"] == sampling)]
            paper = here[here["tau0"] == TAU0]
            head = {"panel": "rule", "policy": policy, "tau0": chosen, "zeta": 1, "class": ALL,
                    "sampling": sampling, "count": len(paper)}  # fmt: skip
            rules.append(add_interval(head, compare(_follow(here, chosen), paper)))
    add_holm(rules)
    result = pd.DataFrame([*rows, *rules])
    result["label"] = result["policy"].map(settings.labels)
    best = result[(result["panel"] == "grid") & (result["zeta"] == 1)]
    best = best.loc[best.groupby(["policy", "class", "sampling"])["mean"].idxmin()]
    result = pd.concat([result, best.assign(panel="best")], ignore_index=True)
    result = result.astype({"tau0": float, "zeta": int})
    return result.reindex(columns=COLUMNS)


def _follow(table: pd.DataFrame, factor: float) -> pd.DataFrame:
    """Return the runs with the τ0 of the grid that the rule takes for each instance."""
    grid = np.sort(table["tau0"].unique())
    target = np.log(factor * table["relaxation"].to_numpy())
    nearest = grid[np.abs(np.log(grid)[None] - target[:, None]).argmin(axis=1)]
    return table[table["tau0"].to_numpy() == nearest]


@figure("Section 5, τ0 = 40 and ζ = 1", kind="experiments", table=epoch_lengths, sources=None,
        unit="regret of random arms", instances=True, at=300_000)  # fmt: skip
def study5_epoch_lengths(data: pd.DataFrame) -> Figure:
    """Draw the grid of each policy, the best τ0 against 1/(1-λ), and what the rule gains."""
    grid = data[(data["panel"] == "grid") & (data["class"] == ALL)]
    policies = list(dict.fromkeys(grid["policy"]))
    labels = dict(zip(grid["policy"], grid["label"], strict=True))
    canvas = style.canvas(style.PAGE, 4.3)
    axes = canvas.subplots(2, max(2, len(policies)), height_ratios=(1.3, 1))
    for ax, policy in zip(axes[0], policies, strict=False):
        table = grid[grid["policy"] == policy].groupby(["zeta", "tau0"])["mean"].mean().unstack()
        table.index = [f"ζ = {zeta:g}" if zeta else "fixed" for zeta in table.index]
        table.columns = [f"{tau0:g}" for tau0 in table.columns]
        heat(ax, table, top=max(0.3, float(np.nanmax(table.to_numpy()))))
        ax.set_title(labels[policy], fontsize=style.SMALL)
        ax.set_xlabel("τ0")
    left, right = axes[1][0], axes[1][1]
    best = data[(data["panel"] == "best") & (data["class"] != ALL)]
    left.set(xscale="log", yscale="log")
    for policy, shape in zip(policies, "os^v", strict=False):
        rows = best[best["policy"] == policy]
        left.plot(rows["relaxation"], rows["tau0"], shape, ms=4, alpha=0.7,
                  color=style.looks([policy])[0].color, label=labels[policy])  # fmt: skip
    style.number_axis(left.xaxis, log=True)
    style.number_axis(left.yaxis, log=True)
    left.set(xlabel="Mean of 1/(1−λ) in the class", ylabel="Best τ0 (ζ = 1)")
    left.legend(loc="best")
    contrasts(right, data[data["panel"] == "rule"], "label")
    right.set_xlabel(f"Rule of thumb − ({TAU0}, {ZETA})")
    return canvas
