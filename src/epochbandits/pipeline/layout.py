"""Where the files of a run are. No other module, and no rule, builds these paths.

Tables and their inputs are under ``data/<run>``, what a reader looks at is under
``figures/<run>``. A name may be a Snakemake wildcard: ``layout.curves("{experiment}")``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

PAPER = "config/paper.yaml"
"""The configuration of the paper run, in the repository."""
FORMATS = ("pdf", "png", "svg")
"""Formats of the pictures, by the extension of their files."""
PICTURES = tuple(f".{extension}" for extension in FORMATS)
"""Suffixes of the pictures' paths."""
STUDY_FORMATS = ("png", "svg")
"""Those of the published studies, which have no PDF."""
CAPTIONS = "workflow/report"
"""Templates of the captions, in the repository."""
PUBLISHED = "figures/published"
"""The published figures, in the repository."""
STUDIES = "studies"
"""The run of ``config/studies``, and the folder of its publication in `PUBLISHED`."""


def instance_file(folder: str | Path, index: int) -> Path:
    """Return an instance of a set, given the set's folder."""
    return Path(folder, f"{index}.json")


def set_record(folder: str | Path) -> Path:
    """Return the file that says where a set of instances comes from."""
    return Path(folder, "about.json")


@dataclass(frozen=True)
class FigureFolder:
    """A folder with figures, their data and the claims: of a run, or the published one."""

    path: str | Path

    def picture(self, figure: str, extension: str) -> str:
        return f"{self.path}/{figure}.{extension}"

    def sidecar(self, figure: str) -> str:
        """Return the JSON file beside a figure's pictures: caption, inputs, code, checksums."""
        return f"{self.path}/{figure}.json"

    @property
    def data(self) -> str:
        """The folder of the plotted tables."""
        return f"{self.path}/data"

    def plotted(self, figure: str) -> str:
        """Return the table of the numbers that a figure shows."""
        return f"{self.data}/{figure}.parquet"

    @property
    def claims(self) -> str:
        return f"{self.path}/claims.json"

    @property
    def page(self) -> str:
        return f"{self.path}/index.html"


@dataclass(frozen=True)
class Layout:
    """The paths of one run, relative to the working folder unless a root is given."""

    run: str
    root: str | Path = "."

    @property
    def data(self) -> str:
        return str(PurePath(self.root, "data", self.run))

    @property
    def figures(self) -> FigureFolder:
        return FigureFolder(str(PurePath(self.root, "figures", self.run)))

    # --- inputs of the simulations ----------------------------------------------------------------

    def instances(self, name: str) -> str:
        """Return the folder of a set of instances."""
        return f"{self.data}/instances/{name}"

    @property
    def compiled(self) -> str:
        """The list of compiled policies, whose existence says that the engine is compiled."""
        return f"{self.data}/compiled.txt"

    def tuned(self, experiment: str, policy: str) -> str:
        """Return the file with the value that tuning a policy in an experiment chose."""
        return f"{self.data}/tuned/{experiment}/{policy}.json"

    # --- tables -----------------------------------------------------------------------------------

    def shard(self, experiment: str, bundle: str, first: int | str, stop: int | str) -> str:
        """Return the runs of a bundle of policies for the seeds ``first`` to ``stop`` - 1."""
        return f"{self.data}/shards/{experiment}/{bundle}/{first}-{stop}.parquet"

    def curves(self, experiment: str) -> str:
        return f"{self.data}/aggregates/{experiment}/curves.parquet"

    def finals(self, experiment: str) -> str:
        return f"{self.data}/aggregates/{experiment}/finals.parquet"

    def theory(self, kind: str, name: str) -> str:
        """Return a table of ``bounds``, ``eigenvalues`` or ``inequalities``."""
        return f"{self.data}/{kind}/{name}.parquet"

    def log(self, *parts: str) -> str:
        """Return the log of a job."""
        return f"{self.data}/logs/{'/'.join(parts)}.log"
