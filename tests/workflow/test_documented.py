"""The documentation's commands of Snakemake and `epochbandits run`, as dry runs."""

import shlex
import subprocess
import sys

import pytest

from documented import PAGES, commands, indented  # tests/documented.py
from patience import PATIENCE  # tests/patience.py

# tests/workflow/test_recipes.py and test_faults.py run these to their end.
ELSEWHERE = ("CONTRIBUTING.md", "snakemake --unlock", "snakemake --cores all")
COMMANDS = sorted(
    {
        command
        for page in PAGES
        for command in commands(page)
        if command.startswith(("snakemake ", "epochbandits run "))
        and page not in ELSEWHERE
        and command not in ELSEWHERE
    }
)


@pytest.fixture(scope="module")
def project(make_project):
    project = make_project("documented")
    (example,) = [block for block in indented("config/README.md") if block.startswith("run:")]
    (project.folder / "config" / "mine.yaml").write_text(example, encoding="utf-8")
    return project


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_plans_its_jobs(command, project):
    program, *words = shlex.split(command)
    place = words.index("--") if "--" in words else len(words)
    words[place:place] = [] if "--dry-run" in words else ["--dry-run"]
    done = subprocess.run([sys.executable, "-m", program, *words], cwd=project.folder, text=True,
                          capture_output=True, timeout=PATIENCE)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    output = done.stdout + done.stderr
    assert "simulate_shard" in output
    assert ("regret_lengths" in output) == ("mine.yaml" in command)


def test_there_are_commands():
    assert len(COMMANDS) >= 5
