"""Problem instances: the failure example and the random classes of the experiments.

The paper describes its class in words (Section 5.1): the optimal arm keeps the state in a small
subset S* with high probability, the others enter it with low probability, and each arm's mean
rewards increase with its stationary probabilities. `InstanceClass` fixes what the text leaves open
(errata D8); because that is a choice, the other classes vary what matters most.

An instance depends on (class, arms, states, seed) and on nothing else.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.model import chains
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Law, Uniform
from epochbandits.validation import InputError, choice, integer, number, short_repr, unknown_key

Array = NDArray[np.float64]
Range = tuple[float, float]
MAX_SIZE = 256  # arms or states
ARMS = STATES = 4
"""Defaults: the size of the paper's instances."""
EPSILON = 0.001
"""Default ε of Example 1 (errata D4)."""


@dataclass(frozen=True)
class InstanceClass:
    """A random class of instances; each pair is the range of a uniform distribution."""

    delta: Range = (0.02, 0.05)
    """Mass that the target row puts on the wrong side of S*."""
    overlap: float = 0.0
    """Mass of the other arms on S*: from δ (at 0) to the share |S*|/S of pure chance (at 1)."""
    stick_optimal: Range = (0.95, 0.98)
    """a in P = a·I + (1-a)·K for the optimal arm."""
    stick_others: Range = (0.3, 0.8)
    """The same for the other arms."""
    jitter: Range = (0.5, 1.5)
    """Factor on each entry of the target row, for each row of K."""
    dirichlet: float = 0.5
    """Share of a flat Dirichlet draw in the target row; the rest is split evenly."""
    mean_high: Range = (0.8, 1.0)
    """Mean rewards of the optimal arm on S*."""
    mean_others: Range = (0.4, 0.7)
    """Mean rewards of the other arms off S*."""
    mean_low: Range = (0.0, 0.1)
    """Mean rewards elsewhere."""
    sorted_means: bool = False
    """All means uniform on [0, 1] and sorted, in place of the three ranges."""
    concentration: Range = (2.0, 10.0)
    """a + b of a beta law."""
    min_gap: float = 0.15
    """Smallest gap of an accepted instance."""
    max_draws: int = 1000
    """Draws after which `generate` gives up."""


ClassName = Literal[
    "anticorrelated", "slow_suboptimal", "inverted", "fast", "literal", "uncorrelated"
]
_DEFAULT = InstanceClass()
CLASSES: dict[ClassName, InstanceClass] = {
    "anticorrelated": _DEFAULT,
    "slow_suboptimal": replace(_DEFAULT, stick_others=(0.8, 0.98)),
    "inverted": replace(_DEFAULT, stick_optimal=(0.9, 0.95), stick_others=(0.95, 0.98)),
    "fast": replace(_DEFAULT, stick_optimal=(0.5, 0.7), stick_others=(0.3, 0.6)),
    "literal": replace(
        _DEFAULT,
        stick_optimal=(0.6, 0.9),
        stick_others=(0.6, 0.9),
        sorted_means=True,
        min_gap=0.2,
    ),
    "uncorrelated": replace(_DEFAULT, overlap=1.0),
}


def failure_example(epsilon: float = EPSILON) -> Instance:
    """Return Example 1, on which UCB and ε-greedy can lock on to the worse arm.

    Arm 0 leads to state 1, and its reward is 0 in state 0 and 1 in state 1. Arm 1 leads to state 0,
    and its reward is ½ in both. The paper gives no value of ε (errata D4).

    Parameters
    ----------
    epsilon : float
        ε in (0, 1), the probability that an arm does not lead to its state.

    Returns
    -------
    Instance
        2 arms, 2 states; arm 0 is the better one.

    Raises
    ------
    InputError
        If ε is not in (0, 1).

    Examples
    --------
    >>> failure_example(0.01).mu.round(4).tolist()
    [0.9901, 0.5]
    """
    epsilon = number(epsilon, "epsilon", 0, 1, above=True, below=True)
    return Instance(
        name=f"failure-eps{epsilon:g}",
        transition=np.array(
            [[[0, 1], [epsilon, 1 - epsilon]], [[1 - epsilon, epsilon], [1, 0]]], dtype=np.float64
        ),
        rewards=((Constant(0.0), Constant(1.0)), (Constant(0.5), Constant(0.5))),
        initial=np.array([1.0, 0.0]),
    )


def generate(
    name: ClassName, arms: int = ARMS, states: int = STATES, seed: int = 0, **knobs: Any
) -> Instance:
    """Draw instances of a class until one is accepted, and return it.

    An instance is accepted if its designated arm is the best one by at least ``min_gap`` and the
    paper's assumptions hold.

    Parameters
    ----------
    name : ClassName
        The class, one of `CLASSES`.
    arms, states : int
        2 to 256, with arms × states² of at most 1,000,000.
    seed : int
        Non-negative.
    **knobs : dict
        Fields of `InstanceClass` that differ from the class's defaults.

    Returns
    -------
    Instance
        A function of the arguments alone.

    Raises
    ------
    InputError
        If an argument is not allowed, or the class accepts none of ``max_draws`` draws.

    Examples
    --------
    >>> generate("fast", arms=3, states=5, seed=7).transition.shape
    (3, 5, 5)
    """
    return generate_counted(name, arms, states, seed, **knobs)[0]


