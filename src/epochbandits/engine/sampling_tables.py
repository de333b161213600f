"""Sampling tables: one uniform number per reward, exact in law.

A reward law here is a mixture f = Σ_c w_c f_c of beta and uniform densities plus atoms (Bernoulli,
constant). Cut (0, 1) into cells [x_i, x_i + d_i). With floors l_ci ≤ w_c f_c on cell i,

    f(x) = Σ_i l_i 1[x in cell i] + residual(x),      l_i = Σ_c l_ci ≤ 1/(K d_i),

so that column i of K equal columns of the unit interval gives a uniform point of cell i with
probability q_i = K d_i l_i and otherwise hands over to the residual, whose mass is about 1%. The
residual is sampled by rejection from an envelope of its own, one component at a time: take a pair
(cell, component) in proportion to d_i (h_ci - l_ci), with h_ci ≥ w_c f_c, then x uniform in the
cell, and accept with probability (w_c f_c(x) - l_ci)/(h_ci - l_ci). This is an identity for any
cells: the cut points need no accuracy, they only decide how rare the residual is.

Atoms own whole columns (of width 0); what does not fill a column goes to the residual. So do the
two end cells [0, 1e-300) and [1 - 2^-52, 1], where a density may be unbounded: inside them the
value is known to double precision, and only their exact mass matters.

All tables of an instance are packed into five arrays:

    cells  (ΣK, 3)     q, left, scale = d/q:   x = left + v·scale for v < q
    resid  (R, 5)      cumulative envelope, left, d, l_ci, h_ci - l_ci  (last < 0: always accept)
    rcomp  (R,)        component row of the pair
    comps  (C, 5)      a - 1, b - 1, log(w/B(a, b)), low, high
    head   (tables, 4) first cell, K, first residual row, residual rows

Tables 0..m-1 are the arms' stationary mixtures, m + jS + s the law of arm j in state s.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Uniform

BERNOULLI, BETA, UNIFORM, CONSTANT = 0, 1, 2, 3
K_MIX, K_ONE, K_MAX = 1024, 256, 4096  # columns: mixtures, single laws, limit
RARE = 0.02  # aim for the residual's share: columns are multiplied by four until it is met
TINY, EPS = 1e-300, 2.0**-52


Array = NDArray[np.float64]
Component = tuple[float, int, float, float]
"""Weight, kind, and the law's two parameters."""


class Tables(NamedTuple):
    """Packed tables; see the module docstring."""

    cells: Array
    resid: Array
    rcomp: NDArray[np.int64]
    comps: Array
    head: NDArray[np.int64]


def law_codes(instance: Instance) -> Array:
    """Return the reward laws as an (m, S, 3) array of kind and two parameters."""

    def code(law: object) -> tuple[float, float, float]:
        if isinstance(law, Bernoulli):
            return BERNOULLI, law.p, law.p
        if isinstance(law, Beta):
            return BETA, law.a, law.b
        if isinstance(law, Uniform):
            return UNIFORM, law.low, law.high
        assert isinstance(law, Constant)
        return CONSTANT, law.value, law.value

    return np.array([[code(law) for law in row] for row in instance.rewards])


def build_tables(laws: Array, pi: Array) -> Tables:
    """Pack the mixture tables (weights pi) and the single-law tables of laws (m, S, 3)."""
    m, S, _ = laws.shape
    jobs = [(laws[j], pi[j], K_MIX) for j in range(m)]
    jobs += [(laws[j, s : s + 1], np.ones(1), K_ONE) for j in range(m) for s in range(S)]
    parts: list[tuple[NDArray[Any], ...]] = []
    head, at = [], np.zeros(3, dtype=np.int64)
    for law, weight, K in jobs:
        cells, resid, rcomp, comps = build_table(law, weight, K)
        while np.mean(1 - np.minimum(cells[:, 0], 1)) > RARE and len(cells) < K_MAX:
            cells, resid, rcomp, comps = build_table(law, weight, 4 * len(cells))
        head.append((at[0], len(cells), at[1], len(resid)))
        parts.append((cells, resid, rcomp + at[2], comps))
        at += (len(cells), len(resid), len(comps))
    cells, resid, rcomp, comps = (np.concatenate(p) for p in zip(*parts, strict=True))
    return Tables(cells, resid, rcomp, comps, np.array(head, dtype=np.int64))


