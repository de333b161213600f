"""Sampling tables: one uniform number per reward, exact in law.

A reward law is a mixture f = Σ_c w_c f_c of densities (`model.densities`) plus atoms. Cut (0, 1)
into cells [x_i, x_i + d_i). With floors l_ci ≤ w_c f_c on cell i,

    f(x) = Σ_i l_i 1[x in cell i] + residual(x),      l_i = Σ_c l_ci ≤ 1/(K d_i),

so that column i of K equal columns of the unit interval gives a uniform point of cell i with
probability q_i = K d_i l_i and otherwise goes to the residual, whose mass is about 1%. The
residual is sampled by rejection from its envelope, one component at a time: take a pair
(cell, component) in proportion to d_i (h_ci - l_ci), with h_ci ≥ w_c f_c, then x uniform in the
cell, and accept with probability (w_c f_c(x) - l_ci)/(h_ci - l_ci). This is an identity for any
cells: the cut points need no accuracy, they only decide how rare the residual is. Two
parallel lines that bracket w_c f_c on the cell decide most cases without its exponential.

Atoms fill whole columns (of width 0); what does not fill a column goes to the residual. So do the
two end cells [0, 1e-300) and [1 - 2^-52, 1], where a density may be unbounded: inside them the
value is known to double precision, and only their exact mass matters.

All tables of an instance are packed into five arrays; `Tables` describes their rows. The tables
0..m-1 are the arms' stationary mixtures, m + jS + s is the law of arm j in state s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from epochbandits.model.densities import EPS, TINY, Density
from epochbandits.model.rewards import Law

K_MIX, K_ONE, K_MAX = 1024, 256, 4096  # columns: mixtures, single laws, limit; powers of two
RARE = 0.02  # largest share of the residual: columns are multiplied by four until it is met

Array = NDArray[np.float64]
Rows = NDArray[np.void]
Component = tuple[float, Density]
"""Weight and density."""

# Rows of the packed tables. Compiled code reads them faster than the rows of a matrix, whose width
# it does not know; and it does not check unsigned indices.
CELL = np.dtype([("q", "f8"), ("left", "f8"), ("scale", "f8")])
RESIDUAL = np.dtype(
    [
        *((n, "f8") for n in ("cumulative", "left", "width", "floor", "span")),
        *((n, "f8") for n in ("line", "slope", "gap")),
        ("component", "i8"),
    ]
)
COMPONENT = np.dtype([(n, "f8") for n in ("a", "b", "log_constant", "low", "high")])
HEAD = np.dtype([("cell", "u8"), ("bits", "u8"), *((n, "i8") for n in ("last", "guide", "guides"))])


class Tables(NamedTuple):
    """Packed tables; see the module docstring."""

    cells: Rows
    """`CELL`, for each column: x = left + v·scale for v < q, with scale = d/q."""
    residual: Rows
    """`RESIDUAL`: cumulative envelope, x_i, d_i, l_ci, h_ci - l_ci or -1 (always accept), parallel
    lines that bracket w_c f_c, from line + slope·(x - x_i) to a gap above it, and c. The gap is
    infinite where there are no lines; only there may a cell end outside the support of f_c."""
    components: Rows
    """`COMPONENT`: the density e^log_constant x^a (1-x)^b on [low, high], weight included."""
    guide: NDArray[np.int64]
    """First row of the residual whose cumulative envelope exceeds b/G of the whole."""
    head: Rows
    """`HEAD`, for each table: first cell, log₂ K, last row of the residual, first guide, G."""


def build_tables(laws: Sequence[Sequence[Law]], pi: Array) -> Tables:
    """Pack the tables of the arms' mixtures (weights pi) and of each law, (m, S) of them."""
    jobs = [(row, weights, K_MIX) for row, weights in zip(laws, pi, strict=True)]
    jobs += [((law,), np.ones(1), K_ONE) for row in laws for law in row]
    parts: list[tuple[NDArray[Any], ...]] = []
    head, at = [], np.zeros(4, dtype=np.int64)
    for members, weights, K in jobs:
        cells, residual, comps = build_table(members, weights, K)
        while np.mean(1 - np.minimum(cells["q"], 1)) > RARE and len(cells) < K_MAX:
            cells, residual, comps = build_table(members, weights, 4 * len(cells))
        guide = _guide(residual["cumulative"])
        residual["component"] += at[2]
        bits = len(cells).bit_length() - 1
        head.append((at[0], bits, at[1] + len(residual) - 1, at[3], len(guide)))
        parts.append((cells, residual, comps, guide + at[1]))
        at += (len(cells), len(residual), len(comps), len(guide))
    cells, residual, comps, guide = (np.concatenate(p) for p in zip(*parts, strict=True))
    return Tables(cells, residual, comps, guide, np.array(head, dtype=HEAD))


