"""Clock, time zone, locale, hash seed and number of cores: no byte depends on them."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from disturbed import CONFIG, SHARDS, SMALL, TABLES, differences

from patience import PATIENCE  # tests/patience.py


@pytest.fixture(scope="module")
def turkish(tmp_path_factory):
    """A locale with another alphabet, decimal comma and encoding than is usual."""
    folder = tmp_path_factory.mktemp("locales")
    command = ["localedef", "-i", "tr_TR", "-f", "ISO-8859-9", str(folder / "tr_TR")]
    if shutil.which("localedef"):
        subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    if not (folder / "tr_TR").is_dir():
        return {"LC_ALL": "C.UTF-8"}
    return {"LOCPATH": str(folder), "LC_ALL": "tr_TR"}


def clock(shift: str) -> dict[str, str]:
    """Return what sets the clock of a process and its children, where libfaketime is installed."""
    if not shutil.which("faketime"):
        return {}
    command = ["faketime", "-f", shift, "env"]
    output = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    variables = dict(re.findall(r"^(LD_PRELOAD|FAKETIME)=(.*)$", output, re.M))
    # Threads would wait for years, and code that is compiled be taken for older than its source.
    return variables | {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}


@pytest.fixture(scope="module")
def without_slurm(tmp_path_factory):
    """A PATH without scontrol.

    Snakemake's executor for Slurm asks it at every start, and waits for it with a sleep that ends
    in an error where the clock is false and monotonic time is not.
    """
    folder = tmp_path_factory.mktemp("path")
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for command in Path(place).glob("*"):
            if command.name != "scontrol":
                (folder / command.name).unlink(missing_ok=True)
                (folder / command.name).symlink_to(command)
    return {"PATH": str(folder)}


@pytest.mark.skipif(not shutil.which("faketime"), reason="no faketime: the clock was left alone")
def test_the_clock_is_changed_in_what_follows():
    assert {"LD_PRELOAD", "FAKETIME"} < clock("+4000d").keys()


def test_the_locale_is_turkish_in_what_follows(turkish):
    if "LOCPATH" not in turkish:
        pytest.skip("tr_TR cannot be made here (localedef, Debian's locales): C.UTF-8 was taken")
    command = ["locale", "-k", "decimal_point"]
    output = subprocess.run(command, env=turkish | {"PATH": os.environ["PATH"]}, text=True,
                          capture_output=True, timeout=PATIENCE, check=True).stdout  # fmt: skip
    assert 'decimal_point=","' in output


def test_with_all_changed_at_once_on_eight_cores(
    make_project, undisturbed, turkish, without_slurm
):  # fmt: skip
    surroundings = {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", **turkish, **without_slurm}
    compare(make_project("eight"), undisturbed, "8", surroundings | clock("+4000d"))


def test_with_all_changed_otherwise_on_one_core(make_project, undisturbed, without_slurm):
    surroundings = {"TZ": "America/St_Johns", "PYTHONHASHSEED": "4242", "LC_ALL": "C"}
    compare(make_project("one"), undisturbed, "1", surroundings | without_slurm | clock("-4000d"))


def compare(project, undisturbed, cores, surroundings):
    project.write("small.yaml", SMALL)
    output = project.snakemake(*CONFIG, "--cores", cores, **surroundings)
    assert differences(project, undisturbed) == []
    assert f"Provided cores: {cores}" in output
    year = int(re.search(r"Date: (\d{4})", output)[1])
    assert (abs(year - time.localtime().tm_year) > 9) == ("FAKETIME" in surroundings)


def test_a_clone_in_a_folder_with_a_space(copied, undisturbed, tmp_path):
    """Of the project, and of the environment, whose Python runs the jobs."""
    folder = tmp_path / "my own folder"
    folder.mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    copied(TABLES).folder.rename(folder / "clone")  # compiled code is filed by path: no simulation
    command = [str(folder / ".venv" / "bin" / "python"), "-m", "snakemake", "--cores", "2"]
    done = subprocess.run([*command, "tables", *CONFIG], cwd=folder / "clone", text=True,
                          capture_output=True, timeout=PATIENCE)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert "'folder'" not in done.stderr
    for name in ("curves", "finals"):
        table = f"{TABLES}/{name}.parquet"
        content = (folder / "clone" / table).read_bytes()
        assert content == (undisturbed.folder / table).read_bytes()


def test_braces_in_the_path_are_refused_with_a_sentence(copied, tmp_path):
    project = copied()
    project.folder = project.folder.rename(tmp_path / "my {own} folder")
    output = project.snakemake(*CONFIG, ok=False)
    assert (
        "the path contains braces, which Snakemake reads as wildcards; rename the folder" in output
    )
    assert "Traceback" not in output


def test_files_from_the_future_are_not_taken_for_newer_results(copied, undisturbed):
    """A clock was wrong and is right again: one command is enough."""
    project = copied(TABLES)
    future = time.time() + 10**8
    files = [path for path in (project.folder / "data").rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (future, future))
    (project.folder / SHARDS / "ucb" / "0-2.parquet").unlink()
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []
