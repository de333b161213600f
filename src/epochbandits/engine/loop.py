"""A run with a policy in plain Python, on any engine.

The fast engine has the same loop compiled (`fast.run`) for the built-in policies; a test runs both
on the same streams and finds the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import RECORDED, Environment, Interrupted
from epochbandits.instance import Instance
from epochbandits.policies.base import Builtin, Info, Policy
from epochbandits.schedules import Schedule
from epochbandits.validation import InputError

__all__ = ["BuiltinInPython", "run"]


class BuiltinInPython:
    """A built-in policy behind the methods of a plain one, its functions not compiled."""

    def __init__(self, builtin: Builtin, parameters: dict[str, Any]) -> None:
        self._builtin, self._parameters = builtin, parameters
        if not builtin.observes:
            self.observe = None  # type: ignore[assignment]

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        self._memory = self._builtin.memory_for(info, self._parameters)
        self._rng, self._k = rng, 0
        self._before = self._after = np.zeros(info.states)

    def observe(self, law: NDArray[np.float64]) -> None:
        self._before, self._after = self._after, law.copy()

    def choose(self, k: int) -> int:
        self._k = k
        return int(self._builtin.choose.py_func(self._memory, k, self._after, self._rng))

    def update(self, arm: int, reward: float) -> None:
        learn = self._builtin.learn.py_func
        learn(self._memory, self._k, arm, reward, self._before, self._after)


def run(
    policy: Policy,
    label: str,
    environment: Environment,
    instance: Instance,
    schedule: Schedule,
    cuts: NDArray[np.int64],
    records: NDArray[np.int64],
    stop: NDArray[np.uint8],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Play ``len(cuts)`` blocks of ``cuts[b]`` decisions each; an epoch is a block of one.

    Feedback is averaged inside a block and summed over the blocks (SPEC of the paper's axes: a
    policy that decides each iteration is cut at the epochs of EpochUCB).

    Returns
    -------
    (rows, columns of `RECORDED`) at the recorded blocks, and the iterations of each block
    """
    best = float(instance.mu[instance.best_arm])
    out = np.zeros((len(records), len(RECORDED)))
    lengths = np.zeros(len(cuts), dtype=np.int64)
    plays = [0] * instance.arms
    observe = getattr(policy, "observe", None)
    if observe is not None:
        observe(environment.law)
    k = iteration = row = arm = 0
    regret = expected_regret = subopt = iteration_regret = 0.0
    for block, decisions in enumerate(cuts.tolist()):
        if stop[0]:
            raise Interrupted
        got = due = fair = 0.0
        started = iteration
        for _ in range(decisions):
            k += 1
            arm = _asked(policy, label, k, instance.arms)
            tau = schedule.length(plays[arm])
            plays[arm] += 1
            outcome = environment.play(arm, tau)
            if observe is not None:
                observe(environment.law)
            _told(policy, label, k, arm, outcome.reward)
            iteration += tau
            got += outcome.reward
            due += outcome.expected
            fair += float(instance.mu[arm])
            iteration_regret += tau * (best - outcome.plain)
        got, due, fair = got / decisions, due / decisions, fair / decisions
        regret += best - got
        expected_regret += best - due
        subopt += best - fair
        lengths[block] = iteration - started
        if row < len(records) and block + 1 == records[row]:
            penalty = expected_regret - subopt
            out[row] = (
                arm, lengths[block], iteration, got, regret, expected_regret, subopt,
                penalty, iteration_regret,
            )  # fmt: skip
            row += 1
    return out, lengths


def _asked(policy: Policy, label: str, k: int, arms: int) -> int:
    try:
        answer = policy.choose(k)
    except Exception as error:
        raise _trouble(label, k, f"choose raised {type(error).__name__}: {error}") from error
    try:
        arm = int(answer)
        if arm == answer and 0 <= arm < arms:
            return arm
    except (TypeError, ValueError, OverflowError):
        pass
    raise _trouble(label, k, f"choose returned {answer!r:.60}; arms are 0 to {arms - 1}")


def _told(policy: Policy, label: str, k: int, arm: int, reward: float) -> None:
    try:
        policy.update(arm, reward)
    except Exception as error:
        raise _trouble(label, k, f"update raised {type(error).__name__}: {error}") from error


def _trouble(label: str, k: int, what: str) -> InputError:
    return InputError(f"{label}, epoch {k}: {what}")
