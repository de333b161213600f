"""One look for all figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.figure import Figure

__all__ = ["applied", "stamp"]


@contextmanager
def applied() -> Iterator[None]:
    """Draw with the house's settings, whatever the user's own are."""
    with mpl.rc_context({"svg.hashsalt": "epochbandits", "pdf.fonttype": 42}):
        yield


def stamp(figure: Figure, text: str) -> None:
    """Mark a figure that is not of a paper run."""
    figure.text(0.995, 0.005, text, ha="right", va="bottom", fontsize=7, color="0.5")
