"""Finding 5: which quantity the paper's eigenvalues are."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tab1_mixing import QUANTITIES, law_family
from epochbandits.figures.tables import read
from epochbandits.io.schemas import EIGENVALUES
from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.theory import printed_numbers


def scales(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return mean and 95th percentile of λ₂, √λ₂ and σ₂ for each law, and the paper's numbers."""
    table = read(inputs.eigenvalues[0], EIGENVALUES)
    rows = []
    parts = dict(list(table.groupby("law")))
    for law in (one for one in ROW_LAWS if one in parts):
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
    ax.set_xlim(0, 1.05)
    ax.set_xlabel("Eigenvalue or singular value")
    text = "the paper's pair"
    handles.append(Line2D([], [], color="black", marker="|", ms=9, ls="", label=text))
    marks.legend_above(canvas, handles)
    return canvas
