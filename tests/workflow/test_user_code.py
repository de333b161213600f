"""Instances and policies of a user are tracked: an edit reruns what depends on it, and no more."""

import subprocess
import sys

import pytest

from conftest import counted, only
from epochbandits.io import parquet
from epochbandits.model.generators import generate
from epochbandits.provenance.code_hash import digest
from patience import PATIENCE  # tests/patience.py

CONFIG = {
    "run": "own",
    "claims": {"assess": False},
    "policies_per_job": 1,
    **only(),
}
CONFIG["instances"] |= {
    "mine": {"files": ["mine.json"]},
    "other": {"class": "failure", "epsilon": [0.1]},
}
CONFIG["policies"] = {"own": {"code": "mine.py:Turns"}, "leader": {}, "uniform": {}}
CONFIG["experiments"] |= {
    "on_mine": {"instances": ["mine"], "policies": ["own", "leader"], "epochs": 9, "seeds": 2},
    "on_other": {"instances": ["other"], "policies": ["uniform"], "epochs": 9, "seeds": 2},
}
CONFIG["figures"] |= {"regret_on_mine": {}, "regret_on_other": {}}
TURNS = """
class {name}:
    schedule = "linear"

    def reset(self, info, rng):
        self.arms = info.arms

    def choose(self, k):
        return {choose}

    def update(self, arm, reward):
        pass
"""
PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "other-bandits"
version = "1.0"
[project.entry-points."epochbandits.policies"]
{points}
[tool.hatch.build.targets.wheel]
include = ["other_bandits.py"]
"""


class UserProject:
    """The project of a user, with a package that is installed in a folder on Python's path."""

    def __init__(self, project, folder):
        self.project, self.folder = project, folder
        self.path = str(folder / "target")
        project.write("own.yaml", CONFIG)
        self.install()
        self.write_policy("0 * k")
        self.write_instance(3)

    def install(self, *names, choose="k % self.arms"):
        """Install a package with a policy that it registers as "leader" and under other names."""
        source = self.folder / "package"
        source.mkdir(exist_ok=True)
        points = "\n".join(f'{name} = "other_bandits:Leader"' for name in ("leader", *names))
        (source / "pyproject.toml").write_text(PACKAGE.format(points=points))
        (source / "other_bandits.py").write_text(TURNS.format(name="Leader", choose=choose))
        options = ("--offline", "--no-deps", "--reinstall", "--no-build-isolation", "--quiet")
        command = [sys.executable, "-m", "uv", "pip", "install", *options, "--python"]
        command += [sys.executable, "--target", self.path, str(source)]
        subprocess.run(command, check=True, timeout=PATIENCE)

    def write_policy(self, choose):
        (self.project.folder / "mine.py").write_text(TURNS.format(name="Turns", choose=choose))

    def write_instance(self, seed):
        generate("fast", 2, 2, seed).to_json(self.project.folder / "mine.json")

    def snakemake(self, *arguments, ok=True):
        figures = [f"figures/own/regret_on_{name}.svg" for name in ("mine", "other")]
        options = (*arguments, "--configfile", "own.yaml", "--", *figures)
        return self.project.snakemake(*options, ok=ok, PYTHONPATH=self.path)

    def run(self):
        """Run the workflow; return its jobs, and which figures have other numbers than before."""
        before = self.numbers()
        jobs = counted(self.snakemake())
        after = self.numbers()
        return jobs, {name for name, content in after.items() if content != before.get(name)}

    def numbers(self):
        """Return the numbers behind the figures."""
        folder = self.project.folder / "figures" / "own" / "data"
        tables = {path.stem: parquet.read_any(path).columns for path in folder.glob("*.parquet")}
        return {name: digest({k: list(map(str, v)) for k, v in columns.items()})
                for name, columns in tables.items()}  # fmt: skip


@pytest.fixture(scope="module")
def user(make_project, tmp_path_factory):
    project = UserProject(make_project("own"), tmp_path_factory.mktemp("installed"))
    jobs, changed = project.run()
    assert jobs["simulate_shard"] == 3
    assert changed == {"regret_on_mine", "regret_on_other"}
    return project


def test_an_edited_instance_file(user):
    user.write_instance(4)
    jobs = {"make_instances": 1, "simulate_shard": 2, "aggregate_experiment": 1, "draw_figure": 1}
    assert user.run() == (jobs, {"regret_on_mine"})


def test_an_edited_policy_and_an_edited_package(user):
    user.write_policy("k % self.arms")
    jobs = {"simulate_shard": 1, "aggregate_experiment": 1, "draw_figure": 1}
    assert counted(user.snakemake("--dry-run")) == jobs
    user.install(choose="1 + 0 * k")
    assert user.run() == (jobs | {"simulate_shard": 2}, {"regret_on_mine"})


def test_a_package_with_the_name_of_a_built_in_policy(user):
    user.install("uniform")
    output = user.snakemake(ok=False)
    assert "policy 'uniform' is ambiguous: a built-in policy has this name" in output
    assert "Traceback" not in output
