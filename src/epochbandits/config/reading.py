"""Reading YAML as plain data: no code is run, no key is given twice, and sizes are bounded.

A few lines of YAML can stand for billions of values, by aliases of lists of aliases. So the values
are counted, each alias as what it stands for, before any of them is made.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from epochbandits.io import files
from epochbandits.limits import DEEPEST, LARGEST_YAML, MOST_VALUES
from epochbandits.validation import InputError, shown

__all__ = ["check_size", "compose", "read_yaml"]

StrPath = str | os.PathLike[str]


def read_yaml(path: StrPath) -> dict[str, Any]:
    """Return the mapping in a YAML file; plain data only, and no key given twice."""
    node = compose(path)
    try:
        content = None if node is None else yaml.SafeLoader("").construct_document(node)
    except Exception as error:  # tags that are no plain data, dates that are none, huge numbers
        raise _no_yaml(path, error) from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a mapping of keys to values")
    return content


def compose(path: StrPath) -> yaml.Node | None:
    """Return the nodes of a YAML file, checked and not yet made into values."""
    text = files.read_text(path, "YAML", LARGEST_YAML)
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _no_yaml(path, error) from None
    if node is not None:
        try:
            check_size(node, lambda inner: _children(inner, path))
        except _Oversized as error:
            raise InputError(f"{path}: {error}") from None
    return node


def check_size(value: Any, children: Callable[[Any], Iterable[Any]]) -> None:
    """Refuse a value that is too large, each alias counted as what it stands for.

    That is more than `limits.MOST_VALUES` values, more than `limits.DEEPEST` of them within each
    other, or a value that holds itself.
    """
    sizes: dict[int, tuple[int, int]] = {}

    def size(one: Any, depth: int) -> tuple[int, int]:
        """Return the number of values, and how many of them are within each other."""
        inner = list(children(one))
        if not inner:
            return 1, 1
        if id(one) not in sizes:
            parts = [size(entry, depth + 1) for entry in inner] if depth < DEEPEST else [(0, depth)]
            sizes[id(one)] = 1 + sum(n for n, _ in parts), 1 + max(high for _, high in parts)
        total, height = sizes[id(one)]
        if height > DEEPEST:
            raise _Oversized(
                f"lists and mappings must not be more than {DEEPEST} deep within each other, "
                "nor hold themselves"
            )
        if total > MOST_VALUES:
            raise _Oversized(
                f"the configuration has more than {MOST_VALUES} values, with its aliases written "
                "out; write fewer"
            )
        return total, height

    size(value, 1)


class _Oversized(InputError):
    """A configuration that is too large."""


def _children(node: yaml.Node, path: StrPath) -> list[yaml.Node]:
    """Return the nodes in a node; a key given twice is refused."""
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    if not isinstance(node, yaml.MappingNode):
        return []
    keys: set[str] = set()
    for key, _ in node.value:
        where = f"{path}, line {key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode):
            raise InputError(f"{where}: a key must be a plain word")
        if key.value in keys:
            raise InputError(f"{where}: the key {shown(key.value)} is given twice")
        keys.add(key.value)
    return [part for pair in node.value for part in pair]


def _no_yaml(path: StrPath, error: Exception) -> InputError:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}" if mark else ""
    what = getattr(error, "problem", None) or str(error) or type(error).__name__
    if isinstance(error, RecursionError):
        what = "it is nested too deeply"
    return InputError(f"{path}{where}: is not YAML: {' '.join(str(what).split())[:200]}")
