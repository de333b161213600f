"""The commit of the sources that wrote a page."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

from epochbandits.provenance.versions import REPOSITORY


class Commit(NamedTuple):
    """Hash and date of a commit, and whether tracked files differ from it."""

    hash: str
    date: str
    """The commit's date, not today's: the same commit always writes the same page."""
    changed: bool


def commit(root: Path = REPOSITORY) -> Commit | None:
    """Return the commit of a checkout; None without git or outside of one."""
    # An installed package inside some other repository is not a checkout of this one.
    if not (root / ".git").exists():
        return None
    last = _git(root, "log", "-1", "--format=%H %cs")
    status = _git(root, "status", "--porcelain", "--untracked-files=no")
    if not last or status is None:
        return None
    name, date = last.split()
    return Commit(name, date, bool(status))


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True,
                              check=True)  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
