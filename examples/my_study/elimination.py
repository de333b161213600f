"""A user's policy in plain Python: play the arms in turn, and drop those that are clearly worse."""

import numpy as np


class Elimination:
    """Drop arm j when its mean plus a window is below the best arm's mean minus its window."""

    schedule = "linear"  # the paper's epochs

    def __init__(self, width=0.5):
        self.width = width

    def reset(self, info, rng):
        self.plays = np.zeros(info.arms)
        self.total = np.zeros(info.arms)
        self.left = list(range(info.arms))

    def choose(self, k):
        return min(self.left, key=lambda arm: self.plays[arm])

    def update(self, arm, reward):
        self.plays[arm] += 1
        self.total[arm] += reward
        if self.plays[self.left].min() > 0:
            mean = self.total[self.left] / self.plays[self.left]
            window = self.width * np.sqrt(np.log(self.plays.sum()) / self.plays[self.left])
            best = (mean - window).max()
            self.left = [a for a, high in zip(self.left, mean + window, strict=True) if high >= best]
