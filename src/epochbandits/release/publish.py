"""Copying what a run shows to where it is kept: ``python -m epochbandits.release.publish FROM TO``.

Pictures, sidecars, plotted data and verdicts replace those that were there. With
``--only data`` it is the plotted data alone, which is what tests compare a quick run with.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from epochbandits.figures.registry import FIGURES, FORMATS
from epochbandits.validation import InputError

__all__ = ["publish"]

_ENDS = (*FORMATS, "json")


def publish(source: Path, target: Path, only_data: bool = False) -> list[Path]:
    """Copy a complete run's figures, and return the files; an incomplete run is refused."""
    names = [f"data/{name}.parquet" for name in FIGURES]
    if not only_data:
        names += [f"{name}.{end}" for name in FIGURES for end in _ENDS]
        names.append("claims.json")  # the page, of ten megabytes, repeats it all
    lacking = [name for name in names if not (source / name).is_file()]
    if lacking:
        raise InputError(f"{source}: lacks {', '.join(lacking[:3])}; make all figures first")
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
