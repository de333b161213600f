"""Check that published files belong together and to the configuration: a part of `verify`.

Anyone who alters a file can write a new manifest. The files themselves say more: a sidecar has the
checksums of its pictures and its table, and of the tables behind them; sidecars, tables and ledger
repeat the blocks of the configuration that they come from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from epochbandits.io import files, parquet
from epochbandits.pipeline.layout import FORMATS, FigureFolder
from epochbandits.pipeline.results import check_files
from epochbandits.provenance.code_hash import file_digest
from epochbandits.release.manifest import NAME
from epochbandits.release.verify import Published
from epochbandits.validation import InputError

_LEDGER = {"about", "claims", "edition", "thresholds"}


def check_bindings(published: Published, captions: str) -> str:
    """Reject files that do not belong together, or not to the configuration; return a summary.

    ``captions`` has the templates of the captions.
    """
    plan, folder = published.plan, published.folder
    paths = FigureFolder(folder)
    tables = plan.verdict_tables
    _check_names(published, paths, tables)
    for name in plan.config.figures:
        sidecar = Path(paths.sidecar(name))
        origin = check_files(sidecar)
        _check_origin(sidecar, origin, plan.figures.task(name, captions)["metadata"])
        plotted = Path(paths.plotted(name))
        if parquet.about(plotted).get("inputs") != origin["inputs"]:
            raise InputError(f"{plotted}: was not made from the inputs in {sidecar.name}")
        for path, digest in origin["inputs"].items():
            if path in tables and file_digest(folder / path) != digest:
                raise InputError(f"{folder / path}: is not the table that {name} was drawn from")
    for path in tables:
        _check_origin(folder / path, parquet.about(folder / path), plan.origins[path])
    ledger = files.read_sealed(paths.claims)
    _check_origin(Path(paths.claims), ledger.get("about", {}), plan.ledger["metadata"])
    thresholds = plan.config.claims.model_dump(mode="json", exclude={"assess"})
    if ledger.keys() != _LEDGER or ledger["thresholds"] != thresholds:
        raise InputError(f"{paths.claims}: its thresholds are not those of the configuration")
    count = len(plan.config.figures)
    return f"{count} figures, {len(tables)} tables and the ledger: all of one run, as configured"


def _check_names(published: Published, paths: FigureFolder, tables: list[str]) -> None:
    """Reject a publication whose files are not those of its configuration."""
    expected_paths = [paths.claims]
    for name in published.plan.config.figures:
        expected_paths += [paths.sidecar(name), paths.plotted(name)]
        expected_paths += [paths.picture(name, end) for end in FORMATS]
    expected = {
        *tables,
        *(Path(path).relative_to(published.folder).as_posix() for path in expected_paths),
    }
    for name in sorted(expected ^ {*published.manifest["files"]}):
        what = "is missing" if name in expected else "belongs to no figure or table of the run"
        raise InputError(f"{published.folder / name}: {what}; {NAME} lists other files")


def _check_origin(path: Path, origin: dict[str, Any], expected: dict[str, Any]) -> None:
    for key in ("configuration", "root", "caption", "settings"):
        if key in expected and origin.get(key) != expected[key]:
            raise InputError(f"{path}: its {key} is not that of the current configuration")
