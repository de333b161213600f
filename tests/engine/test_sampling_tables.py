"""The sampling tables: each law against its distribution function, extreme shapes included."""

import math
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

import numpy as np
import pytest
from scipy import stats

from epochbandits import Instance
from epochbandits.engine import draws
from epochbandits.engine import sampling_tables as tables
from epochbandits.engine.prepared import prepare
from epochbandits.engine.states import advance
from epochbandits.engine.uniforms import Stream, load_words, store_words
from epochbandits.jit import entry
from epochbandits.model.densities import BetaDensity, UniformDensity
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.moments import deviations
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Law, Uniform
from epochbandits.theory.penalty import discount_sum
from exact_moments import advance as advance_exactly
from mutation import mutate
from problems import problem
from words import Words

DRAWS = 200_000
SIGNIFICANT = 1e-6  # about 30 comparisons


def stream(seed):
    return Stream.seeded(np.random.SeedSequence(seed), np.random.default_rng(seed))


@entry
def sample(rng, packed, table, out):
    words = load_words(rng)
    for i in range(len(out)):
        out[i], words = draws.next_reward(words, packed, table)
    store_words(rng, words)


@entry
def walk(env, arm, tau, beta, scratch):
    return advance(env, arm, tau, beta, scratch)


@entry
def add_up(rng, env, arm, state, n):
    return draws.sum_law(rng, env, arm, state, n)


def drawn(laws, weights, seed=0):
    """Draws from the mixture of laws, by one table."""
    packed = tables.build_tables([laws], np.array([weights]))
    out = np.empty(DRAWS)
    sample(stream(seed), packed, 0, out)
    return out


