"""From a run's tables to a figure's files: pictures, plotted data, and a sidecar with their origin.

``<id>.pdf``, ``.png`` and ``.svg`` have the same bytes whenever they are drawn from the same data
with the same versions. ``<id>.json``, the sidecar, records the caption, the inputs with their
checksums, the blocks of the configuration, the root seed, code, versions and lock, and the
checksums of the pictures. ``data/<id>.parquet`` holds the plotted numbers.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import narrow, style
from epochbandits.figures.registry import (
    SPECS,
    Drawing,
    Inputs,
    Settings,
    registered,
    spec_of,
)
from epochbandits.io import files, parquet, schemas
from epochbandits.io.tables import Column, Table
from epochbandits.pipeline import results
from epochbandits.pipeline.layout import FORMATS, FigureFolder
from epochbandits.provenance.code_hash import file_digest
from epochbandits.provenance.versions import lock, versions

# Dates and versions would make equal pictures differ.
_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "ModDate": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}

_UNITS = {
    column.name: column.unit
    for table in (schemas.CURVES, schemas.BOUNDS, schemas.EIGENVALUES)
    for column in table.columns
}
_KINDS = {"i": "int", "u": "int", "b": "int", "f": "float"}


def draw_figure(
    folder: str | Path,
    figure: str,
    inputs: Mapping[str, Mapping[str, str]],
    settings: Mapping[str, Any],
    metadata: Mapping[str, Any],
    stamp: str = "",
) -> None:
    """Write all files of a figure into a folder.

    Parameters
    ----------
    inputs : Mapping[str, Mapping[str, str]]
        Files by the field of `Inputs`, with the keys that they must have (`results.accept`).
    settings : Mapping[str, Any]
        The fields of `Settings`.
    metadata : Mapping[str, Any]
        Caption, configuration and code, for table and sidecar.
    stamp : str
        Printed in the figure's corner, to mark a run other than the paper run.
    """
    for group in inputs.values():
        results.accept(group)
    data = plotted_data(figure, {kind: list(group) for kind, group in inputs.items()}, settings)
    target = FigureFolder(folder)
    paths = [path for group in inputs.values() for path in group]
    origin = {"inputs": {str(path): file_digest(path) for path in paths}, **metadata}
    table = plotted_table(figure, data)
    columns = {name: data[name].to_numpy() for name in table.names}
    parquet.write(target.plotted(figure), table, columns, origin)
    drawn = draw(figure, data, stamp)
    for end in FORMATS:
        with files.replacing(target.picture(figure, end), metadata.get("key")) as temporary:
            save(drawn, temporary, end)
    sidecar = {
        "id": figure,
        "paper": spec_of(figure).paper,
        **origin,
        "versions": _versions(),
        "lock": lock(),
        "files": {
            **{end: file_digest(target.picture(figure, end)) for end in FORMATS},
            "parquet": file_digest(target.plotted(figure)),
        },
    }
    files.write_sealed(target.sidecar(figure), sidecar)


def plotted_data(
    figure: str, inputs: Mapping[str, Sequence[str]], settings: Mapping[str, Any]
) -> pd.DataFrame:
    """Return the numbers that a figure shows."""
    return _drawing(figure).table(Inputs(**inputs), Settings(**settings))


def draw(figure: str, data: pd.DataFrame, stamp: str = "") -> Figure:
    """Return a figure drawn from its plotted data, in the style of all figures."""
    with style.applied():
        drawn = _drawing(figure).draw(data)
        if stamp:
            style.stamp(drawn, stamp)
        style.fix_layout(drawn)
    return drawn


def narrow_svg(figure: str, data: pd.DataFrame) -> str:
    """Return a figure drawn from its plotted data at a phone's width, as SVG."""
    with narrow.applied():
        drawn = draw(figure, data)
    target = io.BytesIO()
    save(drawn, target, "svg")
    return target.getvalue().decode()


def save(drawn: Figure, target: Any, end: str, title: str = "") -> None:
    """Write a picture to a path or a binary file, in one of `FORMATS`; a title is metadata."""
    more = {"Title": title} if title else {}
    # Matplotlib reads fonts, resolution and the salt of SVG's names when it writes a file.
    with style.applied():
        drawn.savefig(target, format=end, metadata=_METADATA[end] | more)


def plotted_table(figure: str, data: pd.DataFrame) -> Table:
    """Return the schema of a figure's plotted data."""
    units = _UNITS | dict.fromkeys(("mean", "low", "high"), spec_of(figure).unit)
    columns = tuple(
        Column(name, _KINDS.get(data[name].dtype.kind, "text"), units.get(name, "1"), "plotted")
        for name in data.columns
    )
    return Table(f"figure {figure}", columns, ())


def _drawing(figure: str) -> Drawing:
    module = importlib.import_module(f"epochbandits.figures.{spec_of(figure).module}")
    if figure in SPECS:
        return registered[figure]
    drawing: Drawing = module.DRAWING
    return drawing


def _versions() -> dict[str, str]:
    names = ("matplotlib", "pandas", "seaborn")
    return {**versions(), **{name: importlib.metadata.version(name) for name in names}}
