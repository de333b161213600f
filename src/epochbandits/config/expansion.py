"""Expand shorthand and relative paths in a configuration.

``figures: [a, b]`` draws only these figures, each with the block that an earlier file gives it. A
figure ``regret_<experiment>`` needs no block: its source is in its name. Paths of instances and
policies are relative to the file that names them. Result tables have a column for swept numbers; a
sweep of other values, such as words, creates one policy per value, ``<name>-<value>``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.io.schemas import REGRET_FIGURE
from epochbandits.policies.loading import parse_code
from epochbandits.validation import InputError, choice, short_repr

Files = Sequence[tuple[str, Mapping[str, Any]]]


def expanded(config: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Return the expanded configuration.

    Parameters
    ----------
    files : Files
        Names and contents of the files that it was read from, later over earlier.
    """
    result = dict(config)
    if "figures" in config:
        result["figures"] = _figures(config["figures"], [content for _, content in files])
    for kind, key, relocate in (("instances", "files", _beside), ("policies", "code", _code)):
        if isinstance(config.get(kind), Mapping):
            result[kind] = _relocated(config[kind], kind, key, files, relocate)
    return _swept(result)


def _figures(figures: Any, contents: Sequence[Mapping[str, Any]]) -> Any:
    if isinstance(figures, list):
        known: dict[str, Any] = {}
        for content in contents:
            known |= content["figures"] if isinstance(content.get("figures"), Mapping) else {}
        for name in figures:
            if not isinstance(name, str):
                raise InputError(
                    f"a figure is named by its id, not {short_repr(name)}", path=("figures",)
                )
            if not name.startswith(REGRET_FIGURE):
                choice(name, "figure", [*known, f"{REGRET_FIGURE}<experiment>"], path=("figures",))
        figures = {name: known.get(name) or {} for name in figures}
    if not isinstance(figures, Mapping):
        return figures
    return {name: _with_source(name, block) for name, block in figures.items()}


def _with_source(name: Any, block: Any) -> Any:
    generic = isinstance(name, str) and name.startswith(REGRET_FIGURE)
    if generic and isinstance(block, Mapping) and "source" not in block:
        return {"source": name.removeprefix(REGRET_FIGURE), **block}
    return block


def _relocated(
    blocks: Mapping[str, Any],
    kind: str,
    key: str,
    files: Files,
    relocate: Callable[[Any, str], Any],
) -> dict[str, Any]:
    """Return the blocks of a kind with paths that are relative to the working directory."""
    result = dict(blocks)
    for name, block in blocks.items():
        value = _entry(block, key)
        for file, content in files if value is not None else ():
            if _entry(_entry(content.get(kind), name), key) == value:  # the last file wins
                result[name] = {**block, key: relocate(value, os.path.dirname(file))}
    return result


def _entry(block: Any, key: str) -> Any:
    return block.get(key) if isinstance(block, Mapping) else None


# --- sweeps of values that are not numbers --------------------------------------------------------


def swept_from(path: tuple[Any, ...], config: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the path in ``config`` that an error in the expanded configuration comes from."""
    policies = config.get("policies")
    if len(path) < 2 or path[0] != "policies" or not isinstance(policies, Mapping):
        return path
    if path[1] not in policies:
        for name, block in policies.items():
            if _sweeps_words(block) and path[1] in _one_for_each_value(name, block):
                return ("policies", name, "sweep")
    return path


def _swept(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with one policy for each value of a sweep that is not of numbers."""
    result, policies = dict(config), config.get("policies")
    if not isinstance(policies, Mapping) or not any(map(_sweeps_words, policies.values())):
        return result
    names: dict[Any, list[Any]] = {}
    result["policies"] = {}
    for name, block in policies.items():
        created = _one_for_each_value(name, block) if _sweeps_words(block) else {name: block}
        for new in created:
            if new in result["policies"] or (new != name and new in policies):
                text = f"would create policy {new}, which already exists; rename one of them"
                raise InputError(text, path=("policies", name, "sweep"))
        names[name] = list(created)
        result["policies"] |= created
    for kind in ("experiments", "figures"):
        if isinstance(config.get(kind), Mapping):
            result[kind] = {k: _with_all(block, names) for k, block in config[kind].items()}
    return result


def _sweeps_words(block: Any) -> bool:
    """Return whether a policy sweeps a list with values other than numbers."""
    sweep = _entry(block, "sweep")
    lists = sweep.values() if isinstance(sweep, Mapping) else ()
    return any(
        isinstance(value, bool) or not isinstance(value, int | float)
        for values in lists
        if isinstance(values, list)
        for value in values
    )


def _one_for_each_value(name: str, block: Mapping[str, Any]) -> dict[str, Any]:
    path: tuple[Any, ...] = ("policies", name, "sweep")
    if len(block["sweep"]) > 1:
        raise InputError("has several parameters; make a policy for each of them", path=path)
    ((parameter, values),) = block["sweep"].items()
    path += (parameter,)
    if parameter in ("tau0", "zeta", "gamma", "gammas"):
        raise InputError("has values that are not numbers", path=path)
    if parameter in (block.get("params") or {}):
        raise InputError("is in params as well; give one of them", path=path)
    shared = {key: value for key, value in block.items() if key != "sweep"}
    if not {"policy", "code"} & shared.keys():
        shared["policy"] = name
    result: dict[str, Any] = {}
    for value in values:
        text = "automatic" if value is None else json.dumps(value).strip('"')
        new = f"{name}-{re.sub('[^a-z0-9]+', '-', text.lower()).strip('-')}"
        if new in result:
            raise InputError(
                f"has {short_repr(value)} twice, or a value that gives the same name", path=path
            )
        result[new] = {
            **shared,
            "label": f"{block.get('label') or name}, {parameter} = {text}",
            "params": {**(block.get("params") or {}), parameter: value},
        }
    return result


def _with_all(block: Any, names: Mapping[Any, list[Any]]) -> Any:
    """Return a block that lists, in place of a swept policy, all that were made of it."""
    listed = _entry(block, "policies")
    if not isinstance(listed, list):
        return block
    known = [names.get(p, [p]) if isinstance(p, str) else [p] for p in listed]
    return {**block, "policies": [new for group in known for new in group]}


# --- paths ----------------------------------------------------------------------------------------


def _beside(value: Any, folder: str) -> Any:
    if isinstance(value, list):
        return [_beside(path, folder) for path in value]
    if not isinstance(value, str) or os.path.isabs(value):
        return value
    return _short(os.path.join(folder, value))


def _code(value: Any, folder: str) -> Any:
    if not isinstance(value, str):
        return value
    code = parse_code(value)
    return f"{_beside(code.where, folder)}:{code.name}" if code and code.is_file else value


def _short(path: str) -> str:
    """Return a path relative to the working directory if it is inside: keys contain the path."""
    whole, here = Path(os.path.abspath(path)), Path.cwd()
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)
