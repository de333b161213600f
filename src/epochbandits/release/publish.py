"""Publishing the results of a run: ``python -m epochbandits.release.publish FROM TO``.

Copies pictures, sidecars, plotted data, verdicts and the tables that the verdicts rest on, and
replaces those of the last time; a manifest binds them. Results that are not of the present
configuration and code are refused. With ``--only data`` it copies the plotted data alone: the
golden results of the quick run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES, FORMATS
from epochbandits.pipeline import results
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.planning.plan import Plan
from epochbandits.release.manifest import write_manifest
from epochbandits.validation import InputError

__all__ = ["ledger_tables", "publish"]


def publish(
    source: Path, target: Path, only_data: bool = False, tables: Sequence[str] = ()
) -> list[Path]:
    """Copy the figures of a complete run, and return the files; refuse an incomplete run.

    Parameters
    ----------
    tables : tables of the run, which have the same relative paths in ``target``
    """
    origin = FigureFolder(source)
    paths = [origin.plotted(name) for name in FIGURES]
    if not only_data:
        paths += [origin.picture(name, format) for name in FIGURES for format in FORMATS]
        paths += [origin.sidecar(name) for name in FIGURES]
        paths.append(origin.claims)  # not the page: 10 MB that repeat the rest
    names = [Path(path).relative_to(source) for path in paths]
    missing = [str(name) for name in names if not (source / name).is_file()]
    if missing:
        raise InputError(f"{source}: lacks {', '.join(missing[:3])}; make all figures first")
    shutil.rmtree(target, ignore_errors=True)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    for path in tables:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target / path)
    if not only_data:
        page = Path(origin.page)
        write_manifest(target, page if page.is_file() else None)
    return [target / name for name in (*map(str, names), *tables)]


def ledger_tables(plan: Plan, captions: str) -> list[str]:
    """Return the tables that the verdicts rest on.

    They, the figures and the ledger must be results of this plan.
    """
    keys = plan.keys(captions)
    tables = [path for path in plan.tables if not path.endswith("/curves.parquet")]
    figures = [plan.layout.figures.sidecar(name) for name in plan.config.figures]
    results.accept({path: keys[path] for path in [*tables, *figures, plan.layout.figures.claims]})
    return tables


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m epochbandits.release.publish", description=__doc__
    )
    parser.add_argument("source", type=Path, metavar="FROM")
    parser.add_argument("target", type=Path, metavar="TO")
    parser.add_argument("--only", choices=("data",))
    parser.add_argument("--config", default="config/paper.yaml", metavar="FILE.yaml")
    parser.add_argument("--captions", default="workflow/report", metavar="FOLDER")
    options = parser.parse_args()
    try:
        only_data = options.only == "data"
        tables: list[str] = []
        if not only_data:
            tables = ledger_tables(Plan(load_files([options.config])), options.captions)
        copied = publish(options.source, options.target, only_data, tables)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(copied)} files are in {options.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