def _guide(cumulative: Array) -> NDArray[np.int64]:
    """Return the row to start from for u in [b/G, (b+1)/G); G is a power of two: u·G is exact."""
    if not len(cumulative):
        return np.zeros(1, dtype=np.int64)
    G = 1 << (len(cumulative) - 1).bit_length()
    starts = np.arange(G) / G * cumulative[-1]
    rows: NDArray[np.int64] = np.searchsorted(cumulative, starts, side="right")
    return np.minimum(rows, len(cumulative) - 1)


def build_table(laws: Sequence[Law], weights: Array, K: int) -> tuple[Rows, Rows, Rows]:
    """Return cells, residual and components of the mixture sum_c weights[c] laws[c]."""
    flats, comps = _split(laws, weights / weights.sum())
    if comps:
        w = np.array([c[0] for c in comps])
        flats.append((0.0, TINY, float(w @ _cdf(comps, np.array([TINY]))[:, 0])))
        tails = np.array([density.survival(1 - EPS) for _, density in comps])
        flats.append((1 - EPS, EPS, float(w @ tails)))
    columns, rows = [_rows(CELL, 0)], [_rows(RESIDUAL, 0)]
    for left, width, mass in flats:
        n = int(np.floor(K * mass))
        columns.append(_rows(CELL, n, q=2.0, left=left, scale=width))  # q > 1: not to the residual
        if (rest := mass - n / K) > 0:
            rows.append(_rows(RESIDUAL, 1, cumulative=rest, left=left, width=width, span=-1.0))
    free = K - sum(map(len, columns))
    if comps and free:
        cells, pairs = _interior(comps, free, K)
        columns.append(cells)
        rows.append(pairs)
    elif free:
        columns.append(_rows(CELL, free))
    cells, residual = np.concatenate(columns), np.concatenate(rows)
    if not residual["cumulative"].sum() > 0:  # no residual: rounding must not lead there
        cells["q"] = 2.0
    residual["cumulative"] = np.cumsum(residual["cumulative"])
    return cells, residual, _component_rows(comps)


def _rows(kind: np.dtype[np.void], n: int, **fields: Any) -> Rows:
    """Return n rows of a kind; fields that are not given are 0."""
    rows = np.zeros(n, kind)
    for name, values in fields.items():
        rows[name] = values
    return rows


def _split(
    laws: Sequence[Law], weights: Array
) -> tuple[list[tuple[float, float, float]], list[Component]]:
    """Separate atoms (value, 0, mass), merged by value, from weighted densities."""
    atoms: dict[float, float] = {}
    comps: list[Component] = []
    for law, weight in zip(laws, weights, strict=True):
        if weight <= 0:
            continue
        for value, mass in law.atoms:
            atoms[value] = atoms.get(value, 0.0) + weight * mass
        comps += [(weight * part, density) for part, density in law.components]
    total = sum(atoms.values()) + sum(part for part, _ in comps)
    if abs(total - 1) > 1e-9:
        raise ValueError(f"atoms and components of {laws} have the mass {total}, not 1")
    return [(x, 0.0, p) for x, p in atoms.items() if p > 0], comps


def _component_rows(comps: list[Component]) -> Rows:
    """Return the rows of the densities; see `COMPONENT`."""
    rows = [
        (*density.exponents, np.log(weight) + density.log_constant, *density.support)
        for weight, density in comps
    ]
    return np.array(rows, dtype=COMPONENT)


def _cdf(comps: list[Component], x: Array) -> Array:
    """Component distribution functions (C, len(x))."""
    return np.array([density.cdf(x) for _, density in comps])


