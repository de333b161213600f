"""The documentation: its commands and examples run as written, and its pages are complete.

`epochbandits` and Python run here. Commands of make are dry runs here, and those of Snakemake in
`workflow/test_documented.py`, because most take minutes.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml

from documented import PAGES, commands, fenced, indented, read  # tests/documented.py
from epochbandits import Instance
from epochbandits.cli.main import main
from epochbandits.config import load_files
from epochbandits.pipeline import instance_sets
from epochbandits.release.gallery import gallery

ROOT = Path(__file__).parents[1]
RECIPES = "CONTRIBUTING.md"  # all of it: tests/workflow/test_recipes.py
# tests/workflow/test_published.py, test_documented.py
ELSEWHERE = ("epochbandits verify", "epochbandits run", "snakemake ")
BY_HAND = {"make test": "it would run itself"}


def ours(page):
    """Return the commands of a page that are run here, as lists of words."""
    return [
        shlex.split(command)[1:]
        for command in commands(page)
        if command.startswith("epochbandits ") and not command.startswith(ELSEWHERE)
    ]


def test_every_command_is_run_somewhere():
    for page in set(PAGES) - {RECIPES}:
        for command in commands(page):
            assert command.startswith(("epochbandits ", "make ", *ELSEWHERE)), (page, command)
    assert set(BY_HAND) <= set(commands("README.md"))
    pages = [page for page in set(PAGES) - {RECIPES} if commands(page)]
    assert len(pages) >= 6


@pytest.mark.parametrize("page", [page for page in PAGES if page != RECIPES and ours(page)])
def test_commands_and_examples_run_in_their_order(page, tmp_path, monkeypatch, capsys):
    for folder in ("figures", "examples"):
        os.symlink(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    if page == "docs/method.md":
        block = (
            load_files([ROOT / "config/paper.yaml"])
            .instances["main_4x4"]
            .model_dump(mode="json", by_alias=True)
        )
        instance_sets.write("data/paper/instances/main_4x4", instance_sets.make(block))
    for words in ours(page):
        assert main(words) == 0, (words, capsys.readouterr().err)
    for example in fenced(page, "python"):
        exec(example, {})
    if page == "docs/method.md":
        again = pd.read_parquet("one.parquet").iloc[-1]
        table = "figures/published/data/paper/aggregates/baselines_4x4/finals.parquet"
        runs = pd.read_parquet(table).query("policy == 'ucb' and seed == 3 and instance == 0")
        assert again["expected_regret"] == pytest.approx(runs["expected_regret"].item(), rel=1e-9)


def test_examples_of_files_are_valid(tmp_path):
    (instance,) = [block for block in indented("docs/usage.md") if block.startswith("{")]
    assert Instance.from_dict(json.loads(instance)).arms == 2
    for page, place in (("docs/pipeline.md", "policies:"), ("config/README.md", "run:")):
        (block,) = [text for text in indented(page) if text.startswith(place)]
        (tmp_path / "mine.yaml").write_text(block, encoding="utf-8")
        config = load_files([ROOT / "config/paper.yaml", tmp_path / "mine.yaml"])
        for name in yaml.safe_load(block)["policies"]:
            assert any(policy.startswith(name) for policy in config.policies)


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_every_target_of_make_that_is_named_exists():
    """A dry run: whatever make would do is printed."""
    named = {command for page in PAGES for command in re.findall(r"`(make [a-z-]+)`", read(page))}
    named |= {
        command for page in PAGES for command in commands(page) if command.startswith("make ")
    }
    assert {"make figures", "make quick", "make setup"} <= named
    targets = sorted(command.removeprefix("make ") for command in named)
    done = subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, text=True,
                          capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_first_result_is_what_its_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for words in ours("docs/first_result.md"):
        assert main(words) == 0
    capsys.readouterr()
    (example,) = fenced("docs/first_result.md", "python")
    exec(example, {})
    lines = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert float(lines["ucb"]) == pytest.approx(0.5 * 2000, rel=0.1)
    assert float(lines["epoch"]) < 0.2 * float(lines["ucb"])


def test_the_site_has_every_page_of_the_documentation():
    shown = re.findall(r": (\S+\.md)$", read("mkdocs.yml"), re.M)
    assert {*PAGES, "CHANGELOG.md"} == set(shown)
    assert yaml.safe_load(read("mkdocs.yml"))["strict"] is True


def test_the_gallery_is_that_of_the_published_run():
    page = read("docs/gallery.md")
    assert page == gallery(ROOT / "figures/published"), "out of date: run make gallery"
    assert page.count("![") == len(list((ROOT / "figures/published").glob("*.svg")))
