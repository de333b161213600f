"""The recipes of CONTRIBUTING.md, carried out in a copy of the repository.

A code block with a title is a file: its whole text, or with the language ``diff`` a change of it. A
``console`` block has commands, which must succeed. The number in a heading is the number of
files that it changes.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("src", "config", "workflow", "tests", "examples", "profiles", "docs")
FILES = ("Snakefile", "pyproject.toml", "requirements.txt")
# Tests of lists and texts that any addition may have to extend.
CONTRACTS = (
    "tests/test_docstrings.py",
    "tests/test_public.py::test_a_literal_type_has_the_names_of_its_registry",
    "tests/config/test_config.py::test_generated_files_are_in_step",
)
HEADING = re.compile(r"^### (.+) \((\d) files?\)$", re.MULTILINE)
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PROGRAMS = {
    "python": [sys.executable],
    "ruff": [sys.executable, "-m", "ruff"],
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
    "snakemake": [sys.executable, "-m", "snakemake"],
    "epochbandits": [sys.executable, "-m", "epochbandits"],
    "make docs": [sys.executable, "-m", "epochbandits.release.documentation"],
}


def recipes():
    """Yield name, number of files and text of each recipe."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, *parts = HEADING.split(text)
    return zip(parts[::3], map(int, parts[1::3]), parts[2::3], strict=True)


def changed_text(text, diff):
    """Return a text with the hunks of a diff applied; each must fit in exactly one place."""
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = [line or " " for line in hunk.splitlines()]
        old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
        if lines:
            assert text.count(old) == 1, f"a hunk fits in {text.count(old)} places:\n{hunk}"
            text = text.replace(old, new)
    return text


def checksums(folder):
    files = [path for name in SOURCES for path in (folder / name).rglob("*") if path.is_file()]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if "__pycache__" not in path.parts
    }


@pytest.fixture
def copy(tmp_path):
    """Return the folder of a copy of what the recipes need."""
    skip = shutil.ignore_patterns("__pycache__", "baseline", ".snakemake")
    for name in SOURCES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skip)
    for name in FILES:
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def run(command, folder):
    name = next(name for name in PROGRAMS if command.startswith(name))
    arguments = PROGRAMS[name] + shlex.split(command.removeprefix(name))
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize(("name", "number", "text"), [pytest.param(*r, id=r[0]) for r in recipes()])
def test_a_recipe_works_and_changes_as_many_files_as_it_says(name, number, text, copy):
    before = checksums(copy)
    for language, title, content in BLOCK.findall(text):
        if language == "console":
            for line in content.splitlines():
                run(line.removeprefix("$ "), copy)
            continue
        path = copy / title
        if language == "diff":
            content = changed_text(path.read_text(encoding="utf-8"), content)
        else:
            assert not path.exists(), f"{title} exists; show the change as a diff"
        path.write_text(content, encoding="utf-8")
    after = checksums(copy)
    assert before.keys() <= after.keys()
    changed = sorted(path for path in after if after[path] != before.get(path))
    assert len(changed) == number, changed
    code = shlex.join(path for path in changed if path.endswith(".py"))
    run(f"ruff check {code}", copy)
    run(f"ruff format --check {code}", copy)
    run(f"pytest -q -n0 {' '.join(CONTRACTS)}", copy)


def test_there_are_recipes_with_files_and_commands():
    blocks_of = {name: BLOCK.findall(text) for name, _, text in recipes()}
    assert len(blocks_of) >= 2
    for name, blocks in blocks_of.items():
        languages = [language for language, _, _ in blocks]
        assert "console" in languages, name
        assert any(title for _, title, _ in blocks), name


def test_a_hunk_must_fit_once():
    assert changed_text("a\nb\nc\n", " a\n-b\n+x\n") == "a\nx\nc\n"
    assert changed_text("a\nb\nc\n", " a\n+x\n@@\n-c\n") == "a\nx\nb\n"
    with pytest.raises(AssertionError, match="fits in 2 places"):
        changed_text("a\na\n", "-a\n+b\n")
    with pytest.raises(AssertionError, match="fits in 0 places"):
        changed_text("a\n", "-b\n")
