"""A user's policy in plain Python: softmax exploration in the paper's epochs.

Run it like a built-in one::

    epochbandits simulate instance.json --policy examples/softmax_policy.py:Softmax \
        --param temperature=0.1 --epochs 500 --seeds 0:5 --out softmax.parquet
"""

import numpy as np


class Softmax:
    """Play arm j with probability proportional to exp(mean_j / temperature)."""

    schedule = "linear"  # "fixed:1" would let it decide at each iteration

    def __init__(self, temperature=0.05):
        self.temperature = temperature

    def reset(self, info, rng):
        self.rng = rng
        self.plays = np.zeros(info.arms)
        self.mean = np.zeros(info.arms)

    def choose(self, k):
        if k <= len(self.mean):
            return k - 1
        weight = np.exp((self.mean - self.mean.max()) / self.temperature)
        return int(self.rng.choice(len(weight), p=weight / weight.sum()))

    def update(self, arm, reward):
        self.plays[arm] += 1
        self.mean[arm] += (reward - self.mean[arm]) / self.plays[arm]
