"""Load a configuration; errors give file, line, key, and what to write instead.

Several files make one configuration: later ones override single keys of earlier ones, as with
Snakemake's ``--configfile``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any

import yaml
from pydantic import ValidationError

from epochbandits.config.expansion import expanded, swept_from
from epochbandits.config.models import Config
from epochbandits.config.reading import StrPath, check_size, find_line, read_yaml
from epochbandits.validation import InputError, Path, short_repr

_MAX_ERRORS = 5  # printed at once
_COMMAND_LINE = "--config: "
_ABSENT: Any = object()


def load_files(paths: Sequence[StrPath]) -> Config:
    """Read files, later ones over earlier ones, and return the validated configuration."""
    return load(reduce(merge, map(read_yaml, paths), {}), paths)


def load(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Config:
    """Return a validated configuration; an error names the file of ``paths`` and the line."""
    check_size(config)  # Snakemake reads files itself and does not bound aliases of aliases
    paths = list(paths)
    with locating(config, paths):
        full = expanded(config, [(str(path), read_yaml(path)) for path in paths])
    full = {key: _without_none(value) for key, value in full.items()}
    try:
        return Config.model_validate(full)
    except ValidationError as invalid:
        errors = [_input_error(detail) for detail in invalid.errors()[:_MAX_ERRORS]]
        # Several policies of one sweep may have the same error.
        lines = dict.fromkeys(_explain(error, config, paths) for error in errors)
        raise InputError("\n".join(lines)) from None


@contextmanager
def locating(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Iterator[None]:
    """Add file, line and correction to an `InputError` about a key of the configuration."""
    try:
        yield
    except InputError as error:
        if not error.path:
            raise
        raise InputError(_explain(error, config, list(paths))) from None


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the keys of ``over``; mappings in both are merged recursively."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merge(result[key], value) if both else value
    return result


def _without_none(value: Any) -> Any:
    """Return a mapping without null entries, with which one file removes a block of another."""
    if not isinstance(value, Mapping):
        return value
    return {key: entry for key, entry in value.items() if entry is not None}


def _input_error(detail: Any) -> InputError:
    """Return one of Pydantic's errors as an `InputError`."""
    path: Path = detail["loc"]
    if path and path[-1] == "[key]":  # Pydantic's mark of an error in a key, not in its value
        path = path[:-1]
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, InputError):  # from a validator of ours
        return cause.at(path)
    if detail["type"] == "missing":
        return InputError("is missing", path=path)
    if detail["type"] == "too_short":
        return InputError("needs at least one entry", path=path)
    value = detail["input"]
    message = detail["msg"].replace("Input should", "must").replace("valid dictionary", "mapping")
    message = message[0].lower() + message[1:]
    if not isinstance(value, Mapping | list):
        message += f", not {short_repr(value)}"
    return InputError(message, path=path, value=value)


def _explain(error: InputError, config: Mapping[str, Any], paths: Sequence[StrPath]) -> str:
    """Return an error as text: file, line, key, what is wrong, and the corrected YAML if known."""
    error.path = swept_from(error.path, config)
    if error.suggestion is not None:
        # The check of a policy's parameter does not know where in the configuration it is.
        below = [
            path
            for path, value in _entries(_get(config, error.path))
            if (path[-1] if error.key else value) == error.value
        ]
        if len(below) == 1:
            error.path += below[0]
    removed = None if error.key else _removed(error.value, config)
    if removed is not None:
        return _explain_removed(error, removed, config, paths)
    place = _place(error.path, config, paths)
    note = _note(error) if place == _COMMAND_LINE else ""
    return f"{place}{error}{note}{_correction(error, config)}"


def _note(error: InputError) -> str:
    """Return why Snakemake's command line may have passed text instead of a number."""
    text = error.value
    if len(error.path) < 2 or error.key or not isinstance(text, str):
        return ""
    try:
        is_text = text != "None" and isinstance(yaml.safe_load(text), str)
    except (yaml.YAMLError, ValueError):  # an invalid date
        is_text = True
    why = "; Snakemake takes nested values of --config as text, so write them in a file"
    return "" if is_text else why


