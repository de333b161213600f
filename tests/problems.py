"""Instances that the engine's tests use: one for each reward law, and mixed ones."""

import numpy as np

from epochbandits import Instance
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Uniform

LAWS = {
    "bernoulli": [Bernoulli(0.9), Bernoulli(0.15), Bernoulli(0.5)],
    "beta": [Beta(0.4, 0.7), Beta(6.0, 2.0), Beta(1.0, 3.0)],
    "uniform": [Uniform(0.2, 0.9), Uniform(0.0, 0.3), Uniform(0.5, 0.5)],
    "constant": [Constant(0.9), Constant(0.05), Constant(0.4)],
    "mixed": [Beta(0.3, 2.0), Bernoulli(0.8), Uniform(0.4, 1.0)],
}


def problem(law: str, sticky: bool = False) -> Instance:
    """Return two arms over three states, all rewards of one kind; the arms move apart."""
    first = np.array([[0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]])
    second = np.array([[0.2, 0.1, 0.7], [0.6, 0.2, 0.2], [0.2, 0.1, 0.7]])
    if sticky:
        first, second = 0.1 * first + 0.9 * np.eye(3), 0.05 * second + 0.95 * np.eye(3)
    laws = LAWS[law]
    return Instance(
        f"{law}-{'sticky' if sticky else 'quick'}",
        np.array([first, second]),
        (tuple(laws), tuple(laws[i] for i in (1, 2, 0))),
        np.array([0.6, 0.3, 0.1]),
    )
