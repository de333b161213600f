"""The tables of the published run, and the pages that quote them."""

import json
import re
from functools import cache
from pathlib import Path

import pandas as pd

from epochbandits.io import parquet

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "figures" / "published"


@cache
def prose(name):
    """Return a page with each run of white space as one blank."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@cache
def table(name, folder="."):
    """Return a table: that of a figure, by its id, or one under ``paper/``."""
    path = PUBLISHED / folder / "data" / f"{name}.parquet"
    return pd.DataFrame(parquet.read_any(path).columns)


@cache
def ledger(folder="."):
    return json.loads((PUBLISHED / folder / "claims.json").read_text(encoding="utf-8"))["claims"]


def claim(name):
    return next(entry for entry in ledger() if entry["id"] == name)


def short(value, places=2):
    """Return a number with a few decimals, without a leading zero."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{places}f}")


def plain(value):
    """Return a number with the decimals that it has, without a leading zero."""
    return f"{value:g}".removeprefix("0")
