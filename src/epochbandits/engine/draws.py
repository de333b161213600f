"""Draws from the packed tables, and sums of independent rewards; compiled, and exact in law."""

from __future__ import annotations

import math
from typing import NamedTuple

from epochbandits.engine.uniforms import load_words, next_column, next_uniform, store_words
from epochbandits.jit import inlined, kernel
from epochbandits.model.rewards import BINOMIAL, CONSTANT, UNIFORM


class Sums(NamedTuple):
    """Sums of a stretch's rewards so far, minus its centre (`policies.base.Stretch`)."""

    plays: float = 0.0
    total: float = 0.0
    squares: float = 0.0


@kernel
def residual(words, tables, t):
    """Sample the residual of table t (see `sampling_tables`): about one draw in a hundred.

    Returns (reward, words).
    """
    rows, head = tables.residual, tables.head[t]
    last = head["last"]
    total = rows[last]["cumulative"]
    while True:
        u, words = next_uniform(words)
        lo = tables.guide[head["guide"] + int(u * head["guides"])]
        u *= total
        while lo < last and rows[lo]["cumulative"] <= u:
            lo += 1
        row = rows[lo]
        u, words = next_uniform(words)
        d = row["width"] * u
        x = row["left"] + d
        if row["span"] < 0.0:
            return x, words
        density = tables.components[row["component"]]
        if row["gap"] == math.inf and (x < density["low"] or x > density["high"]):
            continue  # with lines the cell is inside the support
        u, words = next_uniform(words)
        height, line = row["floor"] + row["span"] * u, row["line"] + row["slope"] * d
        if height < line:
            return x, words
        if height > line + row["gap"]:
            continue
        log_f = density["log_constant"] + density["a"] * math.log(x) + density["b"] * math.log1p(-x)
        if height < math.exp(log_f):
            return x, words


@inlined
def next_reward(words, tables, t):
    """One reward from table t; the stream's words come and go in registers."""
    return reward_at(words, tables, tables.head[t]["cell"], tables.head[t]["bits"], t)


@inlined
def reward_at(words, tables, first, bits, t):
    """As `next_reward`, from table t whose head is known: its first cell and its bits."""
    i, v, words = next_column(words, bits)
    cell = tables.cells[first + i]
    if v < cell["q"]:
        return cell["left"] + v * cell["scale"], words
    return residual(words, tables, t)


# The loops below leave a reward of the residual to their callers: its code would take the registers
# that hold the sums, and each pass takes half as long without it.


@kernel
def _sum_columns(words, cells, first, bits, left, total):
    """Add up to ``left`` rewards to a total; stop at one of the residual, which is not added.

    Returns (words, rewards left, total, whether it stopped at the residual).
    """
    while left > 0:
        i, v, words = next_column(words, bits)
        cell = cells[first + i]
        left -= 1
        if not v < cell["q"]:
            return words, left, total, True
        total += cell["left"] + v * cell["scale"]
    return words, left, total, False


@kernel
def _discount_columns(words, cells, first, bits, left, gamma, total):
    """As `_sum_columns`; the total is multiplied by gamma before each reward."""
    while left > 0:
        i, v, words = next_column(words, bits)
        cell = cells[first + i]
        left -= 1
        if not v < cell["q"]:
            return words, left, total, True
        total = total * gamma + (cell["left"] + v * cell["scale"])
    return words, left, total, False


@kernel
def sum_table(rng, tables, t, n, gamma, total):
    """Return total gamma^n + sum_{s<n} gamma^{n-1-s} r_s with r_s i.i.d. from table t."""
    cells, first, bits = tables.cells, tables.head[t]["cell"], tables.head[t]["bits"]
    words = load_words(rng)
    while n > 0:
        if gamma == 1.0:
            words, n, total, stopped = _sum_columns(words, cells, first, bits, n, total)
        else:
            words, n, total, stopped = _discount_columns(words, cells, first, bits, n, gamma, total)
        if stopped:
            r, words = residual(words, tables, t)
            total = total * gamma + r
    store_words(rng, words)
    return total


@kernel
def _draw_columns(words, cells, first, bits, left, rewards, stretch, sums):
    """Add up to ``left`` rewards as long as a stretch is certain; stop at one of the residual.

    Returns (words, rewards left, sum of the rewards, `Sums`, whether it stopped at the residual).
    """
    plays, total, squares = sums
    while left > 0:
        i, v, words = next_column(words, bits)
        cell = cells[first + i]
        left -= 1
        if not v < cell["q"]:
            return words, left, rewards, Sums(plays, total, squares), True
        r = cell["left"] + v * cell["scale"]
        rewards += r
        plays += 1.0
        r -= stretch.centre
        total += r
        squares += r * r
        if total <= stretch.level + stretch.slope * plays:
            break
    return words, left, rewards, Sums(plays, total, squares), False


@inlined
def draw_while(rng, tables, t, n, stretch, sums):
    """Draw up to n rewards from table t, as long as a stretch is certain.

    Returns (number of rewards drawn, their sum, `Sums` with them).
    """
    cells, first, bits = tables.cells, tables.head[t]["cell"], tables.head[t]["bits"]
    words, left, rewards = load_words(rng), n, 0.0
    while True:
        words, left, rewards, sums, stopped = _draw_columns(
            words, cells, first, bits, left, rewards, stretch, sums
        )
        if not stopped:
            break
        r, words = residual(words, tables, t)
        rewards += r
        sums = add_reward(sums, r - stretch.centre)
        if is_over(stretch, sums):
            break
    store_words(rng, words)
    return n - left, rewards, sums


@inlined
def add_reward(sums, r):
    """Return sums with one more reward, from which the centre is subtracted."""
    return Sums(sums.plays + 1.0, sums.total + r, sums.squares + r * r)


@inlined
def is_over(stretch, sums):
    """Return whether a stretch is no longer certain."""
    return sums.total <= stretch.level + stretch.slope * sums.plays


@inlined
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
