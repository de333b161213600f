"""Figs 4 to 6: measured regret of policies, over the decay of c and over discounts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import discounts, labels, lines, style
from epochbandits.figures.lines import Chosen
from epochbandits.validation import InputError

__all__ = [
    "fig4a_ucb_vs_greedy",
    "fig4b_greedy_decay",
    "fig5a_ucb_discount",
    "fig5b_greedy_discount",
    "fig6a_baselines_4x4",
    "fig6b_baselines_4x8",
]

Y, AXIS = "expected_regret", "Expected regret (reward)"


def fig4a_ucb_vs_greedy(data: pd.DataFrame) -> Figure:
    """Draw the regret of both epoch algorithms on linear and on semilogarithmic axes."""
    return _comparison(data)


def fig4b_greedy_decay(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret as its constant c* is decayed, and its end against the decay."""
    found = lines.series(data)
    swept = sorted((s for s in found if not np.isnan(s.value)), key=lambda s: s.value)
    if not swept:
        raise InputError("fig4b_greedy_decay needs a policy whose constant is swept")
    fixed = [s for s in found if np.isnan(s.value)]
    decayed = [*zip(swept, style.ramp(len(swept)), strict=True)]
    others = [*zip(fixed, style.looks([s.policy for s in fixed]), strict=True)]
    figure = style.canvas(style.PAGE, max(2.5, 0.8 + 0.135 * len(found)))
    left, right = figure.subplots(1, 2, width_ratios=(1.1, 1))
    _draw(left, [*others, *decayed])
    left.set_ylabel(AXIS)
    right.set_xscale("log")
    lines.finals(right, decayed, [s.value for s in swept], Y)
    for one, look in others:
        last = one.mean.iloc[-1]
        right.axhline(last[Y], color=look.color, linestyle=look.dash, lw=1.3, zorder=1)
        if np.isfinite(last["low"]):
            right.axhspan(last["low"], last["high"], color=look.color, alpha=0.15, lw=0, zorder=0)
    right.set_ylim(min(right.get_ylim()[0], left.get_ylim()[0]), right.get_ylim()[1])
    style.counts(right.xaxis, log=True)
    right.set_xlabel("Factor by which c* is divided")
    lines.explain(figure, [*others, *decayed])
    reference = [(s.label, lines.end(s, Y), look) for s, look in others]
    swept_labels = [(_decayed(s.value), lines.end(s, Y), look) for s, look in decayed]
    labels.end_labels(figure, [(left, [*reference, *swept_labels]), (right, reference)])
    return figure


def fig5a_ucb_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret for several discounts, and its end against the discount."""
    return discounts.panels(lines.series(data), Y, AXIS, _draw)


def fig5b_greedy_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret for several discounts, with a tuned and with the theory's c."""
    return discounts.panels(lines.series(data), Y, AXIS, _draw)


def fig6a_baselines_4x4(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with as many states as arms."""
    return _comparison(data)


def fig6b_baselines_4x8(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with more states than arms."""
    return _comparison(data)


def _comparison(data: pd.DataFrame) -> Figure:
    """Draw policies on linear and on semilogarithmic axes, where logarithmic growth is a line."""
    found = lines.series(data)
    chosen = [*zip(found, style.looks([s.policy for s in found]), strict=True)]
    figure = style.canvas(style.PAGE, max(2.5, 0.8 + 0.135 * len(found)))
    left, right = figure.subplots(1, 2, sharey=True)
    right.set_xscale("log")
    for ax in (left, right):
        _draw(ax, chosen)
    left.set_ylabel(AXIS)
    lines.explain(figure, chosen)
    entries = [(s.label, lines.end(s, Y), look) for s, look in chosen]
    labels.end_labels(figure, [(right, entries)])
    return figure


def _draw(ax: Axes, chosen: Chosen) -> None:
    lines.curves(ax, chosen, Y)
    lines.frame(ax, chosen, Y)
    ax.set_ylabel("")


def _decayed(factor: float) -> str:
    return "c*" if factor == 1 else f"c*/{style.plain(factor)}"
