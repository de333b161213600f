"""EpochGreedy (Algorithm 3): `policies.greedy` in epochs, with the paper's c or one of the user's.

The theory's c = c'ν² follows from c' > 8 (`theory.greedy`); without any parameter, c' is the one
whose regret bound is least at the horizon, which is the paper's choice in Section 5.2. ``decay``
divides c, as in Fig. 4b.
"""

from __future__ import annotations

from epochbandits.policies import greedy
from epochbandits.policies.base import Info, learn_mean, register
from epochbandits.theory.greedy import best_constants, constants
from epochbandits.theory.penalty import kappa_per_arm
from epochbandits.validation import InputError, number


def build(
    info: Info,
    *,
    c: float | None = None,
    d: float | None = None,
    cprime: float | None = None,
    decay: float = 1.0,
) -> greedy.Greedy:
    """Parameters: c and d; or c' of the theory; or neither, for the theory's best."""
    decay = number(decay, "decay", 0, 1e12, above=True)
    if c is not None and cprime is not None:
        raise InputError("give c or cprime, not both")
    if c is None:
        if info.min_gap is None:
            raise InputError("c and d must be given, since all arms tie and theory has none")
        d = info.min_gap if d is None else number(d, "d", 0, info.min_gap, above=True)
        n, epochs = max(info.decisions, info.arms), info.epochs
        if cprime is None:
            c = best_constants(n, info.instance, epochs).c
        else:
            kappa = float(kappa_per_arm(n, info.mixing, epochs).max())
            c = constants(cprime, kappa, d, info.arms).c
    return greedy.memory(info, number(c, "c", 0, 1e12) / decay, d)


register(
    "epoch-greedy",
    schedule="linear",
    memory=greedy.Greedy,
    build=build,
    choose=greedy.choose,
    learn=learn_mean,
)
