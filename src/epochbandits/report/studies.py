"""The studies in the reports: a part of every run's page, and a page of their own.

A run's page shows the published studies, so that it needs no run of them. An installed package does
not have their pictures, and shows questions and conclusions alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from epochbandits.pipeline import results
from epochbandits.pipeline.layout import PUBLISHED, STUDIES, FigureFolder
from epochbandits.provenance.code_hash import digest, file_digest
from epochbandits.provenance.versions import REPOSITORY
from epochbandits.report import svg
from epochbandits.report.cards import make_cards, slug
from epochbandits.report.study_texts import STUDY_TEXTS
from epochbandits.report.templates import asset, template
from epochbandits.validation import InputError

_SHOWN = ("svg", "parquet")  # of a figure's files, those that `published_files` lists


def published_files(repository: Path = REPOSITORY) -> list[str]:
    """Return the existing files that `studies` reads."""
    folder = FigureFolder(repository / PUBLISHED / STUDIES)
    paths = []
    for name in STUDY_TEXTS:
        paths += [folder.sidecar(name), folder.picture(name, "svg"), folder.plotted(name)]
    return [path for path in paths if Path(path).is_file()]


def published_digest(repository: Path = REPOSITORY) -> str:
    """Return a hash of the published studies, wherever the repository is."""
    paths = published_files(repository)
    return digest([(Path(path).name, file_digest(path)) for path in paths])


def studies(expected: str = "", repository: Path = REPOSITORY) -> list[dict[str, Any]]:
    """Return what a run's page shows of each study.

    Parameters
    ----------
    expected : str
        `published_digest` when the run was planned; without it, no pictures.

    Raises
    ------
    InputError
        If the published studies have changed, or a file is not the one that was published.
    """
    if expected and published_digest(repository) != expected:
        raise InputError(f"{repository}: the published studies changed during the run; run again")
    paths = set(published_files(repository)) if expected else set()
    folder = FigureFolder(repository / PUBLISHED / STUDIES)
    result = []
    for number, (name, text) in enumerate(STUDY_TEXTS.items(), 1):
        study: dict[str, Any] = {
            "title": f"Study {number}",
            "anchor": slug(name),
            **text._asdict(),
            "figure": None,
        }
        if folder.sidecar(name) in paths:
            about = results.check_files(Path(folder.sidecar(name)), _SHOWN)
            picture = svg.minified(Path(folder.picture(name, "svg")).read_text(encoding="utf-8"))
            width, height = svg.extent(picture)
            study["figure"] = {
                "caption": about["caption"],
                "picture": svg.data_url(picture),
                "width": width,
                "height": height,
            }
        result.append(study)
    return result


def build_studies_page(
    folder: Path,
    figures: Iterable[str],
    code: str = "",
    narrow: bool = True,
    key: str = "",
    processes: int = 1,
) -> str:
    """Return the page of the studies; the arguments are those of `page.build_page`."""
    return template("studies.html.j2").render(
        run=folder.name,
        texts=STUDY_TEXTS,
        cards=make_cards(folder, list(figures), narrow, processes),
        style=asset("page.css"),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
