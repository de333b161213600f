"""A run with a policy in plain Python, on any engine.

The fast engine has the same loop compiled (`fast._run`) for the built-in policies; a test runs both
on the same streams and finds the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.base import Environment, Interrupted, Trace, Whole
from epochbandits.model.schedules import Schedule
from epochbandits.policies.base import Builtin, Info, Policy, is_arm
from epochbandits.validation import InputError

__all__ = ["BuiltinInPython", "run"]


class BuiltinInPython:
    """A built-in policy behind the methods of a plain one, its functions not compiled."""

    def __init__(self, builtin: Builtin, parameters: dict[str, Any]) -> None:
        self._builtin, self._parameters = builtin, parameters
        self.schedule = builtin.schedule
        if not builtin.observes:
            self.observe = None  # type: ignore[assignment]

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        self._memory = self._builtin.memory_for(info, self._parameters)
        self._rng, self._k = rng, 0
        self._before = self._after = np.zeros(info.states)

    def observe(self, law: NDArray[np.float64]) -> None:
        self._before, self._after = self._after, law

    def choose(self, k: int) -> int:
        self._k = k
        return int(self._builtin.choose.py_func(self._memory, k, self._after, self._rng))

    def update(self, arm: int, reward: float) -> None:
        learn = self._builtin.learn.py_func
        learn(self._memory, self._k, arm, reward, self._before, self._after)


def run(
    policy: Policy,
    label: str,
    info: Info,
    rng: np.random.Generator,
    environment: Environment,
    schedule: Schedule,
    cuts: Iterable[Whole],
    trace: Trace,
    stop: NDArray[np.uint8],
) -> Iterator[Whole]:
    """Play the blocks; feedback is averaged inside a block and summed over the blocks.

    ``cuts`` are the blocks' decisions, piece by piece. What a policy does wrong is told with its
    ``label``; ``rng`` is its own stream.

    Yields
    ------
    The iterations of each block of a piece, when the piece was played; the trace is filled as well.
    """
    arms, mu = info.arms, info.instance.mu.tolist()
    best = mu[info.instance.best_arm]
    records, out = trace
    plays = [0] * arms
    told = _Teller(policy, label)
    told.reset(info, rng)
    told.law(0, environment)
    k = iteration = block = row = arm = 0
    regret = expected_regret = subopt = iteration_regret = 0.0
    for piece in cuts:
        lengths = np.empty_like(piece)
        for i, decisions in enumerate(piece.tolist()):
            if stop[0]:
                raise Interrupted
            got = due = fair = 0.0
            started = iteration
            for _ in range(decisions):
                k += 1
                arm = told.asked(k, arms)
                tau = schedule.length(plays[arm])
                plays[arm] += 1
                outcome = environment.play(arm, tau)
                told.law(k, environment)
                told.reward(k, arm, outcome.reward)
                iteration += tau
                got += outcome.reward
                due += outcome.expected
                fair += mu[arm]
                iteration_regret += tau * (best - outcome.plain)
            got, due, fair = got / decisions, due / decisions, fair / decisions
            regret += best - got
            expected_regret += best - due
            subopt += best - fair
            lengths[i] = iteration - started
            block += 1
            if row < len(records) and block == records[row]:
                penalty = expected_regret - subopt
                out[row] = (
                    arm, lengths[i], iteration, got, regret, expected_regret, subopt, penalty,
                    iteration_regret,
                )  # fmt: skip
                row += 1
        yield lengths


class _Teller:
    """Talks to a policy in plain Python, and says where it went wrong if it did."""

    def __init__(self, policy: Policy, label: str) -> None:
        self._policy, self._label = policy, label
        self._observe = getattr(policy, "observe", None)

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        self._call(0, "reset", self._policy.reset, info, rng)

    def law(self, k: int, environment: Environment) -> None:
        if self._observe is not None:
            self._call(k, "observe", self._observe, environment.law)

    def asked(self, k: int, arms: int) -> int:
        answer = self._call(k, "choose", self._policy.choose, k)
        if is_arm(answer, arms):
            return int(answer)
        shown = self._call(k, "repr of what choose returned", repr, answer)
        raise self._trouble(k, f"choose returned {shown:.60}; arms are whole numbers to {arms - 1}")

    def reward(self, k: int, arm: int, reward: float) -> None:
        self._call(k, "update", self._policy.update, arm, reward)

    def _call(self, k: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except (InputError, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit too: it must not pass for success
            what = f"{name} raised {type(error).__name__}: {error}"
            raise self._trouble(k, what) from error

    def _trouble(self, k: int, what: str) -> InputError:
        where = f", epoch {k}" if k else ""
        return InputError(f"{self._label}{where}: {what}")
