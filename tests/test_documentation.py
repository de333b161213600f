"""The documentation: its commands and examples run as written, and its pages are complete."""

import os
import re
import shlex
from pathlib import Path

import pytest
import yaml

from epochbandits.cli.main import main
from epochbandits.release.gallery import gallery

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"^    \.venv/bin/epochbandits ((?:.*\\\n)*.*)$", re.M)
SLOW = ("verify",)  # tests/workflow/test_published.py runs it


def commands(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return [shlex.split(found.replace("\\\n", " ")) for found in COMMAND.findall(text)]


@pytest.mark.parametrize("page", ["README.md", "docs/first_result.md", "docs/usage.md"])
def test_commands_and_examples_run_in_their_order(page, tmp_path, monkeypatch, capsys):
    for folder in ("figures", "examples"):
        os.symlink(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    found = [words for words in commands(page) if words[0] not in SLOW]
    assert len(found) >= 2
    for words in found:
        assert main(words) == 0, (words, capsys.readouterr().err)
    text = (ROOT / page).read_text(encoding="utf-8")
    for example in re.findall(r"```python\n(.*?)```", text, flags=re.S):
        exec(example, {})


def test_the_first_result_is_what_its_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for words in commands("docs/first_result.md"):
        assert main(words) == 0
    capsys.readouterr()
    (example,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/first_result.md").read_text(encoding="utf-8"), re.S
    )
    exec(example, {})
    lines = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert float(lines["ucb"]) == pytest.approx(0.5 * 2000, rel=0.1)
    assert float(lines["epoch"]) < 0.2 * float(lines["ucb"])


def test_the_site_has_every_page_of_the_documentation():
    shown = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    written = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert written <= set(shown)
    assert all((ROOT / page).is_file() for page in shown)
    assert yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["strict"] is True


def test_the_gallery_is_that_of_the_published_run():
    page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    assert page == gallery(ROOT / "figures/published"), "out of date: run make gallery"
    assert page.count("![") == len(list((ROOT / "figures/published").glob("*.svg")))
