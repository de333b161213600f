"""The files of a figure: pictures, plotted data, and a sidecar that vouches for both."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from epochbandits.figures import render
from epochbandits.io import parquet
from epochbandits.io.schemas import EIGENVALUES
from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.pipeline.layout import FORMATS
from epochbandits.provenance.code_hash import file_digest


def test_a_figure_has_pictures_data_and_a_sidecar(tmp_path: Path) -> None:
    figure, source = "finding5_eigenvalue_scale", tmp_path / "mixing.parquet"
    roots = np.linspace(0.3, 0.8, 5 * len(ROW_LAWS))
    columns = {
        "law": np.repeat(list(ROW_LAWS), 5),
        "index": np.tile(np.arange(5), len(ROW_LAWS)),
        "lambda2": roots**2,
        "root": roots,
        "singular": 0.97 * roots,
        "C": np.ones(len(roots)),
        "rho": np.ones(len(roots)),
    }
    parquet.write(source, EIGENVALUES, columns, {"key": "0123"})
    (tmp_path / "data").mkdir()
    settings = {"policies": [], "labels": {}, "sets": {}, "late": 0.5}
    about = {"caption": "A caption.", "code": "c0de"}
    inputs = {"eigenvalues": {str(source): "0123"}}
    render.draw_figure(tmp_path, figure, inputs, settings, about, "test")

    sidecar = json.loads((tmp_path / f"{figure}.json").read_text(encoding="utf-8"))
    assert (sidecar["id"], sidecar["paper"]) == (figure, "Section 3.3")
    assert {key: sidecar[key] for key in about} == about
    assert sidecar["inputs"] == {str(source): file_digest(source)}
    paths = {end: tmp_path / f"{figure}.{end}" for end in FORMATS}
    paths["parquet"] = tmp_path / "data" / f"{figure}.parquet"
    assert sidecar["files"] == {end: file_digest(path) for end, path in paths.items()}
    assert {"matplotlib", "pandas", "seaborn", "numpy"} <= set(sidecar["versions"])
    path = tmp_path / "data" / f"{figure}.parquet"
    assert parquet.about(path)["inputs"] == sidecar["inputs"]
    plotted = pq.read_table(path).to_pandas()
    assert plotted.loc[plotted["scale"] == "root", "mean"].tolist() == [
        roots[i : i + 5].mean() for i in range(0, len(roots), 5)
    ]
