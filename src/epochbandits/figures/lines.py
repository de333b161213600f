"""What figures with curves share: the series of a table, how one is drawn, panels by discount."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from epochbandits.figures import marks, style
from epochbandits.figures.style import GREY, Look

BAND = 0.3
"""An axis shows a band this far beyond the lines, as a share of their range: an interval over two
instances is many times wider than the lines themselves."""


FIRST_PANEL = 0.9
"""Largest discount of the first panel; those between it and 1 have a second (E5)."""

TIME_AVERAGE = Look("black", (0, None))


class Series(NamedTuple):
    """One line of a figure: what it is, its mean over instances and the instances."""

    label: str
    name: str
    """The label without the discount."""
    policy: str
    gamma: float
    value: float
    mean: pd.DataFrame
    instances: pd.DataFrame


Styled = Sequence[tuple[Series, Look]]
"""Series with their looks."""


def make_series(data: pd.DataFrame) -> list[Series]:
    """Return the series of a table of curves, in its order, with labels that tell them apart.

    A column ``parameter`` names what each policy sweeps.
    """
    by = ["policy", "instances", "sampling", "gamma", "value"]
    result: list[Series] = []
    for (policy, instances, sampling, gamma, value), rows in data.groupby(
        by, sort=False, dropna=False
    ):
        mean, single = rows[rows["line"] == "mean"], rows[rows["line"] == "instance"]
        varied = data[data["policy"] == policy][by].nunique() > 1
        parts = [style.escaped(str(rows["label"].iloc[0]))]
        parts += [instances] if varied["instances"] else []
        parts += [sampling] if varied["sampling"] else []
        # Tables of any experiment name what a policy sweeps.
        parameter = str(rows["parameter"].iloc[0]) if "parameter" in rows else ""
        swept = f"{style.escaped(parameter)} = " if parameter else ""
        parts += [f"{swept}{style.number(value)}"] if varied["value"] else []
        name = ", ".join(parts)
        label = f"{name}, {discount_label(gamma)}" if varied["gamma"] else name
        result.append(Series(label, name, policy, gamma, value, mean, single))
    return result


def discount_label(gamma: float) -> str:
    """Return a discount as text."""
    return f"γ = {gamma:g}"


def final_mean(curve: Series, y: str) -> float:
    """Return the mean at the last epoch."""
    return float(curve.mean[y].iloc[-1])


def draw_curves(ax: Axes, styled: Styled, y: str) -> None:
    """Draw series: instances as thin lines, their mean's interval as a band, the mean on top."""
    for curve, look in styled:
        thin = {"color": look.color, "lw": 0.45, "alpha": 0.5, "zorder": 2}
        groups = curve.instances.groupby("instance")
        for _, rows in groups if len(groups) > 1 else ():
            ax.plot(rows["epoch"].to_numpy(), rows[y].to_numpy(), **thin)
    for curve, look in styled:
        # Where many bands overlap, paler ones keep the lines visible.
        draw_mean(ax, curve, look, y, shade=0.15 if len(styled) < 5 else 0.09)


def draw_mean(
    ax: Axes, curve: Series, look: Look, y: str, width: float = 1.5, shade: float = 0.15
) -> None:
    """Draw a series' mean over instances, and its interval in a shade of the colour."""
    epochs, low, high = (curve.mean[name].to_numpy() for name in ("epoch", "low", "high"))
    if np.isfinite(low).all():
        # A logarithmic axis cannot show a band that reaches below zero: cut it.
        low = np.maximum(low, curve.mean[y] / 1e3) if ax.get_yscale() == "log" else low
        ax.fill_between(epochs, low, high, color=look.color, alpha=shade, lw=0, zorder=1)
    shown = {"lw": width, "color": look.color, "linestyle": look.dash, "zorder": 3}
    ax.plot(epochs, curve.mean[y].to_numpy(), gid=curve.label, **shown)


