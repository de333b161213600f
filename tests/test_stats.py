"""Intervals against SciPy, and the bootstrap by coverage."""

import numpy as np
import pytest
from scipy import stats

from epochbandits import InputError
from epochbandits.stats import (
    Bootstrap,
    hierarchical_bootstrap,
    holm,
    t_interval,
    t_margin,
    t_p_value_at_most,
    wilson_interval,
    wilson_p_value_at_most,
)


def mean(part):
    return part[..., 0]


def test_t_interval_is_scipys():
    values = [3.0, 4.5, 5.1, 2.2, 9.9]
    interval = t_interval(values, 0.9)
    low, high = stats.t.interval(0.9, 4, np.mean(values), stats.sem(values))
    assert interval == pytest.approx((np.mean(values), low, high))
    assert np.isnan(t_interval([1.0]).low)


def test_t_margin_is_half_of_the_t_interval():
    samples = [[3.0, 4.5, 5.1, 2.2, 9.9], [1.0, 2.0]]
    deviations = [np.std(sample, ddof=1) for sample in samples]
    margins = t_margin(deviations, [len(sample) for sample in samples], 0.9)
    intervals = [t_interval(sample, 0.9) for sample in samples]
    np.testing.assert_allclose(
        margins, [(interval.high - interval.low) / 2 for interval in intervals]
    )
    assert np.isnan(t_margin(np.nan, 1))


def test_the_bootstrap_covers_and_sees_the_instances():
    """With few noisy instances the interval must be far wider than seeds alone would make it."""
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(200):
        part = rng.normal(rng.normal(0, 1, size=(12, 1, 1)), 0.1, size=(12, 20, 1))
        low, high = hierarchical_bootstrap(mean, [part], rng, draws=400).interval()
        covered += low <= 0 <= high
        assert high - low > 0.4
    assert 0.92 < covered / 200 <= 1  # the plain percentile interval covers in .90


def test_the_bootstrap_draws_seeds_within_instances():
    """One instance only: what is left is the spread of its seeds."""
    part = np.random.default_rng(1).normal(size=(1, 400, 1))
    drawn = hierarchical_bootstrap(mean, [part], np.random.default_rng(2), draws=3000)
    low, high = drawn.interval()
    half = 1.96 * part.std() / 20
    assert (high - low) / 2 == pytest.approx(half, rel=0.1)


def test_the_bootstrap_resamples_instances_and_seeds():
    """Its width is that of the t-interval if instances differ, and not zero if only seeds do."""
    rng = np.random.default_rng(1)
    differ = np.repeat(rng.normal(10, 2, size=(60, 1)), 4, axis=1)[..., None]
    low, high = hierarchical_bootstrap(mean, [differ], rng, 4000).interval()
    interval = t_interval(differ[:, 0, 0])
    assert high - low == pytest.approx(interval.high - interval.low, rel=0.1)
    same = np.tile([8.0, 12.0], (60, 1))[..., None]
    low, high = hierarchical_bootstrap(mean, [same], rng, 4000).interval()
    # 60 means of two draws with a standard deviation of 2 each
    assert high - low == pytest.approx(2 * 1.96 * 2 / (2 * 60) ** 0.5, rel=0.1)


def test_the_bootstrap_of_a_ratio_pairs_instances():
    """Two policies whose regrets are proportional on every instance have a ratio without spread."""
    part = np.arange(1.0, 21.0).reshape(20, 1, 1)
    drawn = hierarchical_bootstrap(
        lambda a, b: a[..., 0] / b[..., 0], [part, 4 * part], np.random.default_rng(0)
    )
    assert drawn.interval() == pytest.approx((0.25, 0.25))


@pytest.mark.parametrize(
    "call",
    [
        lambda: t_interval([]),
        lambda: t_interval([1, 2], level=1),
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(0, 0),
        lambda: hierarchical_bootstrap(mean, [], np.random.default_rng(0)),
        lambda: hierarchical_bootstrap(mean, [np.empty((2, 0, 1))], np.random.default_rng(0)),
        lambda: hierarchical_bootstrap(
            mean, [np.ones((2, 1, 1)), np.ones((3, 1, 1))], np.random.default_rng(0)
        ),
        lambda: Bootstrap(np.ones(9), 2).interval(level=1),
    ],
)
def test_refusals(call):
    with pytest.raises(InputError):
        call()


def test_a_single_unit_says_nothing():
    bootstrap = hierarchical_bootstrap(mean, [np.ones((1, 1, 1))], np.random.default_rng(0))
    assert bootstrap.interval() == (-np.inf, np.inf)
    assert bootstrap.p_value_at_most(0.0) == 1.0


@pytest.mark.parametrize("units", [10, 30, 100])
def test_p_values_of_the_bootstrap_are_those_of_its_interval(units):
    rng = np.random.default_rng(units)
    drawn = hierarchical_bootstrap(mean, [rng.normal(size=(units, 2, 1))], rng)
    for level in (0.8, 0.95):
        low, high = drawn.interval(level)
        assert drawn.p_value_at_most(low) == pytest.approx((1 - level) / 2, rel=0.1)
        mirrored = Bootstrap(-drawn.draws, units)
        assert mirrored.p_value_at_most(-high) == pytest.approx((1 - level) / 2, rel=0.1)


def test_a_bootstrap_tells_apart_what_its_draws_do_not_resolve():
    """No draw is near zero; the p-value then comes from their spread, and falls with distance."""
    drawn = Bootstrap(np.random.default_rng(0).normal(10, 1, 4000), 50)
    far = [drawn.p_value_at_most(mark) for mark in (5.0, 3.0, 0.0)]
    assert far == sorted(far, reverse=True)
    assert far[-1] < 1e-8
    assert Bootstrap(np.ones(100), 50).p_value_at_most(0.0) == 0.0


def test_p_values_are_those_of_their_intervals():
    values = np.array([1.0, 2.0, 4.0, 5.0])
    interval = t_interval(values)
    error = values.std(ddof=1) / 2
    assert t_p_value_at_most(values.mean(), error, 3, interval.low) == pytest.approx(0.025)
    assert t_p_value_at_most(1.0, 0.0, 3, 1.0) == 1.0
    assert t_p_value_at_most(1.1, 0.0, 3, 1.0) == 0.0
    share = wilson_interval(30, 100)
    assert wilson_p_value_at_most(30, 100, share.low) == pytest.approx(0.025)
    assert wilson_p_value_at_most(70, 100, 1 - share.high) == pytest.approx(0.025)


def test_holm():
    assert holm([]) == []
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
