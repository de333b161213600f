"""Docstrings have the sections of numpydoc: names and types on one line, what they mean below it.

A section is checked in the source, so that compiled functions need no import. In ``name : type``
the type must be one, not the description, and the name must be a parameter.
"""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
NAMED = ("Parameters", "Attributes")
TYPED = ("Returns", "Yields", "Raises")
ENTRY = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : (.+))?")
PROSE = re.compile(r"\b(the|that|which|what|whether|is|are|its|it)\b|;|\. |\.$", re.IGNORECASE)
LONGEST = 90  # characters of a type


def documented(path):
    """Yield the classes and functions of a file that have a docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            yield node


def sections(text):
    """Yield title and lines of each section of a docstring."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if i and re.fullmatch(r"-{3,}", line)]
    for start, following in pairwise([*starts, len(lines) + 1]):
        yield lines[start - 1], lines[start + 1 : following - 1]


def parameters(node):
    """Return the names that a docstring's Parameters may have."""
    if isinstance(node, ast.ClassDef):
        fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        makers = [n for n in node.body if getattr(n, "name", "") == "__init__"]
        return fields.union(*map(parameters, makers))
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    stars = [("*", arguments.vararg), ("**", arguments.kwarg)]
    return {argument.arg for argument in named} | {
        star + argument.arg for star, argument in stars if argument
    }


def problems(node):
    """Yield what is wrong with the sections of a docstring."""
    known = parameters(node)
    for title, lines in sections(ast.get_docstring(node)):
        if title not in NAMED + TYPED:
            continue
        for line, below in pairwise([*lines, ""]):
            if not line or line.startswith(" "):
                continue
            if not below.startswith("    "):
                yield f"{title}: no description below {line!r}"
            entry = ENTRY.fullmatch(line)
            kind = entry[2] if entry and title in NAMED else line
            if title in NAMED and not (entry and (entry[2] or line.startswith("*"))):
                yield f"{title}: {line!r} is not 'name : type'"
            if kind and (PROSE.search(kind) or len(kind) > LONGEST):
                yield f"{title}: {kind!r} is a description, not a type"
            if title == "Parameters" and entry:
                unknown = set(entry[1].split(", ")) - known
                yield from (f"{title}: {name} is not a parameter" for name in unknown)


@pytest.mark.parametrize(
    "package", sorted({path.relative_to(SOURCE).parts[:-1] for path in SOURCE.rglob("*.py")}),
    ids="/".join,
)  # fmt: skip
def test_the_sections_are_those_of_numpydoc(package):
    wrong = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}: {problem}"
        for path in sorted(SOURCE.joinpath(*package).glob("*.py"))
        for node in documented(path)
        for problem in problems(node)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("Parameters\n----------\nx : what is wrong", "no description below"),
        ("Parameters\n----------\nx : what it is, in\n    two lines", "is a description"),
        ("Parameters\n----------\nx : int\n    Fine.\n\nMore about it.", "is not 'name : type'"),
        ("Parameters\n----------\nx\n    Without a type.", "is not 'name : type'"),
        ("Parameters\n----------\nz : int\n    Unknown.", "z is not a parameter"),
        ("Returns\n-------\n(m,) array", "no description below"),
        ("Yields\n------\nThe number of rows.", "is a description"),
        ("Parameters\n----------\nx, y : int\n    Fine.\n**more\n    Fine, too.", None),
        ("Returns\n-------\n(m, k) array\n    Fine.\n\nNotes\n-----\nThe rest is prose.", None),
    ],
)
def test_a_wrong_section_is_reported(section, problem):
    text = "\n    ".join(section.splitlines())
    (node,) = ast.parse(f'def f(x, y, **more):\n    """Do it.\n\n    {text}\n    """').body
    reported = list(problems(node))
    assert any(problem in message for message in reported) if problem else not reported, reported
