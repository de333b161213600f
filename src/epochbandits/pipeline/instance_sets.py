"""Named sets of instances: a block of the configuration goes in, a folder of JSON files comes out.

A set is one of

    {"class": "failure", "epsilon": [0.001, 0.01]}
    {"class": "anticorrelated", "arms": 4, "states": 4, "first": 0, "count": 5, "knobs": {}}
    {"class": "iid", "params": {"means": [0.9, 0.8]}}
    {"files": ["mine.json"]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.model.problems import PROBLEMS, build
from epochbandits.pipeline.layout import instance_file, set_record
from epochbandits.provenance.code_hash import file_digest
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError


def make(block: Mapping[str, Any], first_only: bool = False) -> list[Instance]:
    """Return the instances of a set, or just the first."""
    if "files" in block:
        return [Instance.from_json(path) for path in block["files"]]
    if block["class"] == "failure":
        return [failure_example(epsilon) for epsilon in block["epsilon"]]
    if block["class"] in PROBLEMS:
        return [build(block["class"], block["params"])]
    count = 1 if first_only else block["count"]
    size = (block["arms"], block["states"])
    return [
        generate(block["class"], *size, block["first"] + i, **block["knobs"]) for i in range(count)
    ]


def write_set(folder: str | Path, block: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """Make a set of instances and write it into a folder."""
    write(folder, make(block), metadata)


def write(
    folder: str | Path, instances: Sequence[Instance], metadata: Mapping[str, Any] | None = None
) -> None:
    """Write instances as 0.json, 1.json, ... into a new folder, with about.json beside them.

    A folder with the same key stays as it is: another job may be reading it.
    """
    metadata = metadata or {}
    if "key" in metadata and _is_written(folder, metadata["key"]):
        return
    with files.replacing_folder(folder, metadata.get("key")) as temporary:
        paths = [instance_file(temporary, index) for index in range(len(instances))]
        for instance, path in zip(instances, paths, strict=True):
            instance.to_json(path)
        origin = {
            **metadata,
            "instances": [instance.digest for instance in instances],
            "checksums": [file_digest(path) for path in paths],
            "versions": versions(),
            "lock": lock(),
        }
        files.write_sealed(set_record(temporary), origin)


def _is_written(folder: str | Path, key: str) -> bool:
    try:
        read(folder)
        return bool(files.read_sealed(set_record(folder))["key"] == key)
    except (InputError, KeyError):
        return False


def read(folder: str | Path) -> list[Instance]:
    """Return the instances of a folder, in order; reject a folder whose files were altered."""
    expected = files.read_sealed(set_record(folder))["instances"]
    instances = [Instance.from_json(instance_file(folder, i)) for i in range(len(expected))]
    for index, (instance, digest) in enumerate(zip(instances, expected, strict=True)):
        if instance.digest != digest:
            raise InputError(
                f"{instance_file(folder, index)}: is not the instance that was written there; "
                "delete the folder and run again"
            )
    return instances


def read_sets(folders: Sequence[str]) -> dict[str, list[Instance]]:
    """Return the instances of some folders by the names of the sets."""
    return {Path(folder).name: read(folder) for folder in folders}


def digests(instances: Mapping[str, Sequence[Instance]]) -> dict[str, list[str]]:
    """Return the digests of the instances of each set."""
    return {name: [instance.digest for instance in members] for name, members in instances.items()}
