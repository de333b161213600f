"""The same figures at a phone's width: panels below each other, with text of the usual size.

Inside `applied`, `style.canvas` returns a figure as wide as one column. Its `subplots` returns the
axes in the shape that was requested, so that a drawing function need not know where they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from matplotlib.figure import Figure

TALLEST, LOWER = 2.1, 1.6
"""Largest height of a panel in inches; the second is for more than six panels."""
MANY = 4
"""More panels than this in one row go into two columns: they are narrow in the wide figure too."""

_state: ContextVar[bool] = ContextVar("narrow", default=False)


@contextmanager
def applied() -> Iterator[None]:
    """Draw narrow figures."""
    token = _state.set(True)
    try:
        yield
    finally:
        _state.reset(token)


def is_applied() -> bool:
    """Tell whether narrow figures are drawn."""
    return _state.get()


class NarrowFigure(Figure):
    """A figure whose panels are stacked; its height grows with their number."""

    def subplots(self, nrows: int = 1, ncols: int = 1, **options: Any) -> Any:
        """Return ``nrows × ncols`` axes in one column, or in two if they are many."""
        squeeze = options.pop("squeeze", True)
        for ratios in ("width_ratios", "height_ratios"):  # of the wide figure's rows and columns
            options.pop(ratios, None)
        count = nrows * ncols
        columns = 2 if nrows == 1 and ncols > MANY else 1
        rows = math.ceil(count / columns)
        panel = min(self.get_figheight() / nrows, TALLEST if rows <= 6 else LOWER)
        self.set_figheight(panel * rows + 0.25)
        grid = super().subplots(rows, columns, squeeze=False, **options)
        for spare in grid.ravel()[count:]:
            spare.remove()
        axes = grid.ravel()[:count].reshape(nrows, ncols)
        if not squeeze:
            return axes
        return axes.item() if count == 1 else np.squeeze(axes)
