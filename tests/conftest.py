"""Fixtures that several test files share."""

import pytest


@pytest.fixture
def two_arm_dict() -> dict:
    """A valid instance in its JSON form, for tests that break it."""
    return {
        "name": "two",
        "transition": [[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.4, 0.6]]],
        "rewards": [
            [{"law": "bernoulli", "p": 0.9}, {"law": "beta", "a": 2.0, "b": 3.0}],
            [{"law": "uniform", "low": 0.1, "high": 0.3}, {"law": "constant", "value": 0.25}],
        ],
        "initial": [1.0, 0.0],
    }
