"""Intervals against SciPy and by coverage, growth verdicts on curves of known growth."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from epochbandits import InputError
from epochbandits.stats import (
    aggregate,
    growth,
    hierarchical_bootstrap,
    t_interval,
    wilson_interval,
)


def test_t_interval_is_scipys():
    values = [3.0, 4.5, 5.1, 2.2, 9.9]
    found = t_interval(values, 0.9)
    low, high = stats.t.interval(0.9, 4, np.mean(values), stats.sem(values))
    assert found == pytest.approx((np.mean(values), low, high))
    assert np.isnan(t_interval([1.0]).low)


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (3, 10), (10, 10), (58, 100)])
def test_wilson_is_scipys(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    found = wilson_interval(successes, trials)
    assert found[1:] == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.estimate == successes / trials


def test_bootstrap_covers_and_sees_the_instances():
    """With few noisy instances the interval must be far wider than seeds alone would make it."""
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(200):
        groups = [rng.normal(rng.normal(0, 1), 0.1, size=20) for _ in range(12)]
        found = hierarchical_bootstrap(groups, rng, draws=400)
        covered += found.low <= 0 <= found.high
        assert found.high - found.low > 0.4
    assert 0.86 < covered / 200 <= 1


def test_bootstrap_draws_seeds_within_instances():
    """One instance only: what is left is the spread of its seeds."""
    sample = np.random.default_rng(1).normal(size=400)
    found = hierarchical_bootstrap([sample], np.random.default_rng(2), draws=3000)
    half = 1.96 * sample.std() / 20
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.1)


N = np.arange(1, 5001)


@pytest.mark.parametrize(
    ("curve", "verdict"),
    [
        (5 + 20 * np.log(N), "logarithmic"),
        (200.0 - 100 / N, "logarithmic"),
        (3 * np.sqrt(N), "square root"),
        (10 + 0.3 * N, "linear"),
        (np.full(len(N), 7.0), "logarithmic"),
        (N**0.75, "undetermined"),
        (500 + 0.05 * N, "undetermined"),
    ],
)
def test_growth(curve, verdict):
    noise = np.random.default_rng(3).normal(0, 1e-3, len(N))
    assert growth(N, curve + (noise if np.ptp(curve) else 0)).verdict == verdict


def test_growth_says_what_it_rests_on():
    found = growth(N, 0.3 * N)
    assert found.ratio == pytest.approx(2, rel=1e-3)
    assert found.errors["linear"] < 1e-12 < found.errors["square root"]


def test_aggregate_averages_seeds_before_instances():
    rows = [
        {"policy": "p", "epoch": 1, "instance": i, "seed": s, "regret": 10.0 * i + s}
        for i, seeds in ((0, 2), (1, 6), (2, 4))
        for s in range(seeds)
    ]
    found = aggregate(pd.DataFrame(rows), "regret", ["policy", "epoch"]).iloc[0]
    means = [0.5, 12.5, 21.5]
    assert found[["mean", "low", "high"]].tolist() == pytest.approx(t_interval(means))
    assert (found["instances"], found["seeds"]) == (3, 12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: t_interval([]),
        lambda: t_interval([1, 2], level=1),
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(0, 0),
        lambda: hierarchical_bootstrap([], np.random.default_rng(0)),
        lambda: hierarchical_bootstrap([[1.0], []], np.random.default_rng(0)),
        lambda: growth([1, 2], [1, 2]),
        lambda: growth(N[::-1], N),
        lambda: aggregate(pd.DataFrame({"seed": [1]}), "regret", ["epoch"]),
    ],
)
def test_refusals(call):
    with pytest.raises(InputError):
        call()
