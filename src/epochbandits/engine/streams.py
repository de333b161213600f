"""Random streams: one for the environment and one for the policy of each run.

A run is named by (experiment, instance, policy, seed) under a root seed, and its two streams are a
function of that name alone. So a seed's result does not depend on which other seeds were run, in
which order, in how many blocks, threads or processes.
"""

from __future__ import annotations

import hashlib

import numpy as np

from epochbandits.model.instance import Instance

__all__ = ["Streams"]

_ENVIRONMENT, _POLICY = 0, 1


class Streams:
    """The two generators of one run."""

    def __init__(
        self, root: int, experiment: str, instance: Instance, policy: str, seed: int
    ) -> None:
        name = (_word(experiment), _word(instance.digest), _word(policy), seed)
        self.environment, self.policy = (
            np.random.Generator(
                np.random.PCG64(np.random.SeedSequence(root, spawn_key=(*name, role)))
            )
            for role in (_ENVIRONMENT, _POLICY)
        )


def _word(text: str) -> int:
    """Return 64 bits that stand for a name."""
    return int.from_bytes(
        hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8], "little"
    )
