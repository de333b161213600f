"""The manifest of a publication: one file with the checksum of every other.

It shows that tables, figures, sidecars, ledger and page belong together and are as they were
published. It cannot show who published them: anyone who can write to the folder can write a
manifest. To check that, compare its own checksum, which ``epochbandits verify`` prints, with that
of another copy, such as the one in the project's history.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.pipeline.layout import STUDIES
from epochbandits.provenance.code_hash import file_digest
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

NAME = "manifest.json"


def write_manifest(folder: Path, page: Path | None = None) -> None:
    """Write the manifest of a folder; the page, which is outside it, is added if given."""
    manifest = {
        "files": {name: file_digest(folder / name) for name in _names(folder)},
        "page": file_digest(page) if page else None,
        "versions": versions(),
        "lock": lock(),
    }
    files.write_sealed(folder / NAME, manifest)


def check_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest; reject a folder with a missing, an altered or an extra file."""
    manifest = _read(folder)
    listed, present = manifest["files"], _names(folder)
    for name in sorted({*listed} ^ {*present}):
        what = "is missing" if name in listed else f"is not in {NAME}"
        raise InputError(f"{folder / name}: {what}; the publication was changed")
    for name in listed:
        _check(folder / name, listed[name])
    if (folder / STUDIES).is_dir():  # a publication of its own
        check_manifest(folder / STUDIES)
    return manifest


def check_listed(path: Path) -> None:
    """Reject a file that the manifest of one of its folders lists with another checksum."""
    path = path.resolve()
    for folder in path.parents[:5]:
        if (folder / NAME).is_file() and path.name != NAME:
            listed = _read(folder)["files"].get(path.relative_to(folder).as_posix())
            if listed is None:
                raise InputError(f"{path}: is not in {folder / NAME}, so it was not published")
            _check(path, listed)
            return


def _read(folder: Path) -> dict[str, Any]:
    if not (folder / NAME).is_file():
        raise InputError(f"{folder}: lacks {NAME}; run 'make publish'")
    manifest = files.read_sealed(folder / NAME)
    if not isinstance(manifest.get("files"), dict):
        raise InputError(f"{folder / NAME}: does not list files; run 'make publish'")
    return manifest


def _check(path: Path, digest: str) -> None:
    if file_digest(path) != digest:
        raise InputError(
            f"{path}: was changed after it was published ({NAME} has another checksum)"
        )


def _names(folder: Path) -> list[str]:
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        name.as_posix() for name in names if str(name) != NAME and name.parts[0] != STUDIES
    )