def _cut_points(comps: list[Component], n: int) -> Array:
    """About equally probable cut points of (TINY, 1 - EPS), the densities' jumps included."""
    lo, hi = TINY, 1 - EPS
    level = np.r_[
        np.geomspace(1e-5, 1e-3, 5), np.linspace(0, 1, 65)[1:-1], 1 - np.geomspace(1e-3, 1e-5, 5)
    ]
    x = np.concatenate([[lo, hi], *(density.quantiles(level) for _, density in comps)])
    w = np.array([c[0] for c in comps])
    for _ in range(2):  # the second pass corrects the interpolation of the first
        x = np.unique(np.clip(x[np.isfinite(x)], lo, hi))
        F = np.maximum.accumulate(w @ _cdf(comps, x))
        F, first = np.unique(F, return_index=True)
        logit = np.log(x[first]) - np.log1p(-x[first])
        cut = special.expit(np.interp(np.linspace(F[0], F[-1], n + 1), F, logit))
        x = np.concatenate([x, cut])
    cut = np.clip(cut, lo, hi)
    cut[0], cut[-1] = lo, hi
    for _, density in comps:
        for jump in density.jumps:
            if lo < jump < hi and n > 1:
                cut[1 + np.abs(cut[1:-1] - jump).argmin()] = jump
    return np.sort(cut)


def _bounds(comp: Component, left: Array, right: Array) -> tuple[Array, Array]:
    """Lower and upper bounds of w f_c on the cells [left, right]."""
    weight, density = comp
    return density.bounds(left, right, float(np.log(weight)))


def _interior(comps: list[Component], n: int, K: int) -> tuple[Rows, Rows]:
    """Return cells and residual on (TINY, 1 - EPS) with n of the K columns."""
    x = _cut_points(comps, n)
    left, d = x[:-1], np.diff(x)
    low = np.array([_bounds(comp, left, x[1:])[0] for comp in comps])
    mass = K * d * low.sum(0)
    mass[mass < 1e-9] = 0.0  # an almost empty column would make d / q overflow
    low = low * (mass > 0) / np.maximum(mass, 1.0)  # a column holds at most 1/K
    q = np.minimum(mass, 1.0)
    scale = np.divide(d, q, out=np.zeros_like(d), where=q > 0)
    pairs = [_envelope(comp, x, floor, 0.25 / K) for comp, floor in zip(comps, low, strict=True)]
    for c, rows in enumerate(pairs):
        rows["component"] = c
    return _rows(CELL, len(d), q=q, left=left, scale=scale), np.concatenate(pairs)


def _envelope(comp: Component, x: Array, floor: Array, tol: float) -> Rows:
    """Residual rows of one component over floor; steep cells are halved on the logit scale.

    Halving stops where the envelope wastes less than tol of probability, which keeps the rejection
    rate bounded in the tails and beside the unbounded ends.
    """
    left, right, base = x[:-1], x[1:], floor
    kept = []
    for _ in range(64):
        low, high = _bounds(comp, left, right)
        middle = special.expit(0.5 * (special.logit(left) + special.logit(right)))
        split = ((right - left) * (high - low) > tol) & (left < middle) & (middle < right)
        keep = ~split & ((right - left) * (high - base) > 0)
        kept.append(np.array([left, right, base, high])[:, keep])
        if not split.any():
            break
        left, right = (
            np.concatenate([left[split], middle[split]]),
            np.concatenate([middle[split], right[split]]),
        )
        base = np.tile(base[split], 2)
    left, right, base, high = np.concatenate(kept, axis=1)
    line, slope, gap = _lines(comp, left, right, high)
    d, span = right - left, high - base
    return _rows(
        RESIDUAL, len(d), cumulative=d * span, left=left, width=d, floor=base, span=span,
        line=line, slope=slope, gap=gap,
    )  # fmt: skip


def _lines(comp: Component, left: Array, right: Array, high: Array) -> tuple[Array, Array, Array]:
    """Return lines below w f_c on the cells, their slopes, and the gap to the lines above."""
    weight, density = comp
    chords = np.array(density.chords(left, right, float(np.log(weight)), high))
    known = (np.abs(chords) < 1e300).all(axis=0)
    chord, slope, distance = np.where(known, chords, 0.0)
    return chord - distance, slope, np.where(known, 2 * distance, np.inf)