def _removed(value: Any, config: Mapping[str, Any]) -> Path | None:
    """Return the path of a block of this name that a null has removed, if there is one."""
    for kind, blocks in config.items():
        named = isinstance(value, str) and isinstance(blocks, Mapping) and value in blocks
        if named and blocks[value] is None:
            return kind, value
    return None


def _explain_removed(
    error: InputError, removed: Path, config: Mapping[str, Any], paths: Sequence[StrPath]
) -> str:
    """Return what to write if a removed block is needed by another one."""
    name = ".".join(map(str, removed))
    user, listed = error.path[:2], _get(config, error.path)
    others = [entry for entry in listed if entry != error.value] if isinstance(listed, list) else []
    tree: Any = {error.path[-1]: others} if others else None
    for part in reversed(error.path[:-1] if others else user):
        tree = {part: tree}
    return (
        f"{_place(removed, config, paths)}{name} is set to null, but "
        f"{'.'.join(map(str, error.path))} still refers to it{_yaml(tree)}"
    )


def _entries(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield path and value of all entries of nested mappings and lists."""
    pairs = value.items() if isinstance(value, Mapping) else ()
    for key, entry in enumerate(value) if isinstance(value, list) else pairs:
        yield (key,), entry
        for path, inner in _entries(entry):
            yield (key, *path), inner


def _place(path: Path, config: Mapping[str, Any], paths: Sequence[StrPath]) -> str:
    """Return ``"file, line N: "`` of a path, in the last file that has the most of its keys.

    A value that the files do not have was given on Snakemake's command line.
    """
    try:
        read: dict[str, Any] = reduce(merge, map(read_yaml, paths), {})
    except InputError:
        read = {}
    if read and path and _is_from_command_line(path, config, read):
        return _COMMAND_LINE
    best, place = 0, f"{paths[-1]}: " if paths else ""
    for file in reversed(paths):
        try:
            depth, line = find_line(file, path)
        except InputError:
            continue
        if depth > best:
            best, place = depth, f"{file}, line {line}: "
    return place


def _is_from_command_line(path: Path, config: Mapping[str, Any], read: Mapping[str, Any]) -> bool:
    """Return whether a value differs from the files, or is in a block that they do not have."""
    given, written = config, read
    for part in path:
        given, written = _get(given, (part,), _ABSENT), _get(written, (part,), _ABSENT)
        if given is _ABSENT or written is _ABSENT:
            return given is not written
    return not _same(given, written)


def _same(first: Any, second: Any) -> bool:
    """Return whether values are equal; nan is equal to nan."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(
            _same(first[key], second[key]) for key in first
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_same, first, second))
    return bool(first == second or (first != first and second != second))


def _correction(error: InputError, config: Mapping[str, Any]) -> str:
    """Return YAML to copy, with the suggestion in place of the invalid key or value."""
    path, right = error.path, error.suggestion
    if path and isinstance(path[-1], int):  # an entry of a list, which is printed as a whole
        path = path[:-1]
    if right is None or not path:
        return ""
    key, value = path[-1], _get(config, path)
    if error.key and key == error.value:
        key = right
    elif isinstance(value, list) and error.value in value:
        value = [right if entry == error.value else entry for entry in value]
    elif value == error.value:
        value = right
    else:  # what is wrong is somewhere below the path
        return ""
    tree: dict[str | int, Any] = {key: value}
    for part in reversed(path[:-1]):
        tree = {part: tree}
    return _yaml(tree)


def _yaml(tree: Mapping[str | int, Any]) -> str:
    """Return YAML to copy."""
    text = yaml.safe_dump(tree, default_flow_style=None, sort_keys=False, allow_unicode=True)
    return "\n  write:\n" + "\n".join(f"    {line}" for line in text.splitlines())


def _get(config: Any, path: Path, default: Any = None) -> Any:
    for part in path:
        try:
            config = config[part]
        except (KeyError, IndexError, TypeError):
            return default
    return config