SHAPES = [
    (0.5, 0.5), (0.02, 3.0), (3.0, 0.02), (0.004, 0.004), (1.0, 1.0), (1.0, 4.0), (4.0, 1.0),
    (1.0, 0.3), (0.3, 1.0), (2.0, 2.0), (9.3, 0.7), (200.0, 200.0), (1e5, 3.0), (3.0, 1e5),
    (1e6, 1e6),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta_tables(a, b):
    values = drawn([Beta(a, b)], [1.0])
    assert values.min() >= 0
    assert values.max() <= 1
    law = stats.beta(a, b)
    # Compare by equally likely cells: Kolmogorov's statistic is blind to the tails, and near one
    # a double cannot tell values apart that a density with b < 1 does.
    inner = np.linspace(0.01, 0.99, 99)
    edges = np.unique(np.r_[law.ppf([1e-4, 1e-3]), law.ppf(inner), law.isf([1e-3, 1e-4])])
    edges = edges[(edges > 1e-290) & (edges < 1 - 4e-16)]
    counts = np.histogram(values, np.r_[-1, edges, 2])[0]
    chances = np.diff(np.r_[0, law.cdf(edges), 1])
    keep = chances * DRAWS > 5
    counts, chances = (
        np.r_[x[keep], x[~keep].sum()] if (~keep).any() else x for x in (counts, chances)
    )
    keep = chances * DRAWS > 1e-9
    pvalue = stats.chisquare(counts[keep], chances[keep] / chances[keep].sum() * DRAWS).pvalue
    assert pvalue > SIGNIFICANT


@pytest.mark.parametrize(
    ("laws", "weights"),
    [
        ([Beta(0.4, 2.0), Uniform(0.3, 0.8), Bernoulli(0.7)], [0.5, 0.3, 0.2]),
        ([Uniform(0.0, 0.5), Uniform(0.25, 1.0)], [0.001, 0.999]),
        ([Beta(50.0, 2.0), Constant(0.25), Beta(0.5, 0.5)], [0.6, 0.1, 0.3]),
        ([Bernoulli(0.3), Bernoulli(0.9), Constant(1.0)], [0.2, 0.5, 0.3]),
    ],
)
def test_mixture_tables(laws, weights):
    values = drawn(laws, weights, seed=1)
    at = np.array([0.0, 0.25, 1.0])
    atoms = np.zeros(3)
    for law, weight in zip(laws, weights, strict=True):
        if isinstance(law, Bernoulli):
            atoms += weight * np.array([1 - law.p, 0, law.p])
        elif isinstance(law, Constant):
            atoms += weight * (at == law.value)
    for value, chance in zip(at, atoms, strict=True):
        hits = int((values == value).sum())
        assert hits == 0 if chance == 0 else stats.binomtest(hits, DRAWS, chance).pvalue > 1e-6

    def cdf(x):
        total = np.zeros_like(x)
        for law, weight in zip(laws, weights, strict=True):
            if isinstance(law, Beta):
                total += weight * stats.beta(law.a, law.b).cdf(x)
            elif isinstance(law, Uniform):
                total += weight * stats.uniform(law.low, law.high - law.low).cdf(x)
        return total / max(1 - atoms.sum(), 1e-300)

    smooth = values[~np.isin(values, at)]
    assert len(smooth) == 0 or stats.kstest(smooth, cdf).pvalue > SIGNIFICANT


@dataclass(frozen=True)
class Hurdle(Law):
    """A new law, of an atom and two densities: what a user would add to `model.rewards`."""

    name: ClassVar[str] = "hurdle"
    mean: ClassVar[float] = 0.5 * 0.25 + 0.2 * 0.75 + 0.3 * 2 / 3

    @property
    def atoms(self):
        return ((0.25, 0.5),)

    @property
    def components(self):
        return (0.2, UniformDensity(0.5, 1.0)), (0.3, BetaDensity(2.0, 1.0))


def test_a_law_that_only_describes_itself_is_sampled():
    values = drawn([Hurdle()], [1.0])
    assert stats.binomtest(int((values == 0.25).sum()), DRAWS, 0.5).pvalue > SIGNIFICANT

    def cdf(x):
        return 0.4 * np.clip((x - 0.5) / 0.5, 0, 1) + 0.6 * x**2

    assert stats.kstest(values[values != 0.25], cdf).pvalue > SIGNIFICANT
    base = problem("beta")
    instance = Instance("hurdle", base.transition, ((Hurdle(),) * 3,) * 2, base.initial)
    env = prepare(instance, 1.0)
    sums = np.array([add_up(stream(seed), env, 0, 1, 40) for seed in range(2000)])
    assert abs(sums.mean() - 40 * Hurdle.mean) < 4.5 * sums.std() / math.sqrt(len(sums))


def residual_rows(laws):
    """Return the rows of the residual that draws may reject, and their densities."""
    packed = tables.build_tables([laws], np.ones((1, len(laws))))
    rows = packed.residual[packed.residual["span"] >= 0]
    return rows, packed.components[rows["component"]]


def check_lines(laws):
    """The density at a drawn point, as the kernel computes it, is between the lines."""
    rows, law = residual_rows(laws)
    for share in [0, 2**-53, *np.linspace(0, 1, 41)[1:-1], 1 - 2**-53]:
        d = rows["width"] * share
        x = rows["left"] + d
        f = np.exp(law["log_constant"] + law["a"] * np.log(x) + law["b"] * np.log1p(-x))
        f[(x < law["low"]) | (x > law["high"])] = 0
        line = rows["line"] + rows["slope"] * d
        known = rows["gap"] < np.inf
        assert (line <= f)[known].all()
        assert (f <= line + rows["gap"]).all()


@pytest.mark.parametrize("laws", [[Beta(*shape)] for shape in SHAPES] + [[Uniform(0.3, 0.8)]])
def test_lines_bracket_a_density(laws):
    check_lines(laws)
    check_lines([*laws, Beta(2.0, 5.0), Uniform(0.2, 0.4)])


def check_narrow_cells(width, log_weight):
    """In cells in which the density hardly bends, rounding is what is left."""
    rng = np.random.default_rng(3)
    for a, b in SHAPES:
        law = BetaDensity(a, b)
        left = rng.uniform(0.01, 0.99, 2000)
        right = left * (1 + width)
        high = law.bounds(left, right, log_weight)[1]
        chord, slope, distance = law.chords(left, right, log_weight, high)
        for share in rng.random(20):
            d = (right - left) * share
            x = left + d
            log_f = (a - 1) * np.log(x) + (b - 1) * np.log1p(-x) + (log_weight + law.log_constant)
            apart = np.abs(np.exp(log_f) - (chord + slope * d))
            assert (apart <= distance).all()


@pytest.mark.parametrize(
    ("cells", "old", "new"),
    [
        ((1e-9, 0.0), "+ self._slack", ""),
        ((0.005, -735.0), "np.where(high > 1e-290, distance, np.inf)", "distance"),  # subnormal
    ],
)
def test_lines_allow_for_rounding(monkeypatch, cells, old, new):
    check_narrow_cells(*cells)
    mutate(monkeypatch, BetaDensity.chords, old, new)
    with pytest.raises(AssertionError):
        check_narrow_cells(*cells)


@pytest.mark.parametrize(
    ("old", "new", "law"),
    [
        ("bend / 8", "bend / 16", Beta(0.5, 0.5)),
        ("bend = steep**2 + abs(alpha)", "bend = abs(alpha)", Beta(200.0, 200.0)),
        ("+ abs(alpha) * near**2", "", Beta(0.02, 3.0)),
        ("+ abs(beta) * far**2", "", Beta(3.0, 0.02)),
        ("+ abs(beta) / (1 - right)) + self", ") + self", Beta(3.0, 0.02)),
    ],
)
def test_lines_that_are_too_close_are_noticed(monkeypatch, old, new, law):
    check_lines([law])
    mutate(monkeypatch, BetaDensity.chords, old, new)
    with pytest.raises(AssertionError):
        check_lines([law])


def take(packed, n):
    """Return n draws of the residual of table 0, and the random words after them."""
    values, words = np.empty(n), load_words(Words(1))
    with np.errstate(over="ignore"):  # whole numbers of 64 bits wrap around
        for i in range(n):
            values[i], words = draws.residual.py_func(words, packed, 0)
    return values, words


def check_draws():
    """With lines, the residual takes and gives the same numbers as without."""
    laws = [Beta(0.5, 0.5), Beta(9.3, 0.7), Uniform(0.3, 0.8)]
    packed = tables.build_tables([laws], np.ones((1, 3)))
    plain = packed.residual.copy()
    plain["line"], plain["slope"], plain["gap"] = 0.0, 0.0, np.inf
    (values, words), (expected, last) = (
        take(packed._replace(residual=rows), 1000) for rows in (packed.residual, plain)
    )
    np.testing.assert_array_equal(values, expected)
    assert words == last


def check_support():
    """Jumps at .8 and 1e-5 above share a cut point, so that cells end outside the supports."""
    for laws in permutations([Uniform(0.3, 0.8), Uniform(0.8 + 1e-5, 0.9)]):
        packed = tables.build_tables([laws], np.ones((1, 2)))
        rows = packed.residual[packed.residual["gap"] == np.inf].copy()
        assert len(rows) > 0
        rows["cumulative"] = np.arange(1, len(rows) + 1)
        head = packed.head.copy()
        head[0]["last"], head[0]["guides"] = len(rows) - 1, 1
        guide = np.zeros_like(packed.guide)
        values, _ = take(packed._replace(residual=rows, head=head, guide=guide), 1000)
        assert not ((values > 0.8) & (values < 0.8 + 1e-5)).any()


@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        (check_draws, "height < line:", 'height < line + row["gap"]:'),
        (check_draws, '> line + row["gap"]', '> line + 0.1 * row["gap"]'),
        (check_support, 'x > density["high"]', "False"),
        (check_support, 'x < density["low"]', "False"),
    ],
)
def test_the_residual_rejects_by_lines_and_support(monkeypatch, check, old, new):
    check()
    mutate(monkeypatch, draws.residual, old, new)
    with pytest.raises(AssertionError):
        check()


