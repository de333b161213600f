"""Findings 3 and 4: regret of EpochUCB by class and discount, and the bounds as γ tends to 1."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.fig4_fig5_fig6_regret import Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tables import over_averaged, read
from epochbandits.io.schemas import BOUNDS, FINALS


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
        rows += [(label, *ratio) for ratio in over_averaged(regret[name])]
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
    ax.set(xlabel="Discount γ", ylabel="Regret at γ over regret at 1")
    style.number_axis(ax.yaxis, log=True)
    marks.legend_above(canvas, [marks.line_handle(look, name) for name, look in styled])
    return canvas


def near_one(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return each bound at γ over that at 1, at the last horizon, for each form of L."""
    table = read(inputs.bounds[0], BOUNDS)
    drawn = table["form"].isin(["", "corrected"])
    table = table[(table["epoch"] == table["epoch"].max()) & drawn]
    table = table[table["algorithm"] != "trivial"]
    rows = []
    for (algorithm, variant), part in table.groupby(["algorithm", "variant"]):
        bound = part.set_index(["gamma", "instance"])["bound"]
        rows += [(algorithm, variant, *ratio) for ratio in over_averaged(bound)]
    columns = ["algorithm", "variant", "gamma", "mean", "low", "high", "count"]
    return pd.DataFrame(rows, columns=columns)


@figure("Figs 3b and 3c", kind="bounds", table=near_one, unit="1")
def finding4_bounds_near_one(data: pd.DataFrame) -> Figure:
    """Draw the bounds at γ over those at 1, with the printed and with the tight L."""
    canvas = style.canvas(style.PAGE, 2.5)
    names = {"epoch-ucb": "EpochUCB's bound", "epoch-greedy": "EpochGreedy's bound"}
    variants = {"paper": "L as printed", "tight": "tight L", "min": "smaller branch"}
    present = [v for v in variants if v in set(data["variant"])]
    looks = dict(zip(present, style.looks(["epoch-ucb", "ucb", "exp3"]), strict=False))
    row = canvas.subplots(1, 2, sharey=True)
    for ax, (algorithm, title) in zip(row, names.items(), strict=True):
        ax.set(xscale="log", yscale="log")
        for variant, look in looks.items():
            part = data[(data["algorithm"] == algorithm) & (data["variant"] == variant)]
            part = part[part["gamma"] < 1].sort_values("gamma")
            ax.plot(1 - part["gamma"], part["mean"], color=look.color, linestyle=look.dash,
                    marker="o", ms=3)  # fmt: skip
        marks.unity(ax, "γ = 1")
        ax.invert_xaxis()
        ax.set(title=title, xlabel="1 − γ (log scale; γ rises to the right)")
        style.number_axis(ax.xaxis, log=True)
        style.number_axis(ax.yaxis, log=True)
    row[0].set_ylabel("Bound at γ over bound at 1")
    handles = [marks.line_handle(look, variants[v], marker="o", ms=3) for v, look in looks.items()]
    marks.legend_above(canvas, handles)
    return canvas
