r"""The constant of Lai and Robbins (1985) for arms with independent Bernoulli rewards.

The regret of a policy that is consistent on such problems is at least c log t in the limit,

.. math:: c = \sum_{j: Δ_j > 0} \frac{Δ_j}{kl(μ_j, μ_*)}, \qquad
          kl(p, q) = p \log\frac pq + (1 - p) \log\frac{1 - p}{1 - q} .
"""

from __future__ import annotations

import math
from collections.abc import Iterable


def lai_robbins(mu: Iterable[float]) -> float:
    """Return c for arms with means strictly between 0 and 1.

    Examples
    --------
    >>> round(lai_robbins([0.9, 0.8]), 4)
    2.2521
    """
    means = [float(mean) for mean in mu]
    best = max(means)
    return sum(
        (best - p) / (p * math.log(p / best) + (1 - p) * math.log((1 - p) / (1 - best)))
        for p in means
        if p < best
    )
