"""Verdicts: from findings under several conditions to one verdict, by what the paper quantifies.

A statement about **all** conditions (or about the mean under each of them) is shown if every
condition shows it, and refuted by one significant counter-example. A statement that there is
**some** condition is shown by one significant example, and refuted if every condition refutes it.
Where one condition out of several decides, its p-value is corrected for their number by Holm's
method. A condition under which the rule misjudges its controls decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from epochbandits.claims.sample import Finding
from epochbandits.stats import holm
from epochbandits.validation import InputError

Quantifier = Literal["all", "some", "mean"]
Verdict = Literal["reproduced", "not reproduced", "undetermined", "not assessable", "not assessed"]
NOT_ASSESSABLE: Verdict = "not assessable"
NOT_ASSESSED: Verdict = "not assessed"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


def combined(findings: Sequence[Finding], quantifier: Quantifier, level: float) -> Verdict:
    """Return the verdict on a statement from the findings under the paper's conditions."""
    if not findings:
        raise InputError("a claim needs at least one condition")
    limit = (1 - level) / 2
    sound = [finding for finding in findings if finding.controlled]
    if not sound:
        return NOT_ASSESSABLE
    holds, fails = [one.holds for one in sound], [one.fails for one in sound]
    if quantifier == "some":
        if min(holm(holds)) < limit:
            return "reproduced"
        refuted = max(fails) < limit
    else:
        if max(holds) < limit and len(sound) == len(findings):
            return "reproduced"
        refuted = min(holm(fails)) < limit
    if refuted and (quantifier != "some" or len(sound) == len(findings)):
        return "not reproduced"
    return "undetermined" if len(sound) == len(findings) else NOT_ASSESSABLE


def decisive(findings: Sequence[Finding], quantifier: Quantifier) -> int:
    """Return which finding to show beside the verdict: the most or the least favourable one."""
    chances = [one.holds for one in findings]
    least = min(chances) if quantifier == "some" else max(chances)
    return chances.index(least)


def separate(findings: Sequence[Finding], level: float) -> list[Verdict]:
    """Return a verdict for each condition by itself, corrected for their number."""
    limit = (1 - level) / 2
    sound = [finding for finding in findings if finding.controlled]
    holds = iter(holm([one.holds for one in sound]))
    fails = iter(holm([one.fails for one in sound]))
    verdicts: list[Verdict] = []
    for finding in findings:
        if not finding.controlled:
            verdicts.append(NOT_ASSESSABLE)
        elif next(holds) < limit:
            verdicts.append("reproduced")
            next(fails)
        else:
            verdicts.append("not reproduced" if next(fails) < limit else "undetermined")
    return verdicts
