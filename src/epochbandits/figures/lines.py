"""What figures with curves share: the series of a table, how one is drawn, labels at line ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import ScaledTranslation, blended_transform_factory
from numpy.typing import NDArray

from epochbandits.figures.style import GREY, SMALL, Look, plain

__all__ = ["Series", "curve", "end_labels", "explain", "series", "text"]

KEY = 0.24
"""Length in inches of the sample of a line that stands before its label."""


class Series(NamedTuple):
    """One line of a figure: what it is, its mean over instances and the instances themselves."""

    label: str
    policy: str
    gamma: float
    value: float
    mean: pd.DataFrame
    instances: pd.DataFrame


def series(data: pd.DataFrame) -> list[Series]:
    """Return the series of a table of curves, in its order, with labels that tell them apart."""
    by = ["policy", "instances", "sampling", "gamma", "value"]
    mean, single = data[data["line"] == "mean"], data[data["line"] == "instance"]
    found: list[Series] = []
    for key, rows in mean.groupby(by, sort=False, dropna=False):
        same = np.logical_and.reduce(
            [_equal(single[name], k) for name, k in zip(by, key, strict=True)]
        )
        label = _label(data, rows.iloc[0])
        found.append(Series(label, key[0], key[3], key[4], rows, single[same]))
    return found


def _label(data: pd.DataFrame, row: Any) -> str:
    """Return a policy's label with what differs besides it: set, sampling, discount, value."""
    own = data[data["policy"] == row["policy"]]
    parts = [str(row["label"])]
    parts += [str(row[name]) for name in ("instances", "sampling") if own[name].nunique() > 1]
    if own["gamma"].nunique() > 1:
        parts.append(f"γ = {row['gamma']:g}")
    if own["value"].nunique() > 1:
        parts.append(plain(row["value"]))
    return ", ".join(parts)


def _equal(column: pd.Series, value: Any) -> Any:
    """Compare with a value, nan being equal to nan."""
    return column.isna() if pd.isna(value) else column == value


def text(label: str) -> str:
    """Return a label that is printed as it is: a user's own may have dollars, which start formulas."""
    return label.replace("$", r"\$")


def curve(
    ax: Axes,
    one: Series,
    look: Look,
    *,
    y: str = "expected_regret",
    floor: float | None = None,
    width: float = 1.5,
) -> None:
    """Draw a series: instances as thin lines, their mean's interval as a band, the mean on top.

    Parameters
    ----------
    floor : the band is not drawn beneath this, for logarithmic axes
    """
    thin = {"lw": 0.45, "alpha": 0.45, "color": look.color, "legend": False, "zorder": 2}
    if one.instances["instance"].nunique() > 1:
        sns.lineplot(one.instances, x="epoch", y=y, units="instance", estimator=None, ax=ax, **thin)
    low, high = one.mean["low"].to_numpy(), one.mean["high"].to_numpy()
    if np.isfinite(low).all():
        low = low if floor is None else np.maximum(low, floor)
        ax.fill_between(one.mean["epoch"], low, high, color=look.color, alpha=0.16, lw=0, zorder=1)
    style = {"lw": width, "color": look.color, "linestyle": look.dash, "legend": False, "zorder": 3}
    sns.lineplot(one.mean, x="epoch", y=y, estimator=None, ax=ax, label=f"_{one.label}", **style)


def explain(figure: Figure, mean: pd.DataFrame, instances: int, more: Sequence[Any] = ()) -> None:
    """Say above the panels what line, thin line and band are."""
    handles: list[Any] = [
        Line2D([], [], color=GREY, lw=1.5, label=f"mean of {instances} instances")
    ]
    if instances > 1:
        handles.append(Line2D([], [], color=GREY, lw=0.5, label="single instances"))
    else:
        handles[0].set_label("one instance")
    if np.isfinite(mean["low"]).all():
        handles.append(Patch(color=GREY, alpha=0.25, lw=0, label="95% t-interval over instances"))
    handles += more
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=len(handles),
        borderpad=0,
        borderaxespad=0.1,
        columnspacing=1.4,
    )


def end_labels(ax: Axes, entries: Sequence[tuple[str, float, Look]], width: float = 1.5) -> None:
    """Write labels beside the right ends of lines, each with a sample of its line.

    Labels that would overlap are moved apart as little as possible, and joined to their ends. The
    figure's other parts must be there already: labels are spread in the height that is left to them.

    Parameters
    ----------
    entries : label, height in data coordinates, look
    """
    figure = ax.figure
    figure.draw_without_rendering()  # type: ignore[union-attr]
    height = ax.get_window_extent().height / figure.dpi * 72
    ends = np.array([ax.transData.transform((1, y))[1] for _, y, _ in entries])
    ends = ax.transAxes.inverted().transform(np.column_stack([ends, ends]))[:, 1]
    places = _spread(np.clip(ends, 0, 1), 1.12 * SMALL / height)
    inches = figure.dpi_scale_trans + ScaledTranslation(1, 0, ax.transAxes)
    beside = blended_transform_factory(inches, ax.transAxes)
    for (label, _, look), end, place in zip(entries, ends, places, strict=True):
        fixed: dict[str, Any] = {"transform": beside, "clip_on": False}
        ax.add_line(Line2D([0.02, 0.1], [end, place], color=GREY, lw=0.4, **fixed))
        sample = {"color": look.color, "linestyle": look.dash, "lw": width}
        ax.add_line(Line2D([0.12, 0.12 + KEY], [place, place], **sample, **fixed))
        ax.text(0.16 + KEY, place, text(label), fontsize=SMALL, va="center_baseline", **fixed)


def _spread(wanted: NDArray[np.float64], gap: float) -> NDArray[np.float64]:
    """Return places in [0, 1] at least a gap apart with the least squared distance to the wanted ones.

    In the order of the wanted places minus i gaps, that is isotonic regression.
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(wanted))
    blocks: list[list[float]] = []
    for entry in (wanted[order] - steps).tolist():
        blocks.append([entry, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    flat = np.repeat([b[0] for b in blocks], [int(b[1]) for b in blocks])
    room = 1 - (steps[-1] if len(steps) else 0)
    # Too many labels for the height stand out on both sides by the same length.
    flat = (
        np.clip(flat, min(0, room / 2), max(0, room)) if room > 0 else np.full(len(flat), room / 2)
    )
    places = np.empty(len(wanted))
    places[order] = flat + steps
    return places
