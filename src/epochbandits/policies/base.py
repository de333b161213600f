"""What a policy is, for a user who writes one and for the engine that runs it.

A policy in plain Python is a class with three methods and a default schedule::

    class MyPolicy:
        schedule = "linear"                      # or "fixed:1": a decision at each iteration
        def reset(self, info, rng): ...          # a new run; see `Info`; draw only from rng
        def choose(self, k): ...                 # the arm (from 0) of decision k = 1, 2, ...
        def update(self, arm, reward): ...       # the feedback of that decision

If it also has ``observe(distribution)``, that is called with the distribution β of the hidden state
at the start, and after each decision's play, just before ``update``.

The built-in policies are compiled. Each is a NamedTuple of arrays (its memory) with two functions

    choose(policy, k, beta, rng) -> arm                 # beta: the distribution of the state now
    learn(policy, k, arm, rewards, before, after)       # before, after: the same around the play

and, if it decides each iteration, optionally a third one that returns how long a choice is certain
to stay the same (see `Stretch`), so that the engine need not call the policy at each iteration:

    decide(policy, k, beta, rng) -> Stretch

`register` connects them to the class. Every file of this package is imported with it, so that a
new policy is a new file. The run kernel calls the generic functions `choose`, `learn` and `decide`
below, and Numba resolves them by the NamedTuple's class, as multiple dispatch would: the calls are
direct, can be inlined, and the kernel can be cached on disk, which neither closures nor functions
as arguments allow.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from epochbandits.jit import INLINED, inlined
from epochbandits.model.chains import Mixing
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.validation import InputError, unknown_key

Array = NDArray[np.float64]
ROUNDING = 1e-12  # rounding changes an index by less than this
TIE = 2 * ROUNDING  # scores that are equal in exact arithmetic differ by no more
TIE_OF_MEANS = 1e-11  # means that are equal in exact arithmetic differ by less, relative to them
MARGIN = TIE + ROUNDING  # an arm that is ahead by more is ahead without rounding, and no tie
MAX_STRETCH = 1e4  # decisions in a stretch: the rounding of its sums stays far below TIE_OF_MEANS


@dataclass(frozen=True)
class Info:
    """What a policy may know about the problem (see errata E14).

    Parameters
    ----------
    instance : Instance
        The whole problem, for constants that the paper takes from theory. A policy that reads the
        mean rewards from it is an oracle and should say so.
    setting : Setting
        τ0, ζ and γ.
    decisions : int
        The horizon: the number of decisions.
    each_iteration : bool
        Whether a decision is one iteration, so that its reward is not an average.
    """

    instance: Instance
    setting: Setting
    decisions: int
    each_iteration: bool = True

    @property
    def arms(self) -> int:
        return self.instance.arms

    @property
    def states(self) -> int:
        return self.instance.states

    @property
    def mixing(self) -> tuple[Mixing, ...]:
        """λ_j and C_j of each arm."""
        return self.instance.mixing

    @property
    def min_gap(self) -> float | None:
        """Δ_min, or None if all arms tie."""
        return self.instance.min_gap


@runtime_checkable
class Policy(Protocol):
    """The methods that a user's policy must have; see the module's docstring."""

    def reset(self, info: Info, rng: np.random.Generator) -> None:
        """Start a new run.

        Parameters
        ----------
        info : Info
            What may be known about the problem.
        rng : numpy.random.Generator
            The only source of random numbers that a policy may use.
        """
        ...

    def choose(self, k: int) -> int:
        """Return the arm of a decision.

        Parameters
        ----------
        k : int
            The decision, counted from 1.

        Returns
        -------
        int
            The arm, counted from 0.
        """
        ...

    def update(self, arm: int, reward: float) -> None:
        """Learn from the decision that was just played.

        Parameters
        ----------
        arm : int
            The arm.
        reward : float
            Its smoothed feedback, in [0, 1].
        """
        ...


def default_schedule(policy: object) -> str:
    """Return the schedule that a policy or its class states; without one, "linear"."""
    return str(getattr(policy, "schedule", "linear"))


class Rewards(NamedTuple):
    """The rewards of an arm's consecutive decisions, which a compiled policy learns from."""

    decisions: float
    """Their number; one, unless the policy has `decide`."""
    centre: float
    """A number that is subtracted from each reward: 0, or the stretch's centre."""
    total: float
    """Sum of the rewards minus the centre."""
    squares: float
    """Sum of the squares of the rewards minus the centre."""


