"""Progress of long runs: an announcement before they start, and a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epochbandits.engine.simulation import Simulation


def announce(runs: Iterable[tuple[str, Simulation]], seeds: int) -> None:
    """Say on standard error, before they start, which policies will take minutes or hours."""
    from epochbandits.engine.duration import announcements

    for sentence in announcements((name, run, seeds) for name, run in runs):
        print(f"epochbandits: {sentence}", file=sys.stderr, flush=True)


def progress_bar(total: int, label: str) -> Any:
    """Return a bar on standard error that appears after a second, and only on a terminal."""
    from tqdm import tqdm

    return tqdm(
        total=total, desc=label, unit="seed", delay=1, disable=not sys.stderr.isatty(), leave=False
    )
