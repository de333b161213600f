"""Verdicts: from results under several conditions to one verdict, by what the paper quantifies.

A statement about **all** conditions (or about the mean under each of them) is shown if every
condition shows it, and refuted by one significant counter-example. A statement that there is
**some** condition is shown by one significant example, and refuted if every condition refutes it.
Where one condition out of several decides, its p-value is corrected for their number by Holm's
method. A condition under which the rule misjudges its controls decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from epochbandits.claims.sample import RuleResult
from epochbandits.stats import holm
from epochbandits.validation import InputError

Quantifier = Literal["all", "some", "mean"]
Verdict = Literal["reproduced", "not reproduced", "undetermined", "not assessable", "not assessed"]
NOT_ASSESSABLE: Verdict = "not assessable"
NOT_ASSESSED: Verdict = "not assessed"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def combined(results: Sequence[RuleResult], quantifier: Quantifier, level: float) -> Verdict:
    """Return the verdict on a statement from the results under the paper's conditions."""
    if not results:
        raise InputError("a claim needs at least one condition")
    limit = (1 - level) / 2
    controlled = [result for result in results if result.controlled]
    if not controlled:
        return NOT_ASSESSABLE
    holds, fails = [result.holds for result in controlled], [result.fails for result in controlled]
    if quantifier == "some":
        if min(holm(holds)) < limit:
            return "reproduced"
        refuted = max(fails) < limit
    else:
        if max(holds) < limit and len(controlled) == len(results):
            return "reproduced"
        refuted = min(holm(fails)) < limit
    if refuted and (quantifier != "some" or len(controlled) == len(results)):
        return "not reproduced"
    return "undetermined" if len(controlled) == len(results) else NOT_ASSESSABLE


def decisive(results: Sequence[RuleResult], quantifier: Quantifier) -> int:
    """Return which result to show beside the verdict: the most or the least favourable one."""
    p_values = [result.holds for result in results]
    least = min(p_values) if quantifier == "some" else max(p_values)
    return p_values.index(least)


def separate(results: Sequence[RuleResult], level: float) -> list[Verdict]:
    """Return a verdict for each condition by itself, corrected for their number."""
    limit = (1 - level) / 2
    controlled = [result for result in results if result.controlled]
    holds = iter(holm([result.holds for result in controlled]))
    fails = iter(holm([result.fails for result in controlled]))
    verdicts: list[Verdict] = []
    for result in results:
        if not result.controlled:
            verdicts.append(NOT_ASSESSABLE)
        elif next(holds) < limit:
            verdicts.append("reproduced")
            next(fails)
        else:
            verdicts.append("not reproduced" if next(fails) < limit else "undetermined")
    return verdicts
