"""The code behind a policy's runs, as a hash."""

from __future__ import annotations

from epochbandits.policies import POLICIES
from epochbandits.provenance.code_hash import code_hash, digest, file_digest

__all__ = ["policy_code"]


def policy_code(policy: str) -> str:
    """Return the hash of the code behind the runs of a built-in policy, or of a user's."""
    where, own, _ = policy.rpartition(":")
    used = [] if own else [policy]
    if own or POLICIES[policy].schedule != POLICIES["epoch-ucb"].schedule:
        used.append("epoch-ucb")  # with which a policy that decides each iteration is paired
    found = code_hash("epochbandits.pipeline.shards", *(POLICIES[n].build.__module__ for n in used))
    return digest([found, file_digest(where)]) if where.endswith(".py") else found
