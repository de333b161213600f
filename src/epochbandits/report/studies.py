"""The studies in the reports: a part of every run's page, and a page of their own.

A run's page shows the published studies, so that it needs no run of them: their pictures, and the
conclusions that ``docs/studies.md`` draws. An installed package has neither, and shows the
questions alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from epochbandits.pipeline import results
from epochbandits.pipeline.layout import PUBLISHED, STUDIES, FigureFolder
from epochbandits.provenance.code_hash import digest, file_digest
from epochbandits.provenance.versions import REPOSITORY
from epochbandits.report import svg
from epochbandits.report.cards import make_cards, slug
from epochbandits.report.templates import asset, template
from epochbandits.validation import InputError

_SHOWN = ("svg", "parquet")  # of a figure's files, those that `published_files` lists

QUESTIONS = {
    "study1_epochs_or_mixing": "Is it the epochs or the mixing term?",
    "study2_any_policy": "Do epochs help any policy?",
    "study3_ucb_map": "When does UCB fail?",
    "study4_knowledge": "What does knowledge buy, and what does wrong knowledge cost?",
    "study5_epoch_lengths": "How long should epochs be?",
    "study6_strong_regret": "How much does the best fixed arm leave on the table?",
    "study7_scale": "What happens with more arms and states?",
    "study8_other_problems": "What about other people's problems?",
    "study9_long_horizons": "What happens on long horizons?",
}
"""What each study asks, by its figure."""


def published_files(repository: Path = REPOSITORY) -> list[str]:
    """Return the existing files that `studies` reads."""
    folder = FigureFolder(repository / PUBLISHED / STUDIES)
    paths = [str(repository / "docs" / "studies.md")]
    for name in QUESTIONS:
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
    expected : `published_digest` when the run was planned; without it, the questions alone

    Raises
    ------
    InputError
        If the published studies have changed, or a file is not the one that was published.
    """
    if expected and published_digest(repository) != expected:
        raise InputError(f"{repository}: the published studies changed during the run; run again")
    paths = set(published_files(repository)) if expected else set()
    text = repository / "docs" / "studies.md"
    conclusions = _conclusions(text) if str(text) in paths else {}
    folder = FigureFolder(repository / PUBLISHED / STUDIES)
    result = []
    for number, (name, question) in enumerate(QUESTIONS.items(), 1):
        study: dict[str, Any] = {
            "title": f"Study {number}",
            "anchor": slug(name),
            "question": question,
            "conclusion": conclusions.get(number),
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


def _conclusions(path: Path) -> dict[int, str]:
    """Return the sentences after 'Take home' in the section of each study, by its number."""
    sections = re.split(r"^## (?=\d+\. )", path.read_text(encoding="utf-8"), flags=re.M)[1:]
    conclusions = {}
    for section in sections:
        match = re.search(r"\*\*Take home:\*\* (.+?)(?:\n\n|\Z)", section, flags=re.DOTALL)
        if match:
            conclusions[int(section.partition(".")[0])] = " ".join(match[1].split())
    return conclusions


def build_studies_page(
    folder: Path,
    figures: Iterable[str],
    code: str = "",
    stamp: str = "",
    key: str = "",
    processes: int = 1,
) -> str:
    """Return the page of the studies; the arguments are those of `page.build_page`."""
    return template("studies.html.j2").render(
        run=folder.name,
        questions=QUESTIONS,
        cards=make_cards(folder, list(figures), stamp, processes),
        style=asset("page.css"),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
