"""The valid counterpart of Theorem 2 against exact laws, and the two against each other."""

import math

import numpy as np
import pytest

from epochbandits.theory import greedy
from epochbandits.theory.greedy import GreedyConstants, second_constant
from epochbandits.theory.theorem2_valid import few_explorations, grid, valid_excess


def constants(scale, cprime, d, arms=2):
    c = scale * d**2
    return GreedyConstants(cprime, math.sqrt(c / cprime), c, second_constant(cprime), d, arms)


@pytest.mark.parametrize("k_prime", [3.0, 20.0, 77.7])
def test_chernoffs_bound_is_above_the_law_of_the_explorations(k_prime):
    m, law = 3, np.ones(1)
    for k in range(1, 300):
        p = min(1, k_prime / k) / m
        law = np.convolve(law, [1 - p, p])
    mean = np.minimum(1, k_prime / np.arange(1, 300)).sum() / m
    x = np.arange(0.0, math.ceil(mean))
    tail = np.cumsum(law)[: len(x)]
    assert (few_explorations(x, mean) >= tail).all()
    assert few_explorations(np.array([mean]), mean)[0] == pytest.approx(1)


def exploits_wrong(means, scale, epochs):
    """Return P(epoch k exploits the worse of two Bernoulli arms without memory), exactly.

    The state is (plays of arm 0, successes of arm 0, successes of arm 1), enumerated.
    """
    size = epochs + 1
    law = np.zeros((size, size, size))
    law[0, 0, 0] = 1
    T0, S0, S1 = np.indices(law.shape)
    result = []
    for k in range(1, epochs + 1):
        T1 = k - 1 - T0
        first = S0 / np.maximum(T0, 1)
        second = S1 / np.maximum(T1, 1)
        worse = np.where(first < second, 1.0, np.where(first == second, 0.5, 0.0))
        result.append((law * worse).sum())
        eps = min(1, 2 * scale / k)
        second_share = eps / 2 + (1 - eps) * worse
        after = np.zeros_like(law)
        play0, play1 = law * (1 - second_share), law * second_share
        after[1:, 1:] += play0[:-1, :-1] * means[0]
        after[1:] += play0[:-1] * (1 - means[0])
        after[:, :, 1:] += play1[:, :, :-1] * means[1]
        after += play1 * (1 - means[1])
        law = after
        assert law.sum() == pytest.approx(1)
    return np.array(result)


def test_the_valid_bound_is_above_the_exact_probability():
    scale, means, epochs = 6.0, (0.9, 0.05), 60
    exact = exploits_wrong(means, scale, epochs)
    chosen = constants(scale, 1e15, means[0] - means[1])  # without memory there is no penalty
    informative = 0
    for k in range(math.ceil(chosen.k_prime) + 1, epochs + 1):
        eps = chosen.k_prime / k
        bound = valid_excess(k, chosen)
        assert (1 - eps) * exact[k - 1] <= bound
        informative += bound < 0.9 * (1 - eps)
    assert informative > 20  # else the test would be of a bound that says nothing


def test_a_slower_chain_and_a_smaller_gap_have_the_larger_bound():
    k = 2000
    excess = [valid_excess(k, constants(100, cprime, 0.5)) for cprime in (20, 50, 1e3, 1e6)]
    assert (np.diff(excess) < 0).all()
    excess = [valid_excess(k, constants(100, 200, d)) for d in (0.2, 0.4, 0.6, 0.8)]
    assert (np.diff(excess) <= 0).all()
    assert excess[-1] < 1e-3 * excess[1]


def test_the_sum_over_plays_is_not_cut():
    """With few explorations the rest of the sum is a geometric series above the true one."""
    chosen, k = constants(4.0, 1e12, 1.0), 200
    i = np.arange(1.0, k)
    full = np.exp(-2 * i * (0.5 - chosen.nu / np.sqrt(i)) ** 2)
    mean = np.minimum(1, chosen.k_prime / i).sum() / 2
    x = np.arange(math.ceil(mean))
    sums = np.array([full[start:].sum() for start in x])
    expected = 2 * np.min(few_explorations(x.astype(float), mean) + sums)
    relative = valid_excess(k, chosen) / (1 - chosen.k_prime / k)
    assert expected <= relative <= expected * 1.02


def test_the_printed_bound_is_above_the_valid_one_on_the_grid():
    cases = list(grid())
    assert len(cases) > 4000
    ratios = [
        valid_excess(k, chosen) / float(greedy.theorem2_excess(k, chosen)) for _, chosen, k in cases
    ]
    assert max(ratios) < 1
    assert all(greedy.theorem2(k, chosen) < 1 for _, chosen, k in cases)
    assert {chosen.arms for _, chosen, _ in cases} == {2, 3, 4, 10}
