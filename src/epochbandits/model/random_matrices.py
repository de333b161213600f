"""Random matrices with non-negative entries, whose rows are normalised to give a chain.

Section 3.3 of the paper draws rows from a uniform and a normal distribution. It does not say how a
normal draw, which can be negative, becomes a probability; these are the usual ways (errata D5).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Draw = Callable[[np.random.Generator, int], Array]

NORMAL_LAWS: dict[str, Draw] = {
    "normal: |N|": lambda rng, states: np.abs(rng.standard_normal((states, states))),
    "normal: softmax": lambda rng, states: np.exp(rng.standard_normal((states, states))),
    "normal: N²": lambda rng, states: rng.standard_normal((states, states)) ** 2,
    "normal: max(N, 0)": lambda rng, states: np.maximum(rng.standard_normal((states, states)), 0),
}
ROW_LAWS: dict[str, Draw] = {
    "uniform": lambda rng, states: rng.random((states, states)),
    **NORMAL_LAWS,
}
