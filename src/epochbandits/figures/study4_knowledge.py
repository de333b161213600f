"""Study 4: what knowledge of C, λ and Δ_min buys, and what wrong knowledge costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.marks import sampling_look
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import sampling_handles
from epochbandits.figures.study_tables import (
    ALL,
    add_holm,
    add_interval,
    class_means,
    units,
)
from epochbandits.pipeline.study_comparisons import compare

ESTIMATED = {"estimated-mixing": "known-c", "estimated-d": "known-d"}
"""Policies that estimate, and those that know the right value (factor 1)."""
RIGHT = {"known-c": "EpochUCB, right constants", "known-d": "EpochGreedy, right Δ_min"}
"""Policies that know the right value at factor 1, and their labels there."""
WITHOUT = {
    "Other knowledge of mixing": (
        "known-c", "known-worst", "known-nothing", "estimated-mixing", "ucb-epochs"
    ),
    "Other knowledge of Δ_min": ("known-d", "estimated-d"),
}  # fmt: skip
"""Panels of policies without a factor, each beside the one that knows."""
COLUMNS = ["panel", "policy", "label", "value", "class", "sampling", "mean", "low", "high", "p",
           "p_holm", "per_epoch", "count"]  # fmt: skip


def knowledge(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret of each policy against the factor on what it knows.

    ``panel`` "cell": mean r (`study_comparisons`), for each class and over all; ``per_epoch`` is
    the mean of the regret per epoch on the same scale. ``panel`` "cost": the paired difference over
    all classes to the right value (factor 1).
    """
    table = units(inputs, settings)
    by = ["policy", "value", "sampling"]
    cells = class_means(table, by).assign(panel="cell")
    cells["per_epoch"] = class_means(table, by, "r_epoch")["mean"]
    costs: list[dict[str, Any]] = []
    for (policy, value, sampling), part in table.groupby(by, sort=False, dropna=False):
        right = table[(table["policy"] == ESTIMATED.get(policy, policy)) & (table["value"] == 1)
                      & (table["sampling"] == sampling)]  # fmt: skip
        if value != 1 and len(right):
            head = {"panel": "cost", "policy": policy, "value": value, "class": ALL,
                    "sampling": sampling, "count": len(part)}  # fmt: skip
            costs.append(add_interval(head, compare(part, right)))
    add_holm(costs)
    result = pd.concat([cells, pd.DataFrame(costs)], ignore_index=True)
    result["label"] = result["policy"].map(settings.labels)
    return result.reindex(columns=COLUMNS)


@figure("Errata E14", kind="experiments", table=knowledge, sources=None,
        unit="regret of random arms", instances=True, at=340_000)  # fmt: skip
def study4_knowledge(data: pd.DataFrame) -> Figure:
    """Draw regret against the factor on what a policy knows, and of policies without a factor."""
    cells = data[data["panel"] == "cell"]
    swept = list(dict.fromkeys(cells.loc[cells["value"].notna(), "policy"]))
    labels = dict(zip(cells["policy"], cells["label"], strict=True))
    canvas = style.canvas(style.PAGE, 4.4)
    axes = canvas.subplots(2, 3, squeeze=False).ravel()
    for ax, policy in zip(axes, swept, strict=False):
        _draw_factors(ax, cells[cells["policy"] == policy])
        ax.set_title(style.escaped(labels[policy]), fontsize=style.SMALL)
        ax.set(xlabel="Factor", ylabel="Regret / random arms")
    for ax, (title, policies) in zip(axes[len(swept) :], WITHOUT.items(), strict=False):
        _draw_fixed(ax, cells[cells["class"] == ALL], policies)
        ax.set_title(title, fontsize=style.SMALL)
    canvas.legend(handles=sampling_handles(), loc="outside upper left", ncols=2)
    return canvas


def _draw_factors(ax: Axes, cells: pd.DataFrame) -> None:
    """Draw the regret of one policy against its factor: the mean, and each class."""
    ax.set_xscale("log")
    for sampling, here in cells.groupby("sampling", sort=False):
        look = sampling_look(str(sampling))
        for _, line in here[here["class"] != ALL].groupby("class"):
            line = line.sort_values("value")
            ax.plot(line["value"], line["mean"], color=look["color"], lw=0.5, alpha=0.4)
        mean = here[here["class"] == ALL].sort_values("value")
        ax.plot(mean["value"], mean["mean"], ms=3.5, lw=1.3, **look)
        ax.fill_between(mean["value"], mean["low"], mean["high"], color=look["color"],
                        alpha=0.15, lw=0)  # fmt: skip
    ax.axvline(1, color=style.GREY, lw=0.6, zorder=0)
    ax.set_ylim(0, min(1.5, ax.get_ylim()[1]))
    style.number_axis(ax.xaxis, log=True)


def _draw_fixed(ax: Axes, means: pd.DataFrame, policies: Sequence[str]) -> None:
    """Draw the mean regret of policies that know the right value, something else, or nothing."""
    fixed = means[means["policy"].isin(policies) & (means["value"].isna() | (means["value"] == 1))]
    labels = {**dict(zip(fixed["policy"], fixed["label"], strict=True)), **RIGHT}
    for shift, (sampling, here) in zip((0.1, 0.3), fixed.groupby("sampling", sort=False),
                                       strict=False):  # fmt: skip
        rows = np.array([policies.index(policy) for policy in here["policy"]]) + shift
        ends = [here["mean"] - here["low"], here["high"] - here["mean"]]
        ax.errorbar(
            here["mean"], rows, xerr=ends, ms=3, lw=1, ls="", **sampling_look(str(sampling))
        )
    for row, name in enumerate(policies):  # above its points: beside the axis there is no room
        if name in labels:
            ax.text(0.0, row - 0.2, style.escaped(labels[name]), fontsize=style.SMALL, va="center")
    ax.set_yticks([])
    ax.set(ylim=(len(policies) - 0.4, -0.5), xlim=(0, None), xlabel="Regret / random arms")