def build_table(laws: Array, weights: Array, K: int) -> tuple[NDArray[Any], ...]:
    """Build (cells, resid, rcomp, comps) of the mixture sum_c weights[c] laws[c]."""
    flats, comps = _split(laws, weights / weights.sum())
    comps_out = _component_rows(comps)
    if comps:
        w = np.array([c[0] for c in comps])
        flats.append((0.0, TINY, float(w @ _cdf(comps, np.array([TINY]))[:, 0])))
        flats.append((1 - EPS, EPS, float(w @ _survival(comps, 1 - EPS))))
    columns: list[Array] = []
    rows, owners = [np.empty((0, 5))], [np.empty(0, dtype=np.int64)]
    for left, width, mass in flats:
        n = int(np.floor(K * mass))
        columns.append(np.tile([2.0, left, width], (n, 1)))  # q > 1: never handed over
        if mass - n / K > 0:
            rows.append(np.array([[mass - n / K, left, width, 0.0, -1.0]]))
            owners.append(np.zeros(1, dtype=np.int64))
    free = K - sum(map(len, columns))
    if comps and free:
        cells, pairs, owner = _interior(comps, comps_out, free, K)
        columns.append(cells)
        rows.append(pairs)
        owners.append(owner)
    elif free:
        columns.append(np.zeros((free, 3)))
    cells = np.concatenate(columns)
    resid = np.concatenate(rows)
    if not resid[:, 0].sum() > 0:  # nothing to hand over: rounding must not do it
        cells[:, 0] = 2.0
    resid[:, 0] = np.cumsum(resid[:, 0])
    return cells, resid, np.concatenate(owners), comps_out


def _split(laws: Array, weights: Array) -> tuple[list[tuple[float, float, float]], list[Component]]:
    """Separate atoms (left, 0, mass), merged by value, from (w, kind, p1, p2) densities."""
    atoms: dict[float, float] = {}
    comps = []
    for (kind, p1, p2), w in zip(laws, weights, strict=True):
        if w <= 0:
            continue
        if kind == BERNOULLI:
            atoms[1.0] = atoms.get(1.0, 0.0) + w * p1
            atoms[0.0] = atoms.get(0.0, 0.0) + w * (1 - p1)
        elif kind == CONSTANT or (kind == UNIFORM and p1 == p2):
            atoms[float(p1)] = atoms.get(float(p1), 0.0) + w
        else:
            comps.append((w, int(kind), p1, p2))
    return [(x, 0.0, p) for x, p in atoms.items() if p > 0], comps


def _component_rows(comps: list[Component]) -> Array:
    """Rows (a-1, b-1, log(w/B), low, high); a uniform is a flat beta cut to [low, high]."""
    rows = np.zeros((len(comps), 5))
    for i, (w, kind, p1, p2) in enumerate(comps):
        if kind == BETA:
            rows[i] = p1 - 1, p2 - 1, np.log(w) - special.betaln(p1, p2), 0.0, 1.0
        else:
            rows[i] = 0.0, 0.0, np.log(w) - np.log(p2 - p1), p1, p2
    return rows


def _cdf(comps: list[Component], x: Array) -> Array:
    """Component distribution functions (C, len(x))."""
    return np.array(
        [
            special.betainc(p1, p2, x) if kind == BETA else np.clip((x - p1) / (p2 - p1), 0, 1)
            for _, kind, p1, p2 in comps
        ]
    )


def _survival(comps: list[Component], x: float) -> Array:
    """Component tails P(X > x), without the cancellation of 1 - F."""
    return np.array(
        [
            special.betainc(p2, p1, 1 - x) if kind == BETA else np.clip((p2 - x) / (p2 - p1), 0, 1)
            for _, kind, p1, p2 in comps
        ]
    )


def _density(row: Array, x: Array) -> Array:
    """Weighted density w f_c on [low, high] at points strictly inside (0, 1)."""
    return np.asarray(np.exp(row[2] + row[0] * np.log(x) + row[1] * np.log1p(-x)))


