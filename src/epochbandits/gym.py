"""An instance as a Gymnasium environment; needs the extra ``epochbandits[gym]``.

A step is one epoch. The action is an arm; the epoch lasts τ0 + ζT iterations after T earlier plays
of that arm, or as long as another schedule says; the reward is the epoch's smoothed feedback

    Σ_s γ^{τ-1-s} r_s / Σ_s γ^{τ-1-s} .

The hidden state is never observed. The observation of step k is what a learner knows from the
previous step: a one-hot vector of the arm played (zeros at the start) and its feedback. The episode
is truncated after ``epochs`` steps; it never terminates. ``info`` has the exact expected feedback,
the expected regret so far and the length of the epoch, for evaluation only::

    env = epochbandits.gym.BanditEnv("instance.json", epochs=1000)
    observation, info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(0)
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.stepping import ENGINES, EngineName
from epochbandits.engine.streams import Streams
from epochbandits.model.instance import Instance
from epochbandits.model.moments import SAMPLINGS, Sampling
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import MAX_EPOCHS, TAU0, ZETA, Setting
from epochbandits.validation import InputError, choice, integer

try:
    import gymnasium
except ImportError as error:
    message = "epochbandits.gym needs Gymnasium: pip install 'epochbandits[gym]'"
    raise ImportError(message) from error

Observation = NDArray[np.float64]


class BanditEnv(gymnasium.Env[Observation, Any]):
    """Arms that share one hidden Markov state, played for epochs.

    Parameters
    ----------
    instance : Instance or path
        The problem, or its JSON file.
    epochs : int
        Steps per episode.
    tau0, zeta : int
        Epoch lengths τ = τ0 + ζ·(earlier plays of the arm).
    gamma : float
        Discount γ of the feedback, in (0, 1]; 1 for time averages.
    schedule : str
        Other epoch lengths (`model.schedules`); "fixed:1" is a decision at each iteration.
    sampling : {"marginal", "trajectory"}
        How states are drawn, as in `simulate`.
    engine : {"fast", "plain", "reference"}
        As in `simulate`.

    Raises
    ------
    InputError
        If an argument is not allowed.

    Examples
    --------
    >>> from epochbandits import failure_example
    >>> env = BanditEnv(failure_example(), epochs=10, engine="reference")
    >>> observation, info = env.reset(seed=0)
    >>> observation.tolist()
    [0.0, 0.0, 0.0]
    >>> observation, reward, terminated, truncated, info = env.step(1)
    >>> reward, info["tau"], truncated
    (0.5, 40, False)
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own declaration)

    def __init__(
        self,
        instance: Instance | str | os.PathLike[str],
        epochs: int = 1000,
        *,
        tau0: int = TAU0,
        zeta: int = ZETA,
        gamma: float = 1.0,
        schedule: str = "linear",
        sampling: Sampling = "marginal",
        engine: EngineName = "fast",
    ) -> None:
        self.instance = Instance.read(instance)
        self.epochs = integer(epochs, "epochs", 1, MAX_EPOCHS)
        setting = Setting(tau0, zeta, gamma)
        self._schedule = parse_schedule(schedule, setting)
        self._schedule.check(self.epochs)
        choice(sampling, "sampling", SAMPLINGS)
        self._engine = ENGINES[choice(engine, "engine", ENGINES)](
            self.instance, setting.gamma, sampling
        )
        arms = self.instance.arms
        self.action_space = gymnasium.spaces.Discrete(arms)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (arms + 1,), np.float64)
        self._plays: list[int] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; the same seed gives the same rewards for the same actions.

        Parameters
        ----------
        seed : int, optional
            Seed of Gymnasium's generator; without it the generator goes on.
        options : dict, optional
            Not used.

        Returns
        -------
        observation : (m + 1,) array
            Zeros.
        info : dict
            Empty.
        """
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(2**62))
        streams = Streams(0, "gymnasium", self.instance, "agent", drawn)
        self._environment = self._engine.environment(streams, observed=False)
        self._plays, self._steps, self._regret = [0] * self.instance.arms, 0, 0.0
        return np.zeros(self.instance.arms + 1), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an arm for an epoch.

        Parameters
        ----------
        action : int
            The arm, from 0 to m-1.

        Returns
        -------
        observation : (m + 1,) array
            The arm played, as a one-hot vector, and its feedback.
        reward : float
            The feedback.
        terminated : bool
            False.
        truncated : bool
            True after the last epoch.
        info : dict
            ``expected``, ``expected_regret`` and ``tau``; see the module's docstring.

        Raises
        ------
        InputError
            If the episode has not started or is over, or there is no such arm.
        """
        if self._plays is None or self._steps >= self.epochs:
            raise InputError("the episode has not started or is over: call reset first")
        if not self.action_space.contains(action):
            raise InputError(f"an action is an arm from 0 to {self.instance.arms - 1}")
        arm = int(action)
        tau = self._schedule.length(self._plays[arm])
        outcome = self._environment.play(arm, tau)
        self._plays[arm] += 1
        self._steps += 1
        self._regret += float(self.instance.mu.max()) - outcome.expected
        observation = np.zeros(self.instance.arms + 1)
        observation[arm], observation[-1] = 1.0, outcome.reward
        info = {"expected": outcome.expected, "expected_regret": self._regret, "tau": tau}
        return observation, float(outcome.reward), False, self._steps >= self.epochs, info
