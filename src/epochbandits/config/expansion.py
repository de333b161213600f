"""What is short or relative in a configuration, written in full.

``figures: [a, b]`` draws just these: each with the block that an earlier file gives it. A figure
``regret_<experiment>`` needs no block: its source is in its name. Paths of instances and policies
are relative to the file that names them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.io.schemas import REGRET_FIGURE
from epochbandits.validation import InputError, choice, shown

__all__ = ["expanded"]

Files = Sequence[tuple[str, Mapping[str, Any]]]


def expanded(config: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Return a configuration in full.

    Parameters
    ----------
    files : names and contents of the files that it was read from, later over earlier
    """
    result = dict(config)
    if "figures" in config:
        result["figures"] = _figures(config["figures"], [content for _, content in files])
    for kind, key, relocate in (("instances", "files", _beside), ("policies", "code", _code)):
        if isinstance(config.get(kind), Mapping):
            result[kind] = _relocated(config[kind], kind, key, files, relocate)
    return result


def _figures(figures: Any, contents: Sequence[Mapping[str, Any]]) -> Any:
    if isinstance(figures, list):
        known: dict[str, Any] = {}
        for content in contents:
            known |= content["figures"] if isinstance(content.get("figures"), Mapping) else {}
        for name in figures:
            if not isinstance(name, str):
                raise InputError(
                    f"a figure is named by its id, not {shown(name)}", path=("figures",)
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
            if _entry(_entry(content.get(kind), name), key) == value:  # the last file counts
                result[name] = {**block, key: relocate(value, os.path.dirname(file))}
    return result


def _entry(block: Any, key: str) -> Any:
    return block.get(key) if isinstance(block, Mapping) else None


def _beside(value: Any, folder: str) -> Any:
    if isinstance(value, list):
        return [_beside(path, folder) for path in value]
    if not isinstance(value, str) or os.path.isabs(value):
        return value
    return _short(os.path.join(folder, value))


def _code(value: Any, folder: str) -> Any:
    if not isinstance(value, str):
        return value
    where, colon, name = value.rpartition(":")
    return f"{_beside(where, folder)}{colon}{name}" if where.endswith(".py") else value


def _short(path: str) -> str:
    """Return a path relative to the working directory if it is below it: keys contain it."""
    whole, here = Path(os.path.abspath(path)), Path.cwd()
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)
