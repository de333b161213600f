"""Finding 5: on which scale the paper's eigenvalues are."""

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
from epochbandits.theory import printed


def scales(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return mean and 95th percentile of λ₂ and √λ₂ for each law, and the paper's numbers."""
    table = read(inputs.eigenvalues[0], EIGENVALUES)
    rows = []
    for law, part in table.groupby("law", sort=False):
        pair = printed.EIGENVALUES[law_family(law)]
        for scale in QUANTITIES:
            values = part[scale]
            rows.append((law, scale, values.mean(), values.quantile(0.95), *pair, len(values)))
    columns = ["law", "scale", "mean", "high", "printed_mean", "printed_high", "count"]
    return pd.DataFrame(rows, columns=columns)


@figure("Section 3.3", kind="eigenvalues", table=scales, unit="1")
def finding5_eigenvalue_scale(data: pd.DataFrame) -> Figure:
    """Draw mean and 95th percentile of both scales for each law beside the printed values."""
    canvas = style.canvas(style.PAGE, 2.4)
    ax = canvas.subplots()
    laws = list(dict.fromkeys(data["law"]))
    rows = np.arange(len(laws))
    handles = []
    for (scale, name, shift, marker), look in zip(
        (("lambda2", "λ₂", -0.13, "o"), ("root", "√λ₂", 0.13, "s")),
        style.looks(["epoch-ucb", "epoch-greedy"]),
        strict=True,
    ):
        part = data[data["scale"] == scale].set_index("law").loc[laws]
        ax.hlines(rows + shift, part["mean"], part["high"], color=look.color, lw=1.4)
        ax.plot(part["mean"], rows + shift, marker, color=look.color, ms=4.5)
        ax.plot(part["high"], rows + shift, "|", color=look.color, ms=8, mew=1.4)
        text = f"{name}: mean to 95th percentile"
        handles.append(Line2D([], [], color=look.color, marker=marker, ms=4.5, label=text))
    for row, law in zip(rows, laws, strict=True):
        pair = data.loc[data["law"] == law, ["printed_mean", "printed_high"]].iloc[0]
        ax.plot(pair, [row, row], "x", color="black", ms=5.5, mew=1.2, zorder=4)
    ax.set_yticks(rows, laws)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("Eigenvalue of M(P), or its square root")
    text = "the paper's mean and percentile"
    handles.append(Line2D([], [], color="black", marker="x", ls="", label=text))
    marks.legend_above(canvas, handles)
    return canvas
