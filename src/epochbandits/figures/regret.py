"""Figs 4 to 6: empirical regret of policies, over the decay of c and over discounts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import lines, style
from epochbandits.figures.lines import Series
from epochbandits.figures.style import Look

__all__ = [
    "fig4a_ucb_vs_greedy",
    "fig4b_greedy_decay",
    "fig5a_ucb_discount",
    "fig5b_greedy_discount",
    "fig6a_baselines_4x4",
    "fig6b_baselines_4x8",
]

NEAR_ONE = 0.9
"""Discounts above this and below 1 have a panel of their own: the printed L blows up there."""

EPOCHS, REGRET = "Epochs", "Expected regret (reward)"


def fig4a_ucb_vs_greedy(data: pd.DataFrame) -> Figure:
    """Draw the regret of both epoch algorithms on linear and on semilogarithmic axes."""
    return _comparison(data)


def fig6a_baselines_4x4(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with as many states as arms."""
    return _comparison(data)


def fig6b_baselines_4x8(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies with more states than arms."""
    return _comparison(data)


def fig4b_greedy_decay(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret as its constant c* is decayed, and its end against the decay."""
    found = lines.series(data)
    decayed = sorted((s for s in found if not np.isnan(s.value)), key=lambda s: s.value)
    others = [s for s in found if np.isnan(s.value)]
    chosen = [*zip(others, style.looks([s.policy for s in others]), strict=True)]
    swept = [*zip(decayed, style.ramp(len(decayed)), strict=True)]
    figure = style.canvas(style.PAGE, 2.7)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    _curves(left, [*chosen, *swept], log=False)
    _explain(figure, data)
    _finals(right, swept, lambda s: s.value, "Decay factor of c*", log=True)
    for one, look in chosen:
        last = one.mean.iloc[-1]
        right.axhline(last["expected_regret"], color=look.color, linestyle=look.dash, lw=1.2)
        right.axhspan(last["low"], last["high"], color=look.color, alpha=0.16, lw=0)
    lines.end_labels(
        left,
        [(s.label, _end(s), look) for s, look in chosen]
        + [(f"c*/{style.plain(s.value)}" if s.value != 1 else "c*", _end(s), k) for s, k in swept],
    )
    lines.end_labels(right, [(s.label, _end(s), look) for s, look in chosen])
    return figure


def fig5a_ucb_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret for several discounts, and its end against the discount."""
    return _discounts(data)


def fig5b_greedy_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret for several discounts, with a tuned and with the theory's c."""
    return _discounts(data)


def _comparison(data: pd.DataFrame) -> Figure:
    """Draw policies on linear and on semilogarithmic axes, where logarithmic growth is a line."""
    found = lines.series(data)
    chosen = [*zip(found, style.looks([s.policy for s in found]), strict=True)]
    figure = style.canvas(style.PAGE, max(2.5, 0.75 + 0.135 * len(found)))
    left, right = figure.subplots(1, 2, sharey=True)
    _curves(left, chosen, log=False)
    _curves(right, chosen, log=True)
    right.set_ylabel("")
    _explain(figure, data)
    lines.end_labels(right, [(s.label, _end(s), look) for s, look in chosen])
    return figure


def _discounts(data: pd.DataFrame) -> Figure:
    """Draw a row for each policy: discounts up to NEAR_ONE, those close to 1, the ends of all."""
    found = lines.series(data)
    names = list(dict.fromkeys(s.policy for s in found))
    gammas = sorted({s.gamma for s in found}, reverse=True)
    colours = dict(zip(gammas, discount_looks(gammas), strict=True))
    far = [g for g in gammas if g == 1 or g <= NEAR_ONE]
    near = [g for g in gammas if g > NEAR_ONE] if set(gammas) - set(far) else []
    groups = [g for g in (far, near) if g]
    figure = style.canvas(style.PAGE, 0.45 + 2.05 * len(names))
    grid = figure.subplots(
        len(names), len(groups) + 1, squeeze=False, width_ratios=[*(1.25, 1)[: len(groups)], 1]
    )
    places = []
    for row, policy in zip(grid, names, strict=True):
        own = {s.gamma: s for s in found if s.policy == policy}
        for ax, group in zip(row, groups, strict=False):
            here = [(own[g], colours[g]) for g in group if g in own]
            _curves(ax, here, log=False)
            places.append((ax, here))
            if ax is not row[0]:
                ax.set_ylabel("")
                ax.sharey(row[0])
        every = [(own[g], colours[g]) for g in gammas if g in own]
        _finals(row[-1], every, lambda s: s.gamma, "Discount γ", log=False)
        row[-1].set_ylabel("")
        row[0].set_title(
            lines.text(next(s for s in found if s.policy == policy).mean["label"].iloc[0])
        )
    _explain(figure, data)
    for ax, here in places:
        lines.end_labels(ax, [(f"γ = {s.gamma:g}", _end(s), look) for s, look in here])
    return figure


def discount_looks(gammas: Sequence[float]) -> list[Look]:
    """Return looks of discounts in falling order; the time average, γ = 1, is black and solid."""
    rest = [g for g in gammas if g != 1]
    ordered = dict(zip(rest, style.ramp(len(rest) + 1)[1:], strict=True))
    return [ordered.get(g, Look("black", (0, None))) for g in gammas]


def _curves(ax: Axes, chosen: Sequence[tuple[Series, Look]], *, log: bool) -> None:
    """Draw series over epochs."""
    if log:
        ax.set_xscale("log")
    for one, look in chosen:
        lines.curve(ax, one, look)
    first = min(s.mean["epoch"].min() for s, _ in chosen)
    ax.set_xlim(max(1, first) if log else 0, max(s.mean["epoch"].max() for s, _ in chosen))
    style.counts(ax.xaxis, log)
    style.counts(ax.yaxis)
    ax.axhline(0, color="0.8", lw=0.5, zorder=0)
    ax.set_xlabel(EPOCHS + (" (log scale)" if log else ""))
    ax.set_ylabel(REGRET)


def _finals(
    ax: Axes,
    chosen: Sequence[tuple[Series, Look]],
    place: Callable[[Series], float],
    label: str,
    *,
    log: bool,
) -> None:
    """Draw regret at the end against a parameter: instances thin, mean with interval."""
    if log:
        ax.set_xscale("log")
    chosen = sorted(chosen, key=lambda pair: place(pair[0]))
    x = [place(s) for s, _ in chosen]
    ends = pd.DataFrame(
        {place(s): s.instances.groupby("instance")["expected_regret"].last() for s, _ in chosen}
    ).T
    if ends.shape[1] > 1:
        for _, column in ends.items():
            ax.plot(x, column, color=style.GREY, lw=0.45, alpha=0.6)
    last = [s.mean.iloc[-1] for s, _ in chosen]
    mean, low, high = ([row[n] for row in last] for n in ("expected_regret", "low", "high"))
    ax.plot(x, mean, color=style.GREY, lw=0.9)
    for i, (_, look) in enumerate(chosen):
        if np.isfinite(low[i]):
            ax.vlines(x[i], low[i], high[i], color=look.color, lw=1)
        ax.plot(x[i], mean[i], "o", ms=3.6, color=look.color, zorder=3)
    style.counts(ax.xaxis, log)
    style.counts(ax.yaxis)
    ax.set_xlabel(label)
    ax.set_ylabel(f"Regret after {style.plain(last[0]['epoch'])} epochs")
    ax.margins(x=0.08)


def _explain(figure: Figure, data: pd.DataFrame, more: Sequence[Line2D] = ()) -> None:
    single = data[data["line"] == "instance"]
    count = int(single.groupby(["instances"])["instance"].nunique().max())
    lines.explain(figure, data[data["line"] == "mean"], count, more)


def _end(one: Series) -> float:
    return float(one.mean["expected_regret"].iloc[-1])
