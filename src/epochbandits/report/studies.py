"""The studies in the reports: a section of a run's page, and a page of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from epochbandits.pipeline import results
from epochbandits.report.cards import make_cards
from epochbandits.report.templates import asset, template

__all__ = ["QUESTIONS", "write_studies_page"]

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


def write_studies_page(
    out: str | Path,
    folder: str | Path,
    figures: Sequence[str],
    code: str = "",
    stamp: str = "",
    key: str = "",
    inputs: Mapping[str, str] | None = None,
    processes: int = 1,
) -> None:
    """Write the page of the studies; the arguments are those of `page.write_page`."""
    results.accept(inputs)
    page = template("studies.html.j2").render(
        run=Path(folder).name,
        questions=QUESTIONS,
        cards=make_cards(Path(folder), figures, stamp, processes),
        style=asset("page.css"),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
    results.write_page(out, page, key)