def test_lines_decide_most_draws_of_the_residual():
    """Only where the height is between them the density is computed."""
    instance = generate("anticorrelated", 4, 4, 0)
    rows, _ = residual_rows(instance.rewards[0])
    area = rows["width"] * rows["span"]
    assert (area * np.minimum(rows["gap"] / rows["span"], 1)).sum() < 0.2 * area.sum()


def test_a_law_whose_masses_do_not_add_up_is_refused():
    @dataclass(frozen=True)
    class Half(Hurdle):
        atoms = ()

    with pytest.raises(ValueError, match=r"have the mass 0\.5, not 1"):
        tables.build_table([Half()], np.ones(1), 16)


def test_most_draws_take_the_short_way():
    instance = generate("anticorrelated", 4, 8, 0)
    packed = tables.build_tables(instance.rewards, instance.pi)
    short = [
        np.minimum(packed.cells["q"][at : at + 2**bits], 1).mean()
        for at, bits in zip(packed.head["cell"], packed.head["bits"], strict=True)
    ]
    assert min(short[:4]) > 0.97  # the arms' mixtures, which nearly all draws come from
    assert min(short) > 0.9


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("name", ["generated", "failure"])
def test_the_ladder_is_exact(name, gamma):
    """β P^τ and β·W(τ) by powers of two against the plain recursion, to 12 digits."""
    instance = generate("anticorrelated", 3, 5, 1) if name == "generated" else failure_example(0.01)
    env = prepare(instance, gamma)
    for arm in range(instance.arms):
        W, flat = (deviations(instance, arm, 700, g) for g in (gamma, 1.0))
        for tau in (1, 2, 3, 64, 100, 699):
            beta = np.array(instance.initial)
            value, plain = walk(env, arm, tau, beta, np.empty(instance.states))
            scale = discount_sum(tau, gamma)
            assert value / scale == pytest.approx(instance.initial @ W[tau] / scale, abs=1e-13)
            assert plain == pytest.approx(instance.initial @ flat[tau], abs=1e-11)
            expected = advance_exactly(instance, arm, instance.initial, tau)
            np.testing.assert_allclose(beta, expected, atol=1e-13)


def test_mixing_steps_are_enough_and_not_too_many():
    instance = generate("anticorrelated", 4, 4, 2)
    env = prepare(instance, 1.0)
    for arm, P in enumerate(instance.transition):
        D, steps = P - instance.pi[arm], int(env.mix[arm])
        far = [np.abs(np.linalg.matrix_power(D, t)).sum(axis=1).max() for t in (steps, steps - 1)]
        assert far[0] <= 2.0**-54 * 1.001
        assert far[1] >= 2.0**-54 * 0.999


@pytest.mark.parametrize("gamma", [0.3, 0.9, 0.999])
def test_the_window_ends_where_weights_vanish(gamma):
    """What is left out weighs at most 2^-54, and one iteration less would weigh more."""
    window = prepare(failure_example(), gamma).window
    assert gamma**window <= 2.0**-54 < gamma ** (window - 1)


def test_no_generator_is_leaked():
    import sys

    instance = failure_example()
    packed = prepare(instance, 1.0).tables
    rng, out = stream(0), np.empty(1)
    generator = rng.generator
    before = sys.getrefcount(generator)
    for _ in range(100):
        sample(rng, packed, 0, out)
    assert sys.getrefcount(generator) == before
