"""Labels beside the ends of lines, which are read without a way to a legend and back."""

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

__all__ = ["end_labels"]

SAMPLE = 0.26
"""Length in inches of the sample of a line that stands before its label."""
LINE = 1.13
"""Distance between labels in parts of their font size."""


Entries = Sequence[tuple[str, float, Look]]
"""Label, height in data coordinates, and look of each line."""


def end_labels(figure: Figure, panels: Sequence[tuple[Axes, Entries]]) -> None:
    """Write labels beside the right ends of lines, each with a sample of its line.

    Labels that would overlap are moved apart as little as possible, and joined to their ends. The
    figure's other parts must be there already: labels are spread in the height left to them.
    """
    figure.draw_without_rendering()
    for ax, entries in panels:
        if entries:
            _write(figure, ax, entries)


def _write(figure: Figure, ax: Axes, entries: Entries) -> None:
    # What comes from a solver is rounded: its last digits are not the same every time.
    height = round(ax.get_window_extent().height / figure.dpi * 72, 3)
    scaled = ax.transScale.transform([(1, y) for _, y, _ in entries])
    ends = np.clip(ax.transLimits.transform(scaled)[:, 1], 0, 1)
    places = spread(ends, LINE * SMALL / height)
    corner: Any = ax.transAxes
    inches = figure.dpi_scale_trans + ScaledTranslation(1, 0, corner)
    beside = blended_transform_factory(inches, ax.transAxes)
    for (label, _, look), end, place in zip(entries, ends, places, strict=True):
        fixed: dict[str, Any] = {"transform": beside, "clip_on": False}
        ax.add_line(Line2D([0.02, 0.09], [end, place], color=GREY, lw=0.4, **fixed))
        sample = {"color": look.color, "linestyle": look.dash, "lw": 1.5}
        ax.add_line(Line2D([0.11, 0.11 + SAMPLE], [place, place], **sample, **fixed))
        ax.text(0.15 + SAMPLE, place, label, fontsize=SMALL, va="center_baseline", **fixed)


def spread(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return places in [0, 1], a gap apart, with the least squared distance to the wanted ones.

    In the order of the wanted places, and minus i gaps for the i-th, that is isotonic regression.
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(wanted))
    blocks: list[tuple[float, int]] = []
    for entry in (wanted[order] - steps).tolist():
        blocks.append((entry, 1))
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [((a * m + b * n) / (m + n), m + n)]
    flat = np.repeat([place for place, _ in blocks], [count for _, count in blocks])
    room = 1 - steps[-1]
    # Too many labels for the height stand out above and beneath by the same length.
    flat = np.clip(flat, min(0, room / 2), max(room / 2, room))
    places = np.empty(len(wanted))
    places[order] = flat + steps
    return places
