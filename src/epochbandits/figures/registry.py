"""The figures by id, and the decorator that declares one.

A figure is declared where it is drawn::

    @figure("Fig. 4b", kind="experiments", table=regret_curves)
    def fig4b_greedy_decay(data: pd.DataFrame) -> Figure: ...

The function's name is the figure's id: the name of its caption in `workflow/report/`, of its files
and of its key in the configuration. ``table`` makes the plotted table, the function draws it.

Checking a configuration needs the ids but no plotting library, and importing one takes seconds. So
`SPECS` is parsed from the source of the modules beside this one, and the decorator's arguments,
except ``table``, must be literals. The paper run draws `FIGURES`, the studies draw `STUDIES`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from epochbandits.io.schemas import REGRET_FIGURE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    MakeTable = Callable[["Inputs", "Settings"], pd.DataFrame]
    Draw = Callable[[pd.DataFrame], Figure]


class Inputs(NamedTuple):
    """Files that a figure is made from, by kind."""

    instances: Sequence[str] = ()
    """Folders of instance sets."""
    curves: Sequence[str] = ()
    """One for each experiment, in the order of the sources, as are the finals."""
    finals: Sequence[str] = ()
    bounds: Sequence[str] = ()
    eigenvalues: Sequence[str] = ()
    inequalities: Sequence[str] = ()


@dataclass(frozen=True)
class Settings:
    """What a figure takes from the configuration."""

    policies: Sequence[str]
    """Policies to show, in this order."""
    labels: Mapping[str, str]
    """Name of each policy in the figure."""
    sets: Mapping[str, Mapping[str, Any]]
    """Blocks of the instance sets of the experiments behind the figure."""
    late: float
    """A run misses the best arm if the mean gap of its later plays, over Δ_min, exceeds this."""
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Blocks of the configuration that the figure is drawn from, in the order of the files."""
    swept: Mapping[str, str] = field(default_factory=dict)
    """Name of the parameter that a policy sweeps, for figures of any experiment."""
    at: int = 0
    """`Spec.at`."""


class Spec(NamedTuple):
    """What is known of a figure without importing the code that draws it."""

    paper: str
    """The paper's figure or section."""
    kind: str
    """The part of the configuration that its sources are in."""
    module: str
    """Module of `figures` that declares it."""
    sources: int | None = 1
    """How many sources it takes; None: any number."""
    unit: str = "reward"
    """Unit of the columns ``mean``, ``low`` and ``high`` of its plotted table."""
    instances: bool = False
    """Whether it also needs the instances of its experiments."""
    at: int = 0
    """Iterations after which it compares regret per iteration; 0: it does not."""


class Drawing(NamedTuple):
    """A declared figure: its spec and its two functions."""

    spec: Spec
    table: MakeTable
    draw: Draw


registered: dict[str, Drawing] = {}
"""The figures of the modules that have been imported."""


def figure(paper: str, *, kind: str, table: MakeTable, **more: Any) -> Callable[[Draw], Draw]:
    """Declare the decorated function as a figure; see `Spec` for the arguments."""

    def register(draw: Draw) -> Draw:
        module = draw.__module__.rpartition(".")[2]
        registered[draw.__name__] = Drawing(Spec(paper, kind, module, **more), table, draw)
        return draw

    return register


def _declared() -> dict[str, Spec]:
    """Return what the modules of this package declare: the paper's figures, findings, studies."""
    specs = {}
    for path in Path(__file__).parent.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "\n@figure(" not in source:
            continue
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            for call in function.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "figure":
                    arguments = {
                        str(word.arg): ast.literal_eval(word.value)
                        for word in call.keywords
                        if word.arg != "table"
                    }
                    paper = ast.literal_eval(call.args[0])
                    specs[function.name] = Spec(paper, module=path.stem, **arguments)
    return {name: specs[name] for name in sorted(specs, key=_order)}


def _order(name: str) -> tuple[bool, bool, list[str | int]]:
    parts = [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]
    return name.startswith("study"), name.startswith("finding"), parts


SPECS: Mapping[str, Spec] = _declared()
"""All figures by id."""
FIGURES = {name: spec for name, spec in SPECS.items() if not name.startswith("study")}
"""The figures of the paper run."""
STUDIES = {name: spec for name, spec in SPECS.items() if name.startswith("study")}
"""The figures of the studies, one each."""


def spec_of(figure: str) -> Spec:
    """Return what is known of a figure, registered or ``regret_<experiment>``."""
    if figure not in SPECS and figure.startswith(REGRET_FIGURE):
        return Spec("", "experiments", "fig4_fig5_fig6_regret")
    return SPECS[figure]