def set_limits(ax: Axes, styled: Styled, y: str, lowest: Styled = ()) -> None:
    """Set the limits of both axes, their numbers, and the label of the horizontal one.

    Parameters
    ----------
    lowest : Styled
        The series that set the lower limit, if not all.
    """
    log_x, log_y = ax.get_xscale() == "log", ax.get_yscale() == "log"
    epochs = pd.concat([s.mean["epoch"] for s, _ in styled])
    ax.set_xlim(epochs.min() if log_x else 0, max(epochs.max(), epochs.min() + 1))
    bottom = _range([s for s, _ in lowest or styled], y, log_y)[0]
    _set_vertical(ax, bottom, _range([s for s, _ in styled], y, log_y)[1])
    spec = ax.get_subplotspec()
    narrow = spec is not None and spec.get_gridspec().ncols > 2
    style.number_axis(ax.xaxis, log_x, most=3 if narrow else 5)
    style.number_axis(ax.yaxis, log_y)
    if not log_y:
        ax.axhline(0, color="0.8", lw=0.5, zorder=0)
    ax.set_xlabel("Epochs (log scale)" if log_x and not log_y else "Epochs")


def _range(
    series: Sequence[Series], y: str, log: bool, last_only: bool = False
) -> tuple[float, float]:
    """Return the range of lines, and of their bands up to BAND beyond; of logarithms if log."""
    mean = pd.concat([s.mean.iloc[-1:] if last_only else s.mean for s in series])
    single = pd.concat([s.instances for s in series])
    single = single[single["epoch"] == single["epoch"].max()] if last_only else single
    values = pd.concat([mean[y], single[y]]).to_numpy()
    band = mean[["low", "high"]].to_numpy().ravel()
    band = band[np.isfinite(band) & ((band > 0) | (not log))]
    if log:
        values, band = np.log10(values), np.log10(band)
    bottom, top = values.min() if log else min(values.min(), 0), values.max()
    margin = BAND * (top - bottom)
    low = max(band.min(initial=bottom), bottom - margin)
    high = min(band.max(initial=top), top + margin)
    return float(low), float(high)


def _set_vertical(ax: Axes, low: float, high: float) -> None:
    """Set vertical limits with a margin."""
    edge = 0.03 * max(high - low, 1e-6)
    limits = low - edge, high + edge
    ax.set_ylim(*((10**v for v in limits) if ax.get_yscale() == "log" else limits))


def draw_finals(ax: Axes, styled: Styled, x: Sequence[float], y: str) -> None:
    """Draw the last epoch's values against a parameter: instances thin, the mean with its interval.

    Parameters
    ----------
    x : Sequence[float]
        Horizontal coordinate of each series, rising.
    """
    lasts = [s.instances.groupby("instance")[y].last() for s, _ in styled]
    ends = pd.DataFrame(dict(enumerate(lasts))).T
    if ends.shape[1] > 1:
        for _, column in ends.items():
            ax.plot(x, column, color=GREY, lw=0.45, alpha=0.7, zorder=1)
    ax.plot(x, [final_mean(s, y) for s, _ in styled], color=GREY, lw=1, zorder=2)
    log = ax.get_yscale() == "log"
    for position, (curve, look) in zip(x, styled, strict=True):
        last = curve.mean.iloc[-1]
        if np.isfinite(last["low"]):
            floor = last[y] / 1e3 if log else -np.inf
            low, high = max(last["low"], floor), last["high"]
            ax.vlines(position, low, high, color=look.color, lw=2.6, alpha=0.4, zorder=2)
        ax.plot(position, last[y], "o", ms=3.8, color=look.color, zorder=3)
    _set_vertical(ax, *_range([s for s, _ in styled], y, log, last_only=True))
    style.number_axis(ax.yaxis, log)
    ax.set_title(f"after {style.number(styled[0][0].mean['epoch'].iloc[-1])} epochs")


