"""Output files of commands: rejected before any work if they cannot or should not be written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from epochbandits.validation import InputError


def check_out(
    path: str,
    endings: Iterable[str],
    inputs: Iterable[str],
    replaceable: Callable[[Path], bool],
    force: bool,
) -> bool:
    """Return whether a file will be replaced; reject one that must not be.

    Parameters
    ----------
    endings : Iterable[str]
        What the name may end in; a pipe or device may have any name.
    inputs : Iterable[str]
        Files that the command reads, which it must not replace.
    replaceable : Callable[[Path], bool]
        Tells whether an existing file is an earlier output of the same command.
    force : bool
        Replace any other file, too.
    """
    target, endings = Path(path), list(endings)
    try:
        if target.is_dir():
            raise InputError(f"{path}: cannot be written: it is a folder")
        if not target.parent.is_dir():
            raise InputError(
                f"{path}: cannot be written: the folder {target.parent} does not exist"
            )
        exists = target.exists()
    except OSError as error:  # a name that is too long
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written: no permission for {target.parent}")
    if exists and not target.is_file():
        return False
    for source in inputs:
        if exists and os.path.exists(source) and os.path.samefile(source, target):
            raise InputError(f"{path}: is an input of this command; choose another --out")
    if target.suffix not in endings:
        allowed = " or ".join(endings)
        raise InputError(f"{path}: --out must end in {allowed}, such as {target.stem}{endings[0]}")
    if exists and not force and not replaceable(target):
        raise InputError(
            f"{path}: already exists and was not written by this command; choose another --out, or "
            "replace it with --force"
        )
    return exists


def is_table(path: Path, kind: str) -> bool:
    """Tell whether a file is an unchanged table of a kind (`io.schemas`)."""
    from epochbandits.io import parquet

    try:
        return bool(parquet.about(path).get("table") == kind)
    except InputError:
        return False


def is_recorded_instance(path: Path) -> bool:
    """Tell whether a file is an instance that `generate` wrote, by the record beside it."""
    from epochbandits.release.records import record

    try:
        return bool(record(path)["kind"] == "instance")
    except InputError:
        return False


def is_drawing(path: Path) -> bool:
    """Tell whether a file is a picture that `plot` or `compare` drew."""
    from epochbandits.figures.runs import MARK

    try:
        return MARK.encode() in path.read_bytes()
    except OSError:
        return False


def policy_file(policy: str) -> str:
    """Return the file of ``file.py:Class``, else an empty text; reject one that does not exist."""
    from epochbandits.policies.loading import parse_code

    if policy.endswith(".py"):
        raise InputError(f"policy {policy!r}: name its class too, such as {policy}:MyPolicy")
    code = parse_code(policy)
    file = code.where if code and code.is_file else ""
    if file and not os.path.isfile(file):
        raise InputError(f"policy {policy!r}: there is no file {file}")
    return file