class Stretch(NamedTuple):
    """An arm, and for how many decisions a policy is certain to choose it.

    After i < plays decisions with rewards r the policy chooses the arm again if

        Σ (r - centre) > level + slope·i .

    Otherwise it may or may not, and decides again. The policy learns when a stretch ends.
    """

    arm: int
    plays: int
    """The largest number of decisions, at least one."""
    centre: float
    level: float
    slope: float


def is_arm(answer: Any, arms: int) -> bool:
    """Return whether a policy's answer is a whole number from 0 to ``arms`` - 1."""
    whole = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
    return whole and 0 <= int(answer) < arms


# --- the registry of compiled policies ------------------------------------------------------------


@dataclass(frozen=True)
class Builtin:
    """A compiled policy: how its memory is built, and the functions that use it."""

    name: str
    schedule: str
    memory: type
    build: Callable[..., Any]
    """build(info, **parameters) returns a new memory; its keyword arguments are the parameters."""
    choose: Any
    learn: Any
    decide: Any | None
    """None: each decision is made by itself."""
    observes: bool
    """Whether it uses the distribution of the state."""

    @property
    def parameters(self) -> dict[str, Any]:
        """Names and defaults of the policy's parameters."""
        return _keyword_parameters(self.build)

    def memory_for(self, info: Info, parameters: Mapping[str, Any]) -> Any:
        """Return a new memory; reject unknown, missing and invalid parameters."""
        known = self.parameters
        for key in parameters:
            if key not in known:
                what = f"policy {self.name!r} has no parameter {key!r}"
                raise unknown_key(key, what, "its parameters:", known)
        for key, default in known.items():
            if default is inspect.Parameter.empty and key not in parameters:
                raise InputError(f"policy {self.name!r} needs the parameter {key!r}")
        try:
            return self.build(info, **parameters)
        except InputError as error:
            raise error.at((), f"policy {self.name!r}") from None


@cache  # reading a signature takes longer than preparing a run
def _keyword_parameters(build: Callable[..., Any]) -> dict[str, Any]:
    signature = inspect.signature(build).parameters.values()
    return {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}


POLICIES: dict[str, Builtin] = {}
_BY_MEMORY: dict[type, Builtin] = {}


def register(
    name: str,
    *,
    schedule: str,
    memory: type,
    build: Callable[..., Any],
    choose: Callable[..., Any],
    learn: Callable[..., Any],
    decide: Callable[..., Any] | None = None,
    observes: bool = False,
) -> Builtin:
    """Register a compiled policy under its name.

    Parameters
    ----------
    name : str
        The name in `POLICIES`; an earlier policy of that name is replaced.
    schedule : str
        The default schedule (`model.schedules`).
    memory : type
        The NamedTuple of its memory, by which compiled code finds the functions.
    build : callable
        build(info, **parameters) returns a new memory.
    choose, learn : callable
        Compiled functions; see the module's docstring.
    decide : callable, optional
        Says for how long a choice is certain (`Stretch`).
    observes : bool
        Whether it uses the distribution of the state.

    Returns
    -------
    Builtin
        The entry of `POLICIES`.
    """
    if decide is not None and observes:
        raise ValueError(f"policy {name!r}: decide and observes=True cannot be combined")
    policy = Builtin(name, schedule, memory, build, choose, learn, decide, observes)
    POLICIES[name] = _BY_MEMORY[memory] = policy
    return policy


# --- generic functions, resolved by the class of the memory ---------------------------------------


def choose(policy: NamedTuple, k: int, beta: Array, rng: np.random.Generator) -> int:
    """Return the arm of decision k."""
    return int(_BY_MEMORY[type(policy)].choose(policy, k, beta, rng))


def learn(
    policy: NamedTuple, k: int, arm: int, rewards: Rewards, before: Array, after: Array
) -> None:
    """Update the memory with the feedback of the decisions up to k."""
    _BY_MEMORY[type(policy)].learn(policy, k, arm, rewards, before, after)


def decide(policy: NamedTuple, k: int, beta: Array, rng: np.random.Generator) -> Stretch:
    """Return the arm of decision k, and for how long it is certain."""
    function = _BY_MEMORY[type(policy)].decide
    assert function is not None, "only a policy that decides ahead"
    stretch: Stretch = function(policy, k, beta, rng)
    return stretch


def observes(policy: NamedTuple) -> bool:
    """Return whether the policy uses the distribution of the state."""
    return _BY_MEMORY[type(policy)].observes


@overload(choose, jit_options=INLINED)
def _choose(policy, k, beta, rng):
    function = _BY_MEMORY[policy.instance_class].choose
    return lambda policy, k, beta, rng: function(policy, k, beta, rng)


