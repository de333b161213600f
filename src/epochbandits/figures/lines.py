"""What figures with curves share: the series of a table, how one is drawn, what an axis shows."""

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

from epochbandits.figures import style
from epochbandits.figures.style import GREY, Look

__all__ = [
    "Chosen",
    "Series",
    "curves",
    "end",
    "explain",
    "finals",
    "frame",
    "key",
    "mean",
    "series",
]

BAND = 0.3
"""An axis shows a band this far beyond the lines, in parts of their range: an interval over two
instances is many times wider than all that can be seen of them."""


class Series(NamedTuple):
    """One line of a figure: what it is, its mean over instances and the instances themselves."""

    label: str
    name: str
    """The label without the discount."""
    policy: str
    gamma: float
    value: float
    mean: pd.DataFrame
    instances: pd.DataFrame


Chosen = Sequence[tuple[Series, Look]]


def series(data: pd.DataFrame) -> list[Series]:
    """Return the series of a table of curves, in its order, with labels that tell them apart."""
    by = ["policy", "instances", "sampling", "gamma", "value"]
    found: list[Series] = []
    for key, rows in data.groupby(by, sort=False, dropna=False):
        mean, single = rows[rows["line"] == "mean"], rows[rows["line"] == "instance"]
        own = data[data["policy"] == key[0]]
        parts = [style.text(str(rows["label"].iloc[0]))]
        parts += [
            part for part, name in zip(key[1:3], by[1:3], strict=True) if own[name].nunique() > 1
        ]
        if own["value"].nunique() > 1:
            parts.append(style.plain(key[4]))
        name = ", ".join(parts)
        label = f"{name}, {discount(key[3])}" if own["gamma"].nunique() > 1 else name
        found.append(Series(label, name, key[0], key[3], key[4], mean, single))
    return found


def discount(gamma: float) -> str:
    return f"γ = {gamma:g}"


def end(one: Series, y: str) -> float:
    """Return the mean at the last epoch."""
    return float(one.mean[y].iloc[-1])


def curves(ax: Axes, chosen: Chosen, y: str) -> None:
    """Draw series: instances as thin lines, their mean's interval as a band, the mean on top."""
    singles = [
        one.instances.assign(series=rank)
        for rank, (one, _) in enumerate(chosen)
        if one.instances["instance"].nunique() > 1
    ]
    if singles:
        sns.lineplot(
            pd.concat(singles, ignore_index=True),
            x="epoch",
            y=y,
            hue="series",
            palette={rank: look.color for rank, (_, look) in enumerate(chosen)},
            units="instance",
            estimator=None,
            lw=0.45,
            alpha=0.5,
            legend=False,
            zorder=2,
            ax=ax,
        )
    for one, look in chosen:
        # Many bands lie upon each other, and lines must stay visible on all of them.
        mean(ax, one, look, y, shade=0.15 if len(chosen) < 5 else 0.09)


def mean(
    ax: Axes, one: Series, look: Look, y: str, width: float = 1.5, shade: float = 0.15
) -> None:
    """Draw a series' mean over instances, and its interval in a shade of the colour."""
    epochs, low, high = (one.mean[name].to_numpy() for name in ("epoch", "low", "high"))
    if np.isfinite(low).all():
        # A band that reaches beneath zero is cut where logarithmic axes still show something.
        low = np.maximum(low, one.mean[y] / 1e3) if ax.get_yscale() == "log" else low
        ax.fill_between(epochs, low, high, color=look.color, alpha=shade, lw=0, zorder=1)
    shown = {"lw": width, "color": look.color, "linestyle": look.dash, "zorder": 3}
    ax.plot(epochs, one.mean[y].to_numpy(), gid=one.label, **shown)


