"""Finding 7: which parts of EpochUCB's window its regret depends on, in every class."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from epochbandits.figures import marks, style
from epochbandits.figures.fig4_fig5_fig6_regret import Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY
from epochbandits.figures.tables import in_policy_order, missed_share, read
from epochbandits.io.schemas import FINALS
from epochbandits.stats import t_interval

REFERENCE = "epoch-ucb"


def window(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the final regret of each variant in each class, and its share of failed instances."""
    finals = read(inputs.finals[0], FINALS)
    rows = []
    by = ["instances", "policy", "value"]
    for (name, policy, value), runs in finals.groupby(by, dropna=False):
        regret = t_interval(runs.groupby("instance")[Y].mean())
        (failed, _, _), count = missed_share(runs, settings.late)
        label = settings.labels[policy] + ("" if np.isnan(value) else f": {value:g}")
        rows.append((settings.sets[name]["class"], policy, label, value, *regret, failed, count,
                     int(runs["epoch"].max())))  # fmt: skip
    columns = ["instances", "policy", "label", "value", "mean", "low", "high", "failed", "count",
               "epoch"]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns).sort_values("value", ascending=False, kind="stable")
    order = {block["class"]: rank for rank, block in enumerate(settings.sets.values())}
    table = table.sort_values("instances", key=lambda names: names.map(order), kind="stable")
    return in_policy_order(table, settings.policies)


@figure("Section 3.3, Algorithm 2", kind="experiments", table=window)
def finding7_window(data: pd.DataFrame) -> Figure:
    """Draw the regret of EpochUCB with parts of its window changed, a panel for each class."""
    classes = list(dict.fromkeys(data["instances"]))
    names = list(dict.fromkeys(data["label"]))
    canvas = style.canvas(style.PAGE, 0.9 + 0.2 * len(names))
    axes = np.atleast_1d(canvas.subplots(1, len(classes), sharey=True, sharex=True))
    reference, ucb, other = (look.color for look in style.looks([REFERENCE, "ucb", "epoch-greedy"]))
    colours = {REFERENCE: reference, "ucb": ucb}
    for ax, name in zip(axes, classes, strict=True):
        ax.set_xscale("log")
        rows = data[data["instances"] == name].set_index("label").loc[names]
        ax.axvline(rows.loc[rows["policy"] == REFERENCE, "mean"].iloc[0], color=GREY, lw=0.7,
                   zorder=0)  # fmt: skip
        for y, (_, row) in enumerate(rows.iterrows()):
            color = colours.get(row["policy"], other)
            # A logarithmic axis cannot show an interval that reaches below zero: cut it.
            low = max(row["low"], row["mean"] / 10)
            ax.plot([low, row["high"]], [y, y], color=color, lw=1.1)
            ax.plot(row["mean"], y, "o", ms=4.2, color=color, mec=color, mew=1,
                    mfc=color if row["failed"] == 0 else "white")  # fmt: skip
        ax.set_title(name, fontsize=style.SMALL)
        ax.grid(axis="y", lw=0.3, color="0.9")
        ax.tick_params(axis="y", length=0)
        style.number_axis(ax.xaxis, log=True)
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: style.number(value, 1e3)))
    axes[0].set_yticks(range(len(names)), [style.escaped(name) for name in names])
    axes[0].invert_yaxis()
    canvas.supxlabel(f"Expected regret after {style.number(int(data['epoch'].max()))} epochs "
                     "(reward)", fontsize=8.5)  # fmt: skip
    filled = marks.bar_handle(f"mean of {int(data['count'].max())} instances, {marks.INTERVAL}")
    line = Line2D([], [], color=GREY, lw=0.7, label="EpochUCB as printed")
    hollow = Line2D([], [], color=GREY, marker="o", ms=4, lw=0, mfc="white",
                    label="some instances miss the best arm")  # fmt: skip
    marks.legend_above(canvas, [filled, hollow, line])
    return canvas
