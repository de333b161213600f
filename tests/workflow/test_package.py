"""The package without the repository, and the workflow as a module of another one."""

import json
import os
import socket
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest
import yaml

from conftest import ROOT, only
from patience import PATIENCE, wait_for  # tests/patience.py

CONFIG = {
    "run": "module",
    "claims": {"assess": False},
    **only(instances=["main_4x4"], experiments=["epochs"]),
}
MODULE = """
configfile: "config.yaml"

module bandits:
    snakefile: {snakefile}
    config: config["bandits"]

use rule * from bandits as bandits_*

rule mine:
    default_target: True
    input:
        rules.bandits_tables.input,
"""


def run(*command, **options):
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        env=surroundings | options.pop("env", {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        **options,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The unpacked sdist."""
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (archive,) = folder.glob("epochbandits-*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    return Path(str(archive).removesuffix(".tar.gz"))


@pytest.fixture(scope="module")
def python(sources, tmp_path_factory):
    """The Python of an environment with the wheel that the sdist gives.

    Other libraries come from the locked environment by path, so that nothing is downloaded.
    """
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=sources)
    (wheel,) = folder.glob("epochbandits-*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    run(sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-deps", "--python", python,
        wheel)  # fmt: skip
    place = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(place, "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = run(python, "-c", "import epochbandits; print(epochbandits.__file__)", cwd=folder)
    assert where.startswith(str(folder / "venv")), where
    return python


def test_the_installed_package_computes(python, tmp_path):
    call = (python, "-m", "epochbandits")
    run(*call, "generate", "fast", "--seed", "1", "--out", "instance.json", cwd=tmp_path)
    output = run(*call, "theory", "instance.json", "--epochs", "100", cwd=tmp_path)
    assert json.loads(output)["regret_bound"] > 0
    run(*call, "simulate", "instance.json", "--policy", "epoch-ucb", "--epochs", "5", "--seeds",
        "0:2", "--engine", "reference", "--out", "runs.parquet", cwd=tmp_path)  # fmt: skip
    assert (tmp_path / "runs.parquet").stat().st_size > 0


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def served(tmp_path):
    """A git server on loopback with this repository; gives the variables by which git finds it."""
    repository = tmp_path / "served" / "someone" / "epochbandits"
    repository.parent.mkdir(parents=True)
    work = tmp_path / "work"
    parts = ("workflow", "config", "environment.yml")
    names = run("git", "ls-files", "-co", "--exclude-standard", *parts, cwd=ROOT).splitlines()
    for name in names:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes((ROOT / name).read_bytes())
    git = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")
    run(*git, "init", "-q", "-b", "main", work)
    run(*git, "-C", work, "add", ".")
    run(*git, "-C", work, "commit", "-q", "-m", "test")
    run(*git, "clone", "-q", "--bare", work, repository)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        ["git", "daemon", "--export-all", "--listen=127.0.0.1", f"--port={port}",
         f"--base-path={tmp_path / 'served'}"],
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        wait_for(lambda: answers(port), server)
        yield {
            # Snakemake knows servers by https alone; git replaces the address.
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.git://127.0.0.1:{port}/.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://loopback.test/",
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        }
    finally:
        os.killpg(server.pid, 15)
        server.wait()


def dry_run(folder, python, snakefile, **env):
    (folder / "Snakefile").write_text(MODULE.format(snakefile=snakefile))
    (folder / "config.yaml").write_text(yaml.safe_dump({"bandits": CONFIG}))
    return run(python, "-m", "snakemake", "--cores", "1", "--dry-run", "--quiet", "rules",
               cwd=folder, env=env)  # fmt: skip


def test_another_workflow_uses_this_one_from_a_folder(tmp_path):
    output = dry_run(tmp_path, sys.executable, repr(str(ROOT / "workflow" / "Snakefile")))
    assert "bandits_aggregate_experiment" in output
    assert "data/module/aggregates" in output or "bandits_simulate_shard" in output


def test_another_workflow_uses_this_one_from_a_git_server(python, served, tmp_path):
    folder = tmp_path / "other"
    folder.mkdir()
    snakefile = (
        'github("someone/epochbandits", path="workflow/Snakefile", branch="main", '
        'host="loopback.test")'
    )
    output = dry_run(folder, python, snakefile, **served)
    assert "bandits_aggregate_experiment" in output
    # A job: its script comes from the server, the library from the wheel.
    run(python, "-m", "snakemake", "--cores", "1", "--",
        "data/module/instances/main_4x4", cwd=folder, env=served)  # fmt: skip
    assert (folder / "data/module/instances/main_4x4/0.json").is_file()