def frame(ax: Axes, chosen: Chosen, y: str, least: Chosen = ()) -> None:
    """Set what the axes show of some series, their numbers, and the label beneath.

    Parameters
    ----------
    least : the series that the axis begins with, if not all
    """
    log_x, log_y = ax.get_xscale() == "log", ax.get_yscale() == "log"
    epochs = pd.concat([s.mean["epoch"] for s, _ in chosen])
    ax.set_xlim(epochs.min() if log_x else 0, max(epochs.max(), epochs.min() + 1))
    bottom = _reach([s for s, _ in least or chosen], y, log_y)[0]
    _limit(ax, bottom, _reach([s for s, _ in chosen], y, log_y)[1])
    spec = ax.get_subplotspec()
    narrow = spec is not None and spec.get_gridspec().ncols > 2
    style.counts(ax.xaxis, log_x, most=3 if narrow else 5)
    style.counts(ax.yaxis, log_y)
    if not log_y:
        ax.axhline(0, color="0.8", lw=0.5, zorder=0)
    ax.set_xlabel("Epochs (log scale)" if log_x and not log_y else "Epochs")


def _reach(found: Sequence[Series], y: str, log: bool, last: bool = False) -> tuple[float, float]:
    """Return the range of lines, and of their bands as far as BAND lets them; logarithms if log."""
    mean = pd.concat([s.mean.iloc[-1:] if last else s.mean for s in found])
    single = pd.concat([s.instances for s in found])
    single = single[single["epoch"] == single["epoch"].max()] if last else single
    values = pd.concat([mean[y], single[y]]).to_numpy()
    band = mean[["low", "high"]].to_numpy().ravel()
    band = band[np.isfinite(band) & ((band > 0) | (not log))]
    if log:
        values, band = np.log10(values), np.log10(band)
    bottom, top = values.min() if log else min(values.min(), 0), values.max()
    room = BAND * (top - bottom)
    low = max(band.min(initial=bottom), bottom - room)
    high = min(band.max(initial=top), top + room)
    return float(low), float(high)


def _limit(ax: Axes, low: float, high: float) -> None:
    """Set vertical limits with a margin."""
    edge = 0.03 * max(high - low, 1e-6)
    limits = low - edge, high + edge
    ax.set_ylim(*((10**v for v in limits) if ax.get_yscale() == "log" else limits))


def finals(ax: Axes, chosen: Chosen, places: Sequence[float], y: str) -> None:
    """Draw the last epoch's values against a parameter: instances thin, the mean with its interval.

    Parameters
    ----------
    places : horizontal coordinate of each series, rising
    """
    lasts = [s.instances.groupby("instance")[y].last() for s, _ in chosen]
    ends = pd.DataFrame(dict(enumerate(lasts))).T
    if ends.shape[1] > 1:
        for _, column in ends.items():
            ax.plot(places, column, color=GREY, lw=0.45, alpha=0.7, zorder=1)
    ax.plot(places, [end(s, y) for s, _ in chosen], color=GREY, lw=1, zorder=2)
    for place, (one, look) in zip(places, chosen, strict=True):
        last = one.mean.iloc[-1]
        if np.isfinite(last["low"]):
            floor = last[y] / 1e3 if ax.get_yscale() == "log" else -np.inf
            low, high = max(last["low"], floor), last["high"]
            ax.vlines(place, low, high, color=look.color, lw=2.6, alpha=0.4, zorder=2)
        ax.plot(place, last[y], "o", ms=3.8, color=look.color, zorder=3)
    log = ax.get_yscale() == "log"
    _limit(ax, *_reach([s for s, _ in chosen], y, log, last=True))
    style.counts(ax.yaxis, log)
    ax.set_title(f"after {style.plain(chosen[0][0].mean['epoch'].iloc[-1])} epochs")


def explain(figure: Figure, chosen: Chosen, more: Sequence[Any] = ()) -> None:
    """Say above the panels what line, thin line and band are."""
    count = max(s.instances["instance"].nunique() for s, _ in chosen)
    told = f"mean of {count} instances" if count > 1 else "one instance"
    handles: list[Any] = [Line2D([], [], color=GREY, lw=1.5, label=told)]
    if count > 1:
        handles.append(Line2D([], [], color=GREY, lw=0.5, label="single instances"))
        handles.append(Patch(color=GREY, alpha=0.25, lw=0, label="95% t-interval over instances"))
    key(figure, [*handles, *more])


def key(figure: Figure, handles: Sequence[Any]) -> None:
    """Put a legend above all panels."""
    figure.legend(
        handles=list(handles),
        loc="outside upper left",
        ncols=len(handles),
        borderaxespad=0.2,
        borderpad=0.2,
        columnspacing=1.4,
    )
