"""Section 3.3 and finding 5: second eigenvalues of M(P) and singular values of random P."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tables import read
from epochbandits.io.schemas import EIGENVALUES
from epochbandits.model.random_matrices import NORMAL_LAWS, ROW_LAWS
from epochbandits.theory import printed_numbers

QUANTITIES = {
    "lambda2": r"$\lambda_2(M(P))$",
    "root": r"$\sqrt{\lambda_2(M(P))}$",
    "singular": r"$\sigma_2(P)$",
}
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


def eigenvalues(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return the eigenvalues of all matrices."""
    return read(inputs.eigenvalues[0], EIGENVALUES)


@figure("Section 3.3", kind="eigenvalues", table=eigenvalues)
def tab1_mixing(data: pd.DataFrame) -> Figure:
    """Draw the distributions of λ2, √λ2 and σ2 for each law, with their means and percentiles."""
    means = data.groupby("law")["root"].mean()
    laws = sorted(means.index, key=lambda law: (law in NORMAL_LAWS, means[law]))
    canvas = style.canvas(style.PAGE, 0.85 + 0.34 * len(laws))
    *panels, table = canvas.subplots(1, 4, sharey=True, width_ratios=(1, 1, 1, 2.2))
    for ax, (column, symbol) in zip(panels, QUANTITIES.items(), strict=True):
        _distributions(ax, data, laws, column)
        ax.set_xlabel(symbol)
    panels[0].set_yticks(range(len(laws)), [style.escaped(law) for law in laws])
    _numbers(table, data, laws)
    handles = (
        (MEAN, "mean"),
        (HIGH, "95th percentile"),
        (PRINTED, "the paper's mean and percentile"),
    )
    marks.legend_above(canvas, [Line2D([], [], label=text, **mark) for mark, text in handles])
    return canvas


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
        pair = printed_numbers.EIGENVALUES.get(law_family(law), ())
        ax.plot(pair, [row + 0.32] * len(pair), zorder=4, **PRINTED)
    ax.set_xlim(0, 1.1)  # a singular value of P can be above one
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
    ax.set_ylabel("")
    ax.tick_params(axis="y", length=0)


def _numbers(ax: Axes, data: pd.DataFrame, laws: list[str]) -> None:
    """Print means and percentiles in the rows of the laws, and the paper's numbers beside them."""
    style.print_only(ax)
    ax.set_xlim(0, 1)
    font: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.SMALL + 0.5}
    above = {**font, "transform": ax.get_xaxis_transform()}
    places = ((0.07, 0.19), (0.33, 0.45), (0.59, 0.71), (0.85, 0.96))
    columns = dict(zip([*QUANTITIES, "paper"], places, strict=True))
    for column, (left, right) in columns.items():
        ax.text((left + right) / 2, 1.13, QUANTITIES.get(column, "paper's"), **above)
        ax.text(left, 1.02, "mean", **above)
        ax.text(right, 1.02, "95%", **above)
    for row, law in enumerate(laws):
        matrices = data[data["law"] == law]
        for column in QUANTITIES:
            numbers = matrices[column].mean(), np.quantile(matrices[column], 0.95)
            for x, number in zip(columns[column], numbers, strict=True):
                ax.text(x, row, f"{number:.3f}".removeprefix("0"), **font)
    for family, pair in printed_numbers.EIGENVALUES.items():
        rows = [row for row, law in enumerate(laws) if law_family(law) == family]
        for x, number in zip(columns["paper"], pair, strict=True):
            if rows:
                ax.text(x, float(np.mean(rows)), f"{number:.2f}".removeprefix("0"), **font)
        if len(rows) > 1:
            # The paper prints one pair for normal rows, whatever their normalisation.
            ax.plot([0.79, 0.79], [rows[0] - 0.3, rows[-1] + 0.3], color=style.GREY, lw=0.6)


def law_family(law: str) -> str:
    """Return the law without its normalisation, for which the paper prints its numbers."""
    return "normal" if law in NORMAL_LAWS else law


def scales(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return mean and 95th percentile of λ₂, √λ₂ and σ₂ for each law, and the paper's numbers."""
    table = read(inputs.eigenvalues[0], EIGENVALUES)
    rows = []
    parts = dict(list(table.groupby("law")))
    for law in (name for name in ROW_LAWS if name in parts):
        pair = printed_numbers.EIGENVALUES[law_family(law)]
        for scale in QUANTITIES:
            values = parts[law][scale]
            rows.append((law, scale, values.mean(), values.quantile(0.95), *pair, len(values)))
    columns = ["law", "scale", "mean", "high", "printed_mean", "printed_high", "count"]
    return pd.DataFrame(rows, columns=columns)


@figure("Section 3.3", kind="eigenvalues", table=scales, unit="1")
def finding5_eigenvalue_scale(data: pd.DataFrame) -> Figure:
    """Draw mean and 95th percentile of each quantity and law beside the printed values."""
    canvas = style.canvas(style.PAGE, 2.7)
    ax = canvas.subplots()
    laws = list(dict.fromkeys(data["law"]))
    rows = np.arange(len(laws))
    handles = []
    for (scale, name, shift, marker), look in zip(
        (
            ("lambda2", "λ₂ of M(P)", -0.22, "o"),
            ("root", "its root", 0.0, "s"),
            ("singular", "σ₂ of P", 0.22, "D"),
        ),
        style.looks(["epoch-ucb", "epoch-greedy", "ucb"]),
        strict=True,
    ):
        part = data[data["scale"] == scale].set_index("law").loc[laws]
        ax.hlines(rows + shift, part["mean"], part["high"], color=look.color, lw=1.4)
        ax.plot(part["mean"], rows + shift, marker, color=look.color, ms=4.5)
        ax.plot(part["high"], rows + shift, "|", color=look.color, ms=8, mew=1.4)
        text = f"{name}, mean to 95%"
        handles.append(Line2D([], [], color=look.color, marker=marker, ms=4.5, label=text))
    for row, law in zip(rows, laws, strict=True):
        pair = data.loc[data["law"] == law, ["printed_mean", "printed_high"]].iloc[0]
        for value in pair:
            ax.plot([value, value], [row - 0.36, row + 0.36], color="black", lw=0.9, zorder=0)
    ax.set_yticks(rows, laws)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.05), xlabel="Eigenvalue or singular value")
    text = "the paper's pair"
    handles.append(Line2D([], [], color="black", marker="|", ms=9, ls="", label=text))
    marks.legend_above(canvas, handles)
    return canvas
