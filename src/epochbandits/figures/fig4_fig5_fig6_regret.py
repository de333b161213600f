"""Figs 4 to 6: measured regret of policies, over decays of c* and discounts; of any experiment."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import lines, marks, style
from epochbandits.figures.lines import Styled
from epochbandits.figures.registry import Drawing, Inputs, Settings, figure, spec_of
from epochbandits.figures.tables import in_policy_order, read, with_mean
from epochbandits.io.schemas import CURVES, REGRET_FIGURE
from epochbandits.validation import InputError

Y, AXIS = "expected_regret", "Expected regret (reward)"


def regret_curves(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret curves of the policies: of each instance, and their mean."""
    table = read(inputs.curves[0], CURVES)
    table = table[table["policy"].isin(settings.policies)]
    by = ["policy", "instances", "sampling", "gamma", "value", "epoch"]
    result = with_mean(table, by, ["expected_regret", "regret", "iteration_regret"])
    result.insert(1, "label", result["policy"].map(settings.labels))
    return in_policy_order(result, settings.policies)


@figure("Fig. 4a", kind="experiments", table=regret_curves)
def fig4a_ucb_vs_greedy(data: pd.DataFrame) -> Figure:
    """Draw the regret of both epoch algorithms on linear and on semilogarithmic axes."""
    return draw_comparison(data)


@figure("Fig. 4b", kind="experiments", table=regret_curves)
def fig4b_greedy_decay(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret as its constant c* is decayed, and its last value by decay."""
    series = lines.make_series(data)
    swept = sorted((s for s in series if not np.isnan(s.value)), key=lambda s: s.value)
    if not swept:
        raise InputError("fig4b_greedy_decay needs a policy whose constant is swept")
    fixed = [s for s in series if np.isnan(s.value)]
    decayed = [*zip(swept, style.ramp(len(swept)), strict=True)]
    others = [*zip(fixed, style.looks([s.policy for s in fixed]), strict=True)]
    canvas = style.canvas(style.PAGE, max(2.5, 0.8 + 0.135 * len(series)))
    left, right = canvas.subplots(1, 2, width_ratios=(1.1, 1))
    draw_regret(left, [*others, *decayed])
    left.set_ylabel(AXIS)
    right.set_xscale("log")
    lines.draw_finals(right, decayed, [s.value for s in swept], Y)
    for curve, look in others:
        last = curve.mean.iloc[-1]
        right.axhline(last[Y], color=look.color, linestyle=look.dash, lw=1.3, zorder=1)
        if np.isfinite(last["low"]):
            right.axhspan(last["low"], last["high"], color=look.color, alpha=0.15, lw=0, zorder=0)
    right.set_ylim(min(right.get_ylim()[0], left.get_ylim()[0]), right.get_ylim()[1])
    style.number_axis(right.xaxis, log=True)
    right.set_xlabel("Factor by which c* is divided")
    lines.curve_legend(canvas, [*others, *decayed])
    reference = [(s.label, lines.final_mean(s, Y), look) for s, look in others]
    swept_labels = [(_divided(s.value), lines.final_mean(s, Y), look) for s, look in decayed]
    marks.end_labels(canvas, [(left, [*reference, *swept_labels]), (right, reference)])
    return canvas


@figure("Fig. 5a", kind="experiments", table=regret_curves)
def fig5a_ucb_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret for several discounts, and its last value by discount."""
    return lines.discount_panels(lines.make_series(data), Y, AXIS, draw_regret)


@figure("Fig. 5b", kind="experiments", table=regret_curves)
def fig5b_greedy_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret for several discounts, with a tuned and with the theory's c."""
    return lines.discount_panels(lines.make_series(data), Y, AXIS, draw_regret)


@figure("Fig. 6a", kind="experiments", table=regret_curves)
def fig6a_baselines_4x4(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with as many states as arms."""
    return draw_comparison(data)


@figure("Fig. 6b", kind="experiments", table=regret_curves)
def fig6b_baselines_4x8(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with more states than arms."""
    return draw_comparison(data)


def draw_regret(ax: Axes, styled: Styled) -> None:
    """Draw regret curves, and set the limits of the axes by them."""
    lines.draw_curves(ax, styled, Y)
    lines.set_limits(ax, styled, Y)
    ax.set_ylabel("")


def draw_comparison(data: pd.DataFrame, unit: str = "instances") -> Figure:
    """Draw policies on linear and on semilogarithmic axes, where logarithmic growth is a line.

    ``unit`` says what the single lines of a policy are.
    """
    series = lines.make_series(data)
    styled = [*zip(series, style.looks([s.policy for s in series]), strict=True)]
    canvas = style.canvas(style.PAGE, max(2.5, 0.8 + 0.135 * len(series)))
    left, right = canvas.subplots(1, 2, sharey=True)
    right.set_xscale("log")
    for ax in (left, right):
        draw_regret(ax, styled)
    left.set_ylabel(AXIS)
    lines.curve_legend(canvas, styled, unit=unit)
    entries = [(s.label, lines.final_mean(s, Y), look) for s, look in styled]
    marks.end_labels(canvas, [(right, entries)])
    return canvas


def _divided(factor: float) -> str:
    return "c*" if factor == 1 else f"c*/{style.number(factor)}"


# --- the figures ``regret_<experiment>`` ----------------------------------------------------------


def regret_table(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret curves of all policies, with the parameter that each of them sweeps."""
    table = regret_curves(inputs, settings)
    table.insert(2, "parameter", table["policy"].map(dict(settings.swept)).fillna(""))
    return table


DRAWING = Drawing(spec_of(REGRET_FIGURE), regret_table, draw_comparison)
