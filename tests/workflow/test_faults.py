"""Runs that are killed, interrupted, started twice or find no place to write: all end the same."""

import copy
import os
import re
import shlex
import signal
import subprocess
from contextlib import contextmanager

import pytest
from disturbed import (  # fmt: skip
    CONFIG,
    FIGURES,
    READING,
    RECORDING,
    RUN,
    SHARDS,
    SMALL,
    TABLES,
    Run,
    differences,
    gone,
    half_written,
)

from conftest import ROOT
from epochbandits.interruption import INTERRUPTED
from epochbandits.io import parquet
from epochbandits.io.schemas import SHARD
from epochbandits.validation import InputError
from patience import PATIENCE, wait_for  # tests/patience.py


def recovery() -> list[list[str]]:
    """Return the arguments of the README's commands for a run that was killed."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## After a crash\n")[1].split("\n## ")[0]
    lines = re.findall(r"^    \.venv/bin/snakemake (.*)$", section, re.M)
    assert len(lines) == 2
    return [shlex.split(line) for line in lines]


def unfinished(project) -> bool:
    return not (project.folder / TABLES / "curves.parquet").exists()


@contextmanager
def mounted(folder, *options):
    """Mount a small disk at a folder for a while."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=PATIENCE)


@contextmanager
def read_only(folder):
    """Make a folder read-only for a while, if we are root."""
    if os.geteuid() != 0:
        yield
        return
    with mounted(folder, "--bind", str(folder)):
        command = ["mount", "-o", "remount,bind,ro", str(folder)]

        def remounted():  # not while another job writes there
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode == 0 or "busy" in done.stderr, done.stderr
            return done.returncode == 0

        wait_for(remounted)
        yield


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")


def test_snakemake_is_killed_and_the_readme_recovers(copied, undisturbed):
    """Its job, of another configuration, ends after the recovery has made the right shard."""
    project = copied(*RUN)
    unlock, again = recovery()
    other = copy.deepcopy(SMALL)
    other["experiments"]["baselines_4x4"] |= {"tau0": 41}
    with Run(project, config=project.write("other.yaml", other)) as killed:
        worker, shard = killed.stopped_worker()
        killed.process.kill()
        assert killed.ended() == -signal.SIGKILL
        assert unfinished(project)
        output = project.snakemake(*CONFIG, ok=False)
        assert "Directory cannot be locked" in output
        assert "--unlock" in output
        project.snakemake(*unlock, *CONFIG)
        project.snakemake(*again, *CONFIG)
        assert differences(project, undisturbed) == []
        os.kill(worker, signal.SIGCONT)  # the job that outlived its run would write its shard now
        assert gone(worker)
        log = project.folder / str(shard).replace("/shards/", "/logs/shards/")
        output = log.with_suffix(".log").read_text() + killed.output
        assert "not written, because the run was restarted with another" in output
    assert differences(project, undisturbed) == []
    assert half_written(project) == []
    assert project.jobs(*CONFIG) == {}


def test_a_killed_job_is_named_then_ctrl_c_then_a_plain_run(copied, undisturbed):
    project = copied(*RUN)
    with Run(project) as failing:
        worker, shard = failing.stopped_worker()
        os.kill(worker, signal.SIGKILL)
        assert failing.ended() == 1
        output = failing.output
    assert "Error in rule simulate_shard" in output
    assert shard.partition("/project_folder/")[2] in output
    assert not (project.folder / shard).exists()
    assert unfinished(project)
    with Run(project) as interrupted:
        worker, _ = interrupted.stopped_worker()
        os.killpg(interrupted.process.pid, signal.SIGINT)  # what a terminal does at Ctrl-C
        os.kill(worker, signal.SIGCONT)
        assert interrupted.ended() != 0, interrupted.output
        assert interrupted.output.endswith(f"{INTERRUPTED}\n"), interrupted.output
        assert "Error in rule" not in interrupted.output
        assert gone(worker)
    assert unfinished(project)
    assert half_written(project) == []
    for path in (project.folder / "data").rglob("*.parquet"):
        assert parquet.about(path)
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []


