"""Named sets of instances: made from a few words of configuration, kept as a folder of JSON files.

A set is one of

    {"class": "failure", "epsilon": [0.001, 0.01]}
    {"class": "anticorrelated", "arms": 4, "states": 4, "first": 0, "count": 5, "knobs": {}}
    {"files": ["mine.json"]}
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

__all__ = ["digests", "make", "read", "write"]


def make(block: Mapping[str, Any], first_only: bool = False) -> list[Instance]:
    """Return the instances of a set, or just its first."""
    if "files" in block:
        return [Instance.from_json(path) for path in block["files"]]
    if block["class"] == "failure":
        return [failure_example(epsilon) for epsilon in block["epsilon"]]
    count = 1 if first_only else block["count"]
    size = (block["arms"], block["states"])
    return [
        generate(block["class"], *size, block["first"] + i, **block["knobs"]) for i in range(count)
    ]


def write(
    folder: str | Path, instances: Sequence[Instance], about: Mapping[str, Any] | None = None
) -> None:
    """Write a set as 0.json, 1.json, ... into a folder of its own, and about.json beside them."""
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)
    for index, instance in enumerate(instances):
        instance.to_json(Path(folder) / f"{index}.json")
    told = {
        **(about or {}),
        "instances": [instance.digest for instance in instances],
        "versions": versions(),
        "lock": lock(),
    }
    files.write_sealed(Path(folder) / "about.json", told)


def read(folder: str | Path) -> list[Instance]:
    """Return the instances of a folder, in order; others than were written there are refused."""
    known = files.read_sealed(Path(folder) / "about.json")["instances"]
    found = [Instance.from_json(Path(folder) / f"{index}.json") for index in range(len(known))]
    for index, (instance, digest) in enumerate(zip(found, known, strict=True)):
        if instance.digest != digest:
            raise InputError(
                f"{folder}/{index}.json: is not the instance that was written there; "
                "delete the folder and run again to make it anew"
            )
    return found


def digests(instances: Mapping[str, Sequence[Instance]]) -> dict[str, list[str]]:
    """Return what identifies the instances of each set."""
    return {name: [one.digest for one in members] for name, members in instances.items()}
