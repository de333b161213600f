"""The verdicts of a publication, recomputed from its tables: a part of `verify`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from epochbandits.claims.assess import assess
from epochbandits.claims.evidence import Evidence
from epochbandits.io import files
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.layout import FigureFolder, Layout
from epochbandits.provenance.code_hash import file_digest
from epochbandits.release.manifest import NAME
from epochbandits.release.verify import Published
from epochbandits.validation import InputError

_ROUNDING = 2e-5  # the ledger has six digits; another machine may round the last differently


def check(published: Published) -> str:
    """Assess all claims on the published tables; reject a ledger that differs."""
    plan = published.plan
    config = plan.ledger["config"]
    layout = Layout(plan.config.run, published.folder)

    def instances(name: str) -> list[Instance]:
        return instance_sets.make(plan.run.block("instances", name))

    stored = files.read_json(FigureFolder(published.folder).claims)["claims"]
    computed = assess(config, Evidence(layout, config, instances))
    compare_ledgers(stored, computed)
    return f"claims.json: {len(stored)} claims, assessed again on the published tables: equal"


def compare_ledgers(stored: list[dict[str, Any]], computed: list[dict[str, Any]]) -> None:
    """Reject a ledger that differs from the computed one by more than rounding."""
    ids = [claim.get("id") for claim in stored], [claim["id"] for claim in computed]
    if ids[0] != ids[1]:
        raise InputError("claims.json: its claims differ from those that this code defines")
    for ours, theirs in zip(computed, stored, strict=True):
        for key in sorted({*ours, *theirs}):
            if not _equal(ours.get(key), theirs.get(key)):
                raise InputError(
                    f"claims.json: {key} of {ours['id']} is published as {theirs.get(key)!r:.200}, "
                    f"but the published tables give {ours.get(key)!r:.200}"
                )


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=_ROUNDING, abs_tol=1e-12)
    return bool(a == b)


def manifest_line(published: Published) -> str:
    """Return a summary of the manifest, and its checksum."""
    count, digest = len(published.manifest["files"]), file_digest(Path(published.folder) / NAME)
    return f"{NAME}: {count} files are as they were published; its SHA-256 is {digest}"


def limits(everything: bool) -> str:
    """Return what `verify` cannot promise."""
    numbers = (
        "Every published number was compared with the run on this machine."
        if everything
        else "Numbers outside the sample were not recomputed; --all compares each of them "
        "with a run of 'make figures'."
    )
    return (
        f"{numbers} Pictures were compared with their checksums, not drawn again. The manifest "
        "shows that the files belong together, not who published them: compare its SHA-256 with "
        "that of a copy that you trust."
    )