def generate_counted(
    name: ClassName, arms: int, states: int, seed: int, **knobs: Any
) -> tuple[Instance, int]:
    """Return the instance of `generate`, and the number of draws until it was accepted."""
    choice(name, "class", CLASSES)
    integer(arms, "arms", 2, MAX_SIZE)
    integer(states, "states", 2, MAX_SIZE)
    limits.check_instance(arms, states)
    integer(seed, "seed", 0, 2**63 - 1)
    spec = replace(CLASSES[name], **_checked_knobs(knobs))
    stream = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(name.encode()), arms, states))
    rng = np.random.default_rng(stream)
    label = f"{name}-{arms}x{states}-seed{seed}" + ("-custom" if knobs else "")
    for draw in range(1, spec.max_draws + 1):
        instance = _draw(spec, arms, states, rng, label)
        if instance is not None:
            return instance, draw
    raise InputError(
        f"class {name!r} accepted none of {spec.max_draws} draws with {arms} arms and {states} "
        f"states (seed {seed}); take fewer arms or a min_gap below {spec.min_gap:g}"
    )


def _draw(
    spec: InstanceClass, arms: int, states: int, rng: np.random.Generator, label: str
) -> Instance | None:
    """Return one draw, or None if it is not accepted."""
    inside = max(1, states // 4)
    best = int(rng.integers(arms))
    subset = rng.permutation(states)[:inside]
    transition = np.empty((arms, states, states))
    means = np.empty((arms, states))
    mu = np.empty(arms)
    # The designated arm comes first: a draw is rejected at the first other arm that is too good.
    for arm in [best, *(arm for arm in range(arms) if arm != best)]:
        P = transition[arm] = _matrix(spec, arm == best, subset, states, rng)
        if not chains.is_irreducible(P):  # possible with knobs such as stick_others=(1, 1)
            return None
        pi = chains.stationary(P)
        means[arm, np.argsort(pi, kind="stable")] = _means(spec, arm == best, inside, states, rng)
        mu[arm] = pi @ means[arm]
        if arm != best and mu[arm] > mu[best] - spec.min_gap:
            return None
    rewards = tuple(tuple(_law(spec, mean, rng) for mean in row) for row in means.tolist())
    try:
        return Instance(label, transition, rewards, np.full(states, 1 / states))
    except InputError:  # an assumption fails, as it may with unusual knobs
        return None


def _matrix(
    spec: InstanceClass,
    is_best: bool,
    subset: NDArray[np.int64],
    states: int,
    rng: np.random.Generator,
) -> Array:
    """Return P = a·I + (1-a)·K, K's rows being jittered copies of one target row."""
    delta = rng.uniform(*spec.delta)
    on_subset = np.isin(np.arange(states), subset)
    chance = len(subset) / states
    home = 1 - delta if is_best else 1 - delta + spec.overlap * (delta - chance)
    masses = (home, delta) if is_best else (1 - home, home)
    target = np.empty(states)
    for part, mass in zip((on_subset, ~on_subset), masses, strict=True):
        size = int(part.sum())
        split = spec.dirichlet * rng.dirichlet(np.ones(size)) + (1 - spec.dirichlet) / size
        target[part] = split * mass
    K = target * rng.uniform(*spec.jitter, size=(states, states))
    K /= K.sum(axis=1, keepdims=True)
    stick = rng.uniform(*(spec.stick_optimal if is_best else spec.stick_others))
    P: Array = (1 - stick) * K
    # The diagonal makes the row sum to one, up to about the last bit.
    np.fill_diagonal(P, 0.0)
    np.fill_diagonal(P, 1 - P.sum(axis=1))
    return P


def _means(
    spec: InstanceClass, is_best: bool, inside: int, states: int, rng: np.random.Generator
) -> Array:
    """Return the arm's mean rewards in increasing order."""
    if spec.sorted_means:
        return np.sort(rng.uniform(0, 1, size=states))
    high, size = (spec.mean_high, inside) if is_best else (spec.mean_others, states - inside)
    low = rng.uniform(*spec.mean_low, size=states - size)
    return np.sort(np.concatenate([low, rng.uniform(*high, size=size)]))


def _law(spec: InstanceClass, mean: float, rng: np.random.Generator) -> Law:
    """Return a beta, uniform or Bernoulli law, each with probability ⅓, with the given mean."""
    kind = rng.integers(3)
    if not 0 < mean < 1:  # possible with knobs such as mean_low=(0, 0)
        return Constant(float(mean))
    if kind == 0:
        total = rng.uniform(*spec.concentration)
        return Beta(float(mean * total), float((1 - mean) * total))
    if kind == 1:
        width = rng.uniform() * min(mean, 1 - mean)
        return Uniform(float(mean - width), float(mean + width))
    return Bernoulli(float(mean))


def _checked_knobs(knobs: dict[str, Any]) -> dict[str, Any]:
    known = {f.name: getattr(_DEFAULT, f.name) for f in fields(InstanceClass)}
    checked: dict[str, Any] = {}
    for key, value in knobs.items():
        if key not in known:
            raise unknown_key(key, f"unknown knob {key!r}", "the knobs are", known)
        if isinstance(known[key], tuple):
            if not isinstance(value, list | tuple) or len(value) != 2:
                raise InputError(
                    f"knob {key!r} must be a pair [low, high], not {short_repr(value)}"
                )
            scale = key in ("jitter", "concentration")  # factors; the other pairs are shares
            low, high = (number(end, f"knob {key!r}", 0, 1e6 if scale else 1) for end in value)
            if low > high or (scale and low == 0):
                allowed = "0 < low ≤ high" if scale else "low ≤ high"
                raise InputError(
                    f"knob {key!r} must be a pair with {allowed}, not {short_repr(value)}"
                )
            checked[key] = (low, high)
        elif isinstance(known[key], bool):
            if not isinstance(value, bool):
                raise InputError(f"knob {key!r} must be true or false, not {short_repr(value)}")
            checked[key] = value
        elif isinstance(known[key], int):
            checked[key] = integer(value, f"knob {key!r}", 1, 10**6)
        else:
            checked[key] = number(value, f"knob {key!r}", 0, 1)
    return checked
