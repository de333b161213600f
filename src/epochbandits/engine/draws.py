"""Draws from the packed tables, and sums of independent rewards; compiled, and exact in law."""

from __future__ import annotations

import math

from epochbandits.engine.sampling_tables import BERNOULLI, BETA, UNIFORM
from epochbandits.jit import kernel


@kernel
def _residual(rng, resid, rcomp, comps, first, count):
    """Sample the residual of one table (module `tables`): about one draw in a hundred."""
    total = resid[first + count - 1, 0]
    while True:
        u = rng.random() * total
        lo, hi = first, first + count - 1
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
        c = rcomp[lo]
        if x < comps[c, 3] or x > comps[c, 4]:
            continue
        f = math.exp(comps[c, 2] + comps[c, 0] * math.log(x) + comps[c, 1] * math.log1p(-x))
        if resid[lo, 3] + span * rng.random() < f:
            return x


@kernel
def draw(rng, tables, t):
    """One reward from table t."""
    cells = tables.cells
    K = tables.head[t, 1]
    u = rng.random() * K
    i = int(u)
    v = u - i
    i += tables.head[t, 0]
    if v < cells[i, 0]:
        return cells[i, 1] + v * cells[i, 2]
    return _residual(
        rng, tables.resid, tables.rcomp, tables.comps, tables.head[t, 2], tables.head[t, 3]
    )


@kernel
def sum_table(rng, tables, t, n, gamma, acc):
    """Return acc gamma^n + sum_{s<n} gamma^{n-1-s} r_s with r_s i.i.d. from table t."""
    cells, first, K = tables.cells, tables.head[t, 0], tables.head[t, 1]
    for _ in range(n):
        u = rng.random() * K
        i = int(u)
        v = u - i
        i += first
        if v < cells[i, 0]:
            r = cells[i, 1] + v * cells[i, 2]
        else:
            r = _residual(
                rng, tables.resid, tables.rcomp, tables.comps, tables.head[t, 2], tables.head[t, 3]
            )
        acc = acc * gamma + r
    return acc


@kernel
def sum_state(rng, tables, t, kind, p1, p2, n):
    """Sum of n i.i.d. rewards of one law; table t belongs to it."""
    if n == 0:
        return 0.0
    if kind == UNIFORM:
        acc = 0.0
        for _ in range(n):
            acc += rng.random()
        return n * p1 + (p2 - p1) * acc
    if kind == BETA or (kind == BERNOULLI and n < 16):
        return sum_table(rng, tables, t, n, 1.0, 0.0)
    if kind == BERNOULLI:
        return float(rng.binomial(n, p1))
    return n * p1
