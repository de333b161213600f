"""The ledger's page: ``python -m epochbandits.release.ledger_page``, in the project's folder.

The part of ``docs/ledger.md`` between two markers is the table of claims of the published run,
from ``figures/published/claims.json``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from epochbandits.claims.markdown import markdown
from epochbandits.io import files
from epochbandits.pipeline.layout import PUBLISHED, FigureFolder
from epochbandits.validation import InputError

START, END = "<!-- ledger -->", "<!-- /ledger -->"
_PAGE = Path("docs/ledger.md")


def with_ledger(text: str, claims: list[dict[str, Any]]) -> str:
    """Return the page with the table of claims between its markers."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise InputError(f"{_PAGE}: lacks the markers {START} and {END}, in this order")
    return f"{before}{START}\n\n{markdown(claims)}\n{END}{after}"


def main() -> int:
    """Run from the command line."""
    try:
        claims = files.read_json(FigureFolder(PUBLISHED).claims)["claims"]
        files.write_text(_PAGE, with_ledger(_PAGE.read_text(encoding="utf-8"), claims))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
