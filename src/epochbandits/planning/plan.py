"""What a configuration asks for: the files of a run, and the task of each job.

The workflow's rules take inputs and parameters from a `Plan` and paths from its `Layout`, so that a
rule says what depends on what and nothing else. `TablePlan` has the tables; here are the figures,
the ledger and the page, which are made from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

import epochbandits.report
from epochbandits.config.models import Config
from epochbandits.figures.registry import SPECS, spec_of
from epochbandits.pipeline.layout import FORMATS, STUDIES
from epochbandits.planning.tables import TablePlan, Task
from epochbandits.provenance.code_hash import digest, file_digest
from epochbandits.report.studies import published_digest


class Plan(TablePlan):
    """The files and tasks of a configuration."""

    @property
    def pictures(self) -> list[str]:
        """All pictures of a run."""
        return [
            self.layout.figures.picture(name, f) for name in self.config.figures for f in FORMATS
        ]

    @property
    def figure_blocks(self) -> dict[str, Any]:
        """The figures of the configuration as plain data."""
        return {name: block.model_dump() for name, block in self.config.figures.items()}

    @property
    def sidecars(self) -> list[str]:
        """The sidecars of all figures."""
        return [self.layout.figures.sidecar(name) for name in self.config.figures]

    @property
    def plotted(self) -> list[str]:
        """The plotted tables of all figures."""
        return [self.layout.figures.plotted(name) for name in self.config.figures]

    def figure_inputs(self, figure: str) -> dict[str, list[str]]:
        """Return the tables, or folders of instances, that a figure is drawn from, by kind."""
        kind, sources = spec_of(figure).kind, self.config.figures[figure].source
        if kind == "experiments":
            return {
                "curves": [self.layout.curves(name) for name in sources],
                "finals": [self.layout.finals(name) for name in sources],
            }
        if kind == "instances":
            return {kind: [self.layout.instances(name) for name in sources]}
        return {kind: [self.layout.theory(kind, name) for name in sources]}

    @cache  # noqa: B019
    def figure(self, figure: str, captions: str) -> Task:
        """Return the task of `figures.render.draw_figure`; ``captions`` has the templates."""
        spec, names = spec_of(figure), self.config.figures[figure].source
        blocks = {spec.kind: names, "figures": [figure]}
        sources = {name: self.block(spec.kind, name) for name in names}
        sets = {name: self.block("instances", name) for name in self.config.instances}
        settings, stamp = self._figure_settings(figure), self.config.stamp
        text = _caption(figure, captions, list(sources.values()), sets, self.config)
        inputs = {
            kind: {path: self._input_keys[path] for path in paths}
            for kind, paths in self.figure_inputs(figure).items()
        }
        modules = ("figures.render", f"figures.{spec.module}")
        dependencies = [
            figure,
            settings,
            text,
            stamp,
            [list(group.values()) for group in inputs.values()],
        ]
        metadata = self._metadata(blocks, *modules, dependencies=dependencies)
        return Task(
            figure=figure,
            settings={**settings, "sources": sources},
            # without the sources: its configuration has them
            metadata={"settings": settings, "caption": text, **metadata},
            stamp=stamp,
            inputs=inputs,
        )

    def _figure_settings(self, figure: str) -> dict[str, Any]:
        """Return what a figure takes from the configuration beside its sources (`Settings`)."""
        block = self.config.figures[figure]
        names = block.source if spec_of(figure).kind == "experiments" else []
        experiments = [self.config.experiments[name] for name in names]
        policies = block.policies or [p for one in experiments for p in one.policies]
        sets = [name for one in experiments for name in one.instances]
        labels = {name: self.config.policies[name].label or name for name in policies}
        return {
            "policies": list(labels),
            "labels": labels,
            "sets": {name: self.block("instances", name) for name in sets},
            "late": self.config.claims.late,
            **({} if figure in SPECS else {"swept": self._swept(policies)}),
        }

    def _swept(self, policies: list[str]) -> dict[str, str]:
        """Return the parameter that each policy sweeps, if any."""
        return {p: name for p in policies for name in self.config.policies[p].sweep}

    @property
    def ledger(self) -> Task:
        """The task of `claims.assess.write_claims`."""
        kinds = ("experiments", "instances", "bounds", "eigenvalues", "inequalities")
        blocks = {
            kind: {name: self.block(kind, name) for name in getattr(self.config, kind)}
            for kind in kinds
        }
        thresholds = {"claims": self.config.claims.model_dump(mode="json")}
        config = {**thresholds, **blocks}
        tables = {path: self._input_keys[path] for path in self.tables}
        sets = self._set_keys(list(self.config.instances))
        dependencies = [self.config.run, config, list(tables.values()), list(sets.values())]
        metadata = self._metadata({}, "claims.assess", dependencies=dependencies)
        configuration = {**metadata["configuration"], **thresholds}
        return Task(
            run=self.config.run,
            config=config,
            metadata={"run": self.config.run, **metadata, "configuration": configuration},
            inputs=tables,
            sets=sets,
            studies=self.config.run == STUDIES,
        )

    def page(self, captions: str) -> Task:
        """Return the task of `report.write_page`."""
        assets = Path(epochbandits.report.__file__).parent / "assets"
        code = digest([self.code_hash("epochbandits.report"), file_digest(assets)])
        inputs = {
            self.layout.figures.claims: self.ledger["metadata"]["key"],
            **{
                self.layout.figures.sidecar(name): self.figure(name, captions)["metadata"]["key"]
                for name in self.config.figures
            },
        }
        # The studies' page shows its own run; any other page shows the published studies.
        of_studies = self.config.run == STUDIES
        studies = {} if of_studies else {"studies": published_digest()}
        return Task(
            figures=list(self.config.figures),
            code=code,
            stamp=self.config.stamp,
            key=digest([code, self.config.stamp, list(inputs.values()), studies]),
            inputs=inputs,
            of_studies=of_studies,
            **studies,
        )

    def keys(self, captions: str) -> dict[str, str]:
        """Return the key that each result of the run must have, by its path."""
        keys = dict(self._input_keys)
        for experiment in self.config.experiments:
            keys |= self.shards(experiment)
            for bundle in self.bundles(experiment):
                keys |= self.simulation(experiment, bundle)["inputs"]
        figures = self.layout.figures
        for name in self.config.figures:
            key = self.figure(name, captions)["metadata"]["key"]
            pictures = [figures.picture(name, end) for end in FORMATS]
            keys |= dict.fromkeys([*pictures, figures.plotted(name), figures.sidecar(name)], key)
        return {
            **keys,
            figures.claims: self.ledger["metadata"]["key"],
            figures.page: self.page(captions)["key"],
        }


def _caption(
    figure: str,
    folder: str,
    sources: Sequence[Mapping[str, Any]],
    sets: Mapping[str, Any],
    config: Config,
) -> str:
    """Return a figure's caption on one line.

    Parameters
    ----------
    folder : has the Jinja templates ``<figure>.rst``, and ``regret.rst`` for all others
    sources : blocks of the configuration that the figure is drawn from
    sets : blocks of the sets of instances, by name
    """
    name = figure if figure in SPECS else "regret"
    template = _templates(folder).get_template(f"{name}.rst")
    return " ".join(template.render(sources=sources, sets=sets, config=config).split())


@cache  # so that a template that others import is compiled once
def _templates(folder: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined
    )
