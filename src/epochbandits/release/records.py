"""The origin of any output of the project: ``epochbandits provenance FILE``.

A table carries its origin in its metadata, a figure in the sidecar beside its pictures, a set of
instances in ``about.json``, a single instance in ``<name>.about.json``, the page in a tag, and the
ledger and the tuned values in the file itself. A picture that does not match its sidecar is
rejected, and so are a table whose values were altered and a published file that its manifest does
not list.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.model.instance import Instance
from epochbandits.pipeline.layout import PICTURES, FigureFolder, set_record
from epochbandits.pipeline.results import page_origin
from epochbandits.provenance.code_hash import code_hash, file_digest
from epochbandits.provenance.versions import lock, versions
from epochbandits.release.manifest import check_listed
from epochbandits.validation import InputError

KEYS = ("configuration", "code", "lock", "root", "versions")
"""Keys that the record of every output has."""


def record(path: str | Path) -> dict[str, Any]:
    """Return the origin of an output, `KEYS` first; reject a file without one."""
    target = Path(path)
    if target.is_dir():
        target = set_record(target)
    if not target.is_file():
        raise InputError(f"{path}: does not exist")
    check_listed(target)
    if target.suffix == ".parquet":
        from epochbandits.io import parquet

        kind, origin = "table", parquet.about(target)
    elif target.suffix in PICTURES:
        kind, origin = "picture", _picture(target)
    elif target.suffix == ".html":
        kind, origin = "page", _page(target)
    elif target.suffix == ".json":
        kind, origin = _json(target)
    else:
        raise InputError(
            f"{path}: is not an output that carries its origin; those are .parquet, .json, .html, "
            f"{', '.join(PICTURES)} and folders of instances"
        )
    missing = [key for key in KEYS if key not in origin]
    if missing:
        raise InputError(f"{path}: its record lacks {', '.join(missing)}")
    first = {key: origin[key] for key in KEYS}
    return {"file": str(path), "kind": kind, **first, **origin}


def write_instance_record(
    path: str | Path, instance: Instance, configuration: Mapping[str, Any], module: str
) -> None:
    """Write the origin of a single instance beside its file; its seed is the root seed."""
    origin = {
        "configuration": dict(configuration),
        "code": code_hash(module),
        "root": configuration.get("seed", 0),
        "instances": [instance.digest],
        "versions": versions(),
        "lock": lock(),
    }
    files.write_sealed(_record_path(Path(path)), origin)


def _record_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.about.json")


def _picture(path: Path) -> dict[str, Any]:
    sidecar = Path(FigureFolder(path.parent).sidecar(path.stem))
    if not sidecar.is_file():
        raise InputError(f"{path}: its sidecar {sidecar.name} is missing")
    origin = _read_object(sidecar)
    if _part(origin, "files").get(path.suffix[1:]) != file_digest(path):
        raise InputError(f"{path}: is not the picture that {sidecar.name} was written for")
    return origin


def _json(path: Path) -> tuple[str, dict[str, Any]]:
    content = _read_object(path)
    if "transition" in content:
        return "instance", _instance(path)
    for kind, mark in (("ledger", "claims"), ("tuned values", "chosen")):
        if mark in content:
            return kind, _part(content, "about")
    return ("figure" if "files" in content else "set of instances"), content


def _instance(path: Path) -> dict[str, Any]:
    candidates = (_record_path(path), set_record(path.parent))
    beside = next((candidate for candidate in candidates if candidate.is_file()), None)
    if beside is None:
        raise InputError(f"{path}: has no record; {candidates[0].name} is not beside it")
    digest = Instance.from_json(path).digest
    origin = files.read_sealed(beside)
    if digest not in origin.get("instances", []):
        raise InputError(f"{path}: is not one of the instances of {beside.name}")
    return {**origin, "instances": [digest]}


def _page(path: Path) -> dict[str, Any]:
    origin = page_origin(path)
    if not origin:
        raise InputError(f"{path}: is not the page of a run")
    return origin


def _read_object(path: Path) -> dict[str, Any]:
    content = files.read_json(path)
    if isinstance(content, dict) and "digest" in content:
        content = files.read_sealed(path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: is not an output of the project")
    return content


def _part(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    part = content.get(key)
    return part if isinstance(part, dict) else {}
