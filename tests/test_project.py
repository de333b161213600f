"""Files of the project: the lock file, environment.yml, versions, and the README's commands."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from rattler import BuildString, MatchSpec, PackageRecord, Version

import epochbandits

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.txt").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
LOCKED = re.findall(r"^([a-z0-9-]+)==([^ ;\\]+)", LOCK, flags=re.MULTILINE)


def matches(spec, name, version):
    """Return whether conda would accept this version for the entry, by conda's own rules."""
    record = PackageRecord(
        name=name,
        version=version,
        build=BuildString("0"),
        build_number=0,
        subdir="noarch",
        arch=None,
        platform=None,
    )
    return MatchSpec(spec).matches(record)


@pytest.mark.parametrize("entry", ENVIRONMENT["dependencies"])
def test_conda_entries_admit_the_locked_versions(entry):
    name = MatchSpec(entry).name.normalized
    if name == "python":
        low, high = re.fullmatch(r">=([\d.]+),<([\d.]+)", PROJECT["requires-python"]).groups()
        assert matches(entry, name, low + ".0")
        assert not matches(entry, name, high + ".0")
        return
    versions = [version for locked, version in LOCKED if locked == name]
    assert versions, f"{name} is in environment.yml but not in requirements.txt"
    for version in versions:
        assert matches(entry, name, version), (entry, version)


def test_the_comparison_with_conda_can_fail():
    assert not matches("numpy >=2.0", "numpy", "1.26.4")
    assert not matches("python >=3.11,<3.15", "python", "3.15.1")
    assert Version("2.10") > Version("2.9")


def test_conda_has_every_run_time_dependency_with_the_same_range():
    def split(entry):
        # conda packages include their extras
        name, bound = re.fullmatch(r"([\w.-]+)(?:\[\w+\])? ?(.*)", entry).groups()
        return name.lower(), bound.replace(" ", "")

    conda = dict(split(entry) for entry in ENVIRONMENT["dependencies"])
    for dependency in PROJECT["dependencies"]:
        name, bound = split(dependency)
        assert conda[name] == bound


def test_the_lock_file_has_hashes_and_no_hosts():
    assert "://" not in LOCK
    blocks = re.split(r"\n(?=[a-z0-9-]+==)", LOCK)[1:]
    assert len(blocks) == len(LOCKED) - LOCK.startswith(LOCKED[0][0])
    assert all("--hash=sha256:" in block for block in blocks)


def test_one_version_of_each_numerical_library():
    """One NumPy for all Pythons, so that the same lock file gives the same numbers."""
    for name in ("numpy", "numba", "pandas", "pyarrow", "scipy"):
        assert len([1 for locked, _ in LOCKED if locked == name]) == 1, name


def test_versions_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PROJECT["version"] == epochbandits.__version__ == str(citation["version"])
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_archives_record_agrees_with_the_citation():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    record = json.loads((ROOT / ".zenodo.json").read_text())
    for key in ("title", "version", "license", "keywords"):
        assert record[key] == citation[key], key
    assert record["creators"] == citation["authors"]
    (paper,) = citation["references"]
    assert paper["title"] in record["references"][0]
    for author in paper["authors"]:
        assert f"{author['family-names']}, {author['given-names']}" in record["references"][0]


def test_every_python_is_declared_and_tested():
    minors = [f"3.{n}" for n in range(11, 15)]
    assert PROJECT["requires-python"] == ">=3.11,<3.15"
    assert [f"Programming Language :: Python :: {m}" for m in minors] == [
        entry for entry in PROJECT["classifiers"] if ":: 3." in entry
    ]
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert ci["jobs"]["units"]["strategy"]["matrix"]["python"] == minors
    for job in ci["jobs"].values():
        actions = [step["uses"] for step in job["steps"] if "uses" in step]
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) for action in actions)


def test_the_container_installs_the_lock_with_its_hashes():
    text = (ROOT / "Containerfile").read_text()
    assert "--require-hashes -r requirements.txt" in text
    for source in re.findall(r"^COPY (.*) \S+$", text, re.M):
        assert (ROOT / source).exists()


def test_readme_is_short_and_shows_the_two_commands():
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 150
    for command in ("make figures", "make test"):
        assert command in readme
