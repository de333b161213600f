"""Publishing the results of a run: ``python -m epochbandits.release.publish FROM TO``.

Copies pictures, sidecars, plotted data and verdicts, and replaces those of the last time. With
``--only data`` it copies the plotted data alone: the golden results of the quick run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from epochbandits.figures.registry import FIGURES, FORMATS
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.validation import InputError

__all__ = ["publish"]


def publish(source: Path, target: Path, only_data: bool = False) -> list[Path]:
    """Copy the figures of a complete run, and return the files; refuse an incomplete run."""
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
    return [target / name for name in names]


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m epochbandits.release.publish", description=__doc__
    )
    parser.add_argument("source", type=Path, metavar="FROM")
    parser.add_argument("target", type=Path, metavar="TO")
    parser.add_argument("--only", choices=("data",))
    options = parser.parse_args()
    try:
        copied = publish(options.source, options.target, options.only == "data")
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(copied)} files are in {options.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
