"""Labels beside the ends of lines, which are quicker to read than a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation, blended_transform_factory
from numpy.typing import NDArray

from epochbandits.figures.style import GREY, SMALL, Look

__all__ = ["end_labels", "spread"]

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
    figure.draw_without_rendering()
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
    from scipy.optimize import isotonic_regression  # takes as long to import as a figure to draw

    order = np.argsort(targets, kind="stable")
    steps = gap * np.arange(len(targets))
    fitted = isotonic_regression(targets[order] - steps).x
    room = 1 - steps[-1]
    # Labels that do not fit into the height stick out above and below by the same length.
    fitted = np.clip(fitted, min(0, room / 2), max(room / 2, room))
    positions = np.empty(len(targets))
    positions[order] = fitted + steps
    return positions
