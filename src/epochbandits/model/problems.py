"""Problems from other papers by name: what a block of the configuration can build from numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from epochbandits.model.counters import counters
from epochbandits.model.instance import Instance
from epochbandits.model.restless import iid, restless
from epochbandits.validation import InputError, choice, unknown_key

Problem = Literal["restless", "iid", "rotting", "recharging"]
PROBLEMS: dict[Problem, Callable[..., Instance]] = {
    "restless": restless,
    "iid": iid,
    "rotting": partial(counters, "rotting"),
    "recharging": partial(counters, "recharging"),
}


def build(name: Problem, params: Mapping[str, Any]) -> Instance:
    """Return the problem that a function of `PROBLEMS` builds from its arguments.

    Examples
    --------
    >>> build("iid", {"means": [0.5, 0.25]}).gap.tolist()
    [0.0, 0.25]
    """
    make = PROBLEMS[choice(name, "class", PROBLEMS)]
    known = inspect.signature(make).parameters
    for key in params:
        if key not in known:
            raise unknown_key(key, f"unknown parameter {key!r}", "the parameters are", known)
    for key, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and key not in params:
            raise InputError(f"class {name!r} needs the parameter {key!r}")
    return make(**params)
