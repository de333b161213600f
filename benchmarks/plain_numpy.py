"""The simulator as one would write it plainly in NumPy: all rewards of an epoch at once.

The state's distribution, or its path, is a loop over the iterations; everything else is drawn as
arrays. It is an engine like the library's two, so that `simulate` runs it, but it computes no
expectations.
"""

from __future__ import annotations

import math

import numpy as np

from epochbandits import Instance
from epochbandits.engine.base import Array, Outcome
from epochbandits.engine.loop import PythonEngine
from epochbandits.engine.streams import Streams
from epochbandits.model.moments import Sampling
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Uniform

DRAW = {
    Bernoulli: lambda rng, law, n: rng.random(n) < law.p,
    Beta: lambda rng, law, n: rng.beta(law.a, law.b, n),
    Uniform: lambda rng, law, n: rng.uniform(law.low, law.high, n),
    Constant: lambda _, law, n: np.full(n, law.value),
}


class PlainNumPy(PythonEngine):
    """Environments of one instance."""

    def __init__(self, instance: Instance, gamma: float, sampling: Sampling) -> None:
        self.arguments = instance, gamma, sampling

    def environment(self, streams: Streams, observed: bool) -> PlainEnvironment:
        assert not observed, "the distribution is not tracked along a path"
        return PlainEnvironment(*self.arguments, streams.environment)


class PlainEnvironment:
    """One run's hidden state, or its distribution."""

    def __init__(
        self, instance: Instance, gamma: float, sampling: Sampling, rng: np.random.Generator
    ) -> None:
        self.instance, self.gamma, self.rng = instance, gamma, rng
        self.distribution: Array = np.array(instance.initial)
        self.cumulative = instance.transition.cumsum(axis=2)[:, :, :-1]
        self.path = sampling == "trajectory"
        self.state = int(rng.choice(instance.states, p=self.distribution))

    def play(self, arm: int, tau: int) -> Outcome:
        """Play an arm for an epoch and move on."""
        states = self._path(arm, tau) if self.path else self._independent(arm, tau)
        rewards = np.empty(tau)
        for s, law in enumerate(self.instance.rewards[arm]):
            at = states == s
            rewards[at] = DRAW[type(law)](self.rng, law, np.count_nonzero(at))
        weights = self.gamma ** np.arange(tau - 1, -1, -1)
        return Outcome(float(rewards @ weights / weights.sum()), math.nan, math.nan)

    def _independent(self, arm: int, tau: int) -> Array:
        distributions = np.empty((tau, self.instance.states))
        for t in range(tau):
            distributions[t] = self.distribution
            self.distribution = self.distribution @ self.instance.transition[arm]
        return (self.rng.random((tau, 1)) >= distributions.cumsum(axis=1)[:, :-1]).sum(axis=1)

    def _path(self, arm: int, tau: int) -> Array:
        states, uniform, rows = np.empty(tau, dtype=int), self.rng.random(tau), self.cumulative[arm]
        for t in range(tau):
            states[t] = self.state
            self.state = rows[self.state].searchsorted(uniform[t], side="right")
        return states
