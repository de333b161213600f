"""Study 4: what knowledge of C, λ and Δ_min buys, and what wrong knowledge costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import sampling_handles, sampling_look
from epochbandits.figures.study_tables import (
    ALL,
    add_holm,
    add_interval,
    cell_means,
    mean_gaps,
    sources,
    units,
)
from epochbandits.pipeline.study_comparisons import compare, pooled

AT = 340_000
"""Iterations after which regret per iteration is compared."""
COLUMNS = ["panel", "policy", "label", "value", "class", "sampling", "mean", "low", "high", "p",
           "p_holm", "per_epoch", "count"]  # fmt: skip


def knowledge(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret of each policy against the factor on what it knows.

    ``panel`` "cell": mean r (`study_comparisons`), for each class and over all; ``per_epoch`` is
    the mean of the regret per epoch on the same scale. ``panel`` "cost": the paired difference over
    all classes to the right value (factor 1, or the policy without a factor).
    """
    gaps = mean_gaps(settings)
    table = pd.concat([units(one.curves, settings, gaps, AT) for one in sources(inputs)])
    by = ["policy", "value", "class", "sampling"]
    cells = cell_means(table, by).assign(panel="cell")
    cells["per_epoch"] = cell_means(table, by, "r_epoch")["mean"]
    rows: list[dict[str, Any]] = []
    costs: list[dict[str, Any]] = []
    for (policy, value, sampling), part in table.groupby(["policy", "value", "sampling"],
                                                         sort=False, dropna=False):  # fmt: skip
        head = {"policy": policy, "value": value, "class": ALL, "sampling": sampling,
                "count": len(part)}  # fmt: skip
        more = {"panel": "cell", "per_epoch": part.groupby("class")["r_epoch"].mean().mean()}
        rows.append(add_interval({**head, **more}, pooled(part)))
        right = table[(table["policy"] == policy) & (table["value"] == 1)
                      & (table["sampling"] == sampling)]  # fmt: skip
        if value != 1 and len(right):
            costs.append(add_interval({**head, "panel": "cost"}, compare(part, right)))
    add_holm(costs)
    result = pd.concat([cells, pd.DataFrame([*rows, *costs])], ignore_index=True)
    result["label"] = result["policy"].map(settings.labels)
    return result.reindex(columns=COLUMNS)


@figure("Errata E14", kind="experiments", table=knowledge, sources=None,
        unit="regret of random arms")  # fmt: skip
def study4_knowledge(data: pd.DataFrame) -> Figure:
    """Draw regret against the factor on what a policy knows, a panel for each policy."""
    cells = data[data["panel"] == "cell"]
    swept = list(dict.fromkeys(cells.loc[cells["value"].notna(), "policy"]))
    fixed = cells[cells["value"].isna() & (cells["class"] == ALL)]
    labels = dict(zip(cells["policy"], cells["label"], strict=True))
    width = min(4, len(swept))
    height = -(-len(swept) // width)
    canvas = style.canvas(style.PAGE, 0.5 + 1.75 * height)
    axes = np.atleast_1d(canvas.subplots(height, width, sharey=True, squeeze=False)).ravel()
    for ax, policy in zip(axes, swept, strict=False):
        ax.set_xscale("log")
        for sampling in dict.fromkeys(cells["sampling"]):
            look = sampling_look(sampling)
            here = cells[(cells["policy"] == policy) & (cells["sampling"] == sampling)]
            for _, line in here[here["class"] != ALL].groupby("class"):
                line = line.sort_values("value")
                ax.plot(line["value"], line["mean"], color=look["color"], lw=0.5, alpha=0.4)
            mean = here[here["class"] == ALL].sort_values("value")
            ax.plot(mean["value"], mean["mean"], ms=3.5, lw=1.3, **look)
            ax.fill_between(mean["value"], mean["low"], mean["high"], color=look["color"],
                            alpha=0.15, lw=0)  # fmt: skip
            for i, row in enumerate(fixed[fixed["sampling"] == sampling].itertuples()):
                ax.axhline(row.mean, color=look["color"], lw=0.7, ls=[":", "--", "-."][i % 3])
        ax.axvline(1, color=style.GREY, lw=0.6, zorder=0)
        ax.set_title(style.escaped(labels[policy]), fontsize=style.SMALL)
        ax.set_ylim(0, min(1.5, ax.get_ylim()[1]))
        style.number_axis(ax.xaxis, log=True)
    for ax in axes[len(swept) :]:
        ax.set_visible(False)
    canvas.supylabel("Regret / random arms", fontsize=8.5)
    canvas.supxlabel("Factor on the known quantity", fontsize=8.5)
    canvas.legend(handles=sampling_handles(), loc="outside upper left", ncols=2)
    return canvas
