"""EpochGreedy (Algorithm 3): `policies.greedy` in epochs, with the paper's c or the user's.

The theory's c = c'ν² follows from c' > 8 (`theory.greedy`). Without c and c', c' minimises the
regret bound at the horizon, which is the paper's choice in Section 5.2.
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
    d_factor: float = 1.0,
) -> greedy.Greedy:
    """Return the memory.

    Parameters
    ----------
    c : float, optional
        By default the theory's, for c' and d.
    d : float, optional
        0 < d ≤ Δ_min; Δ_min by default.
    cprime : float, optional
        c' of the theory, above 8; by default the best one for d. Not with c.
    decay : float
        Divides c, as in Fig. 4b.
    d_factor : float
        Multiplies d in ε_k, and leaves c as it is, for a learner whose Δ_min is wrong.
    """
    decay = number(decay, "decay", 0, 1e12, above=True)
    if c is not None and cprime is not None:
        raise InputError("give c or cprime, not both")
    if c is None:
        if info.min_gap is None:
            raise InputError("c and d must be given, since all arms tie and the theory gives none")
        d = info.min_gap if d is None else number(d, "d", 0, info.min_gap, above=True)
        n = max(info.decisions, info.arms)
        if cprime is None:
            c = best_constants(n, info.instance, info.setting, d=d).c
        else:
            kappa = float(kappa_per_arm(n, info.mixing, info.setting).max())
            c = constants(cprime, kappa, d, info.arms).c
    return greedy.memory(info, number(c, "c", 0, 1e12) / decay, d, d_factor)


register(
    "epoch-greedy",
    schedule="linear",
    memory=greedy.Greedy,
    build=build,
    choose=greedy.choose,
    learn=learn_mean,
    decide=greedy.decide,
)
