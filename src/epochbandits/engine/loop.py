"""A run of a policy in plain Python, on any engine.

The fast engine has the same loop compiled (`fast._run`) for the built-in policies; on the same
streams both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Environment, IntArray, Interrupted, Row, Run
from epochbandits.engine.streams import Streams
from epochbandits.policies.base import Builtin, Info, Policy, Rewards, is_arm
from epochbandits.policies.error_locations import defined_at, raised_at
from epochbandits.validation import InputError, short_repr


class BuiltinInPython:
    """A built-in policy with the methods of a plain one; its functions are not compiled."""

    def __init__(self, builtin: Builtin, params: Mapping[str, Any]) -> None:
        self._builtin, self._params = builtin, params
        self.schedule = builtin.schedule
        if not builtin.observes:
            self.observe = None  # type: ignore[assignment]

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        self._memory = self._builtin.memory_for(info, self._params)
        self._rng, self._k = rng, 0
        self._before = self._after = np.zeros(info.states)

    def observe(self, distribution: NDArray[np.float64]) -> None:
        self._before, self._after = self._after, distribution

    def choose(self, k: int) -> int:
        self._k = k
        return int(self._builtin.choose.py_func(self._memory, k, self._after, self._rng))

    def update(self, arm: int, reward: float) -> None:
        learn = self._builtin.learn.py_func
        rewards = Rewards(1.0, 0.0, reward, reward * reward)
        learn(self._memory, self._k, arm, rewards, self._before, self._after)


def new_policy(
    policy: Builtin | Callable[..., Policy], params: Mapping[str, Any], label: str
) -> Policy:
    """Return a new policy in plain Python; an error names it by its ``label``."""
    if isinstance(policy, Builtin):
        return BuiltinInPython(policy, params)
    try:
        created = policy(**params)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = raised_at(error, policy)
        raise InputError(f"{label} cannot be created: {error}{where}") from error
    if not isinstance(created, Policy):
        raise InputError(
            f"{label}: the call returned {short_repr(created)}, which lacks the methods reset, "
            f"choose and update{defined_at(policy)}"
        )
    return created


class PythonEngine:
    """The loop of a run, for engines that offer `environment`."""

    def environment(self, streams: Streams, observed: bool) -> Environment:
        raise NotImplementedError

    @staticmethod
    def compiles(policy: Builtin | Callable[..., Policy]) -> bool:  # noqa: ARG004
        """Return whether runs of the policy are compiled code."""
        return False

    def run(self, run: Run) -> Iterator[IntArray]:
        """Play a run's blocks: feedback is averaged inside a block and summed over the blocks."""
        caller = _Caller(new_policy(run.policy, run.params, run.label), run.label)
        environment = self.environment(run.streams, caller.observes)
        arms, mu = run.info.arms, run.info.instance.mu.tolist()
        best = mu[run.info.instance.best_arm]
        records, rows = run.trace
        plays = [0] * arms
        caller.reset(run.info, run.streams.policy)
        caller.observe(0, environment)
        k = iteration = block = row = arm = 0
        regret = expected_regret = subopt_regret = iteration_regret = 0.0
        for piece in run.pieces:
            lengths = np.empty_like(piece)
            for i, decisions in enumerate(piece.tolist()):
                if run.stop[0]:
                    raise Interrupted
                rewards = expected = stationary = 0.0
                start = iteration
                for _ in range(decisions):
                    k += 1
                    arm = caller.choose(k, arms)
                    tau = run.schedule.length(plays[arm])
                    plays[arm] += 1
                    outcome = environment.play(arm, tau)
                    caller.observe(k, environment)
                    caller.update(k, arm, outcome.reward)
                    iteration += tau
                    rewards += outcome.reward
                    expected += outcome.expected
                    stationary += mu[arm]
                    iteration_regret += tau * (best - outcome.plain)
                regret += best - rewards / decisions
                expected_regret += best - expected / decisions
                subopt_regret += best - stationary / decisions
                lengths[i] = iteration - start
                block += 1
                if row < len(records) and block == records[row]:
                    rows[row] = Row(
                        arm, lengths[i], iteration, rewards / decisions, regret, expected_regret,
                        subopt_regret, expected_regret - subopt_regret, iteration_regret,
                    )  # fmt: skip
                    row += 1
            yield lengths


class _Caller:
    """Calls a policy in plain Python; an error says which method failed, and at which epoch."""

    def __init__(self, policy: Policy, label: str) -> None:
        self._policy, self._label = policy, label
        self._observe = getattr(policy, "observe", None)

    @property
    def observes(self) -> bool:
        return self._observe is not None

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        self._call(0, "reset", self._policy.reset, info, rng)

    def observe(self, k: int, environment: Environment) -> None:
        if self._observe is not None:
            self._call(k, "observe", self._observe, environment.distribution)

    def choose(self, k: int, arms: int) -> int:
        answer = self._call(k, "choose", self._policy.choose, k)
        if is_arm(answer, arms):
            return int(answer)
        where = defined_at(self._policy.choose)
        raise self._error(
            k, f"choose returned {short_repr(answer)}; arms are the integers 0 to {arms - 1}{where}"
        )

    def update(self, k: int, arm: int, reward: float) -> None:
        self._call(k, "update", self._policy.update, arm, reward)

    def _call(self, k: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit too: it must not pass for success
            message = f"{name} raised {type(error).__name__}: {error}"
            raise self._error(k, message + raised_at(error, method)) from error

    def _error(self, k: int, message: str) -> InputError:
        where = f", epoch {k}" if k else ""
        return InputError(f"{self._label}{where}: {message}")
