"""EpochGreedy's bound for a single epoch, with which tests check the sums over epochs."""

import numpy as np

from epochbandits.theory.greedy import theorem2
from epochbandits.theory.greedy_sums import bracket


def play_probability(k, instance, chosen, form):
    """Return b_j(k) for each arm: the bound on the probability that epoch k plays it.

    For an optimal arm, which Theorem 2 does not cover, ``corrected`` has 1.
    """
    k_prime, arms = chosen.k_prime, instance.arms
    if k <= k_prime:
        return np.full(arms, 1 / arms)
    if form == "paper":
        # While the second term is negative the third is above one.
        return np.full(arms, float(np.clip(theorem2(k, chosen), chosen.c / chosen.d**2 / k, 1)))
    eps = k_prime / k
    result = np.ones(arms)
    rates = instance.gap[instance.gap > 0] ** 2 / chosen.c2
    brackets = [min(1.0, bracket(float(k), rate, k_prime, arms)) for rate in rates]
    result[instance.gap > 0] = eps / arms + (1 - eps) * np.array(brackets)
    return result
