"""Draws from the packed tables, and sums of independent rewards; compiled, and exact in law."""

from __future__ import annotations

import math
from typing import NamedTuple

from epochbandits.engine.uniforms import load_state, next_column, store_state
from epochbandits.jit import inlined, kernel
from epochbandits.model.rewards import BINOMIAL, CONSTANT, UNIFORM


class Sums(NamedTuple):
    """Of the rewards of a stretch so far, minus its centre (`policies.base.Stretch`)."""

    plays: float = 0.0
    total: float = 0.0
    squares: float = 0.0


@kernel
def _residual(rng, tables, t):
    """Sample the residual of table t (see `sampling_tables`): about one draw in a hundred."""
    resid, comps = tables.resid, tables.comps
    first = tables.head[t, 2]
    last = first + tables.head[t, 3] - 1
    total = resid[last, 0]
    while True:
        u = rng.random() * total
        lo, hi = first, last
        while lo < hi:  # first row whose cumulative envelope exceeds u
            mid = (lo + hi) >> 1
            if resid[mid, 0] > u:
                hi = mid
            else:
                lo = mid + 1
        x = resid[lo, 1] + resid[lo, 2] * rng.random()
        span = resid[lo, 4]
        if span < 0.0:
            return x
        c = tables.rcomp[lo]
        if x < comps[c, 3] or x > comps[c, 4]:
            continue
        f = math.exp(comps[c, 2] + comps[c, 0] * math.log(x) + comps[c, 1] * math.log1p(-x))
        if resid[lo, 3] + span * rng.random() < f:
            return x


@kernel
def draw(rng, tables, t):
    """One reward from table t."""
    cells = tables.cells
    i, v, state = next_column(rng, load_state(rng), tables.head[t, 1])
    store_state(rng, state)
    i += tables.head[t, 0]
    if v < cells[i, 0]:
        return cells[i, 1] + v * cells[i, 2]
    return _residual(rng, tables, t)


@kernel
def sum_table(rng, tables, t, n, gamma, total):
    """Return total gamma^n + sum_{s<n} gamma^{n-1-s} r_s with r_s i.i.d. from table t."""
    cells, first, bits = tables.cells, tables.head[t, 0], tables.head[t, 1]
    state = load_state(rng)
    for _ in range(n):
        i, v, state = next_column(rng, state, bits)
        i += first
        if v < cells[i, 0]:
            r = cells[i, 1] + v * cells[i, 2]
        else:
            store_state(rng, state)
            r = _residual(rng, tables, t)
            state = load_state(rng)
        total = total * gamma + r
    store_state(rng, state)
    return total


@inlined
def draw_while(rng, tables, t, n, stretch, sums):
    """Draw up to n rewards from table t, as long as a stretch is certain.

    Returns (number of rewards drawn, their sum, `Sums` with them).
    """
    cells, first, bits = tables.cells, tables.head[t, 0], tables.head[t, 1]
    plays, total, squares = sums
    drawn, drawn_sum, state = 0, 0.0, load_state(rng)
    while drawn < n:
        i, v, state = next_column(rng, state, bits)
        i += first
        if v < cells[i, 0]:
            r = cells[i, 1] + v * cells[i, 2]
        else:
            store_state(rng, state)
            r = _residual(rng, tables, t)
            state = load_state(rng)
        drawn += 1
        drawn_sum += r
        plays += 1.0
        r -= stretch.centre
        total += r
        squares += r * r
        if total <= stretch.level + stretch.slope * plays:
            break
    store_state(rng, state)
    return drawn, drawn_sum, Sums(plays, total, squares)


@kernel
def sum_law(rng, env, j, s, n):
    """Sum of n i.i.d. rewards of arm j in state s, by the method that its law declares."""
    if n == 0:
        return 0.0
    method, first = env.summation[j, s, 0], env.summation[j, s, 1]
    if method == UNIFORM:
        total = 0.0
        for _ in range(n):
            total += rng.random()
        return n * first + (env.summation[j, s, 2] - first) * total
    if method == CONSTANT:
        return n * first
    if method == BINOMIAL and n >= 16:  # fewer are drawn faster from the table
        return float(rng.binomial(n, first))
    m, S = env.pi.shape
    return sum_table(rng, env.tables, m + j * S + s, n, 1.0, 0.0)
