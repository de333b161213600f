"""Random streams: one for the environment and one for the policy of each run.

The key of a run is (experiment, instance, policy, seed) under a root seed, and its two streams
depend on nothing else. So a seed's result does not depend on which other seeds are run, in which
order, or in how many blocks, threads or processes.
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
        key = (_word(experiment), _word(instance.digest), _word(policy), seed)
        self.environment, self.policy = (
            np.random.Generator(
                np.random.PCG64(np.random.SeedSequence(root, spawn_key=(*key, role)))
            )
            for role in (_ENVIRONMENT, _POLICY)
        )


def _word(text: str) -> int:
    """Return the first 64 bits of a name's hash."""
    return int.from_bytes(
        hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8], "little"
    )
