"""Calls a built-in policy decision by decision, without compilation."""

import numpy as np

from epochbandits.model.generators import generate
from epochbandits.model.setting import Setting
from epochbandits.policies import POLICIES, Info
from epochbandits.policies.base import Rewards

INSTANCE = generate("anticorrelated", 4, 4, 1)
BETA = np.full(4, 0.25)


class Driver:
    """Calls a built-in policy, and records its rewards."""

    def __init__(self, name, instance=INSTANCE, epochs=None, decisions=1000, seed=0, **params):
        self.builtin = POLICIES[name]
        self.memory = self.builtin.memory_for(
            Info(instance, epochs or Setting(), decisions), params
        )
        self.rng = np.random.default_rng(seed)
        self.rewards = [[] for _ in range(instance.arms)]
        self.k = 0

    def choose(self, beta=BETA):
        self.k += 1
        self.arm = self.builtin.choose.py_func(self.memory, self.k, beta, self.rng)
        return self.arm

    def learn(self, reward, before=BETA, after=BETA):
        self.rewards[self.arm].append(reward)
        learn = self.builtin.learn.py_func
        learn(self.memory, self.k, self.arm, Rewards(1.0, 0.0, reward, reward**2), before, after)

    def means(self):
        return np.array([np.mean(r) if r else 0.0 for r in self.rewards])

    def play(self, *rewards):
        """Return the arms of the next decisions, which get these rewards."""
        arms = []
        for reward in rewards:
            arms.append(int(self.choose()))
            self.learn(reward)
        return arms
