r"""A grid on the probability simplex, and the points of it that a distribution lies between.

The grid of resolution M has the distributions k/M with integers k_θ ≥ 0 that sum to M. The
triangulation of Freudenthal puts every distribution b in a simplex of S grid points: with
x_i = M Σ_{j ≥ i} b_j, v = ⌊x⌋ and d = x - v, its corners are v plus the unit vectors of the
coordinates in decreasing order of d, one after the other, and the weights are the differences of
those d. The weighted corners have the mean b, so a convex function is at most the weighted sum of
its values at the corners.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from epochbandits.validation import InputError, integer

Array = NDArray[np.float64]

_MAX_POINTS = 100_000


@dataclass(frozen=True)
class Grid:
    """The grid of resolution M over S states."""

    states: int
    resolution: int

    def __post_init__(self) -> None:
        integer(self.states, "states", 1, 20)
        integer(self.resolution, "resolution", 1, _MAX_POINTS)
        if self.size > _MAX_POINTS:
            raise InputError(
                f"a grid of resolution {self.resolution} over {self.states} states has "
                f"{self.size} points; at most {_MAX_POINTS} are allowed"
            )

    @property
    def size(self) -> int:
        """N = (M + S - 1 choose S - 1)."""
        return math.comb(self.resolution + self.states - 1, self.states - 1)

    @cached_property
    def points(self) -> Array:
        """(N, S): the distributions."""
        return self._counts / self.resolution

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        bars = itertools.combinations(range(self.resolution + self.states - 1), self.states - 1)
        places = np.array(list(bars), dtype=np.int64).reshape(self.size, self.states - 1)
        ends = np.full((self.size, 1), self.resolution + self.states - 1)
        return np.diff(np.hstack([np.full((self.size, 1), -1), places, ends]), axis=1) - 1

    @cached_property
    def _sorted_codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        codes = self._codes(self._counts)
        order = np.argsort(codes)
        return codes[order], order

    def _codes(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        base = (self.resolution + 1) ** np.arange(self.states - 1)
        return np.asarray(counts[..., :-1] @ base)

    def corners(self, beliefs: Array) -> tuple[NDArray[np.int64], Array]:
        """Return for each of n distributions the indices of S grid points, and their weights.

        Parameters
        ----------
        beliefs : (n, S) array
            A distribution in each row.

        Returns
        -------
        two (n, S) arrays
            Indices and weights; the weights are non-negative and sum to one.
        """
        x = self.resolution * np.cumsum(beliefs[:, ::-1], axis=1)[:, ::-1]
        x[:, 0] = self.resolution
        x = np.minimum(np.where(np.abs(x - np.rint(x)) < 1e-9, np.rint(x), x), self.resolution)
        v = np.floor(x).astype(np.int64)
        d = x - v
        order = np.argsort(-d[:, 1:], axis=1, kind="stable") + 1
        ordered = np.take_along_axis(d, order, axis=1)
        ones, zeros = np.ones((len(x), 1)), np.zeros((len(x), 1))
        weights = -np.diff(np.hstack([ones, ordered, zeros]), axis=1)
        steps = np.zeros((len(x), self.states, self.states), dtype=np.int64)
        for k in range(1, self.states):
            steps[:, k] = steps[:, k - 1]
            np.put_along_axis(steps[:, k], order[:, k - 1 : k], 1, axis=1)
        tails = v[:, None, :] + steps
        counts = tails - np.concatenate([tails[..., 1:], np.zeros_like(tails[..., :1])], axis=2)
        # A corner outside the grid has weight zero up to rounding; any grid point may replace it.
        counts = np.where((counts < 0).any(axis=2, keepdims=True), counts[:, :1], counts)
        codes, numbers = self._sorted_codes
        return numbers[np.searchsorted(codes, self._codes(counts))], weights
