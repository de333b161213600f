"""From a run's tables to a figure's files: pictures, plotted data, and a record beside them.

``<id>.pdf``, ``.png`` and ``.svg`` have the same bytes whenever they are drawn from the same data
with the same versions. ``<id>.json`` says what they are: caption, inputs with their hashes, blocks
of the configuration, root seed, code, versions, lock, and the hashes of the pictures themselves.
``data/<id>.parquet`` holds the plotted numbers.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import data as prepared
from epochbandits.figures import findings_data, style
from epochbandits.figures.registry import FIGURES
from epochbandits.io import files, parquet
from epochbandits.io.parquet import Column, Table
from epochbandits.provenance.code_hash import file_digest
from epochbandits.provenance.versions import lock, versions

__all__ = ["draw", "draw_figure", "plotted_data", "plotted_table"]

_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "ModDate": None},
    "svg": {"Date": None},
    "png": {"Software": None},
}


def draw_figure(
    folder: str | Path,
    figure: str,
    inputs: Sequence[str],
    settings: Mapping[str, Any],
    about: Mapping[str, Any],
    stamp: str = "",
) -> None:
    """Write all files of a figure into a folder.

    Parameters
    ----------
    settings : keyword arguments of the figure's function in `figures.data`
    about : what the sidecar says: caption, configuration, code
    stamp : printed across the figure's corner, to mark what is no paper run
    """
    data = plotted_data(figure, inputs, settings)
    target = Path(folder)
    origin = {"inputs": {str(path): file_digest(path) for path in inputs}, **about}
    table = plotted_table(figure, data)
    columns = {name: data[name].to_numpy() for name in table.names}
    parquet.write(target / "data" / f"{figure}.parquet", table, columns, origin)
    drawn = draw(figure, data, stamp)
    for end, metadata in _METADATA.items():
        # Fonts, resolution and SVG's names are settings that are read when a file is written.
        with style.applied(), files.replacing(target / f"{figure}.{end}") as temporary:
            drawn.savefig(temporary, format=end, metadata=metadata)
    told = {
        "id": figure,
        "paper": FIGURES[figure].paper,
        **origin,
        "versions": _versions(),
        "lock": lock(),
        "files": {end: file_digest(target / f"{figure}.{end}") for end in _METADATA},
    }
    files.write_text(
        target / f"{figure}.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    )


def plotted_data(figure: str, inputs: Sequence[str], settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return the numbers that a figure shows."""
    place = findings_data if figure.startswith("finding") else prepared
    make = getattr(place, FIGURES[figure].data)
    result: pd.DataFrame = make(list(inputs), **settings)
    return result


def draw(figure: str, data: pd.DataFrame, stamp: str = "") -> Figure:
    """Return a figure drawn from its plotted data, in the house's style."""
    module = importlib.import_module(f"epochbandits.figures.{FIGURES[figure].module}")
    with style.applied():
        drawn: Figure = getattr(module, figure)(data)
        if stamp:
            style.stamp(drawn, stamp)
        style.settle(drawn)
    return drawn


def plotted_table(figure: str, data: pd.DataFrame) -> Table:
    """Return the schema of a figure's plotted data."""
    kinds = {"i": "int", "u": "int", "b": "int", "f": "float"}
    columns = tuple(
        Column(name, kinds.get(data[name].dtype.kind, "text"), _UNITS.get(name, "1"), "plotted")
        for name in data.columns
    )
    return Table(f"figure {figure}", columns, ())


_REWARD = ("expected_regret", "regret", "iteration_regret", "low", "high", "mean", "bound")
_UNITS = {"epoch": "epochs", "k_prime": "epochs", **dict.fromkeys(_REWARD, "reward")}


def _versions() -> dict[str, str]:
    names = ("matplotlib", "pandas", "seaborn")
    return {**versions(), **{name: importlib.metadata.version(name) for name in names}}
