"""Each package imports only from those before it, and the tests mirror the packages."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "epochbandits"
# fmt: off
ORDER = [
    "interruption", "validation", "limits", "jit", "stats", "provenance", "io", "model", "theory",
    "policies", "engine", "gym", "config", "pipeline", "claims", "figures", "comparison", "report",
    "planning", "release", "cli",
]
# fmt: on
TOP = ("__init__", "__main__")  # the public names, and ``python -m epochbandits``
MODULES = sorted(
    path.relative_to(SOURCE)
    for path in SOURCE.rglob("*.py")
    if not (path.parent == SOURCE and path.stem in TOP)
)


def layer(path):
    return path.parts[0].removesuffix(".py")


def imported(text):
    """Return the first-level names that a module imports from the package."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {
                a.name.split(".")[1] for a in node.names if a.name.startswith("epochbandits.")
            }
        elif isinstance(node, ast.ImportFrom) and node.module == "epochbandits":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("epochbandits."):
            names.add(node.module.split(".")[1])
    return names - {"__version__"}


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_imports_only_from_packages_before_its_own(path):
    allowed = ORDER[: ORDER.index(layer(path)) + 1]
    assert imported((SOURCE / path).read_text(encoding="utf-8")) <= set(allowed)


def test_imports_are_relative_to_nothing():
    """An import with dots would not be seen by the test above, nor by the hash of the code."""
    for path in MODULES:
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level], path


def test_imports_are_read_wherever_they_stand():
    text = "def f():\n    from epochbandits.cli.main import main\nimport epochbandits.io.files\n"
    assert imported(text + "from epochbandits import limits, __version__") == {
        "cli",
        "io",
        "limits",
    }


def test_the_order_has_every_package():
    assert {layer(path) for path in MODULES} <= set(ORDER)


def test_the_documentation_shows_the_order():
    text = (ROOT / "docs/code.md").read_text(encoding="utf-8")
    rows = [line.split("`")[1].strip("/").removesuffix(".py")
            for line in text.splitlines() if line.startswith("| `")]  # fmt: skip
    shown = [name for name in rows if name in ORDER]
    assert shown == ORDER


def test_each_folder_of_tests_is_that_of_a_package():
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}
    assert folders <= {*ORDER, "workflow", "cluster", "data"}


def test_the_documentation_names_functions_that_exist():
    text = (ROOT / "docs/code.md").read_text(encoding="utf-8")
    pairs = re.findall(r"`(\w+)` in `(\w+/\w+\.py)`", text)
    assert len(pairs) == 3
    for name, file in pairs:
        tree = ast.parse((SOURCE / file).read_text(encoding="utf-8"))
        assert name in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}, name
