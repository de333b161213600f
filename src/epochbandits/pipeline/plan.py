"""What a configuration asks for: the files of a run, and the task of each job.

The workflow's rules take their inputs, outputs and parameters from a `Plan`, so that a rule says
what depends on what and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import jinja2

from epochbandits.config.models import Config, PolicyBlock
from epochbandits.figures.registry import FIGURES, FORMATS
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.policy_hash import policy_code
from epochbandits.pipeline.shards import Task
from epochbandits.provenance.code_hash import code_hash, digest, file_digest
from epochbandits.validation import InputError

__all__ = ["KeyedError", "Plan"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _kept(
    method: Callable[Concatenate[Plan, _P], _R],
) -> Callable[Concatenate[Plan, _P], _R]:
    """Keep what a method returned: rules ask for it once for each of thousands of jobs."""

    @wraps(method)
    def asked(self: Plan, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        question = (method.__name__, *args, *kwargs.items())
        if question not in self.answers:
            self.answers[question] = method(self, *args, **kwargs)
        found: _R = self.answers[question]
        return found

    return asked


class Plan:
    """The files and tasks of a configuration."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.data = f"data/{config.run}"
        self.figures = f"figures/{config.run}"
        self.answers: dict[tuple[object, ...], Any] = {}

    def check(self) -> None:
        """Refuse what only the library can tell: parameters, classes, files; before any job."""
        first = {}
        for name in self.config.instances:
            with _about(("instances", name)):
                first[name] = instance_sets.make(self.instance_set(name), first_only=True)[0]
        for name, block in self.config.experiments.items():
            for policy in block.policies:
                with _about(("policies", policy), f" (in experiments.{name})"):
                    task = self.task(name, policy, tuned=_first_tuned(self.config.policies[policy]))
                    for instances in block.instances:
                        for cell in task.cells:
                            task.simulation(first[instances], *cell)

    # --- files ------------------------------------------------------------------------------------

    def blocks(self, experiment: str) -> list[str]:
        """Return the blocks of an experiment's seeds, as "A-B" for A to B-1."""
        block = self.config.experiments[experiment]
        size = block.seeds_per_job or self.config.seeds_per_job
        return [f"{a}-{min(a + size, block.seeds)}" for a in range(0, block.seeds, size)]

    def bundles(self, experiment: str) -> list[str]:
        """Return the policies of an experiment, joined with + as they share jobs."""
        policies, size = self.config.experiments[experiment].policies, self.config.policies_per_job
        return ["+".join(policies[i : i + size]) for i in range(0, len(policies), size)]

    @_kept
    def shards(self, experiment: str, policy: str | None = None) -> dict[str, dict[str, Any]]:
        """Return the shards of an experiment, or of those with a policy.

        Each comes with what it must say of itself to be used: its key and its seeds.
        """
        folder = f"{self.data}/shards/{experiment}"
        return {
            f"{folder}/{bundle}/{block}.parquet": {
                "key": self.key(experiment, bundle),
                "seeds": [int(end) for end in block.split("-")],
            }
            for bundle in self.bundles(experiment)
            if policy is None or policy in bundle.split("+")
            for block in self.blocks(experiment)
        }

    @_kept
    def instance_folders(self, experiment: str) -> list[str]:
        return [self.instances(name) for name in self.config.experiments[experiment].instances]

    def inequality_folders(self, name: str) -> list[str]:
        return [self.instances(one) for one in self.config.inequalities[name].instances]

    def instances(self, name: str) -> str:
        return f"{self.data}/instances/{name}"

    @_kept
    def instance_set(self, name: str) -> dict[str, Any]:
        """Return a set of instances as plain data, for `instance_sets.make`."""
        return self.config.instances[name].model_dump(mode="json", by_alias=True)

    @_kept
    def tuned(self, experiment: str, bundle: str) -> list[str]:
        """Return the files with the tuned values that some policies take in an experiment."""
        source = self.config.experiments[experiment].tuned_on
        return [
            f"{self.data}/tuned/{source}/{policy}.json"
            for policy in bundle.split("+")
            if source is not None and self.config.policies[policy].tuned
        ]

    def figure_inputs(self, figure: str) -> dict[str, list[str]]:
        """Return the tables, or folders of instances, of a figure, by the field of `Inputs`."""
        kind, names = FIGURES[figure].kind, self.config.figures[figure].source
        if kind == "instances":
            return {kind: [self.instances(name) for name in names]}
        if kind == "experiments":
            return {
                table: [f"{self.data}/aggregates/{name}/{table}.parquet" for name in names]
                for table in _AGGREGATES
            }
        return {kind: [f"{self.data}/{kind}/{name}.parquet" for name in names]}

    @property
    def figure_files(self) -> list[str]:
        """All pictures of a run."""
        return [f"{self.figures}/{name}.{end}" for name in self.config.figures for end in FORMATS]

    @property
    def claims(self) -> str:
        """The ledger of a run, which rests on all its tables."""
        return f"{self.figures}/claims.json"

    @property
    def claims_about(self) -> dict[str, Any]:
        """What the ledger says of itself."""
        settings = {"claims": self.config.claims.model_dump(mode="json")}
        return {"run": self.config.run, **self._about(settings, "claims.assess")}

    @property
    def page(self) -> str:
        """The page that shows a run."""
        return f"{self.figures}/index.html"

    @property
    def page_code(self) -> str:
        """Return the hash of what makes the page: code, template, style and script."""
        assets = Path(__file__).parents[1] / "report" / "assets"
        return digest([code_hash("epochbandits.report"), file_digest(assets)])

    @property
    def tables(self) -> list[str]:
        """All tables of a run."""
        names = self.config.experiments
        return [
            *(f"{self.data}/aggregates/{name}/{t}.parquet" for name in names for t in _AGGREGATES),
            *(f"{self.data}/bounds/{name}.parquet" for name in self.config.bounds),
            *(f"{self.data}/eigenvalues/{name}.parquet" for name in self.config.eigenvalues),
            *(f"{self.data}/inequalities/{name}.parquet" for name in self.config.inequalities),
        ]

    # --- jobs -------------------------------------------------------------------------------------

    @_kept
    def tasks(self, experiment: str, bundle: str) -> dict[str, dict[str, Any]]:
        """Return the tasks of some policies in an experiment, as plain data."""
        return {policy: self.task(experiment, policy)._asdict() for policy in bundle.split("+")}

    def task(self, experiment: str, policy: str, tuned: float | None = None) -> Task:
        """Return what a policy does in an experiment, with its tuned value if it takes one."""
        block, entry = self.config.experiments[experiment], self.config.policies[policy]
        params, sweep = dict(entry.params), next(iter(entry.sweep.items()), None)
        if entry.tuned:
            name, values = next(iter(entry.tuned.items()))
            if block.tuned_on is None:
                sweep = (name, values)
            elif tuned is not None:
                params[name] = tuned
        return Task(
            experiment=experiment,
            policy=entry.code or entry.policy or policy,
            params=params,
            sweep=sweep,
            epochs=block.epochs,
            tau0=block.tau0,
            zeta=block.zeta,
            gammas=list(block.gammas),
            samplings=list(block.sampling),
            paired=block.paired,
            root=self.config.root,
        )

    def tuned_parameter(self, policy: str) -> str:
        """Return the name of a policy's tuned parameter."""
        return next(iter(self.config.policies[policy].tuned))

    def aggregation(self, experiment: str) -> dict[str, Any]:
        """Return what `aggregation.aggregate_experiment` needs besides files to read and write."""
        block = self.config.experiments[experiment]
        settings = self.block("experiments", experiment)
        return {
            "shards": self.shards(experiment),
            "points": block.points,
            "about": {
                "experiment": experiment,
                "runs": self.codes("+".join(block.policies)),
                **self._about(
                    {
                        "experiments": {experiment: settings},
                        "instances": {name: self.instance_set(name) for name in block.instances},
                        "policies": {name: self.block("policies", name) for name in block.policies},
                    },
                    "aggregation",
                ),
            },
        }

    def about(self, kind: str, name: str, module: str) -> dict[str, Any]:
        """Return what the result of a block says of itself: configuration, root seed and code."""
        return self._about({kind: {name: self.block(kind, name)}}, module)

    def _about(self, configuration: dict[str, Any], module: str) -> dict[str, Any]:
        return {
            "configuration": {"run": self.config.run, **configuration},
            "root": self.config.root,
            "code": code_hash(f"epochbandits.{module}"),
        }

    def figure_settings(self, figure: str) -> dict[str, Any]:
        """Return what a figure takes from the configuration: the fields of `Settings`."""
        kind, block = FIGURES[figure].kind, self.config.figures[figure]
        policies: list[str] = block.policies or []
        if kind == "experiments" and not policies:
            policies = [p for name in block.source for p in self.config.experiments[name].policies]
        labels = {name: self.config.policies[name].label or name for name in policies}
        names: list[str] = []
        for source in block.source:
            sets = (
                [source] if kind == "instances" else self.block(kind, source).get("instances", [])
            )
            names += [sets] if isinstance(sets, str) else sets
        return {
            "policies": list(labels),
            "labels": labels,
            "sets": {name: self.instance_set(name) for name in names},
            "late": self.config.claims.late,
        }

    def figure_about(self, figure: str, captions: str) -> dict[str, Any]:
        """Return what a figure's sidecar says of it; ``captions`` is the folder of templates."""
        kind, names = FIGURES[figure].kind, self.config.figures[figure].source
        blocks = {name: self.block(kind, name) for name in names}
        return {
            "caption": self.caption(figure, captions),
            "configuration": {
                "run": self.config.run,
                "root": self.config.root,
                "figure": self.block("figures", figure),
                kind: blocks,
            },
            "root": self.config.root,
            "code": self.figure_code(figure),
        }

    def caption(self, figure: str, captions: str) -> str:
        """Return a figure's caption: a template that reads the configuration."""
        loader = jinja2.FileSystemLoader(captions)
        environment = jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined)
        template = environment.get_template(f"{figure}.rst")
        sources = [
            self.block(FIGURES[figure].kind, name) for name in self.config.figures[figure].source
        ]
        sets = {name: self.instance_set(name) for name in self.config.instances}
        return " ".join(template.render(sources=sources, sets=sets, config=self.config).split())

    def figure_code(self, figure: str) -> str:
        """Return the hash of the code that a figure depends on."""
        module = f"epochbandits.figures.{FIGURES[figure].module}"
        return code_hash("epochbandits.figures.render", module)

    def block(self, kind: str, name: str) -> dict[str, Any]:
        """Return a block of the configuration as plain data, but the size of its jobs.

        That is a matter of scheduling, on which no result depends.
        """
        found: dict[str, Any] = getattr(self.config, kind)[name].model_dump(
            mode="json", by_alias=True
        )
        found.pop("seeds_per_job", None)
        return found

    def code(self, policy: str) -> str:
        """Return the hash of the code that a policy's runs depend on."""
        entry = self.config.policies[policy]
        return policy_code(entry.code or entry.policy or policy)

    @_kept
    def key(self, experiment: str, bundle: str) -> str:
        """Return what a shard must agree with to be used: a hash of tasks, code and instances.

        A tuned value is not yet known; what it is chosen by stands for it.
        """
        block = self.config.experiments[experiment]
        sets = {name: self.instance_set(name) for name in block.instances}
        choices = [
            [self.key(source, policy), self.config.experiments[source].seeds]
            for policy in bundle.split("+")
            if (source := block.tuned_on) is not None and self.config.policies[policy].tuned
        ]
        if choices:
            choices.append([code_hash("epochbandits.pipeline.aggregation")])
        return digest([self.tasks(experiment, bundle), sets, self.codes(bundle), choices])

    @_kept
    def codes(self, bundle: str) -> dict[str, str]:
        """Return the hash of the code behind the runs of each of some policies."""
        return {policy: self.code(policy) for policy in bundle.split("+")}


_AGGREGATES = ("curves", "finals")


def _first_tuned(entry: PolicyBlock) -> float | None:
    return next(iter(entry.tuned.values()))[0] if entry.tuned else None


class KeyedError(InputError):
    """Input that is refused, with the path of its key in the configuration."""

    def __init__(self, path: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.path = path


@contextmanager
def _about(path: tuple[str, ...], more: str = "") -> Iterator[None]:
    """Say which key of the configuration it is that is refused."""
    try:
        yield
    except InputError as error:
        raise KeyedError(path, f"{'.'.join(path)}{more}: {error}") from None
