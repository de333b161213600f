"""A copy of the project in which the workflow is really run."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from numba.core.caching import _CacheLocator

from patience import PATIENCE  # tests/patience.py

ROOT = Path(__file__).parents[2]
PARTS = ("Snakefile", "workflow", "config", "profiles", "src", "examples", "environment.yml",
         "requirements.txt")  # fmt: skip
PAPER = yaml.safe_load((ROOT / "config" / "paper.yaml").read_text())


class Project:
    """A folder with the workflow in it."""

    def __init__(self, folder: Path, origin: Path = ROOT, parts: tuple[str, ...] = PARTS) -> None:
        self.folder = folder
        folder.mkdir()
        for part in parts:
            source = origin / part
            if source.is_dir():
                shutil.copytree(source, folder / part)
            else:
                shutil.copy2(source, folder / part)
        _keep_compiled(origin / "src", folder / "src")

    @classmethod
    def at(cls, folder: Path) -> "Project":
        """Return the project in a folder that has been made."""
        project = cls.__new__(cls)
        project.folder = folder
        return project

    def snakemake(self, *arguments: str, ok: bool = True, **surroundings: str) -> str:
        """Run Snakemake to its end and return what it said."""
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
            cwd=self.folder,
            env=environment | surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode == 0) == ok, done.stdout[-4000:]
        return done.stdout

    def jobs(self, *arguments: str) -> dict[str, int]:
        """Return how many jobs of each rule a run would have, by a dry run."""
        return counted(self.snakemake("--dry-run", *arguments))

    def edit(self, name: str) -> None:
        """Change the text of a source file, not what it does."""
        path = self.folder / name
        path.write_text(path.read_text() + "\n# edited\n")

    def write(self, name: str, config: dict) -> str:
        (self.folder / name).write_text(yaml.safe_dump(config))
        return name


def counted(output: str) -> dict[str, int]:
    """Return how many jobs of each rule a run has, by what it says at its start."""
    table = re.search(r"^job +count\n-+ +-+\n(.*?)^total", output, re.S | re.M)
    if table is None:
        assert "Nothing to be done" in output
        return {}
    counts = {line.split()[0]: int(line.split()[1]) for line in table[1].splitlines()}
    goals = ("all", "default", "tables", "studies")
    return {rule: count for rule, count in counts.items() if rule not in goals}


def _keep_compiled(origin: Path, copied: Path) -> None:
    """Let a copy of the library use the code that was compiled for the original.

    Numba files it in a folder that is named after the path of the sources; a minute is saved.
    """
    name = _CacheLocator.get_suitable_cache_subpath
    for package in ("engine", "policies"):
        old, new = (
            name(str(src / "epochbandits" / package / "any.py")) for src in (origin, copied)
        )
        for folder in copied.glob(f"epochbandits/__pycache__/*/{old}"):
            folder.rename(folder.with_name(new))


@pytest.fixture(scope="session")
def make_project(tmp_path_factory):
    return lambda name: Project(tmp_path_factory.mktemp(name, numbered=True) / "project_folder")


@pytest.fixture(scope="session")
def undisturbed(make_project, tmp_path_factory, worker_id):
    """A small run that nothing happened to (`disturbed.SMALL`), made by one of xdist's workers."""
    from disturbed import CONFIG, SMALL  # which imports from here

    base = tmp_path_factory.getbasetemp()
    place = (base if worker_id == "master" else base.parent) / "undisturbed.txt"
    with place.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        if not place.read_text():
            project = make_project("undisturbed")
            project.write("small.yaml", SMALL)
            project.snakemake(*CONFIG)
            place.write_text(str(project.folder))
        return Project.at(Path(place.read_text()))


@pytest.fixture(scope="session")
def copied(undisturbed, tmp_path_factory):
    """Give a function that copies the undisturbed run, with some things yet to be made."""

    def copy(*unmade: str) -> Project:
        folder = tmp_path_factory.mktemp("copied", numbered=True) / "project_folder"
        parts = tuple(path.name for path in undisturbed.folder.iterdir())
        project = Project(folder, undisturbed.folder, parts)
        for name in unmade:
            shutil.rmtree(folder / name)
        return project

    return copy


def only(**blocks: list[str]) -> dict:
    """Return overrides that leave out every block of the paper's run but those that are named."""
    kinds = ("instances", "experiments", "bounds", "eigenvalues", "inequalities", "figures")
    return {kind: {name: None for name in PAPER[kind] if name not in blocks.get(kind, [])}
            for kind in kinds}  # fmt: skip
