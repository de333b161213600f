"""The panels over discounts that Figs 3b, 3c and 5 share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import labels, lines, style
from epochbandits.figures.lines import Series, Styled
from epochbandits.figures.style import Look

__all__ = ["discount_panels"]

NEAR_ONE = 0.9
"""Discounts between this and 1 have a separate panel: the printed L blows up there (E5)."""

TIME_AVERAGE = Look("black", (0, None))


def discount_panels(
    series: Sequence[Series],
    y: str,
    axis: str,
    draw: Callable[[Axes, Styled], None],
    reference: Styled = (),
) -> Figure:
    """Draw a row for each name: discounts up to NEAR_ONE, those close to 1, the ends of all.

    Parameters
    ----------
    y, axis : column to draw, and its name on the axis
    draw : draws series over epochs
    reference : series that do not depend on the discount, drawn in every panel over epochs
    """
    names = list(dict.fromkeys(one.name for one in series))
    gammas = sorted({one.gamma for one in series}, reverse=True)
    looks = _looks(gammas)
    near = [g for g in gammas if NEAR_ONE < g < 1]
    groups = [
        [g for g in gammas if g not in near],
        [g for g in gammas if g > NEAR_ONE] if near else [],
    ]
    groups = [group for group in groups if group]
    height = max(2.0, 0.8 + 0.135 * (len(groups[0]) + len(reference)))
    canvas = style.canvas(style.PAGE, 0.3 + height * len(names))
    widths = [*(1.15, 0.95)[: len(groups)], 1.1]
    grid = canvas.subplots(len(names), len(widths), squeeze=False, width_ratios=widths)
    fixed = [(one.label, lines.final_mean(one, y), look) for one, look in reference]
    labelled = []
    for row, name in zip(grid, names, strict=True):
        by_gamma = {one.gamma: one for one in series if one.name == name}
        for ax, group in zip(row, groups, strict=False):
            here = [(by_gamma[g], looks[g]) for g in group if g in by_gamma]
            draw(ax, [*reference, *here])
            entries = [
                (lines.discount_label(one.gamma), lines.final_mean(one, y), look)
                for one, look in here
            ]
            labelled.append((ax, [*fixed, *entries]))
            ax.set_title(name if ax is row[0] else "γ close to 1")
        rising = [(by_gamma[g], looks[g]) for g in reversed(gammas) if g in by_gamma]
        row[-1].set_yscale(row[0].get_yscale())
        lines.draw_finals(row[-1], rising, range(len(rising)), y)
        _ticks(row[-1], [one.gamma for one, _ in rising])
        row[0].set_ylabel(axis)
    lines.curve_legend(canvas, [(one, TIME_AVERAGE) for one in series])
    labels.end_labels(canvas, labelled)
    return canvas


def _ticks(ax: Axes, gammas: Sequence[float]) -> None:
    """Label equally spaced ticks with discounts: to scale, .95, .99 and 1 would coincide."""
    ax.set_xticks(range(len(gammas)), [f"{g:g}".removeprefix("0") for g in gammas])
    ax.set_xlim(-0.5, len(gammas) - 0.5)
    ax.set_xlabel("Discount γ (not to scale)")


def _looks(gammas: Sequence[float]) -> dict[float, Look]:
    """Return looks of falling discounts; the time average, γ = 1, stands out."""
    rest = [g for g in gammas if g != 1]
    return {1.0: TIME_AVERAGE, **dict(zip(rest, style.ramp(len(rest) + 1)[1:], strict=True))}
