"""A small run that things are done to, and what of it is compared with an undisturbed one."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from conftest import Project, only

SMALL = {
    "run": "small",
    "policies_per_job": 1,
    "claims": {"assess": False},
    **only(
        instances=["main_4x4", "tuning_4x4"],
        experiments=["tuning_4x4", "baselines_4x4"],
        bounds=["time_average"],
        figures=["fig6a_baselines_4x4"],
    ),
}
SMALL["instances"] |= {"main_4x4": {"count": 2}, "tuning_4x4": {"count": 1}}
SMALL["experiments"] |= {
    "tuning_4x4": {"epochs": 60, "seeds": 1, "policies": ["epoch-greedy"]},
    "baselines_4x4": {
        "epochs": 60,
        "seeds": 4,
        "seeds_per_job": 2,
        "policies": ["epoch-greedy", "ucb"],
    },
}
SMALL["bounds"] |= {"time_average": {"horizon": 1000, "points": 10}}
SMALL["figures"] |= {"fig6a_baselines_4x4": {}}
CONFIG = ("--configfile", "small.yaml")
SHARDS = "data/small/shards/baselines_4x4"
TABLES = "data/small/aggregates/baselines_4x4"
FIGURES = "figures/small"
RUN = (SHARDS, TABLES, FIGURES)
"""What is taken away from a finished run so that its larger part is to be done."""
HOLD = """
import os, signal, sys

def hold(event, arguments):
    if event == "tempfile.mkstemp" and "/shards/baselines_4x4/" in str(arguments[0]):
        try:
            os.rename("hold", f"held-{os.getpid()}")
        except OSError:
            return
        os.kill(os.getpid(), signal.SIGSTOP)

if "simulate_shard" in " ".join(sys.orig_argv):
    sys.addaudithook(hold)
"""
"""Python imports this when a job starts. The first that is about to write a shard, and finds the
file ``hold``, stops itself: so a test never has to be faster than a job."""
PATIENCE = 900
"""Seconds that anything may take on a busy machine before a test gives up."""


def results(project: Project) -> dict[str, bytes]:
    """Return every file that a run leaves as its result: tables, choices, figures, page."""
    found = {}
    for name in ("data/small", "figures/small"):
        for path in sorted((project.folder / name).rglob("*")):
            if path.is_file() and "logs" not in path.parts and path.name[0] != ".":
                found[str(path.relative_to(project.folder))] = path.read_bytes()
    return found


def differences(project: Project, expected: Project) -> list[str]:
    """Return the names of the files that only one of two runs has, or that differ by a bit."""
    ours, theirs = results(project), results(expected)
    assert len(theirs) > 15
    return [name for name in sorted({*ours, *theirs}) if ours.get(name) != theirs.get(name)]


def half_written(project: Project) -> list[str]:
    """Return what is left of files that were not finished."""
    return [str(path) for path in project.folder.rglob(".epochbandits-*")]


class Run:
    """A run that goes on while a test does something to it; nothing of it outlives the test."""

    def __init__(self, project: Project, *arguments: str, config: str = CONFIG[1]) -> None:
        self._folder = project.folder
        (project.folder / "src" / "sitecustomize.py").write_text(HOLD)
        (project.folder / "hold").touch()
        self._said = (project.folder / f"said-{time.monotonic_ns()}.txt").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "snakemake", "--cores", "2", CONFIG[0], config, *arguments],
            cwd=project.folder,
            env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
            stdout=self._said,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # as in a terminal: Snakemake and its jobs are a group
            # A shell makes what it starts in the background ignore SIGINT; a terminal does not.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # what was stopped, too
        self.process.wait(PATIENCE)
        self._said.close()

    @property
    def said(self) -> str:
        self._said.seek(0)
        return self._said.read()

    def ended(self) -> int:
        """Wait for the end and return the exit code."""
        return self.process.wait(PATIENCE)

    def stopped_worker(self) -> tuple[int, str]:
        """Wait for the job that stopped itself (`HOLD`); return its process and its shard."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            for held in self._folder.glob("held-*"):
                process = Path("/proc", held.name.removeprefix("held-"))
                if self._shard(process) and " T " in (process / "stat").read_text():
                    held.unlink()
                    return int(process.name), self._shard(process)
            time.sleep(0.01)
        raise AssertionError(f"no simulation was seen:\n{self.said}")

    def _shard(self, process: Path) -> str | None:
        """Return the shard that a process of this run is at, by the log that it has open."""
        try:
            if os.getpgid(int(process.name)) != self.process.pid:
                return None
            if b"simulate_shard.py" not in (process / "cmdline").read_bytes():
                return None
            opened = [os.readlink(handle) for handle in (process / "fd").iterdir()]
        except OSError:  # it ended meanwhile
            return None
        logs = [name for name in opened if "/logs/shards/baselines_4x4/" in name]
        return logs[0].replace("/logs/", "/").replace(".log", ".parquet") if logs else None


def gone(pid: int) -> bool:
    """Wait for a process that may not be ours to end."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if " Z " in Path(f"/proc/{pid}/stat").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False
