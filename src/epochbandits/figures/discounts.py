"""Fig. 5, finding 3: regret over discounts; and the panels that Figs 3 and 5 share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import labels, lines, marks, style
from epochbandits.figures.lines import Series, Styled
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.regret import AXIS, Y, draw_regret, regret_curves
from epochbandits.figures.style import Look
from epochbandits.figures.tables import read
from epochbandits.io.schemas import FINALS
from epochbandits.stats import t_interval

NEAR_ONE = 0.9
"""Discounts between this and 1 have a separate panel: the printed L blows up there (E5)."""

TIME_AVERAGE = Look("black", (0, None))


# --- Fig. 5 ---------------------------------------------------------------------------------------


@figure("Fig. 5a", kind="experiments", table=regret_curves)
def fig5a_ucb_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret for several discounts, and its end against the discount."""
    return panels(lines.make_series(data), Y, AXIS, draw_regret)


@figure("Fig. 5b", kind="experiments", table=regret_curves)
def fig5b_greedy_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret for several discounts, with a tuned and with the theory's c."""
    return panels(lines.make_series(data), Y, AXIS, draw_regret)


def panels(
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


# --- finding 3 ------------------------------------------------------------------------------------


def discount_classes(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return EpochUCB's final regret at γ over that at 1, for each class of instances."""
    finals = pd.concat([read(path, FINALS) for path in inputs.finals], ignore_index=True)
    finals = finals[finals["policy"] == "epoch-ucb"]
    regret = finals.groupby(["instances", "gamma", "instance"])[Y].mean()
    names = regret.index.get_level_values(0).unique()
    classes = [settings.sets[name].get("class") or name for name in names]
    rows = []
    for name, kind in zip(names, classes, strict=True):
        label = kind if classes.count(kind) == 1 else name
        table = regret[name].unstack()
        for gamma in table.index:
            ratio = t_interval(table.loc[gamma] / table.loc[1.0])
            rows.append((label, gamma, *ratio, table.shape[1]))
    return pd.DataFrame(rows, columns=["instances", "gamma", "mean", "low", "high", "count"])


@figure("Fig. 5a", kind="experiments", table=discount_classes, sources=None, unit="1")
def finding3_discount_classes(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret at γ over that at 1, for each class."""
    names = list(dict.fromkeys(data["instances"]))
    styled = [*zip(names, style.looks(names), strict=True)]
    canvas = style.canvas(style.PAGE, 2.8)
    ax = canvas.subplots()
    ax.set_yscale("log")
    for name, look in styled:
        rows = data[data["instances"] == name].sort_values("gamma")
        ax.fill_between(rows["gamma"], rows["low"].clip(lower=rows["mean"] / 100), rows["high"],
                        color=look.color, alpha=0.12, lw=0)  # fmt: skip
        ax.plot(
            rows["gamma"], rows["mean"], color=look.color, linestyle=look.dash, marker="o", ms=3
        )
    marks.unity(ax, "as with time averages")
    ax.set_xlabel("Discount γ")
    ax.set_ylabel("Regret at γ over regret at 1")
    style.number_axis(ax.yaxis, log=True)
    marks.legend_above(canvas, [marks.line_handle(look, name) for name, look in styled])
    return canvas
