"""Bandits in correlated Markovian environments with smoothed reward feedback.

A reproduction of Fiez, Sekar and Ratliff, 'Multi-Armed Bandits for Correlated Markovian
Environments with Smoothed Reward Feedback'. The modules follow the way of the data:
`chains`, `rewards`, `instance`, `generators`, `theory`, `expectations`, `policies`, `engine`,
`simulation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epochbandits.model.instance import Instance
from epochbandits.validation import InputError

if TYPE_CHECKING:
    from epochbandits.engine.simulation import simulate

__all__ = ["InputError", "Instance", "__version__", "simulate"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import `simulate` when it is first used: Numba takes half a second to start."""
    if name == "simulate":
        from epochbandits.engine.simulation import simulate

        return simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