def _cut_points(comps: list[Component], n: int) -> Array:
    """About equally probable cut points of (TINY, 1 - EPS), uniform edges snapped in."""
    lo, hi = TINY, 1 - EPS
    level = np.r_[
        np.geomspace(1e-5, 1e-3, 5), np.linspace(0, 1, 65)[1:-1], 1 - np.geomspace(1e-3, 1e-5, 5)
    ]
    points = [np.array([lo, hi])]
    for _, kind, p1, p2 in comps:
        points.append(
            special.betaincinv(p1, p2, level)
            if kind == BETA
            else p1 + (p2 - p1) * np.r_[0.0, level, 1.0]
        )
    x = np.concatenate(points)
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
    for _, kind, p1, p2 in comps:
        for edge in (p1, p2) if kind == UNIFORM else ():
            if lo < edge < hi and n > 1:
                cut[1 + np.abs(cut[1:-1] - edge).argmin()] = edge
    return np.sort(cut)


def _bounds(comp: Component, row: Array, left: Array, right: Array) -> tuple[Array, Array]:
    """Lower and upper bounds of w f_c on the cells [left, right]."""
    _, kind, p1, p2 = comp
    if kind == UNIFORM:
        height = np.exp(row[2])
        return (height * ((left >= p1) & (right <= p2)), height * ((right > p1) & (left < p2)))
    f, g = _density(row, left), _density(row, right)
    low, high = np.minimum(f, g), np.maximum(f, g)
    if (row[0] > 0 and row[1] > 0) or (row[0] < 0 and row[1] < 0):
        turn = np.clip(row[0] / (row[0] + row[1]), TINY, 1 - EPS)
        inside = (left < turn) & (turn < right)
        (high if row[0] > 0 else low)[inside] = _density(row, turn)
    slack = 1e-14 * (50 + p1 + p2)  # above the rounding of exp(log density)
    return low * (1 - slack), high * (1 + slack)


def _interior(
    comps: list[Component], rows: Array, n: int, K: int
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Cells, residual pairs and their owners on (TINY, 1 - EPS) with n of the K columns."""
    x = _cut_points(comps, n)
    left, d = x[:-1], np.diff(x)
    low = np.array([_bounds(c, r, left, x[1:])[0] for c, r in zip(comps, rows, strict=True)])
    mass = K * d * low.sum(0)
    mass[mass < 1e-9] = 0.0  # a hopeless column would only make d / q overflow
    low = low * (mass > 0) / np.maximum(mass, 1.0)  # a column holds at most 1/K
    q = np.minimum(mass, 1.0)
    scale = np.divide(d, q, out=np.zeros_like(d), where=q > 0)
    pairs = [
        _envelope(c, r, x, floor, 0.25 / K) for c, r, floor in zip(comps, rows, low, strict=True)
    ]
    owner = np.repeat(np.arange(len(comps)), [len(p) for p in pairs])
    return np.column_stack([q, left, scale]), np.concatenate(pairs), owner


def _envelope(comp: Component, row: Array, x: Array, floor: Array, tol: float) -> Array:
    """Residual rows of one component over floor; steep cells are halved on the logit scale.

    Halving stops where the envelope wastes less than tol of probability, which keeps the rejection
    rate bounded in the tails and beside the unbounded ends.
    """
    left, right, base = x[:-1], x[1:], floor
    rows = []
    for _ in range(64):
        low, high = _bounds(comp, row, left, right)
        middle = special.expit(0.5 * (special.logit(left) + special.logit(right)))
        split = ((right - left) * (high - low) > tol) & (left < middle) & (middle < right)
        d, span = right - left, high - base
        keep = ~split & (d * span > 0)
        rows.append(np.column_stack([d * span, left, d, base, span])[keep])
        if not split.any():
            break
        left, right = (
            np.concatenate([left[split], middle[split]]),
            np.concatenate([middle[split], right[split]]),
        )
        base = np.tile(base[split], 2)
    return np.concatenate(rows)


def residual_share(tables: Tables, t: int) -> float:
    """Share of draws of table t that leave the fast path."""
    first, K = tables.head[t, :2]
    return float(1 - np.minimum(tables.cells[first : first + K, 0], 1.0).mean())
