"""The public names of the package: they are there, they start fast, and their examples run."""

import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from hatchling.builders.wheel import WheelBuilder

import epochbandits
from epochbandits.engine import stepping
from epochbandits.engine.simulation import TraceName
from epochbandits.model import generators, problems, restless
from epochbandits.model.moments import Sampling
from epochbandits.theory.greedy import Form
from epochbandits.theory.penalty import Variant

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "epochbandits"
WITH_EXAMPLES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", epochbandits.__all__)
def test_a_public_name_resolves_and_is_listed(name):
    assert getattr(epochbandits, name) is not None
    assert name in dir(epochbandits)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'epochbandits' has no attribute 'simluate'"):
        epochbandits.simluate  # noqa: B018


# What the package, and each kind of job, must not import: a run starts a hundred jobs.
LIGHT = {
    "epochbandits": "numpy scipy numba pandas matplotlib pyarrow",
    "epochbandits.pipeline.instance_sets": "scipy numba pandas matplotlib pyarrow pydantic",
    "epochbandits.pipeline.shards": "pandas matplotlib pydantic jinja2 pyarrow.compute scipy.stats",
    "epochbandits.pipeline.aggregation": "numba pandas matplotlib pydantic scipy",
    "epochbandits.figures.fig4_fig5_fig6_regret": (
        "numba seaborn pydantic scipy.stats scipy.optimize"
    ),
}


@pytest.mark.parametrize("module", LIGHT)
def test_importing_starts_no_library_that_is_not_needed(module):
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & set(LIGHT[module].split()) == set()


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_the_docstrings_run(name):
    module = importlib.import_module(f"epochbandits.{name}")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted
    assert not result.failed


def test_the_example_in_the_documentation_runs():
    usage = (ROOT / "docs/usage.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", usage, flags=re.S)
    scope = {}
    exec(example, scope)
    assert len(scope["table"]) == 4 * len(scope["table"]["epoch"].unique())
    missing = set(epochbandits.__all__) - {"__version__"} - set(re.findall(r"`(\w+)`", usage))
    assert not missing, "public names that docs/usage.md does not mention"


def test_the_wheel_says_that_the_package_is_typed():
    files = {f.distribution_path for f in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert "epochbandits/py.typed" in files
    assert "epochbandits/report/assets/page.css" in files


def test_the_listed_names_are_the_public_ones():
    """What the package imports for itself is not offered: Any, import_module, and such."""
    assert {name for name in dir(epochbandits) if not name.startswith("__")} == {
        name for name in epochbandits.__all__ if not name.startswith("__")
    }
    assert {"__all__", "__doc__", "__file__", "__version__"} <= set(dir(epochbandits))


# A literal type is written out, so that editors and type checkers know it; the registry is a table.
NAMES = {
    "classes": (generators.ClassName, generators.CLASSES),
    "problems": (problems.Problem, problems.PROBLEMS),
    "laws of restless arms": (restless.RewardName, restless.REWARDS),
    "engines": (stepping.EngineName, stepping.ENGINES),
}


@pytest.mark.parametrize("what", NAMES)
def test_a_literal_type_has_the_names_of_its_registry(what):
    literal, registry = NAMES[what]
    assert get_args(literal) == tuple(registry)


@pytest.mark.parametrize(
    ("function", "parameter", "literal"),
    [
        (epochbandits.generate, "name", generators.ClassName),
        (epochbandits.simulate, "sampling", Sampling),
        (epochbandits.simulate, "engine", stepping.EngineName),
        (epochbandits.simulate, "trace", TraceName),
        (epochbandits.compare, "engine", stepping.EngineName),
        (epochbandits.environment, "engine", stepping.EngineName),
        (epochbandits.theory.summary, "variant", Variant),
        (epochbandits.theory.greedy.regret_bound, "form", Form),
        (epochbandits.policies.POLICIES["epoch-ucb"].build, "variant", Variant),
        (restless.restless, "law", restless.RewardName),
    ],
)
def test_an_option_with_fixed_values_has_a_literal_type(function, parameter, literal):
    annotation = inspect.signature(function).parameters[parameter].annotation
    assert eval(annotation, function.__globals__) == literal
