"""The commands and examples in README, CONTRIBUTING and the pages of the site."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", "config/README.md"] + [
    f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))
]
_FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
_INDENTED = re.compile(r"(?:^    .*\n(?:[ \t]*\n(?=    ))?)+", re.M)
_PROGRAMS = ("epochbandits", "snakemake", "make", "python", "pytest", "pip", "conda", "uv")


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def fenced(page, language):
    """Return the blocks of a language that are no files (a file has a title)."""
    return [text for name, title, text in _FENCE.findall(read(page)) if name == language
            and not title]  # fmt: skip


def indented(page):
    """Return the indented blocks of a page, without their margin."""
    text = _FENCE.sub("", read(page))
    return [re.sub("^    ", "", block, flags=re.M) for block in _INDENTED.findall(text)]


def commands(page):
    """Return the commands in the blocks of a page, without folder, prompt and comment."""
    lines = []
    for block in [*indented(page), *fenced(page, "console")]:
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"^\$ |^\.venv/bin/", "", line).partition("  #")[0].strip()
            if line.partition(" ")[0] in _PROGRAMS:
                lines.append(" ".join(line.split()))
    return lines
