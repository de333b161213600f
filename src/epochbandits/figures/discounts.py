"""Figures over discounts, of bounds and of measured regret, have the same panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import labels, lines, style
from epochbandits.figures.lines import Chosen, Series
from epochbandits.figures.style import Look

__all__ = ["panels"]

NEAR_ONE = 0.9
"""Discounts between this and 1 have a panel of their own: the printed L blows up there (E5)."""

TIME_AVERAGE = Look("black", (0, None))


def panels(
    found: Sequence[Series],
    y: str,
    axis: str,
    draw: Callable[[Axes, Chosen], None],
    reference: Chosen = (),
) -> Figure:
    """Draw a row for each name: discounts up to NEAR_ONE, those close to 1, the ends of all.

    Parameters
    ----------
    y, axis : column to draw, and its name on the axis
    draw : draws series over epochs
    reference : series that do not depend on the discount, drawn with all others
    """
    names = list(dict.fromkeys(one.name for one in found))
    gammas = sorted({one.gamma for one in found}, reverse=True)
    looks = _looks(gammas)
    near = [g for g in gammas if NEAR_ONE < g < 1]
    groups = [
        [g for g in gammas if g not in near],
        [g for g in gammas if g > NEAR_ONE] if near else [],
    ]
    groups = [group for group in groups if group]
    height = max(2.0, 0.8 + 0.135 * (len(groups[0]) + len(reference)))
    figure = style.canvas(style.PAGE, 0.3 + height * len(names))
    widths = [*(1.15, 0.95)[: len(groups)], 1.1]
    grid = figure.subplots(len(names), len(widths), squeeze=False, width_ratios=widths)
    labelled = []
    for row, name in zip(grid, names, strict=True):
        own = {one.gamma: one for one in found if one.name == name}
        for ax, group in zip(row, groups, strict=False):
            here = [*reference, *((own[g], looks[g]) for g in group if g in own)]
            draw(ax, here)
            labelled.append((ax, here))
            ax.set_title(name if ax is row[0] else "γ close to 1")
        rising = [(own[g], looks[g]) for g in reversed(gammas) if g in own]
        row[-1].set_yscale(row[0].get_yscale())
        lines.finals(row[-1], rising, range(len(rising)), y)
        _ticks(row[-1], [one.gamma for one, _ in rising])
        row[0].set_ylabel(axis)
    lines.explain(figure, [(one, TIME_AVERAGE) for one in found])
    known = [one for one, _ in reference]
    told = [
        (ax, [(_label(s, s not in known), lines.end(s, y), look) for s, look in here])
        for ax, here in labelled
    ]
    labels.end_labels(figure, told)
    return figure


def _label(one: Series, discounted: bool) -> str:
    return lines.discount(one.gamma) if discounted else one.label


def _ticks(ax: Axes, gammas: Sequence[float]) -> None:
    """Name equally spaced places by discounts, since .95, .99 and 1 would be one place to scale."""
    ax.set_xticks(range(len(gammas)), [f"{g:g}".removeprefix("0") for g in gammas])
    ax.set_xlim(-0.5, len(gammas) - 0.5)
    ax.set_xlabel("Discount γ (not to scale)")


def _looks(gammas: Sequence[float]) -> dict[float, Look]:
    """Return looks of falling discounts; the time average, γ = 1, stands out."""
    rest = [g for g in gammas if g != 1]
    return {1.0: TIME_AVERAGE, **dict(zip(rest, style.ramp(len(rest) + 1)[1:], strict=True))}
