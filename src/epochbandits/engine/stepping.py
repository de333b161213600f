"""The engines by name, and an environment that a user plays step by step, outside of any run."""

from __future__ import annotations

import os
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Environment, Outcome
from epochbandits.engine.fast import FastEngine, PlainEngine
from epochbandits.engine.reference import ReferenceEngine
from epochbandits.engine.streams import Streams
from epochbandits.model.instance import Instance
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.schedules import MAX_EPOCH_LENGTH
from epochbandits.model.setting import Setting
from epochbandits.validation import choice, integer

EngineName = Literal["fast", "plain", "reference"]
ENGINES: dict[EngineName, type[PlainEngine | ReferenceEngine]] = {
    "fast": FastEngine,
    "plain": PlainEngine,
    "reference": ReferenceEngine,
}


class PlayedEnvironment:
    """One run's hidden state; rejects arms and lengths that cannot be played."""

    def __init__(self, environment: Environment, arms: int) -> None:
        self._environment, self._arms = environment, arms

    @property
    def distribution(self) -> NDArray[np.float64]:
        """(S,): the distribution of the state now, given the arms played so far."""
        return self._environment.distribution

    def play(self, arm: int, tau: int = 1) -> Outcome:
        """Play an arm for an epoch.

        Parameters
        ----------
        arm : int
            From 0 to m-1.
        tau : int
            Iterations of the epoch, at least 1.

        Returns
        -------
        Outcome
            The smoothed reward and its exact expectation, among others.

        Raises
        ------
        InputError
            If there is no such arm, or the epoch is too long.
        """
        arm = integer(arm, "arm", 0, self._arms - 1)
        return self._environment.play(arm, integer(tau, "tau", 1, MAX_EPOCH_LENGTH))


def environment(
    instance: Instance | str | os.PathLike[str],
    seed: int,
    *,
    setting: Setting | None = None,
    sampling: Sampling = "marginal",
    engine: EngineName = "fast",
    policy: str = "",
    experiment: str = "",
    root: int = 0,
) -> PlayedEnvironment:
    """Return an instance's environment at its start, to be played step by step.

    Parameters
    ----------
    instance : Instance or path
        The problem, or its JSON file.
    seed : int
        Non-negative.
    setting : Setting, optional
        Only its discount γ matters here; 1 by default.
    sampling : {"marginal", "trajectory"}
        How states are drawn, as in `simulate`.
    engine : {"fast", "plain", "reference"}
        As in `simulate`.
    policy, experiment : str
        Parts of the key of the random streams. With a policy's name, playing its arms repeats the
        rewards of its run by `simulate` with the same seed.
    root : int
        Another part of it, non-negative.

    Returns
    -------
    PlayedEnvironment
        ``play(arm, tau)`` plays an epoch and returns its `Outcome`; ``distribution`` is that of the
        state.

    Raises
    ------
    InputError
        If an argument is not allowed.

    Examples
    --------
    >>> from epochbandits.model.generators import failure_example
    >>> steps = environment(failure_example(), seed=0, engine="reference")
    >>> steps.play(0, tau=2).reward
    0.5
    """
    choice(sampling, "sampling", SAMPLINGS)
    choice(engine, "engine", ENGINES)
    integer(seed, "seed", 0, 2**63 - 1)
    integer(root, "root", 0, 2**63 - 1)
    instance = Instance.read(instance)
    streams = Streams(root, experiment, instance, policy, seed)
    gamma = (setting or Setting()).gamma
    started = ENGINES[engine](instance, gamma, sampling).environment(streams, observed=True)
    return PlayedEnvironment(started, instance.arms)
