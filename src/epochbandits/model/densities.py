r"""Densities on [0, 1] that reward laws are mixtures of.

Each is of the form

.. math:: f(x) = e^c \, x^{α} (1 - x)^{β}, \qquad low ≤ x ≤ high,

which is what the fast engine's compiled sampler evaluates (`engine.sampling_tables`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
TINY, EPS = 1e-300, 2.0**-52  # points are strictly between TINY and 1 - EPS


@dataclass(frozen=True, slots=True)
class BetaDensity:
    """x^(a-1) (1-x)^(b-1) / B(a, b)."""

    a: float
    b: float

    @property
    def exponents(self) -> tuple[float, float]:
        """α and β."""
        return self.a - 1, self.b - 1

    @property
    def log_constant(self) -> float:
        """The constant c."""
        return -float(special.betaln(self.a, self.b))

    @property
    def support(self) -> tuple[float, float]:
        """Where it is positive: low and high."""
        return 0.0, 1.0

    @property
    def jumps(self) -> tuple[float, ...]:
        """Points inside (0, 1) where it is not continuous, or may not be."""
        return ()

    def cdf(self, x: Array) -> Array:
        """Return P(X ≤ x)."""
        return np.asarray(special.betainc(self.a, self.b, x))

    def survival(self, x: float) -> float:
        """Return P(X > x), without the cancellation of 1 - cdf."""
        return float(special.betainc(self.b, self.a, 1 - x))

    def quantiles(self, levels: Array) -> Array:
        """Return points near these quantiles, and the ends of a support inside [0, 1]."""
        return np.asarray(special.betaincinv(self.a, self.b, levels))

    def bounds(self, left: Array, right: Array, log_weight: float) -> tuple[Array, Array]:
        """Return lower and upper bounds on the cells [left, right] of the weighted density."""
        alpha, beta = self.exponents
        f, g = self._density(left, log_weight), self._density(right, log_weight)
        low, high = np.minimum(f, g), np.maximum(f, g)
        if alpha * beta > 0:  # a mode or an antimode inside (0, 1)
            turn = np.clip(alpha / (alpha + beta), TINY, 1 - EPS)
            inside = (left < turn) & (turn < right)
            (high if alpha > 0 else low)[inside] = self._density(turn, log_weight)
        return low * (1 - self._slack), high * (1 + self._slack)

    def chords(
        self, left: Array, right: Array, log_weight: float, high: Array
    ) -> tuple[Array, Array, Array]:
        """Return chords of the weighted density over the cells, and its distance from them.

        A chord has the value c0 at the left end and the slope c1. The density f is within
        width²/8 max |f''| of it, where f'' = f (g² - α/x² - β/(1-x)²) with g = α/x - β/(1-x); if α
        and β have the same sign, g is monotone. The distance allows for rounding, that of x
        included. It is finite only for cells inside the support. ``high`` is the upper bound from
        `bounds`.

        Returns (c0, c1, distance).
        """
        alpha, beta = self.exponents
        f, g = self._density(left, log_weight), self._density(right, log_weight)
        width = right - left
        near, far = width / left, width / (1 - right)
        with np.errstate(over="ignore", invalid="ignore"):  # a distance may be inf or nan
            steep = abs(alpha) * near + abs(beta) * far
            if alpha * beta > 0:
                ends = (alpha / x - beta / (1 - x) for x in (left, right))
                steep = width * np.maximum(*map(np.abs, ends))
            bend = steep**2 + abs(alpha) * near**2 + abs(beta) * far**2
            rounding = EPS * (abs(alpha) + abs(beta) / (1 - right)) + self._slack
            distance = high * (bend / 8 + rounding)
            # A double below 1e-308 has fewer digits.
            return f, (g - f) / width, np.where(high > 1e-290, distance, np.inf)

    def _density(self, x: Array, log_weight: float) -> Array:
        """Return the weighted density."""
        alpha, beta = self.exponents
        constant = log_weight + self.log_constant
        return np.asarray(np.exp(constant + alpha * np.log(x) + beta * np.log1p(-x)))

    @property
    def _slack(self) -> float:
        """Relative error that exceeds the rounding of exp(log density)."""
        return 1e-14 * (50 + self.a + self.b)


@dataclass(frozen=True, slots=True)
class UniformDensity:
    """1/(high - low) on [low, high], low < high."""

    low: float
    high: float

    @property
    def exponents(self) -> tuple[float, float]:
        return 0.0, 0.0

    @property
    def log_constant(self) -> float:
        return -float(np.log(self.high - self.low))

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def jumps(self) -> tuple[float, ...]:
        return self.support

    def cdf(self, x: Array) -> Array:
        return np.clip((x - self.low) / (self.high - self.low), 0, 1)

    def survival(self, x: float) -> float:
        return float(np.clip((self.high - x) / (self.high - self.low), 0, 1))

    def quantiles(self, levels: Array) -> Array:
        return np.asarray(self.low + (self.high - self.low) * np.r_[0.0, levels, 1.0])

    def bounds(self, left: Array, right: Array, log_weight: float) -> tuple[Array, Array]:
        height = np.exp(log_weight + self.log_constant)
        covered = (left >= self.low) & (right <= self.high)
        touched = (right > self.low) & (left < self.high)
        return height * covered, height * touched

    def chords(
        self,
        left: Array,
        right: Array,
        log_weight: float,  # noqa: ARG002
        high: Array,
    ) -> tuple[Array, Array, Array]:
        inside = (left >= self.low) & (right <= self.high) & (high > 1e-290)
        return high, np.zeros_like(high), np.where(inside, 1e-9 * high, np.inf)


Density = BetaDensity | UniformDensity
"""What it takes to build a sampling table; the methods are documented in `BetaDensity`."""
