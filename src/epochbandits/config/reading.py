"""Read YAML as plain data: no code runs, no key appears twice, and sizes are bounded.

A few lines of YAML can describe billions of values through aliases of lists of aliases. So values
are counted, each alias in full, before any of them is constructed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import yaml

from epochbandits.io import files
from epochbandits.limits import MAX_DEPTH, MAX_VALUES, MAX_YAML_BYTES
from epochbandits.validation import InputError, Path, short_repr, suggestion

StrPath = str | os.PathLike[str]
_OPENING = {"flow mapping": "{", "flow sequence": "[", "quoted scalar": "quotation mark"}
"""What PyYAML was reading when it failed, and the character that opens it."""


def read_yaml(path: StrPath) -> dict[str, Any]:
    """Return the mapping in a YAML file."""
    node = _compose(path)
    try:
        content = None if node is None else _Marking("").construct_document(node)
    except Exception as error:  # a tag that is not plain data, an invalid date, a huge number
        raise _not_yaml(path, error) from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be a mapping of keys to values, such as 'run: mine'")
    return content


def find_line(file: StrPath, path: Path) -> tuple[int, int]:
    """Return how many keys of a path a file has, and the line (from 1) of the last of them."""
    node: Any = _compose(file)
    depth = line = 0
    for part in path:
        if isinstance(node, yaml.MappingNode):
            entries = {key.value: (key, value) for key, value in node.value}
            entry = entries.get(str(part))
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            entry = (node.value[part], node.value[part]) if part < len(node.value) else None
        else:
            entry = None
        if entry is None:
            break
        depth, line, node = depth + 1, entry[0].start_mark.line + 1, entry[1]
    return depth, line


def check_size(value: Any) -> None:
    """Reject plain data, or a YAML node, that is too large when aliases are counted in full.

    The limits are `limits.MAX_VALUES` values and `limits.MAX_DEPTH` levels; a value that contains
    itself exceeds the latter.
    """
    sizes: dict[int, tuple[int, int]] = {}

    def measure(node: Any, level: int) -> tuple[int, int]:
        """Return the number of values in a value, and its levels."""
        children = _children(node)
        if not children:
            return 1, 1
        if id(node) not in sizes:
            parts = [measure(c, level + 1) for c in children] if level < MAX_DEPTH else [(0, level)]
            sizes[id(node)] = 1 + sum(n for n, _ in parts), 1 + max(high for _, high in parts)
        total, height = sizes[id(node)]
        if height > MAX_DEPTH:
            raise InputError(
                f"lists and mappings may be at most {MAX_DEPTH} deep and must not contain "
                "themselves"
            )
        if total > MAX_VALUES:
            raise InputError(
                f"the configuration has more than {MAX_VALUES} values, with aliases counted in "
                "full; write fewer"
            )
        return total, height

    measure(value, 1)


def _children(value: Any) -> list[Any]:
    if isinstance(value, yaml.MappingNode):
        return [part for pair in value.value for part in pair]
    if isinstance(value, yaml.SequenceNode):
        return list(value.value)
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, list | tuple | set) else []


class _UniqueKeys(yaml.SafeLoader):
    """A loader that rejects duplicate keys, of which PyYAML would take the last."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            problem = None
            if not isinstance(key, yaml.ScalarNode):
                problem = "a key must be a plain word"
            elif key.value in seen:
                problem = f"the key {short_repr(key.value)} appears twice"
            if problem:
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add(key.value)
        return node


class _Marking(yaml.SafeLoader):
    """A loader that reports the line of an invalid value, such as the date 2020-13-45."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, ArithmeticError) as error:
            raise yaml.MarkedYAMLError(problem=str(error), problem_mark=node.start_mark) from None


def _compose(path: StrPath) -> yaml.Node | None:
    """Return the checked nodes of a YAML file; no value is constructed yet."""
    try:
        text = files.read_text(path, "YAML", MAX_YAML_BYTES)
    except InputError as error:
        raise InputError(f"{error}{_similar(path)}") from None
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=_UniqueKeys)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _not_yaml(path, error, text) from None
    try:
        check_size(node)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return node


def _similar(path: StrPath) -> str:
    """Return the similar name in the same folder that a user meant, if the file does not exist."""
    folder, name = os.path.split(path)
    try:
        return "" if os.path.lexists(path) else suggestion(name, os.listdir(folder or "."))
    except (OSError, ValueError):
        return ""


def _not_yaml(path: StrPath, error: Exception, text: str = "") -> InputError:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else None
    what = getattr(error, "problem", None) or str(error) or type(error).__name__
    if isinstance(error, RecursionError):
        what = "it is nested too deeply"
    if isinstance(error, yaml.reader.ReaderError):  # which has no mark
        line = text.count("\n", 0, error.position) + 1
        what = f"{text[error.position]!r} is not allowed in YAML; remove it"
    if "'\\t'" in what:
        what = "there is a tab where YAML allows only spaces; write spaces"
    if "mapping values are not allowed" in what:
        what = "a second colon; quote text that contains ': ', or correct the indentation"
    opened = getattr(error, "context_mark", None)
    context = getattr(error, "context", None) or ""
    for kind, sign in _OPENING.items():
        if opened and kind in context and "escape" not in what:
            what = what.replace("'<stream end>'", "the end of the file")
            what += f"; is the {sign} on line {opened.line + 1} closed?"
    where = f", line {line}" if line else ""
    return InputError(f"{path}{where}: is not plain YAML: {' '.join(str(what).split())[:200]}")
