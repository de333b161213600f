"""Finding 3: whether discounting helps EpochUCB depends on the class of instances."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.fig4_fig6_regret import Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tables import read
from epochbandits.io.schemas import FINALS
from epochbandits.stats import t_interval


def discount_classes(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return EpochUCB's final regret at γ over that at 1, for each class of instances."""
    finals = pd.concat([read(path, FINALS) for path in inputs.finals], ignore_index=True)
    finals = finals[finals["policy"] == "epoch-ucb"]
    regret = finals.groupby(["instances", "gamma", "instance"])[Y].mean()
    names = regret.index.get_level_values(0).unique()
    classes = [settings.sets[name].get("class") or name for name in names]
    rows = []
    for name, kind in zip(names, classes, strict=True):
        label = kind if classes.count(kind) == 1 else name
        table = regret[name].unstack()
        for gamma in table.index:
            ratio = t_interval(table.loc[gamma] / table.loc[1.0])
            rows.append((label, gamma, *ratio, table.shape[1]))
    return pd.DataFrame(rows, columns=["instances", "gamma", "mean", "low", "high", "count"])


@figure("Fig. 5a", kind="experiments", table=discount_classes, sources=None, unit="1")
def finding3_discount_classes(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret at γ over that at 1, for each class."""
    names = list(dict.fromkeys(data["instances"]))
    styled = [*zip(names, style.looks(names), strict=True)]
    canvas = style.canvas(style.PAGE, 2.8)
    ax = canvas.subplots()
    ax.set_yscale("log")
    for name, look in styled:
        rows = data[data["instances"] == name].sort_values("gamma")
        ax.fill_between(rows["gamma"], rows["low"].clip(lower=rows["mean"] / 100), rows["high"],
                        color=look.color, alpha=0.12, lw=0)  # fmt: skip
        ax.plot(
            rows["gamma"], rows["mean"], color=look.color, linestyle=look.dash, marker="o", ms=3
        )
    marks.unity(ax, "as with time averages")
    ax.set_xlabel("Discount γ")
    ax.set_ylabel("Regret at γ over regret at 1")
    style.number_axis(ax.yaxis, log=True)
    marks.legend_above(canvas, [marks.line_handle(look, name) for name, look in styled])
    return canvas
