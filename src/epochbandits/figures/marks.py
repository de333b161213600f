"""Small parts that figures share: means with intervals, references, legends, labels of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation, blended_transform_factory
from numpy.typing import NDArray

from epochbandits.figures import narrow
from epochbandits.figures.style import GREY, SMALL, Look, compute_layout, looks
from epochbandits.stats import LEVEL

PERCENT = f"{LEVEL:.0%}"
"""Level of the intervals in figures."""
INTERVAL = f"{PERCENT} interval"
SHORT = 18
"""Longest legend entry, in letters, of which two fit across a narrow figure."""


def reach(rows: pd.DataFrame) -> list[pd.Series]:
    """Return how far intervals reach below and above their means; 0 where there is none."""
    sides = rows["mean"] - rows["low"], rows["high"] - rows["mean"]
    return [side.clip(lower=0).fillna(0) for side in sides]


def sampling_look(sampling: str) -> dict[str, Any]:
    """Return colour and shape of a sampling's points."""
    color = looks(["ucb" if sampling == "marginal" else "epoch-greedy"])[0].color
    return {"color": color, "marker": "o" if sampling == "marginal" else "s"}


def unity(ax: Axes, text: str) -> None:
    """Draw a horizontal line at 1 and name it."""
    ax.axhline(1, color=GREY, lw=0.8, zorder=0)
    ax.annotate(text, (0.01, 1), xycoords=("axes fraction", "data"), xytext=(0, 2), color=GREY,
                textcoords="offset points", fontsize=SMALL)  # fmt: skip


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
        columns = 1 if max(len(str(handle.get_label())) for handle in handles) > SHORT else 2
    figure.legend(
        handles=list(handles),
        loc="outside upper left",
        ncols=columns,
        borderaxespad=0.2,
        borderpad=0.2,
        columnspacing=1.4,
    )


# --- labels beside the ends of lines, which are quicker to read than a legend ---------------------

SAMPLE = 0.26
"""Length in inches of the sample of a line before its label."""
LINE = 1.13
"""Distance between labels, as a multiple of their font size."""


Entries = Sequence[tuple[str, float, Look]]
"""Label, height in data coordinates, and look of each line."""


def end_labels(figure: Figure, panels: Sequence[tuple[Axes, Entries]]) -> None:
    """Write labels beside the right ends of lines, each with a sample of its line.

    Labels that would overlap are moved apart as little as possible, and joined to the ends of their
    lines. Call this last: the height of the panels depends on the figure's other parts.
    """
    compute_layout(figure)
    for ax, entries in panels:
        if entries:
            _write(figure, ax, entries)


def _write(figure: Figure, ax: Axes, entries: Entries) -> None:
    # The layout comes from a solver, whose last digits differ from run to run: round them away.
    height = round(ax.get_window_extent().height / figure.dpi * 72, 3)
    scaled = ax.transScale.transform([(1, y) for _, y, _ in entries])
    ends = np.clip(ax.transLimits.transform(scaled)[:, 1], 0, 1)
    positions = spread(ends, LINE * SMALL / height)
    corner: Any = ax.transAxes
    inches = figure.dpi_scale_trans + ScaledTranslation(1, 0, corner)
    beside = blended_transform_factory(inches, ax.transAxes)
    for (label, _, look), end, position in zip(entries, ends, positions, strict=True):
        fixed: dict[str, Any] = {"transform": beside, "clip_on": False}
        ax.add_line(Line2D([0.02, 0.09], [end, position], color=GREY, lw=0.4, **fixed))
        sample = {"color": look.color, "linestyle": look.dash, "lw": 1.5}
        ax.add_line(Line2D([0.11, 0.11 + SAMPLE], [position, position], **sample, **fixed))
        ax.text(0.15 + SAMPLE, position, label, fontsize=SMALL, va="center_baseline", **fixed)


def spread(targets: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return positions in [0, 1], at least a gap apart, with the least squared distance to targets.

    With the targets sorted and i gaps taken from the i-th, this is isotonic regression.
    """
    order = np.argsort(targets, kind="stable")
    steps = gap * np.arange(len(targets))
    fitted = targets[order] - steps
    if (np.diff(fitted) < 0).any():  # SciPy's import takes a quarter of the time of a drawing
        from scipy.optimize import isotonic_regression

        fitted = isotonic_regression(fitted).x
    room = 1 - steps[-1]
    # Labels that do not fit into the height stick out above and below by the same length.
    fitted = np.clip(fitted, min(0, room / 2), max(room / 2, room))
    positions = np.empty(len(targets))
    positions[order] = fitted + steps
    return positions
