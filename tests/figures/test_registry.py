"""The list of figures agrees with the modules that draw them, the captions and the paper run."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import yaml

from epochbandits import figures
from epochbandits.figures.registry import FIGURES, SPECS, registered

ROOT = Path(__file__).parents[2]
MODULES = [path.stem for path in Path(figures.__file__).parent.glob("[!_]*.py")]


def test_what_is_read_from_the_sources_is_what_importing_registers() -> None:
    for module in MODULES:
        importlib.import_module(f"epochbandits.figures.{module}")
    assert {name: drawing.spec for name, drawing in registered.items()} == dict(SPECS)
    assert all(drawing.draw.__name__ == name for name, drawing in registered.items())


def test_ids_are_captions_and_keys() -> None:
    paper = yaml.safe_load((ROOT / "config" / "paper.yaml").read_text(encoding="utf-8"))
    assert set(FIGURES) == set(paper["figures"])
    captions = (ROOT / "workflow" / "report").glob("*[0-9]*_*.rst")
    assert set(SPECS) == {path.stem for path in captions}


def test_the_papers_figures_come_first_and_findings_last_by_id() -> None:
    names = list(FIGURES)
    findings = [name for name in names if name.startswith("finding")]
    assert names == sorted(set(names) - set(findings)) + sorted(findings)


def test_the_list_needs_no_plotting_library() -> None:
    """The workflow reads it at every start."""
    code = (
        "import sys, epochbandits.figures.registry as r; assert r.FIGURES;"
        "print({'pandas', 'matplotlib', 'seaborn'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "set()", result
