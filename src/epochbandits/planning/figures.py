"""The figures of a run, and their captions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import jinja2

from epochbandits.figures.registry import SPECS, spec_of
from epochbandits.pipeline.layout import FORMATS
from epochbandits.planning.tasks import Run, Task


class Figures:
    """The inputs and tasks of figures, and the keys of their files."""

    def __init__(self, run: Run, input_keys: Mapping[str, str]) -> None:
        self._run, self._input_keys = run, input_keys
        self._config, self._layout = run.config, run.layout

    def inputs(self, figure: str) -> dict[str, list[str]]:
        """Return the tables, or folders of instances, that a figure is drawn from, by kind."""
        spec, sources = spec_of(figure), self._config.figures[figure].source
        if spec.kind == "instances":
            return {"instances": [self._layout.instances(name) for name in sources]}
        if spec.kind != "experiments":
            return {spec.kind: [self._layout.theory(spec.kind, name) for name in sources]}
        inputs = {
            "curves": [self._layout.curves(name) for name in sources],
            "finals": [self._layout.finals(name) for name in sources],
        }
        if spec.instances:
            inputs["instances"] = [self._layout.instances(name) for name in self._sets(sources)]
        return inputs

    def _sets(self, experiments: list[str]) -> list[str]:
        """Return the sets of instances of some experiments."""
        sets = (name for e in experiments for name in self._config.experiments[e].instances)
        return list(dict.fromkeys(sets))

    @cache  # noqa: B019
    def task(self, figure: str, captions: str) -> Task:
        """Return the task of `figures.render.draw_figure`; ``captions`` has the templates."""
        spec, names = spec_of(figure), self._config.figures[figure].source
        sources = {name: self._run.block(spec.kind, name) for name in names}
        settings, stamp = self._settings(figure), self._config.stamp
        caption = self._caption(figure, captions, list(sources.values()))
        inputs = {
            kind: {path: self._input_keys[path] for path in paths}
            for kind, paths in self.inputs(figure).items()
        }
        keys = [list(group.values()) for group in inputs.values()]
        dependencies = [figure, settings, caption, stamp, keys]
        modules, blocks = ("figures.render", f"figures.{spec.module}"), {spec.kind: names}
        metadata = self._run.metadata(dependencies, *modules, **blocks, figures=[figure])
        return Task(
            figure=figure,
            settings={**settings, "sources": sources, "at": spec.at},
            # without the sources, which are in its configuration, and what the code says
            metadata={"settings": settings, "caption": caption, **metadata},
            stamp=stamp,
            inputs=inputs,
        )

    def _settings(self, figure: str) -> dict[str, Any]:
        """Return what a figure takes from the configuration beside its sources (`Settings`)."""
        block, entries = self._config.figures[figure], self._config.policies
        names = block.source if spec_of(figure).kind == "experiments" else []
        experiments = [self._config.experiments[name] for name in names]
        policies = block.policies or [p for experiment in experiments for p in experiment.policies]
        labels = {name: entries[name].label or name for name in policies}
        swept = {policy: name for policy in policies for name in entries[policy].sweep}
        return {
            "policies": list(labels),
            "labels": labels,
            "sets": {name: self._run.block("instances", name) for name in self._sets(names)},
            "late": self._config.claims.late,
            **({} if figure in SPECS else {"swept": swept}),
        }

    def _caption(self, figure: str, folder: str, sources: list[dict[str, Any]]) -> str:
        """Return a figure's caption on one line, from ``<figure>.rst`` or ``regret.rst``."""
        name = figure if figure in SPECS else "regret"
        template = _templates(folder).get_template(f"{name}.rst")
        sets = {name: self._run.block("instances", name) for name in self._config.instances}
        text = template.render(
            sources=sources, sets=sets, config=self._config, at=spec_of(figure).at
        )
        return " ".join(text.split())

    def keys(self, captions: str) -> dict[str, str]:
        """Return all files of all figures, with their keys."""
        folder, keys = self._layout.figures, dict[str, str]()
        for name in self._config.figures:
            pictures = [folder.picture(name, end) for end in FORMATS]
            files = [*pictures, folder.plotted(name), folder.sidecar(name)]
            keys |= dict.fromkeys(files, self.task(name, captions).key)
        return keys


@cache  # so that a template that others import is compiled once
def _templates(folder: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined
    )
