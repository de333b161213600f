"""A row of a table of inequalities."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of an inequality; the fields are the columns of `INEQUALITIES`, documented there."""

    name: str
    instances: str = ""
    instance: int = 0
    gamma: float = 1.0
    arm: int = -1
    at: int
    left: float
    margin: float = 0.0
    right: float
    runs: int = 0
    sampling: str = ""
    trivial: float = math.nan
