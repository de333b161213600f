"""The reference engine: the paper's Algorithm 1, line by line, in plain Python.

It is what the fast engine is tested against, and what to read to know what is simulated.
"""

from __future__ import annotations

from operator import mul

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Outcome
from epochbandits.engine.loop import PythonEngine
from epochbandits.engine.streams import Streams
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling


class ReferenceEngine(PythonEngine):
    """Environments of one instance; nothing is prepared."""

    def __init__(self, instance: Instance, gamma: float, sampling: Sampling) -> None:
        self.instance, self.gamma, self.sampling = instance, gamma, sampling

    def environment(self, streams: Streams, observed: bool) -> ReferenceEnvironment:
        """Return a new environment at the instance's initial distribution."""
        return ReferenceEnvironment(
            self.instance, self.gamma, self.sampling, streams.environment, observed
        )


class ReferenceEnvironment:
    """The hidden state, or its distribution, and the stream that rewards are drawn from.

    Distributions are plain lists: for a few states that is three times faster than arrays.
    """

    def __init__(
        self,
        instance: Instance,
        gamma: float,
        sampling: Sampling,
        rng: np.random.Generator,
        observed: bool,
    ) -> None:
        self._instance, self._gamma, self._rng = instance, gamma, rng
        self._trajectory = sampling == "trajectory"
        self._rows, self._means = instance.transition.tolist(), instance.reward_means.tolist()
        self._columns = instance.transition.transpose(0, 2, 1).tolist()
        self._tracked = observed or not self._trajectory
        self._distribution = instance.initial.tolist()
        self._state = self._draw_state(self._distribution) if self._trajectory else -1

    @property
    def distribution(self) -> NDArray[np.float64]:
        """(S,): the distribution of the state now."""
        return np.array(self._distribution)

    def play(self, arm: int, tau: int) -> Outcome:
        """Pull an arm for an epoch of ``tau`` iterations (function PULLARM of Algorithm 1)."""
        columns, means, rewards = self._columns[arm], self._means[arm], self._instance.rewards[arm]
        known = [float(s == self._state) for s in range(len(means))] if self._trajectory else None
        reward = expected = plain = weights = 0.0
        for t in range(tau):
            weight = self._gamma ** (tau - 1 - t)
            state = self._state if self._trajectory else self._draw_state(self._distribution)
            reward += weight * rewards[state].draw(self._rng)
            mean = _dot(self._distribution if known is None else known, means)
            expected += weight * mean
            plain += mean
            weights += weight
            if self._tracked:
                self._distribution = [_dot(self._distribution, column) for column in columns]
            if known is not None:
                known = [_dot(known, column) for column in columns]
                self._state = self._draw_state(self._rows[arm][state])
        return Outcome(reward / weights, expected / weights, plain / tau)

    def _draw_state(self, distribution: list[float]) -> int:
        u, state, cumulative = self._rng.random(), 0, distribution[0]
        while u >= cumulative and state < len(distribution) - 1:
            state += 1
            cumulative += distribution[state]
        return state


def _dot(a: list[float], b: list[float]) -> float:
    return sum(map(mul, a, b), 0.0)
