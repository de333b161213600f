"""Small parts that figures of single values share: means with intervals, references, legends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import narrow, style
from epochbandits.figures.style import GREY, Look

__all__ = ["INTERVAL", "bar_handle", "errorbar", "legend_above", "line_handle", "unity"]


INTERVAL = "95% interval"
SHORT = 18
"""Letters of a legend's entry of which two fit into a narrow figure's width."""


def errorbar(ax: Axes, x: Any, rows: pd.DataFrame, look: Look) -> None:
    """Draw means at x, with their intervals where they have one."""
    low = (rows["mean"] - rows["low"]).clip(lower=0).fillna(0)
    high = (rows["high"] - rows["mean"]).clip(lower=0).fillna(0)
    ax.errorbar(x, rows["mean"], yerr=[low, high], fmt="o", ms=4, color=look.color, capsize=2,
                lw=1.2)  # fmt: skip


def unity(ax: Axes, text: str) -> None:
    """Draw a horizontal line at 1 and name it."""
    ax.axhline(1, color=GREY, lw=0.8, zorder=0)
    ax.annotate(text, (0.01, 1), xycoords=("axes fraction", "data"), xytext=(0, 2), color=GREY,
                textcoords="offset points", fontsize=style.SMALL)  # fmt: skip


def line_handle(look: Look, label: str, **more: Any) -> Line2D:
    """Return a legend entry for a line."""
    dash: Any = look.dash
    return Line2D([], [], color=look.color, linestyle=dash, label=label, **more)


def bar_handle(label: str) -> Line2D:
    """Return a legend entry for means with intervals."""
    return Line2D([], [], color=GREY, marker="o", ms=4, lw=1.2, label=label)


def legend_above(figure: Figure, handles: Sequence[Any], rows: int = 1) -> None:
    """Put a legend above all panels: in rows, or in columns as wide as the longest entry."""
    columns = -(-len(handles) // rows)
    if narrow.is_applied():
        columns = 1 if max(len(str(one.get_label())) for one in handles) > SHORT else 2
    figure.legend(
        handles=list(handles),
        loc="outside upper left",
        ncols=columns,
        borderaxespad=0.2,
        borderpad=0.2,
        columnspacing=1.4,
    )
