"""The style of all figures: sizes, theme, colours with dashes, numbers on axes, the stamp.

Theme and colours are seaborn's "ticks" and "colorblind". They are copied because importing seaborn
takes as long as drawing a figure; only the modules that draw with it do so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from epochbandits.figures import narrow

COLUMN, PAGE = 3.25, 6.75
"""Widths in inches of one column and of the whole page; figures are printed at this size."""
SMALL = 7.5
"""Smallest font size in points."""
GREY = "0.45"

Dash = tuple[float, tuple[float, ...] | None]

# Seven dashes and eight colours: no pair repeats before 56 series. Neighbours differ in both, so
# that series are distinct without colour.
_DASHES: tuple[Dash, ...] = (
    (0, None),
    (0, (5, 1.6)),
    (0, (1.2, 1.2)),
    (0, (5, 1.4, 1.2, 1.4)),
    (0, (2.6, 1.2)),
    (0, (8, 1.6, 2.4, 1.6)),
    (0, (4, 1.3, 1.1, 1.3, 1.1, 1.3)),
)
_BLUE, _ORANGE, _GREEN, _RED = "#0173b2", "#de8f05", "#029e73", "#d55e00"
_PURPLE, _SKY, _PLUM = "#cc78bc", "#56b4e9", "#591e71"
# Neighbours differ in lightness: series seven places apart share a dash and have adjacent colours.
_COLOURS = (_BLUE, _RED, "#222222", _PURPLE, _SKY, _GREEN, _ORANGE, _PLUM)

# A policy looks the same in every figure, and so do its variants in the configuration.
_SLOTS = {
    "epoch-ucb": 0,
    "epoch-greedy": 1,
    "epoch-greedy-theory": 1,
    "epoch-greedy-decayed": 1,
    "epoch-greedy-failure": 1,
    "ucb": 2,
    "ucb-tuned": 3,
    "eps-greedy": 4,
    "eps-greedy-auer": 4,
    "exp3": 5,
    "q-learning": 6,
}

_TICKS: dict[str, Any] = {
    "color": ".15",
    "labelsize": SMALL,
    "major.pad": 2,
    "major.size": 3,
    "major.width": 0.6,
    "minor.size": 1.8,
    "minor.width": 0.4,
}
_SETTINGS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": ".15",
    "axes.labelcolor": ".15",
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "text.color": ".15",
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 8.5,
    "axes.titlepad": 4,
    "axes.labelpad": 2.5,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.04,
    "figure.dpi": 100,
    # Both fonts come with matplotlib; DejaVu has the letters that STIX lacks.
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "font.size": 8.5,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "lines.linewidth": 1.4,
    "lines.scale_dashes": True,
    "mathtext.fontset": "stix",
    "patch.linewidth": 0.6,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "savefig.dpi": 300,
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    # Without hinting, text has the width of the layout in every format and resolution.
    "text.hinting": "none",
    "svg.hashsalt": "epochbandits",
    **{f"{axis}tick.{name}": value for axis in "xy" for name, value in _TICKS.items()},
}


class Look(NamedTuple):
    """Colour and dash of a series."""

    color: Any
    dash: Dash


@contextmanager
def applied() -> Iterator[None]:
    """Draw and write files with these settings, whatever the user's settings are."""
    # The backend stays as it is: figures are drawn without pyplot and need none.
    settings: Any = {**mpl.rcParamsDefault, **_SETTINGS}
    del settings["backend"]
    with mpl.rc_context(settings):
        yield


def canvas(width: float, height: float) -> Figure:
    """Return an empty figure with automatic layout; width and height in inches."""
    if narrow.is_applied():
        return narrow.NarrowFigure(figsize=(min(width, COLUMN), height), layout="constrained")
    return Figure(figsize=(width, height), layout="constrained")


def print_only(ax: Axes) -> None:
    """Hide all of a panel except its texts; in a narrow figure the rows' names stay, too."""
    if not narrow.is_applied():
        ax.axis("off")
        return
    ax.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.tick_params(length=0)


def looks(policies: Sequence[str]) -> list[Look]:
    """Return a distinct look for each policy: its usual one if that is free, else the next free."""
    free = (i for i in itertools.count() if i not in _SLOTS.values())
    used: set[int] = set()
    result = []
    for policy in policies:
        slot = _SLOTS.get(policy, -1)
        if slot < 0 or slot in used:
            slot = next(i for i in free if i not in used)
        used.add(slot)
        result.append(Look(_COLOURS[slot % len(_COLOURS)], _DASHES[slot % len(_DASHES)]))
    return result


def ramp(count: int) -> list[Look]:
    """Return looks for ordered values, from dark to light and without the palest colours."""
    spare = max(2, count // 3)
    colours = mpl.colormaps["viridis"](np.linspace(0, 1, count + spare + 2))[1 : count + 1, :3]
    return [Look(tuple(row), _DASHES[i % len(_DASHES)]) for i, row in enumerate(colours)]


def number_axis(axis: Axis, log: bool = False, most: int = 5) -> None:
    """Put a few numbers, with thousands separated, on an axis whose limits are set."""
    if log:
        low, high = axis.get_view_interval()
        few = high < 30 * low
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,), numticks=2 * most))
        axis.set_minor_formatter(NullFormatter())
        # The labels of decades are close together, so powers of ten begin earlier.
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value, 1e5 if few else 1e4)))
    else:
        axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]))
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))


def number(value: float, powers: float = 1e5) -> str:
    """Return a number as text: thousands separated, and from ``powers`` on as a power of ten."""
    size = abs(value)
    if size >= powers:
        mantissa, exponent = f"{value:.3e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        power = f"10^{{{int(exponent)}}}"
        return f"${power}$" if mantissa == "1" else f"${mantissa}\\cdot {power}$"
    if size >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.6g}".replace("-", "−")


def compute_layout(figure: Figure) -> None:
    """Place the axes as drawing the figure would, in half the time."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    for ax in figure.axes:
        ax.apply_aspect()  # drawing would also ask a locator, but no axes have one


def fix_layout(figure: Figure) -> None:
    """Compute the layout once and round it: its last digits differ from run to run."""
    compute_layout(figure)
    figure.set_layout_engine(None)  # with "none", every file would be drawn twice
    for ax in figure.axes:
        ax.set_position([round(part, 6) for part in ax.get_position().bounds])  # type: ignore[arg-type]


def escaped(label: str) -> str:
    """Return a label that is printed literally: a dollar sign would start a formula."""
    return label.replace("$", r"\$")


def stamp(figure: Figure, text: str) -> None:
    """Mark a figure of a run other than the paper run, in the lower left corner."""
    figure.text(
        0.004, 0.004, text, ha="left", va="bottom", fontsize=SMALL, color=GREY, style="italic"
    )
