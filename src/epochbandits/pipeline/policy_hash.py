"""A hash of the code that a policy's runs depend on."""

from __future__ import annotations

from epochbandits.policies import POLICIES
from epochbandits.provenance.code_hash import code_hash, digest, file_digest

__all__ = ["policy_hash"]

_REFERENCE = "epoch-ucb"  # whose epochs set the blocks of a policy that decides each iteration


def policy_hash(policy: str) -> str:
    """Return the hash for a built-in policy, or for a user's module:Class or file.py:Class."""
    module, is_user, _ = policy.rpartition(":")
    names = [] if is_user else [policy]
    if is_user or POLICIES[policy].schedule != POLICIES[_REFERENCE].schedule:
        names.append(_REFERENCE)
    library = code_hash(
        "epochbandits.pipeline.shards", *(POLICIES[name].build.__module__ for name in names)
    )
    return digest([library, file_digest(module)]) if module.endswith(".py") else library
