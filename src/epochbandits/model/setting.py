"""The setting of a run: epoch lengths τ0 and ζ, and the discount γ of the feedback."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.validation import integer, number

Array = NDArray[np.float64]
MAX_EPOCHS = 10**9
TAU0, ZETA = 40, 1
"""The paper's epoch lengths (Section 5), which are the defaults everywhere."""


@dataclass(frozen=True)
class Setting:
    """Epoch lengths τ = τ0 + ζ·(earlier plays of the arm), and the discount γ of the feedback.

    Parameters
    ----------
    tau0 : int
        τ0, the iterations of an arm's first epoch; 1 to 10⁹.
    zeta : int
        ζ, by how many iterations each play of an arm lengthens its next epoch; 1 to 10⁹.
    gamma : float
        γ in (0, 1]; 1 for time averages.

    Raises
    ------
    InputError
        If a number is not in its range.

    Examples
    --------
    >>> Setting(tau0=40, zeta=2).length([1, 2, 3]).tolist()
    [40.0, 42.0, 44.0]
    """

    tau0: int = TAU0
    zeta: int = ZETA
    gamma: float = 1.0

    def __post_init__(self) -> None:
        integer(self.tau0, "tau0", 1, MAX_EPOCHS)
        integer(self.zeta, "zeta", 1, MAX_EPOCHS)
        number(self.gamma, "gamma", 0, 1, above=True)

    def length(self, play: ArrayLike) -> Array:
        """Return the length τ of an arm's epoch.

        Parameters
        ----------
        play : int or array of int
            The number of the play of that arm, counted from 1.

        Returns
        -------
        array
            Iterations, in the shape of ``play``.
        """
        return self.tau0 + self.zeta * (np.asarray(play, dtype=np.float64) - 1)


def discount_sum(tau: ArrayLike, gamma: float) -> Array:
    """Return R(τ) = Σ_{s<τ} γ^s."""
    return geometric_sum(np.asarray(tau, dtype=np.float64), math.log(gamma))


def geometric_sum(T: Array, log_q: float) -> Array:
    """Return Σ_{i<T} q^i = (1 - q^T)/(1 - q) for 0 ≤ q ≤ 1; T may be infinite for q < 1."""
    return T if log_q == 0 else np.expm1(T * log_q) / math.expm1(log_q)
