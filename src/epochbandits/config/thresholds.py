"""The thresholds of the verdicts; their values are only in ``config/paper.yaml``."""

from __future__ import annotations

from pydantic import Field, model_validator

from epochbandits.config.fields import Block
from epochbandits.validation import choice


class Thresholds(Block):
    """The numbers that verdicts depend on, besides the data; fixed before the run."""

    assess: bool = Field(True, description="false: every claim is 'not assessed'")
    level: float = Field(gt=0.5, lt=1, description="confidence level of all intervals")
    linear: float = Field(
        description="ratio of mean regrets R(n)/R(n/2) above which growth is linear (linear growth "
        "gives 2, a square root 1.41)",
    )
    sublinear: float = Field(description="R(n)/R(n/2) below which growth is sublinear")
    growth_epochs: int = Field(ge=1, description="shortest horizon for claims about growth")
    growth_units: int = Field(
        ge=2, description="fewest instances (on Example 1, runs) for claims about growth"
    )
    identify_epochs: int = Field(
        ge=1, description="shortest horizon for claims that the best arm is identified"
    )
    identify_units: int = Field(
        ge=2, description="fewest instances (on Example 1, runs) for those claims"
    )
    late: float = Field(
        description="mean gap of later plays, divided by Δ_min, above which a run has not found "
        "the best arm"
    )
    most: float = Field(gt=0, lt=1, description="share that counts as 'typically'")
    nearly_all: float = Field(gt=0, lt=1, description="share that counts as 'always'")
    vast: float = Field(gt=0, lt=1, description="share that counts as 'the vast majority'")
    near_zero: float = Field(
        gt=0,
        lt=1,
        description="mean reward below which the estimate of Example 1's arm 1 is near zero: half "
        "of arm 2's reward",
    )
    close: float = Field(
        gt=1, description="ratio of regrets below which one 'tends toward' the other"
    )
    dramatic: float = Field(
        gt=0, lt=1, description="ratio of regrets below which a difference is 'dramatic'"
    )
    logarithmic: float = Field(
        gt=1,
        description="growth over a decade divided by growth over the previous decade, below which "
        "a bound is logarithmic (a logarithm gives 1, a square root 3.16, a line 10)",
    )
    printed: float = Field(
        gt=0, description="tolerance for agreement with printed numbers, which have two digits"
    )
    away: float = Field(
        gt=0, lt=1, description="eigenvalue below which a chain is 'bounded away from 1'"
    )
    alternatives: dict[str, list[float]] = Field(
        {},
        description="other values of a threshold; the ledger names those that would change a "
        "verdict",
    )

    @model_validator(mode="after")
    def _check_alternatives(self) -> Thresholds:
        known = [key for key in type(self).model_fields if key not in ("assess", "alternatives")]
        for name, values in self.alternatives.items():
            choice(name, "threshold", known, path=("alternatives", name), key=True)
            for value in values:
                type(self).model_validate({**self.model_dump(), name: value, "alternatives": {}})
        return self
