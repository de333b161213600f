"""The key of the page: what classes and samplings are, with the numbers of the generators."""

from __future__ import annotations

from dataclasses import fields

from epochbandits.claims.texts import span
from epochbandits.model.generators import CLASSES, InstanceClass

_WORDS = {
    "anticorrelated": "the optimal arm holds the state in a subset S* of good states, the others "
    "avoid it; the class of the figures",
    "slow_suboptimal": "the same, and the other arms mix slowly too",
    "inverted": "the same, and the other arms mix more slowly than the optimal one",
    "fast": "the same, and all arms mix fast",
    "literal": "Section 5.1 taken literally: sorted uniform mean rewards, equal mixing",
    "uncorrelated": "the other arms visit S* as often as chance would",
}


def classes() -> list[tuple[str, str]]:
    """Return each class of instances with what it is, δ and both ranges of stickiness."""
    return [
        (
            name,
            f"{_WORDS.get(name) or _changes(spec)} (δ {span(*spec.delta)}, stickiness "
            f"{span(*spec.stick_optimal)} of the optimal arm, {span(*spec.stick_others)} of the "
            f"others)",
        )
        for name, spec in CLASSES.items()
    ]


def _changes(spec: InstanceClass) -> str:
    """Return how a class without words of its own differs from the default class."""
    default = InstanceClass()
    names = [f.name for f in fields(spec) if getattr(spec, f.name) != getattr(default, f.name)]
    return f"anticorrelated with changes in {', '.join(names)}" if names else "as anticorrelated"


def samplings() -> list[tuple[str, str]]:
    """Return each sampling with what it is."""
    return [
        (
            "marginal",
            "Algorithm 1: the state is drawn afresh from its distribution at each iteration",
        ),
        ("trajectory", "a path of the Markov chain: the next state depends on the last one"),
    ]
