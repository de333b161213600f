"""Publishing the results of a run: ``python -m epochbandits.release.publish FROM TO``.

Copies pictures, sidecars, plotted data, verdicts and the tables that the verdicts rest on, with a
manifest, and replaces the previous publication. Results made with a configuration or code other
than the current ones are rejected. With ``--only data`` it copies the plotted data alone: the
golden results of the quick run. With ``--only studies`` it copies the studies, without PDF.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES, STUDIES
from epochbandits.io import parquet
from epochbandits.pipeline import layout, results
from epochbandits.planning.loading import load_studies
from epochbandits.planning.plan import Plan
from epochbandits.release.manifest import write_manifest
from epochbandits.validation import InputError


def publish(
    source: Path, target: Path, only: str | None = None, tables: Sequence[str] = ()
) -> list[Path]:
    """Copy the figures of a complete run, and return the files; reject an incomplete run.

    Parameters
    ----------
    only : str | None
        Either ``data`` or ``studies``; see the module's docstring.
    tables : Sequence[str]
        Tables of the run, copied to the same relative paths in ``target``.
    """
    origin = layout.FigureFolder(source)
    figures = STUDIES if only == "studies" else FIGURES
    formats = layout.STUDY_FORMATS if only == "studies" else layout.FORMATS
    paths = [origin.plotted(name) for name in figures]
    if only != "data":
        paths += [origin.picture(name, format) for name in figures for format in formats]
        paths += [origin.sidecar(name) for name in figures]
        paths.append(origin.claims)  # not the page, which repeats the rest
    names = [Path(path).relative_to(source) for path in paths]
    missing = [str(name) for name in names if not (source / name).is_file()]
    if missing:
        raise InputError(f"{source}: lacks {', '.join(missing[:3])}; make all figures first")
    _clear(target)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    for path in tables:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / path)
    if only != "data":
        page = Path(origin.page)
        write_manifest(target, page if page.is_file() else None)
    return [target / name for name in (*map(str, names), *tables)]


def ledger_tables(plan: Plan, captions: str) -> list[str]:
    """Return the tables that the verdicts rest on.

    They, the figures and the ledger must be results of this plan.
    """
    keys = plan.keys(captions)
    tables = plan.verdict_tables
    figures = [plan.layout.figures.sidecar(name) for name in plan.config.figures]
    results.accept({path: keys[path] for path in [*tables, *figures, plan.layout.figures.claims]})
    for path in tables:
        parquet.about(path)  # checks the values
    return tables


def _clear(target: Path) -> None:
    """Remove the previous publication, but not the studies inside it."""
    for path in target.iterdir() if target.is_dir() else ():
        if path.is_dir() and path.name != layout.STUDIES:
            shutil.rmtree(path)
        elif path.is_file():
            path.unlink()


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m epochbandits.release.publish", description=__doc__
    )
    parser.add_argument("source", type=Path, metavar="FROM")
    parser.add_argument("target", type=Path, metavar="TO")
    parser.add_argument("--only", choices=("data", "studies"))
    parser.add_argument("--config", default=layout.PAPER, metavar="FILE.yaml")
    parser.add_argument("--captions", default=layout.CAPTIONS, metavar="FOLDER")
    options = parser.parse_args()
    try:
        tables: list[str] = []
        if options.only is None:
            tables = ledger_tables(Plan(load_files([options.config])), options.captions)
        elif options.only == "studies":
            ledger_tables(load_studies(), options.captions)
        copied = publish(options.source, options.target, options.only, tables)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(copied)} files are in {options.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
