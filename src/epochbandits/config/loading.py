"""Reading a configuration, and saying what is wrong with one: file, line, key, and what to write.

Several files make one configuration: the later ones override single keys of the earlier ones, as
with Snakemake's ``--configfile``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from epochbandits.config.models import NAME, Config, Drawn, Failure, Files
from epochbandits.config.reading import check_size, compose, read_yaml
from epochbandits.pipeline.plan import KeyedError, Plan
from epochbandits.validation import InputError, shown, suggestion

__all__ = ["load", "load_files", "load_plan", "merge"]

StrPath = str | os.PathLike[str]
Path_ = tuple[str | int, ...]


def load_files(paths: Sequence[StrPath]) -> Config:
    """Read files, the later over the earlier, and return the checked configuration."""
    return load(reduce(merge, map(read_yaml, paths), {}), paths)


def load(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Config:
    """Return a checked configuration; ``paths`` are searched for the place of an error."""
    # Snakemake has read its files in its own way, which does not look for aliases of aliases.
    check_size(config, _entries)
    config = {key: _without_none(value) for key, value in config.items()}
    try:
        return Config.model_validate(config)
    except ValidationError as error:
        files = [Path(path) for path in paths]
        # Unknown keys first: what is missing is often there under a misspelt name.
        errors = sorted(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
        raise InputError("\n".join(_told(e, config, files) for e in errors[:5])) from None


def load_plan(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Plan:
    """Return the plan of a configuration, checked as far as can be without running it."""
    files = [Path(path) for path in paths]
    for (
        path
    ) in files:  # Snakemake takes the last of two equal keys, and runs code where it is asked to
        if "__use_yte__" in read_yaml(path):
            raise InputError(f"{path}: __use_yte__ makes Snakemake run code; write plain YAML")
    plan = Plan(load(config, files))
    try:
        plan.check()
    except KeyedError as error:
        raise InputError(f"{_place(error.path, files)}{error}") from None
    return plan


def _without_none(value: Any) -> Any:
    """Return a mapping without the entries that are null: so a file leaves out another's block."""
    if not isinstance(value, Mapping):
        return value
    return {key: entry for key, entry in value.items() if entry is not None}


def _entries(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, list | tuple | set) else []


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with the keys of ``over``; mappings in both are merged in turn."""
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merge(result[key], value) if both else value
    return result


# --- telling an error -----------------------------------------------------------------------------

_TAGS = ("drawn", "failure", "files", "[key]")


def _told(error: Any, config: Mapping[str, Any], files: list[Path]) -> str:
    """Return one error as text: where, what, and the corrected YAML if it can be known."""
    loc: Path_ = tuple(
        part
        for depth, part in enumerate(error["loc"])
        # Pydantic adds the member of a union, or that it was the key itself.
        if not (depth == 2 and part in _TAGS and error["loc"][0] == "instances")
        and not (depth > 1 and str(part).endswith("]"))
    )
    value = _at(config, loc)
    key = ".".join(map(str, loc)) or "the configuration"
    where = _place(loc, files)
    kind = error["type"]
    if kind == "extra_forbidden":
        known = _keys(loc[:-1], config)
        wrong = str(loc[-1])
        near = suggestion(wrong, known)
        text = f"{where}{key}: unknown key{near}; the keys here are {', '.join(known)}"
        if near:
            right = near.split("'")[1]
            text += _corrected((*loc[:-1], right), value)
        return text
    if kind == "missing":
        return f"{where}{key}: is missing"
    message = error["msg"].removeprefix("Value error, ")
    if error.get("ctx", {}).get("pattern") == NAME:
        message = "a name has small letters, digits, _ and -, and begins with a letter or digit"
    message = message[0].lower() + message[1:]
    if loc and not isinstance(value, dict | list):
        message += f", not {shown(value)}" if "not " not in message else ""
    if loc:
        text = f"{where}{key}: {message}"
    else:  # a check across blocks, which begins with the key that it is about
        about = message.split()[0].rstrip(":").split(".")
        text = f"{_place(tuple(about), files)}{message}"
    if "did you mean '" in message:
        right = message.split("did you mean '")[1].split("'")[0]
        path, wrong = _swapped(loc, value, config, message)
        if path:
            text += _corrected(path, wrong if wrong is not None else right)
    return text


def _swapped(loc: Path_, value: Any, config: Mapping[str, Any], message: str) -> tuple[Path_, Any]:
    """Return where a near miss stands and the value to write there."""
    right = message.split("did you mean '")[1].split("'")[0]
    wrong = message.split(", not '")[1].split("'")[0] if ", not '" in message else None
    if value == wrong:
        return loc, right
    if loc and loc[-1] == wrong:  # the key of a mapping
        return (*loc[:-1], right), value
    path: Path_ = tuple(message.split(" must be one of")[0].split("."))  # a name of another block
    found = _at(config, path)
    if isinstance(found, list):
        return path, [right if entry == wrong else entry for entry in found]
    return (path, right) if found == wrong else ((), None)


def _corrected(path: Path_, value: Any) -> str:
    """Return YAML with a value at its place, to be copied."""
    tree: Any = value
    for part in reversed(path):
        if isinstance(part, int):
            continue
        tree = {part: tree}
    text = yaml.safe_dump(tree, default_flow_style=None, sort_keys=False, allow_unicode=True)
    return "\n  write:\n" + "".join(f"    {line}\n" for line in text.splitlines()).rstrip("\n")


def _at(config: Any, path: Path_) -> Any:
    for part in path:
        try:
            config = config[part]
        except (KeyError, IndexError, TypeError):
            return None
    return config


def _keys(path: Path_, config: Mapping[str, Any]) -> list[str]:
    """Return the keys that are allowed at a place of the configuration."""
    model: Any = Config
    at: Any = config
    for part in path:
        at = _at(at, (part,))
        if isinstance(model, type) and issubclass(model, BaseModel):
            model = model.model_fields[str(part)].annotation
        else:  # the values of a mapping by name
            model = get_args(model)[1]
            if get_args(model):  # the three kinds of instances
                files, failure = "files" in (at or {}), (at or {}).get("class") == "failure"
                model = Files if files else Failure if failure else Drawn
    fields = getattr(model, "model_fields", {})
    return [field.alias or name for name, field in fields.items()]


def _place(path: Path_, files: list[Path]) -> str:
    """Return "file, line N: " of the deepest part of a path that a file has; the last file wins."""
    best, told = 0, f"{files[-1]}: " if files else ""
    for file in reversed(files):
        try:
            node: Any = compose(file)
        except InputError:
            continue
        depth, line = 0, None
        for part in path:
            if isinstance(node, yaml.MappingNode):
                pair = next(((k, v) for k, v in node.value if k.value == str(part)), None)
                if pair is None:
                    break
                line, node = pair[0].start_mark.line + 1, pair[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                if part >= len(node.value):
                    break
                node = node.value[part]
                line = node.start_mark.line + 1
            else:
                break
            depth += 1
        if line is not None and depth > best:
            best, told = depth, f"{file}, line {line}: "
    return told
