"""Finding 4: the bounds as γ tends to 1."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tables import read
from epochbandits.io.schemas import BOUNDS
from epochbandits.stats import t_interval


def near_one(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return each bound at γ over that at 1, at the last horizon, for each form of L."""
    table = read(inputs.bounds[0], BOUNDS)
    drawn = table["form"].isin(["", "corrected"])
    table = table[(table["epoch"] == table["epoch"].max()) & drawn]
    table = table[table["algorithm"] != "trivial"]
    rows = []
    for (algorithm, variant), part in table.groupby(["algorithm", "variant"]):
        bound = part.set_index(["gamma", "instance"])["bound"].unstack()
        for gamma in bound.index:
            ratio = t_interval(bound.loc[gamma] / bound.loc[1.0])
            rows.append((algorithm, variant, gamma, *ratio, bound.shape[1]))
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
        ax.set_xscale("log")
        ax.set_yscale("log")
        for variant, look in looks.items():
            part = data[(data["algorithm"] == algorithm) & (data["variant"] == variant)]
            part = part[part["gamma"] < 1].sort_values("gamma")
            ax.plot(1 - part["gamma"], part["mean"], color=look.color, linestyle=look.dash,
                    marker="o", ms=3)  # fmt: skip
        marks.unity(ax, "γ = 1")
        ax.invert_xaxis()
        ax.set_title(title)
        ax.set_xlabel("1 − γ (log scale; γ rises to the right)")
        style.number_axis(ax.xaxis, log=True)
        style.number_axis(ax.yaxis, log=True)
    row[0].set_ylabel("Bound at γ over bound at 1")
    handles = [marks.line_handle(look, variants[v], marker="o", ms=3) for v, look in looks.items()]
    marks.legend_above(canvas, handles)
    return canvas
