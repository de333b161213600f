"""What a configuration asks for: the files of a run, and the task of each job.

The workflow's rules take inputs and parameters from a `Plan` and paths from its `Layout`, so that a
rule says what depends on what and nothing else. Each stage of the data has its own module; here are
the ledger and the page, which are made from the others' results.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import epochbandits.report
from epochbandits.config.models import Config
from epochbandits.pipeline.layout import FORMATS, STUDIES
from epochbandits.planning.figures import Figures
from epochbandits.planning.grids import Grids
from epochbandits.planning.instances import Instances
from epochbandits.planning.simulations import Simulations
from epochbandits.planning.tasks import Run, Task
from epochbandits.planning.theory import KINDS, Theory
from epochbandits.provenance.code_hash import digest, file_digest
from epochbandits.report.studies import published_digest


class Plan:
    """The files and tasks of a configuration."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.run = Run(config)
        self.layout = self.run.layout
        self.instances = Instances(self.run)
        self.grids = Grids(config, self.instances)
        self.simulations = Simulations(self.run, self.instances, self.grids)
        self.theory = Theory(self.run, self.instances)

    @cached_property  # not in __init__: a new plan is checked before any key is computed
    def figures(self) -> Figures:
        """The inputs and tasks of figures, which are drawn from results of the stages above."""
        return Figures(self.run, self._input_keys)

    @cached_property
    def origins(self) -> dict[str, dict[str, Any]]:
        """The metadata of all tables of a run except its shards, by path."""
        origins: dict[str, dict[str, Any]] = {}
        for name in self.config.experiments:
            metadata = self.simulations.aggregation(name)["metadata"]
            origins |= dict.fromkeys([self.layout.curves(name), self.layout.finals(name)], metadata)
        for kind in KINDS:
            for name in getattr(self.config, kind):
                origins[self.layout.theory(kind, name)] = self.theory.task(kind, name)["metadata"]
        return origins

    @cached_property
    def _input_keys(self) -> dict[str, str]:
        """The keys of everything that figures and ledger are made from."""
        tables = {path: metadata["key"] for path, metadata in self.origins.items()}
        return {**self.instances.keys(list(self.config.instances)), **tables}

    # --- requested files --------------------------------------------------------------------------

    @property
    def tables(self) -> list[str]:
        """All tables of a run except its shards."""
        return list(self.origins)

    @property
    def verdict_tables(self) -> list[str]:
        """The tables that the verdicts rest on: all but the curves."""
        curves = {self.layout.curves(name) for name in self.config.experiments}
        return [path for path in self.tables if path not in curves]

    @property
    def pictures(self) -> list[str]:
        """All pictures of a run."""
        picture = self.layout.figures.picture
        return [picture(name, extension) for name in self.config.figures for extension in FORMATS]

    def keys(self, captions: str) -> dict[str, str]:
        """Return the key that each result of the run must have, by its path."""
        keys = dict(self._input_keys)
        for experiment in self.config.experiments:
            keys |= self.simulations.shards(experiment)
            for bundle in self.simulations.bundles(experiment):
                keys |= self.simulations.tuned(experiment, bundle)
        keys |= self.figures.keys(captions)
        claims, page = self.layout.figures.claims, self.layout.figures.page
        return {**keys, claims: self.ledger.key, page: self.page(captions).key}

    # --- ledger and page --------------------------------------------------------------------------

    @property
    def ledger(self) -> Task:
        """The task of `claims.assess.write_claims`."""
        blocks = {
            kind: {name: self.run.block(kind, name) for name in getattr(self.config, kind)}
            for kind in ("experiments", "instances", *KINDS)
        }
        thresholds = {"claims": self.config.claims.model_dump(mode="json")}
        config = {**thresholds, **blocks}
        tables = {path: self._input_keys[path] for path in self.tables}
        sets = self.instances.keys(list(self.config.instances))
        dependencies = [self.config.run, config, list(tables.values()), list(sets.values())]
        metadata = self.run.metadata(dependencies, "claims.assess")
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
        code = digest([self.run.code_hash("epochbandits.report"), file_digest(assets)])
        folder = self.layout.figures
        inputs = {folder.claims: self.ledger.key} | {
            folder.sidecar(name): self.figures.task(name, captions).key
            for name in self.config.figures
        }
        # The studies' page shows its own run; any other page shows the published studies.
        of_studies = self.config.run == STUDIES
        studies = {} if of_studies else {"studies": published_digest()}
        return Task(
            figures=list(self.config.figures),
            code=code,
            narrow=not self.config.stamp,  # a trial run's page is not for phones
            key=digest([code, self.config.stamp, list(inputs.values()), studies]),
            inputs=inputs,
            of_studies=of_studies,
            **studies,
        )
