"""A user's policy in plain Python: play the arms in turn, and drop those that are clearly worse."""

import numpy as np


class Elimination:
    """Drop an arm whose mean plus a window is below another one's mean minus its window."""

    schedule = "linear"  # the paper's epochs

    def __init__(self, width=0.5):
        self.width = width

    def reset(self, info, rng):
        self.rng = rng
        self.active = np.arange(info.arms)
        self.plays = np.zeros(info.arms)
        self.total = np.zeros(info.arms)

    def choose(self, k):
        plays = self.plays[self.active]
        if plays.min() > 0:
            mean = self.total[self.active] / plays
            window = self.width * np.sqrt(np.log(k) / plays)
            self.active = self.active[mean + window >= (mean - window).max()]
            plays = self.plays[self.active]
        return int(self.rng.choice(self.active[plays == plays.min()]))

    def update(self, arm, reward):
        self.plays[arm] += 1
        self.total[arm] += reward