@overload(learn, jit_options=INLINED)
def _learn(policy, k, arm, rewards, before, after):
    function = _BY_MEMORY[policy.instance_class].learn
    return lambda policy, k, arm, rewards, before, after: function(
        policy, k, arm, rewards, before, after
    )


@overload(decide, jit_options=INLINED)
def _decide(policy, k, beta, rng):
    function: Any = _BY_MEMORY[policy.instance_class].decide
    return lambda policy, k, beta, rng: function(policy, k, beta, rng)


def decides_ahead(policy: Any) -> bool:
    """Return whether policies of a Numba type have `decide`."""
    return _BY_MEMORY[policy.instance_class].decide is not None


@overload(observes, jit_options=INLINED)
def _observes(policy):
    answer = _BY_MEMORY[policy.instance_class].observes
    return (lambda policy: True) if answer else (lambda policy: False)  # noqa: ARG005


# --- shared by several policies -------------------------------------------------------------------


@inlined
def argmax(value: Array, rng: np.random.Generator) -> int:
    """Return the index of the largest entry; ties uniformly, by the policy's stream (errata D2)."""
    best, arm, ties = value[0], 0, 1
    for j in range(1, len(value)):
        if value[j] > best:
            best, arm, ties = value[j], j, 1
        elif value[j] == best:
            ties += 1
            if rng.random() * ties < 1.0:
                arm = j
    return arm


@inlined
def best_arm(score: Array, mean: Array, rng: np.random.Generator) -> int:
    """Return the arm with the largest score, which depends on its running mean; ties uniformly.

    Two arms tie if their scores are the same number, or if neither their scores nor their means
    differ by more than rounding (errata D2). The tolerance for means is relative: rewards may be
    tiny and differ all the same.
    """
    arm, ties = 0, 1
    for j in range(1, len(score)):
        rounding = abs(mean[j] - mean[arm]) <= TIE_OF_MEANS * mean[arm]
        if score[j] == score[arm] or (rounding and abs(score[j] - score[arm]) <= TIE):
            ties += 1
            if rng.random() * ties < 1.0:
                arm = j
        elif score[j] > score[arm]:
            arm, ties = j, 1
    return arm


@inlined
def dot(a, b):
    """Return Σ a_i b_i; 4 or 8 terms without a loop, which would take most of the time."""
    if len(a) == 4:
        return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
    if len(a) == 8:
        total = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
        return total + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7]
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@inlined
def single(arm):
    """Return a stretch of one decision."""
    return Stretch(arm, 1, 0.0, 0.0, 0.0)


@inlined
def certain_stretch(arm, plays, mean, lead, rival, limit):
    """Return for how long the arm with the largest index is certain to keep it.

    The index of an arm is mean + H/T after T plays, with an H ≥ 0 that its plays do not lower. It
    exceeds ``rival``, a bound on the others' indices within ``limit`` decisions, by ``lead``. After
    i more plays it is therefore still the largest if

        Σ (r - mean) > -T·lead + (rival - mean)·i .

    The arm must be ahead by `MARGIN`, so that neither rounding nor a tie changes the choice.
    """
    level = -plays * lead + MARGIN * (plays + limit)
    return Stretch(arm, limit, mean, level, rival - mean)


@inlined
def optimistic_stretch(policy, arm, growth):
    """Return for how long an arm is certain if the others' windows grow slowly.

    ``policy`` has each arm's ``score``, its ``mean`` plus a window. A window w is at most
    w (1 + growth·n) within n decisions, which bounds the others' indices. n is such that each of
    them grows by at most half of its distance to the arm's index.
    """
    m, best, most = len(policy.score), policy.score[arm], MAX_STRETCH
    for j in range(m):
        if j != arm:
            rise = growth * (policy.score[j] - policy.mean[j])
            most = min(most, 0.5 * (best - policy.score[j]) / rise)
    n, rival = max(1, int(most)), -1.0
    for j in range(m):
        if j != arm:
            rise = growth * (policy.score[j] - policy.mean[j])
            rival = max(rival, policy.score[j] + n * rise)
    return certain_stretch(arm, policy.plays[arm], policy.mean[arm], best - rival, rival, n)


@inlined
def learn_mean(policy, k, arm, rewards, before, after):
    """Running mean, divided by the new count (errata D1)."""
    policy.plays[arm] += rewards.decisions
    deviation = rewards.total + rewards.decisions * (rewards.centre - policy.mean[arm])
    policy.mean[arm] += deviation / policy.plays[arm]


@inlined
def learn_nothing(policy, k, arm, rewards, before, after):
    """Ignore the feedback."""
