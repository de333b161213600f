"""Section 3.3: the second-largest eigenvalue of M(P) of random matrices, by law of their rows."""

from __future__ import annotations

from typing import Any

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
MEAN: dict[str, Any] = {"marker": "o", "ms": 4, "color": "black", "lw": 0}
HIGH: dict[str, Any] = {"marker": "|", "ms": 8, "mew": 1.6, "color": "black", "lw": 0}
PRINTED: dict[str, Any] = {
    "marker": "D",
    "ms": 4.2,
    "mfc": "white",
    "mec": "#b33c00",
    "mew": 1.1,
    "lw": 0,
}


def tab1_mixing(data: pd.DataFrame) -> Figure:
    """Draw the distributions of λ2 and √λ2 for each law, beside their means and percentiles."""
    means = data.groupby("law")["root"].mean()
    laws = sorted(means.index, key=lambda law: (law.startswith("normal"), means[law]))
    figure = style.canvas(style.PAGE, 0.85 + 0.34 * len(laws))
    *panels, table = figure.subplots(1, 3, sharey=True, width_ratios=(1, 1, 1.25))
    for ax, (column, symbol) in zip(panels, QUANTITIES.items(), strict=True):
        _distributions(ax, data, laws, column)
        ax.set_xlabel(f"{symbol} of $M(P)$")
    panels[0].set_yticks(range(len(laws)), [style.text(law) for law in laws])
    _numbers(table, data, laws)
    marks = (MEAN, "mean"), (HIGH, "95th percentile"), (PRINTED, "the paper's mean and percentile")
    lines.key(figure, [Line2D([], [], label=label, **mark) for mark, label in marks])
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
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
    ax.set_ylabel("")
    ax.tick_params(axis="y", length=0)


def _numbers(ax: Axes, data: pd.DataFrame, laws: list[str]) -> None:
    """Print means and percentiles in the rows of the laws, and the paper's beside its own laws."""
    ax.axis("off")
    ax.set_xlim(0, 1)
    font: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.SMALL + 0.5}
    above = {**font, "transform": ax.get_xaxis_transform()}
    pairs = dict(
        zip([*QUANTITIES, "paper"], ((0.1, 0.26), (0.45, 0.61), (0.79, 0.93)), strict=True)
    )
    for column, (left, right) in pairs.items():
        ax.text((left + right) / 2, 1.13, QUANTITIES.get(column, "paper's"), **above)
        ax.text(left, 1.02, "mean", **above)
        ax.text(right, 1.02, "95%", **above)
    for row, law in enumerate(laws):
        own = data[data["law"] == law]
        for column in QUANTITIES:
            numbers = own[column].mean(), np.quantile(own[column], 0.95)
            for place, number in zip(pairs[column], numbers, strict=True):
                ax.text(place, row, f"{number:.3f}", **font)
    for law, printed in PAPER.items():
        rows = [row for row, name in enumerate(laws) if name.split(":")[0] == law]
        for place, number in zip(pairs["paper"], printed, strict=True):
            if rows:
                ax.text(place, float(np.mean(rows)), f"{number:.2f}", **font)
        if len(rows) > 1:
            # One pair of printed numbers stands for all ways to normalise.
            ax.plot([0.73, 0.73], [rows[0] - 0.3, rows[-1] + 0.3], color=style.GREY, lw=0.6)
