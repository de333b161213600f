"""Sums over epochs against the same sums written out."""

import numpy as np
import pytest
from scipy.special import digamma

from epochbandits.model.generators import generate
from epochbandits.theory import greedy
from epochbandits.theory.exploration import _harmonic, cumulative_sum, explored, first_epoch

HORIZONS = np.unique(np.geomspace(2, 200_000, 40).astype(int))


def test_harmonic_numbers():
    k = np.r_[0:200, 10**5, 10**9]
    np.testing.assert_allclose(_harmonic(k), digamma(k + 1.0) - digamma(1.0), rtol=1e-15, atol=0)


@pytest.mark.parametrize("k_prime", [2.0, 3.7, 100.0, 4321.9, 1e7])
def test_explored_is_the_sum_of_the_rates(k_prime):
    sums = np.cumsum(np.minimum(1, k_prime / np.arange(1, 50_001)))
    np.testing.assert_allclose(explored(np.arange(1, 50_001), k_prime), sums, rtol=1e-13)
    assert explored(0, k_prime) == 0


@pytest.mark.parametrize("k_prime", [2.0, 3.7, 100.0, 4321.9])
def test_first_epoch_inverts_explored(k_prime):
    totals = np.floor(k_prime) + np.linspace(0.01, 5, 300) * k_prime
    K = first_epoch(totals, k_prime)
    assert (explored(K, k_prime) >= totals).all()
    assert (explored(K - 1, k_prime) < totals).all()


@pytest.mark.parametrize("power", [0.3, 1.0, 2.5, 60.0])
@pytest.mark.parametrize("first", [2, 5000])
def test_a_smooth_sum_is_the_sum(first, power):
    def g(k):
        return (k / first) ** -power

    sums = cumulative_sum(g, first, HORIZONS)
    terms = np.where(np.arange(200_001) >= first, g(np.maximum(1.0, np.arange(200_001))), 0)
    np.testing.assert_allclose(sums, np.cumsum(terms)[HORIZONS], rtol=1e-11)


def written_out(n, instance, chosen, form):
    """Return Σ_{k≤n} b_j(k) for every n, from the definition."""
    k, m = np.arange(1.0, n + 1), instance.arms
    eps = np.minimum(1, chosen.k_prime / k)
    x0 = (np.cumsum(eps) - eps) / (2 * m)
    rows = []
    for gap in instance.gap:
        if form == "paper":
            with np.errstate(all="ignore"):
                total = np.nan_to_num(greedy.theorem2(k, chosen), nan=1.0)
            chance = np.clip(total, chosen.c / chosen.d**2 / k, 1)
        else:
            rate = max(gap**2 / chosen.c2, 1e-300)
            # 1e-9: a floor of exactly 2m explorations must not depend on rounding
            bracket = 2 * (np.exp(-x0 / 5) + np.exp(-rate * np.floor(x0 + 1e-9)) / rate)
            bracket = np.where(k - 1 < chosen.k_prime, 1, np.minimum(1, bracket))
            chance = eps / m + (1 - eps) * bracket
        rows.append(np.cumsum(np.where(eps == 1, 1 / m, chance)))
    return np.array(rows)


@pytest.mark.parametrize("form", greedy.FORMS)
@pytest.mark.parametrize("seed", range(25))
def test_greedy_sums_are_the_sums_written_out(seed, form):
    rng = np.random.default_rng(seed)
    instance = generate("literal", int(rng.integers(2, 5)), 3, seed)
    d, scale = instance.min_gap, 10 ** rng.uniform(0, 4)
    cprime = 8 + 10 ** rng.uniform(-2, 4)
    chosen = greedy.GreedyConstants(
        cprime, 1.0, scale * d**2, greedy.second_constant(cprime), d, instance.arms
    )
    bound = greedy.plays_bound(HORIZONS, instance, chosen, form)
    expected = written_out(HORIZONS[-1], instance, chosen, form)[:, HORIZONS - 1]
    suboptimal = instance.gap > 0
    np.testing.assert_allclose(bound[suboptimal], expected[suboptimal], rtol=1e-11)


@pytest.mark.parametrize("form", greedy.FORMS)
def test_an_exploration_longer_than_any_integer(form):
    instance = generate("anticorrelated", seed=3)
    constants = greedy.constants(100.0, 1e10, 0.15, instance.arms)
    assert constants.k_prime > 2**63
    plays = greedy.plays_bound([1, 10**6], instance, constants, form)
    np.testing.assert_array_equal(plays[instance.gap > 0], [[1 / 4, 10**6 / 4]] * 3)
