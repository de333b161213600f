"""Section 3.3: the second-largest eigenvalue of M(P) of random matrices, by law of their rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import lines, style

__all__ = ["PAPER", "tab1_mixing"]

PAPER = {"uniform": (0.32, 0.38), "normal": (0.70, 0.83)}
"""Mean and 95th percentile that Section 3.3 prints, by the law before its normalisation."""

QUANTITIES = {"lambda2": r"$\lambda_2$", "root": r"$\sqrt{\lambda_2}$"}
MEAN = {"marker": "o", "ms": 4, "color": "black", "lw": 0}
HIGH = {"marker": "|", "ms": 8, "mew": 1.6, "color": "black", "lw": 0}
PRINTED = {"marker": "D", "ms": 4.2, "mfc": "white", "mec": "#b33c00", "mew": 1.1, "lw": 0}


def tab1_mixing(data: pd.DataFrame) -> Figure:
    """Draw the distributions of λ2 and √λ2 for each law, beside their means and percentiles."""
    laws = sorted(data["law"].unique(), key=lambda law: (law.startswith("normal"), law))
    figure = style.canvas(style.PAGE, 0.9 + 0.36 * len(laws))
    *panels, table = figure.subplots(1, 3, sharey=True, width_ratios=(1, 1, 1.05))
    for ax, (column, symbol) in zip(panels, QUANTITIES.items(), strict=True):
        _distributions(ax, data, laws, column)
        ax.set_xlabel(f"{symbol} of M(P)")
    panels[0].set_yticks(range(len(laws)), [lines.text(law) for law in laws])
    _numbers(table, data, laws)
    handles = [
        Line2D([], [], label="mean", **MEAN),
        Line2D([], [], label="95th percentile", **HIGH),
        Line2D([], [], label="mean and 95th percentile printed in the paper", **PRINTED),
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, borderpad=0, handlelength=1.2)
    return figure


def _distributions(ax: Axes, data: pd.DataFrame, laws: list[str], column: str) -> None:
    sns.violinplot(
        data,
        x=column,
        y="law",
        order=laws,
        orient="h",
        cut=0,
        density_norm="width",
        inner=None,
        color="0.82",
        linewidth=0.6,
        ax=ax,
    )
    for row, law in enumerate(laws):
        values = data.loc[data["law"] == law, column]
        ax.plot(values.mean(), row, **MEAN)
        ax.plot(np.quantile(values, 0.95), row, **HIGH)
        printed = PAPER.get(law.split(":")[0], ())
        ax.plot(printed, [row + 0.32] * len(printed), zorder=4, **PRINTED)
    ax.set_xlim(0, 1)
    ax.set_ylabel("")
    ax.tick_params(axis="y", length=0)


def _numbers(ax: Axes, data: pd.DataFrame, laws: list[str]) -> None:
    """Print means and percentiles in the rows of the laws."""
    ax.axis("off")
    ax.set_xlim(0, 1)
    places = (0.16, 0.37, 0.66, 0.87)
    settings = {"ha": "center", "va": "center", "fontsize": style.SMALL + 0.5}
    above = ax.get_xaxis_transform()
    for k, symbol in enumerate(QUANTITIES.values()):
        ax.text(sum(places[2 * k : 2 * k + 2]) / 2, -0.2, symbol, transform=above, **settings)
        for place, name in zip(places[2 * k : 2 * k + 2], ("mean", "95%"), strict=True):
            ax.text(place, -0.08, name, transform=above, **settings)
    for row, law in enumerate(laws):
        own = data[data["law"] == law]
        for k, column in enumerate(QUANTITIES):
            for place, number in zip(
                places[2 * k : 2 * k + 2],
                (own[column].mean(), np.quantile(own[column], 0.95)),
                strict=True,
            ):
                ax.text(place, row, f"{number:.3f}", **settings)
