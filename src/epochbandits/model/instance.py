"""A problem instance: arms that share one hidden Markov state (Section 2 of the paper).

Arm j moves the state by the row-stochastic matrix P_j, and its reward has a law that depends on the
arm and the state. An instance is validated when it is created, against the model and the paper's
Assumptions 1 (P_j irreducible and aperiodic) and 2 (M(P_j) irreducible); the rest of the library
relies on that.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import files
from epochbandits.model import chains, checks
from epochbandits.model.rewards import Law
from epochbandits.validation import InputError, keys, short_repr

Array = NDArray[np.float64]

_KEYS = ("name", "transition", "rewards", "initial")
_SMALLEST_GAP = 1e-12  # two means that differ by no more than rounding errors are a tie


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem with m arms over S shared states.

    Parameters
    ----------
    name : str
        Not empty.
    transition : (m, S, S) array
        ``transition[j]`` is the row-stochastic matrix P_j.
    rewards : sequence of m sequences of S Law
        ``rewards[j][s]`` is the law of arm j's reward in state s, with values in [0, 1].
    initial : (S,) array
        Distribution β₁ of the first state.

    Raises
    ------
    InputError
        If a part is malformed, or an arm breaks Assumption 1 or 2; the message names the arm and
        the state.

    Notes
    -----
    A row is accepted if its sum is within 1e-9 of one, and divided by the sum unless that is one up
    to rounding; so an instance written by `to_json` is read back bit for bit.

    Examples
    --------
    >>> from epochbandits.model.rewards import Bernoulli, Constant
    >>> instance = Instance(
    ...     name="two states",
    ...     transition=[[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.5, 0.5]]],
    ...     rewards=[[Bernoulli(0.9), Constant(0.3)], [Constant(0.5), Constant(0.5)]],
    ...     initial=[1, 0],
    ... )
    >>> instance.mu.round(6).tolist(), instance.gap.round(6).tolist(), instance.best_arm
    ([0.7, 0.5], [0.0, 0.2], 0)
    """

    name: str
    transition: Array
    rewards: tuple[tuple[Law, ...], ...]
    initial: Array

    def __post_init__(self) -> None:
        if not checks.is_text(self.name):
            raise InputError(f"name must be a non-empty string, not {short_repr(self.name)}")
        transition = checks.transition_matrices(self.transition)
        arms, states = transition.shape[:2]
        initial = checks.probabilities(self.initial, "initial", states)
        rewards = checks.reward_laws(self.rewards, arms, states)
        for array in (transition, initial):
            array.flags.writeable = False
        object.__setattr__(self, "transition", transition)
        object.__setattr__(self, "initial", initial)
        object.__setattr__(self, "rewards", rewards)
        for arm, P in enumerate(transition):
            checks.check_arm(P, arm)

    # --- reading and writing --------------------------------------------------------------

    @classmethod
    def from_dict(cls, data: Any) -> Instance:
        """Return the instance that the JSON form describes.

        Parameters
        ----------
        data : mapping
            The keys ``name``, ``transition``, ``rewards`` and ``initial``, as in `to_dict`.

        Returns
        -------
        Instance
            Validated.

        Raises
        ------
        InputError
            If a key is unknown or missing, or a part is invalid.
        """
        data = keys(data, "the instance", _KEYS)
        return cls(**{key: data[key] for key in _KEYS})

    @classmethod
    def from_json(cls, path: str | os.PathLike[str]) -> Instance:
        """Read an instance from a JSON file; errors name the file."""
        data = files.read_json(path)
        try:
            return cls.from_dict(data)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def read(cls, instance: Instance | str | os.PathLike[str]) -> Instance:
        """Return an instance as it is, or read it from its JSON file."""
        if isinstance(instance, Instance):
            return instance
        if not isinstance(instance, str | os.PathLike):
            raise InputError(f"an instance is an Instance or a file, not {short_repr(instance)}")
        return cls.from_json(instance)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "transition": self.transition.tolist(),
            "rewards": [[law.to_dict() for law in row] for row in self.rewards],
            "initial": self.initial.tolist(),
        }

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the instance to a JSON file, one matrix row per line."""
        files.write_text(path, _pretty(self.to_dict()) + "\n")

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the instance's canonical JSON form."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    # --- derived ----------------------------------------------------------------------------

    @property
    def arms(self) -> int:
        """m, the number of arms."""
        return int(self.transition.shape[0])

    @property
    def states(self) -> int:
        """S = |Θ|, the number of states."""
        return int(self.transition.shape[1])

    @cached_property
    def pi(self) -> Array:
        """(m, S): stationary distribution of each arm."""
        return _frozen(np.array([chains.stationary(P) for P in self.transition]))

    @cached_property
    def reward_means(self) -> Array:
        """(m, S): mean reward by arm and state."""
        return _frozen(np.array([[law.mean for law in row] for row in self.rewards]))

    @cached_property
    def mu(self) -> Array:
        """(m,): expected stationary reward μ_j = Σ_θ π_j(θ) E[r_j^θ]."""
        return _frozen(np.sum(self.pi * self.reward_means, axis=1))

    @cached_property
    def best_arm(self) -> int:
        """Index (from 0) of the arm with the largest μ; the first of several."""
        return int(np.argmax(self.mu))

    @cached_property
    def gap(self) -> Array:
        """(m,): Δ_j = μ_* - μ_j; exactly zero for arms that tie up to rounding."""
        gap = self.mu[self.best_arm] - self.mu
        gap[gap <= _SMALLEST_GAP] = 0.0
        return _frozen(gap)

    @cached_property
    def min_gap(self) -> float | None:
        """Δ_min over the suboptimal arms (errata E9), or None if no arm is suboptimal."""
        positive = self.gap[self.gap > 0]
        return float(positive.min()) if positive.size else None

    @cached_property
    def mixing(self) -> tuple[chains.Mixing, ...]:
        """λ_j and C_j of each arm."""
        return tuple(chains.mixing(P, pi) for P, pi in zip(self.transition, self.pi, strict=True))

    def report(self) -> dict[str, Any]:
        """Return each arm's constants; the assumptions hold for any instance.

        Returns
        -------
        dict
            Plain data, with a list over the arms under ``per_arm``.
        """
        return {
            "instance": self.name,
            "arms": self.arms,
            "states": self.states,
            "best_arm": self.best_arm,
            "assumption1": True,
            "assumption2": True,
            "digest": self.digest,
            "per_arm": [
                {
                    "arm": arm,
                    "irreducible": chains.is_irreducible(P),
                    "aperiodic": chains.period(P) == 1,
                    "reversiblization_irreducible": chains.unreachable(
                        chains.reversiblization_graph(P)
                    )
                    is None,
                    "positive_diagonal": bool(np.diag(P).min() > 0),
                    "lambda2": self.mixing[arm].lam ** 2,
                    "lam": self.mixing[arm].lam,
                    "C": self.mixing[arm].C,
                    "C_exact": chains.constant_C_exact(self.pi[arm]),
                    "pi_min": float(self.pi[arm].min()),
                    "mu": float(self.mu[arm]),
                    "gap": float(self.gap[arm]),
                }
                for arm, P in enumerate(self.transition)
            ],
        }


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _pretty(value: Any, indent: int = 0) -> str:
    """Return JSON with each innermost list or object on one line."""
    pad = " " * (indent + 1)
    if isinstance(value, Mapping) and indent == 0:
        body = [f"{pad}{json.dumps(key)}: {_pretty(item, 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(body) + "\n}"
    if isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
        return (
            "[\n" + ",\n".join(pad + _pretty(item, indent + 1) for item in value) + f"\n{pad[1:]}]"
        )
    return json.dumps(value)
