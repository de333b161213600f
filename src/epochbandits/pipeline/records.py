"""What an output of the project says of its origin: ``epochbandits provenance FILE``.

Tables have it in their metadata, a figure in the sidecar beside its pictures, a set of instances in
its ``about.json``, a single instance in ``<name>.about.json``, the ledger and the tuned values in
themselves, the page in a tag. What can be checked against it is: a picture that is not the one its
sidecar speaks of is refused, and so is a table whose values were altered.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.model.instance import Instance
from epochbandits.provenance.code_hash import code_hash, file_digest
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

__all__ = ["KEYS", "record", "write_about"]

KEYS = ("configuration", "code", "lock", "root", "versions")
"""What every output carries."""
_PICTURES = (".pdf", ".png", ".svg")
_TAG = re.compile(r'<meta name="provenance" content="([^"]*)">')


def record(path: str | Path) -> dict[str, Any]:
    """Return what an output says of its origin, `KEYS` first; what says nothing is refused."""
    target = Path(path)
    if target.is_dir():
        target /= "about.json"
    if not target.is_file():
        raise InputError(f"{path}: does not exist")
    if target.suffix == ".parquet":
        from epochbandits.io import parquet

        kind, told = "table", parquet.about(target)
    elif target.suffix in _PICTURES:
        kind, told = "picture", _picture(target)
    elif target.suffix == ".html":
        kind, told = "page", _page(target)
    elif target.suffix == ".json":
        kind, told = _json(target)
    else:
        raise InputError(
            f"{path}: is no output that carries its origin; those are .parquet, .json, .html, "
            f"{', '.join(_PICTURES)} and folders of instances"
        )
    lacking = [key for key in KEYS if key not in told]
    if lacking:
        raise InputError(f"{path}: says nothing of its {', '.join(lacking)}")
    first = {key: told[key] for key in KEYS}
    return {"file": str(path), "kind": kind, **first, **told}


def write_about(
    path: str | Path, instance: Instance, asked: Mapping[str, Any], module: str
) -> None:
    """Write where a single instance comes from, beside it; its seed is its root."""
    told = {
        "configuration": dict(asked),
        "code": code_hash(module),
        "root": asked.get("seed", 0),
        "instances": [instance.digest],
        "versions": versions(),
        "lock": lock(),
    }
    files.write_sealed(_beside(Path(path)), told)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}.about.json")


def _picture(path: Path) -> dict[str, Any]:
    beside = path.with_suffix(".json")
    if not beside.is_file():
        raise InputError(f"{path}: the file that tells its origin, {beside.name}, is not beside it")
    told = _object(beside)
    if _part(told, "files").get(path.suffix[1:]) != file_digest(path):
        raise InputError(f"{path}: is not the picture that {beside.name} was written for")
    return told


def _json(path: Path) -> tuple[str, dict[str, Any]]:
    told = _object(path)
    if "transition" in told:
        places = (_beside(path), path.with_name("about.json"))
        beside = next((place for place in places if place.is_file()), None)
        if beside is None:
            raise InputError(f"{path}: an instance by itself; {places[0].name} is not beside it")
        found = Instance.from_json(path).digest
        set_told = files.read_sealed(beside)
        if found not in set_told.get("instances", []):
            raise InputError(f"{path}: is not among the instances that {beside.name} speaks of")
        return "instance", {**set_told, "instances": [found]}
    for kind, mark in (("ledger", "claims"), ("tuned values", "chosen")):
        if mark in told:
            return kind, _part(told, "about")
    return ("figure" if "files" in told else "set of instances"), told


def _page(path: Path) -> dict[str, Any]:
    try:
        found = _TAG.search(path.read_text(encoding="utf-8"))
        told = json.loads(html.unescape(found[1])) if found else {}
    except (OSError, ValueError):
        told = None
    if not isinstance(told, dict) or not told:
        raise InputError(f"{path}: is no page of a run")
    return told


def _object(path: Path) -> dict[str, Any]:
    told = files.read_json(path)
    if not isinstance(told, dict):
        raise InputError(f"{path}: is no output of the project")
    return told


def _part(told: Mapping[str, Any], key: str) -> dict[str, Any]:
    part = told.get(key)
    return part if isinstance(part, dict) else {}
