"""Reward laws on [0, 1]: Bernoulli, beta, uniform and constant, with exact mean and variance.

The paper (Section 2, 'Reward Models') lets an iteration's reward have any law on [0, 1] that
depends on the arm and the state; its experiments use beta, Bernoulli and uniform laws.

A new law is a class here and an entry of `LAWS`. It declares its moments, a plain draw, its atoms
and its densities, and both engines can run it: the fast one samples any mixture of atoms and
densities from a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from epochbandits.validation import InputError, choice, keys, number, short_repr

if TYPE_CHECKING:  # slow to import, because of SciPy: only the fast engine needs it
    from epochbandits.model.densities import Density

_MAX_SHAPE = 1e6  # the cells of the sampling tables are too wide for narrower laws
FROM_TABLE, BINOMIAL, UNIFORM, CONSTANT = range(4)


class Summation(NamedTuple):
    """How the fast engine draws the sum of n independent rewards of a law.

    ==============  =======================================================================
    ``FROM_TABLE``  n draws from the law's table: right for any law
    ``BINOMIAL``    a binomial number with probability ``first``; small n from the table
    ``UNIFORM``     n uniform numbers, from the range ``first`` to ``second``
    ``CONSTANT``    n times ``first``
    ==============  =======================================================================
    """

    method: int = FROM_TABLE
    first: float = 0.0
    second: float = 0.0


@dataclass(frozen=True, slots=True)
class Law:
    """A probability law on [0, 1]: atoms, and a mixture of densities."""

    name: ClassVar[str]

    @property
    def mean(self) -> float:
        raise NotImplementedError

    @property
    def variance(self) -> float:
        raise NotImplementedError

    def draw(self, rng: np.random.Generator) -> float:
        """Return one reward, drawn the plain way that the fast engine is tested against."""
        raise NotImplementedError

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """Values with a positive probability, and that probability."""
        return ()

    @property
    def components(self) -> tuple[tuple[float, Density], ...]:
        """Weights and densities of the continuous part."""
        return ()

    @property
    def summation(self) -> Summation:
        """How a sum of independent draws is drawn."""
        return Summation()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: the law's name and its parameters."""
        return {"law": self.name} | {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, slots=True)
class Bernoulli(Law):
    """1 with probability p, else 0."""

    name: ClassVar[str] = "bernoulli"
    p: float

    def __post_init__(self) -> None:
        _set(self, "p", number(self.p, "p", 0, 1))

    @property
    def mean(self) -> float:
        return self.p

    @property
    def variance(self) -> float:
        return self.p * (1 - self.p)

    def draw(self, rng: np.random.Generator) -> float:
        return 1.0 if rng.random() < self.p else 0.0

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        return (1.0, self.p), (0.0, 1 - self.p)

    @property
    def summation(self) -> Summation:
        return Summation(BINOMIAL, self.p)


@dataclass(frozen=True, slots=True)
class Beta(Law):
    """Density proportional to x^(a-1) (1-x)^(b-1)."""

    name: ClassVar[str] = "beta"
    a: float
    b: float

    def __post_init__(self) -> None:
        for key in ("a", "b"):
            _set(self, key, number(getattr(self, key), key, 0, _MAX_SHAPE, above=True))

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        total = self.a + self.b
        return (self.a / total) * (self.b / total) / (total + 1)

    def draw(self, rng: np.random.Generator) -> float:
        return rng.beta(self.a, self.b)

    @property
    def components(self) -> tuple[tuple[float, Density], ...]:
        from epochbandits.model.densities import BetaDensity

        return ((1.0, BetaDensity(self.a, self.b)),)


@dataclass(frozen=True, slots=True)
class Uniform(Law):
    """Uniform on [low, high]."""

    name: ClassVar[str] = "uniform"
    low: float
    high: float

    def __post_init__(self) -> None:
        _set(self, "low", number(self.low, "low", 0, 1))
        _set(self, "high", number(self.high, "high", 0, 1))
        if self.low > self.high:
            raise InputError(f"low must not exceed high, but {self.low} > {self.high}")

    @property
    def mean(self) -> float:
        return 0.5 * (self.low + self.high)

    @property
    def variance(self) -> float:
        return (self.high - self.low) ** 2 / 12

    def draw(self, rng: np.random.Generator) -> float:
        return self.low + (self.high - self.low) * rng.random()

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        return ((self.low, 1.0),) if self.low == self.high else ()

    @property
    def components(self) -> tuple[tuple[float, Density], ...]:
        from epochbandits.model.densities import UniformDensity

        return () if self.low == self.high else ((1.0, UniformDensity(self.low, self.high)),)

    @property
    def summation(self) -> Summation:
        return Summation(UNIFORM, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Constant(Law):
    """Always the same value."""

    name: ClassVar[str] = "constant"
    value: float

    def __post_init__(self) -> None:
        _set(self, "value", number(self.value, "value", 0, 1))

    @property
    def mean(self) -> float:
        return self.value

    @property
    def variance(self) -> float:
        return 0.0

    def draw(self, rng: np.random.Generator) -> float:  # noqa: ARG002
        return self.value

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        return ((self.value, 1.0),)

    @property
    def summation(self) -> Summation:
        return Summation(CONSTANT, self.value)


LAWS: dict[str, type[Law]] = {law.name: law for law in (Bernoulli, Beta, Uniform, Constant)}


def law_from_dict(data: Any) -> Law:
    """Return the law that ``{"law": name, parameter: value, ...}`` describes."""
    if not isinstance(data, Mapping) or "law" not in data:
        raise InputError(f"a reward must be an object with the key 'law', not {short_repr(data)}")
    law = LAWS[choice(data["law"], "law", LAWS)]
    parameters = [f.name for f in fields(law)]
    keys(data, f"law {law.name!r}", ["law", *parameters])
    return law(**{name: data[name] for name in parameters})


def _set(law: Law, key: str, value: float) -> None:
    object.__setattr__(law, key, value)  # the way to set a field of a frozen dataclass
