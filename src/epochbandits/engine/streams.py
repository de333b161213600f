"""Random streams: one for the environment and one for the policy of each run.

The key of a run is (experiment, instance, policy, seed) under a root seed, and its two streams
depend on nothing else. So a seed's result does not depend on which other seeds are run, in which
order, or in how many blocks, threads or processes.
"""

from __future__ import annotations

import hashlib
from functools import cached_property

import numpy as np

from epochbandits.engine.uniforms import Stream
from epochbandits.model.instance import Instance

_ENVIRONMENT, _POLICY = 0, 1


class Streams:
    """The generators of one run; for compiled iterations, with inlined uniform numbers."""

    def __init__(
        self, root: int, experiment: str, instance: Instance, policy: str, seed: int
    ) -> None:
        key = (_word(experiment), _word(instance.digest), _word(policy), seed)
        environment, deciding = (
            np.random.SeedSequence(root, spawn_key=(*key, role)) for role in (_ENVIRONMENT, _POLICY)
        )
        self.environment = np.random.Generator(np.random.PCG64(environment))
        self.policy = np.random.Generator(np.random.PCG64(deciding))
        self._spawned = environment.spawn(1)[0], deciding.spawn(1)[0]

    @cached_property
    def environment_uniforms(self) -> Stream:
        """The environment's stream with uniform numbers for `engine.iterations`."""
        return Stream.seeded(self._spawned[0], self.environment)

    @cached_property
    def policy_uniforms(self) -> Stream:
        """The policy's stream with uniform numbers for `engine.iterations`."""
        return Stream.seeded(self._spawned[1], self.policy)


def _word(text: str) -> int:
    """Return the first 64 bits of a name's hash."""
    return int.from_bytes(
        hashlib.sha256(text.encode(errors="surrogateescape")).digest()[:8], "little"
    )
