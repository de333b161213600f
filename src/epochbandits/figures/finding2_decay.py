"""Finding 2: EpochGreedy's regret is U-shaped in the decay of c*."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.fig4_fig5_fig6_regret import Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY
from epochbandits.figures.tables import missed_share, read
from epochbandits.io.schemas import FINALS
from epochbandits.stats import t_interval


def decay(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return EpochGreedy's final regret over EpochUCB's, and its share of failed instances."""
    finals = read(inputs.finals[0], FINALS)
    reference = finals[finals["policy"] == "epoch-ucb"].groupby("instance")[Y].mean()
    rows = []
    for value, runs in finals[finals["value"].notna()].groupby("value"):
        failed, count = missed_share(runs, settings.late)
        ratio = t_interval(runs.groupby("instance")[Y].mean() / reference)
        rows.append(("ratio", float(value), *ratio, count))
        rows.append(("failed", float(value), *failed, count))
    return pd.DataFrame(rows, columns=["panel", "value", "mean", "low", "high", "count"])


@figure("Fig. 4b", kind="experiments", table=decay, unit="1")
def finding2_decay(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy over EpochUCB as c* is decayed, and how often it misses the best arm."""
    canvas = style.canvas(style.PAGE, 2.6)
    look = style.looks(["epoch-greedy"])[0]
    texts = ("Regret over EpochUCB's", "Share missing the best arm")
    for ax, panel, text in zip(canvas.subplots(1, 2), ("ratio", "failed"), texts, strict=True):
        rows = data[data["panel"] == panel].sort_values("value")
        ax.set_xscale("log")
        ax.plot(rows["value"], rows["mean"], color=look.color, linestyle=look.dash, lw=1.2)
        ax.errorbar(rows["value"], rows["mean"], yerr=marks.reach(rows), fmt="o", ms=4, capsize=2,
                    color=look.color, lw=1.2)  # fmt: skip
        style.number_axis(ax.xaxis, log=True)
        ax.set(xlabel="Factor by which c* is divided", ylabel=text)
        ax.set_ylim(bottom=0)
        if panel == "ratio":
            ax.axhline(1, color=GREY, lw=0.8)
            ax.annotate("EpochUCB", (0.99, 1), xycoords=("axes fraction", "data"), xytext=(0, 2),
                        textcoords="offset points", ha="right", color=GREY,
                        fontsize=style.SMALL)  # fmt: skip
    count = int(data["count"].max())
    marks.legend_above(canvas, [marks.bar_handle(f"mean over {count} instances, {marks.INTERVAL}")])
    return canvas
