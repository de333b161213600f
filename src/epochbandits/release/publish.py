"""Publishing the results of a run: ``python -m epochbandits.release.publish FROM TO``.

Copies pictures, sidecars, plotted data and verdicts, and replaces those of the last time. With
``--only data`` it copies the plotted data alone: the golden results of the quick run. With ``--only
studies`` it copies the studies, which have no verdicts and no PDF.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from epochbandits.figures.registry import FIGURES, FORMATS, STUDIES
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.validation import InputError

__all__ = ["publish"]


def publish(source: Path, target: Path, only: str | None = None) -> list[Path]:
    """Copy the figures of a complete run, and return the files; refuse an incomplete run.

    ``only`` is ``data`` or ``studies``, see the module's docstring.
    """
    origin = FigureFolder(source)
    figures, formats = (STUDIES, ("png", "svg")) if only == "studies" else (FIGURES, FORMATS)
    paths = [origin.plotted(name) for name in figures]
    if only != "data":
        paths += [origin.picture(name, format) for name in figures for format in formats]
        paths += [origin.sidecar(name) for name in figures]
    if only is None:
        paths.append(origin.claims)  # not the page: 10 MB that repeat the rest
    names = [Path(path).relative_to(source) for path in paths]
    missing = [str(name) for name in names if not (source / name).is_file()]
    if missing:
        raise InputError(f"{source}: lacks {', '.join(missing[:3])}; make all figures first")
    _clear(target)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    return [target / name for name in names]


def _clear(target: Path) -> None:
    """Remove what was published there, but not the studies below it."""
    for path in target.iterdir() if target.is_dir() else ():
        if path.is_dir() and path.name != "studies":
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
    options = parser.parse_args()
    try:
        copied = publish(options.source, options.target, options.only)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(copied)} files are in {options.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
