"""Mixing constants from a plain λ, which the formulas of `epochbandits.theory` are tested with."""

import math

from epochbandits.model.chains import Mixing


def mixing(lam: float, C: float) -> Mixing:
    """Return the constants of a chain with that λ and C."""
    return Mixing(math.log(lam) if lam > 0 else -math.inf, C)
