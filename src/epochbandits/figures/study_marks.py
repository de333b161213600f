"""What the pictures of the studies share: heat maps of shares, and contrasts with intervals."""

from __future__ import annotations

import math
import textwrap

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from epochbandits.figures import style
from epochbandits.figures.marks import sampling_look
from epochbandits.figures.study_tables import SAMPLINGS
from epochbandits.stats import LEVEL


def short(value: float) -> str:
    """Return a share as text: two digits, without a leading zero."""
    if not math.isfinite(value):
        return "–"
    return f"{value:.2f}".replace("0.", ".", 1)


def heat(ax: Axes, table: pd.DataFrame, numbers: bool = True, top: float = 1.0) -> None:
    """Draw a table of shares as a heat map, with its numbers."""
    values = table.to_numpy(dtype=float)
    ax.imshow(values, cmap=mpl.colormaps["Blues"], vmin=0, vmax=top, aspect="auto",
              interpolation="nearest")  # fmt: skip
    if numbers:
        for (y, x), value in np.ndenumerate(values):
            ax.text(x, y, short(value), ha="center", va="center", fontsize=style.SMALL,
                    color="white" if value > 0.6 * top else "black")  # fmt: skip
    ax.set_xticks(range(values.shape[1]), [str(name) for name in table.columns], rotation=35,
                  ha="right", rotation_mode="anchor")  # fmt: skip
    ax.set_yticks(range(values.shape[0]), [str(name) for name in table.index])
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def sampling_handles() -> list[Line2D]:
    """Return legend entries of the samplings."""
    return [
        Line2D([], [], lw=0, ms=4, label=f"state {text}", **sampling_look(name))
        for name, text in SAMPLINGS.items()
    ]


def contrasts(ax: Axes, rows: pd.DataFrame, key: str) -> None:
    """Draw differences with intervals, a line for each; hollow: not significant after Holm."""
    names = list(dict.fromkeys(rows[key]))
    samplings = list(dict.fromkeys(rows["sampling"]))
    for i, sampling in enumerate(samplings):
        look = sampling_look(sampling)
        for row in rows[rows["sampling"] == sampling].itertuples():
            y = names.index(str(getattr(row, key))) + 0.28 * (i - (len(samplings) - 1) / 2)
            ax.plot([row.low, row.high], [y, y], color=look["color"], lw=1.1)
            filled = 1 - row.p_holm > LEVEL
            ax.plot(row.mean, y, look["marker"], ms=3.8, color=look["color"],
                    mfc=look["color"] if filled else "white")  # fmt: skip
    ax.axvline(0, color=style.GREY, lw=0.7, zorder=0)
    ax.set_yticks(range(len(names)),
                  [textwrap.fill(style.escaped(name), 26) for name in names])  # fmt: skip
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.yaxis.tick_right()
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
