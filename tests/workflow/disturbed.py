"""A small run that things are done to, and what of it is compared with an undisturbed one."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from conftest import Project, only
from patience import PATIENCE, wait_for  # tests/patience.py

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
    if event == {event!r} and {path!r} in str(arguments[0]):
        try:
            os.rename("hold", f"held-{{os.getpid()}}")
        except OSError:
            return
        os.kill(os.getpid(), signal.SIGSTOP)

sys.addaudithook(hold)
"""
"""Python imports this when Snakemake or a job starts. The first that is about to do something to a
file, and finds the file ``hold``, stops itself: so a test never has to be faster than a run."""
WRITING = {"event": "tempfile.mkstemp", "path": "/shards/baselines_4x4/"}
"""A job that is about to write a shard."""
RECORDING = {"event": "os.utime", "path": "/shards/baselines_4x4/"}
"""Snakemake, which is about to update the time of a shard that a job has written."""
READING = {"event": "open", "path": "/rules/simulate.smk"}
"""Snakemake, which is about to read a part of the workflow."""


def results(project: Project) -> dict[str, bytes]:
    """Return every file that a run leaves as its result: tables, choices, figures, page."""
    contents = {}
    for name in ("data/small", "figures/small"):
        for path in sorted((project.folder / name).rglob("*")):
            if path.is_file() and "logs" not in path.parts and path.name[0] != ".":
                contents[str(path.relative_to(project.folder))] = path.read_bytes()
    return contents


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

    def __init__(
        self, project: Project, *arguments: str, config: str = CONFIG[1], hold: dict = WRITING
    ) -> None:
        self._folder = project.folder
        sources = project.folder / "src"
        (sources / "sitecustomize.py").write_text(HOLD.format(**hold))
        (project.folder / "hold").touch()
        self._output_file = project.folder / f"output-{time.monotonic_ns()}.txt"
        with self._output_file.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "snakemake", "--cores", "2", CONFIG[0], config, *arguments],
                cwd=project.folder,
                env=os.environ | {"PYTHONPATH": str(sources)},
                stdout=output,
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

    @property
    def output(self) -> str:
        return self._output_file.read_text()

    def ended(self) -> int:
        """Wait for the end and return the exit code."""
        return self.process.wait(PATIENCE)

    def stopped(self) -> int:
        """Wait for the process that stops itself (`HOLD`)."""
        return wait_for(self._held, self.process, lambda: self.output)

    def stopped_worker(self) -> tuple[int, str]:
        """Wait for the job that stops itself; return its process and its shard.

        The shard is known by the log that it has open.
        """
        process = Path("/proc", str(self.stopped()))
        assert b"simulate_shard.py" in (process / "cmdline").read_bytes()
        opened = [os.readlink(handle) for handle in (process / "fd").iterdir()]
        (log,) = {name for name in opened if "/logs/shards/baselines_4x4/" in name}
        return int(process.name), log.replace("/logs/", "/").replace(".log", ".parquet")

    def _held(self) -> int | None:
        for held in self._folder.glob("held-*"):
            pid = int(held.name.removeprefix("held-"))
            if state(pid) == "T" and os.getpgid(pid) == self.process.pid:
                held.unlink()
                return pid
        return None


def state(pid: int) -> str | None:
    """Return the letter of a process's state in /proc, if there is such a process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None


def gone(pid: int) -> bool:
    """Wait for a process that may not be ours to end."""
    return wait_for(lambda: state(pid) in (None, "Z"))
