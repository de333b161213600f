"""A throw-away Slurm, and runs of the workflow in folders of their own."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from throwaway import Cluster, why_not

from patience import PATIENCE, wait_for  # tests/patience.py

ROOT = Path(__file__).parents[2]
# A test's jobs last seconds, not minutes: it asks for their state as soon as it may.
EAGER = {
    "slurm": ("--slurm-init-seconds-before-status-checks", "1"),
    "cluster-generic": ("--seconds-between-status-checks", "1"),
}


class Run:
    """A run of the workflow, by this project's own files, with its results in a folder."""

    def __init__(
        self, folder: Path, *arguments: str, profile: str | None, environment: dict
    ) -> None:
        self.folder = folder
        how = ["--cores", "2"]
        if profile is not None:
            how = ["--profile", str(ROOT / "profiles" / profile), *EAGER[profile]]
        self.output = folder / "snakemake.out"
        with self.output.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "snakemake", *how, "--directory", str(folder), *arguments],
                cwd=ROOT,
                env={k: v for k, v in environment.items() if k != "PYTHONPATH"},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    @property
    def printed(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def finish(self) -> "Run":
        """Wait for the run and require success."""
        assert self.process.wait(PATIENCE) == 0, self.printed[-4000:]
        return self

    def wait_for(self, look):
        """Return what a function finds, as soon as it finds something."""
        return wait_for(look, self.process, lambda: self.printed[-4000:])

    def tables(self) -> dict[str, bytes]:
        """Return the bytes of every table, of figures too, and of what was tuned and claimed."""
        tops = [self.folder / "data", self.folder / "figures"]
        kinds = ("*.parquet", "tuned/*/*.json", "claims.json")
        files = [path for top in tops for kind in kinds for path in top.rglob(kind)]
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="session")
def cluster():
    if reason := why_not():
        pytest.skip(reason)
    with Cluster() as running:
        yield running


@pytest.fixture(scope="session")
def start(cluster, tmp_path_factory):
    """Start a run of the workflow; at the end of the tests none is left running."""
    with ExitStack() as undo:

        def started(*arguments: str, profile: str | None = None) -> Run:
            folder = tmp_path_factory.mktemp("run")
            run = Run(folder, *arguments, profile=profile, environment=cluster.environment)
            undo.callback(run.process.wait, PATIENCE)
            undo.callback(run.process.kill)
            return run

        yield started