def curve_legend(
    figure: Figure, styled: Styled, more: Sequence[Any] = (), unit: str = "instances"
) -> None:
    """Explain the thick line, the thin lines and the band in a legend above the panels.

    A single line has no band: then there is nothing to explain. ``unit`` says what the thin lines
    are, in the plural.
    """
    counts = [s.instances["instance"].nunique() for s, _ in styled]
    count = max(counts)
    number = f"{count}" if min(counts) == count else f"{min(counts)} to {count}"
    text = f"mean of {number} {unit}" if count > 1 else f"one {unit.removesuffix('s')}"
    handles: list[Any] = [Line2D([], [], color=GREY, lw=1.5, label=text)]
    if count > 1:
        handles.append(Line2D([], [], color=GREY, lw=0.5, label=f"single {unit}"))
        interval = f"{marks.PERCENT} t-interval over {unit}"
        handles.append(Patch(color=GREY, alpha=0.25, lw=0, label=interval))
    marks.legend_above(figure, [*handles, *more])


# --- the panels over discounts of Figs 3b, 3c and 5 -----------------------------------------------


def discount_panels(
    series: Sequence[Series],
    y: str,
    axis: str,
    draw: Callable[[Axes, Styled], None],
    reference: Styled = (),
) -> Figure:
    """Draw a row for each name: discounts up to FIRST_PANEL, those close to 1, the ends of all.

    Parameters
    ----------
    y, axis : str
        Column to draw, and its name on the axis.
    draw : Callable[[Axes, Styled], None]
        Draws series over epochs.
    reference : Styled
        Series that do not depend on the discount, drawn in every panel over epochs.
    """
    names = list(dict.fromkeys(curve.name for curve in series))
    gammas = sorted({curve.gamma for curve in series}, reverse=True)
    looks = _looks(gammas)
    near = [g for g in gammas if FIRST_PANEL < g < 1]
    groups = [
        [g for g in gammas if g not in near],
        [g for g in gammas if g > FIRST_PANEL] if near else [],
    ]
    groups = [group for group in groups if group]
    height = max(2.0, 0.8 + 0.135 * (len(groups[0]) + len(reference)))
    canvas = style.canvas(style.PAGE, 0.3 + height * len(names))
    widths = [*(1.15, 0.95)[: len(groups)], 1.1]
    grid = canvas.subplots(len(names), len(widths), squeeze=False, width_ratios=widths)
    fixed = [(curve.label, final_mean(curve, y), look) for curve, look in reference]
    labelled = []
    for row, name in zip(grid, names, strict=True):
        by_gamma = {curve.gamma: curve for curve in series if curve.name == name}
        for ax, group in zip(row, groups, strict=False):
            here = [(by_gamma[g], looks[g]) for g in group if g in by_gamma]
            draw(ax, [*reference, *here])
            entries = [
                (discount_label(curve.gamma), final_mean(curve, y), look) for curve, look in here
            ]
            labelled.append((ax, [*fixed, *entries]))
            ax.set_title(name if ax is row[0] else "γ close to 1")
        rising = [(by_gamma[g], looks[g]) for g in reversed(gammas) if g in by_gamma]
        row[-1].set_yscale(row[0].get_yscale())
        draw_finals(row[-1], rising, range(len(rising)), y)
        _ticks(row[-1], [curve.gamma for curve, _ in rising])
        row[0].set_ylabel(axis)
    curve_legend(canvas, [(curve, TIME_AVERAGE) for curve in series])
    marks.end_labels(canvas, labelled)
    return canvas


def _ticks(ax: Axes, gammas: Sequence[float]) -> None:
    """Label equally spaced ticks with discounts: to scale, .95, .99 and 1 would coincide."""
    ax.set_xticks(range(len(gammas)), [f"{g:g}".removeprefix("0") for g in gammas])
    ax.set(xlim=(-0.5, len(gammas) - 0.5), xlabel="Discount γ (not to scale)")


def _looks(gammas: Sequence[float]) -> dict[float, Look]:
    """Return looks of falling discounts; the time average, γ = 1, stands out."""
    rest = [g for g in gammas if g != 1]
    return {1.0: TIME_AVERAGE, **dict(zip(rest, style.ramp(len(rest) + 1)[1:], strict=True))}