def test_ctrl_c_while_the_workflow_is_read(copied):
    with Run(copied(), "--dry-run", hold=READING) as interrupted:
        reader = interrupted.stopped()
        assert reader == interrupted.process.pid
        os.killpg(reader, signal.SIGINT)
        os.kill(reader, signal.SIGCONT)
        assert interrupted.ended() != 0, interrupted.output
        assert interrupted.output.endswith(f"{INTERRUPTED}\n"), interrupted.output
        assert "Traceback" not in interrupted.output


def test_a_second_run_is_refused_and_a_folder_turns_read_only(copied, undisturbed):
    project = copied(*RUN)
    with Run(project, "--cores", "1") as first:  # so the held job fails first
        worker, _ = first.stopped_worker()
        second = project.snakemake(*CONFIG, ok=False)
        assert "Directory cannot be locked" in second
        assert "no other Snakemake process" in second
        assert first.process.poll() is None
        with read_only(project.folder / SHARDS):  # in mid-run
            os.kill(worker, signal.SIGCONT)
            assert first.ended() == (1 if os.geteuid() == 0 else 0), first.output
        assert "Traceback" not in first.output
        assert ("cannot be written: Read-only file system" in first.output) == (os.geteuid() == 0)
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []


@needs_root
def test_a_folder_turns_read_only_after_a_shard_was_written(copied, undisturbed):
    """No job fails, but Snakemake, which updates the time of each result."""
    project = copied(*RUN)
    with Run(project, hold=RECORDING) as run:
        assert run.stopped() == run.process.pid
        with read_only(project.folder / SHARDS):
            os.kill(run.process.pid, signal.SIGCONT)
            assert run.ended() == 1
        assert "Snakemake stopped: Read-only file system; fix this and run" in run.output
        assert "Traceback" not in run.output
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []
    assert half_written(project) == []


@needs_root
def test_a_full_disk_is_told_and_leaves_nothing_half_written(copied, undisturbed):
    project = copied(SHARDS, TABLES, FIGURES)
    good = undisturbed.folder / SHARDS / "ucb" / "0-2.parquet"
    with mounted(project.folder / SHARDS, "-t", "tmpfs", "-o", "size=1m", "tmpfs") as disk:
        ballast = disk / "ballast"
        with ballast.open("wb") as full:  # all but two of the four shards' place
            full.write(bytes(2**20 - 2 * 24 * 2**10))
        output = project.snakemake(*CONFIG, ok=False)
        logs = [log for log in (project.folder / "data/small/logs/shards").rglob("*.log")
                if "No space left on device" in log.read_text()]  # fmt: skip
        assert logs
        for log in logs:
            name = str(log.relative_to(project.folder)).replace("/logs/", "/")
            shard = name.replace(".log", ".parquet")
            sentence = f"{shard}: cannot be written: No space left on device"
            assert sentence in log.read_text()
            assert sentence in output
            assert not (project.folder / shard).exists()
        assert half_written(project) == []
        assert unfinished(project)
        for path in disk.rglob("*.parquet"):
            assert parquet.read(path, SHARD)

        # A table that is there already stays as it was.
        ballast.unlink()
        old = disk / "old.parquet"
        old.write_bytes(good.read_bytes())
        columns, about = parquet.read(good, SHARD)
        with ballast.open("wb", buffering=0) as full:  # writes what there is place for
            assert full.write(bytes(2**20)) < 2**20
        with pytest.raises(InputError, match="cannot be written: No space left on device"):
            parquet.write(old, SHARD, columns, about)
        assert old.read_bytes() == good.read_bytes()
        assert half_written(project) == []
        old.unlink()

        ballast.unlink()
        project.snakemake(*CONFIG)
        assert differences(project, undisturbed) == []


@needs_root
def test_a_figures_folder_that_cannot_be_written_is_named_before_any_job(copied, undisturbed):
    project = copied(TABLES, FIGURES)
    with mounted(project.folder / FIGURES, "-t", "tmpfs", "-o", "ro", "tmpfs"):
        output = project.snakemake(*CONFIG, ok=False)
        assert "figures/small: cannot be written to: Read-only file system" in output
        assert "Traceback" not in output
        assert unfinished(project)
        assert project.jobs(*CONFIG)["draw_figure"] == 1  # to look is allowed
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []
