"""Bandits in correlated Markovian environments with smoothed reward feedback.

A reproduction of Fiez, Sekar and Ratliff, 'Multi-Armed Bandits for Correlated Markovian
Environments with Smoothed Reward Feedback', and a library for problems of that kind::

    import epochbandits

    instance = epochbandits.generate("anticorrelated", arms=4, states=4, seed=7)
    table = epochbandits.simulate(instance, "epoch-ucb", epochs=5000, seeds=range(20))

The public names are imported when they are first used, because Numba and pandas take half a second
to start.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epochbandits import policies as policies
    from epochbandits import theory as theory
    from epochbandits.comparison import Comparison as Comparison
    from epochbandits.comparison import compare as compare
    from epochbandits.engine.simulation import simulate as simulate
    from epochbandits.engine.stepping import environment as environment
    from epochbandits.model.generators import failure_example as failure_example
    from epochbandits.model.generators import generate as generate
    from epochbandits.model.instance import Instance as Instance
    from epochbandits.model.setting import Setting as Setting
    from epochbandits.policies.base import Policy as Policy
    from epochbandits.validation import InputError as InputError

__version__ = "0.1.0"

# The module of each public name; a name that is not in its module is that module itself.
_MODULES = {
    "Comparison": "epochbandits.comparison",
    "InputError": "epochbandits.validation",
    "Instance": "epochbandits.model.instance",
    "Policy": "epochbandits.policies.base",
    "Setting": "epochbandits.model.setting",
    "compare": "epochbandits.comparison",
    "environment": "epochbandits.engine.stepping",
    "failure_example": "epochbandits.model.generators",
    "generate": "epochbandits.model.generators",
    "policies": "epochbandits.policies",
    "simulate": "epochbandits.engine.simulation",
    "theory": "epochbandits.theory",
}
__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(_MODULES[name])
    value = module if _MODULES[name] == f"{__name__}.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, and the attributes that every module has."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
