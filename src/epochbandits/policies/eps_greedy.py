"""ε_n-greedy of Auer, Cesa-Bianchi and Fischer (2002): `policies.greedy` at each iteration.

Their experiments recommend c = 5, and d = Δ_min is the largest that their theorem allows (errata
D3).
"""

from __future__ import annotations

from epochbandits.policies import greedy
from epochbandits.policies.base import Info, learn_mean, register


def build(
    info: Info, *, c: float = 5.0, d: float | None = None, d_factor: float = 1.0
) -> greedy.Greedy:
    """Parameters: c and d of ε_t = min(1, cm/(d²t)); d = Δ_min unless it is given.

    ``d_factor`` multiplies d, for a learner whose Δ_min is wrong.
    """
    return greedy.memory(info, c, d, d_factor)


register(
    "eps-greedy",
    schedule="fixed:1",
    memory=greedy.Greedy,
    build=build,
    choose=greedy.choose,
    learn=learn_mean,
    decide=greedy.decide,
)
