"""What a configuration asks for: the files of a run, and the task of each job.

The workflow's rules take inputs and parameters from a `Plan` and paths from its `Layout`, so that a
rule says what depends on what and nothing else. Tasks are plain data: Snakemake reruns a job when
its task changes, and a task holds the hash of the code that its result depends on.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import epochbandits.report
from epochbandits.config.models import Config
from epochbandits.figures.registry import FIGURES, FORMATS, spec_of
from epochbandits.pipeline.layout import Layout
from epochbandits.pipeline.policy_hash import policy_hash
from epochbandits.pipeline.shards import Grid
from epochbandits.planning.captions import caption
from epochbandits.planning.task import task
from epochbandits.policies import POLICIES
from epochbandits.provenance.code_hash import code_hash, digest, file_digest

__all__ = ["Plan"]

THEORY = ("bounds", "eigenvalues", "inequalities")
"""The tables that the theory alone gives: keys of the configuration, folders, and modules."""


class Plan:
    """The files and tasks of a configuration."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.layout = Layout(config.run)
        # Rules ask for these once for each of thousands of jobs, and Snakemake twice for a task.
        self.block = cache(self._block)
        self.code_hash = cache(code_hash)
        self.figure = cache(self._figure)
        self.policy_hash = cache(self._policy_hash)
        self.shards = cache(self._shards)
        self.simulation = cache(self._simulation)

    # --- files and blocks -------------------------------------------------------------------------

    @property
    def tables(self) -> list[str]:
        """All tables of a run but its shards."""
        layout, config = self.layout, self.config
        return [
            *(path(name) for name in config.experiments for path in (layout.curves, layout.finals)),
            *(layout.theory(kind, name) for kind in THEORY for name in getattr(config, kind)),
        ]

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

    def instance_folders(self, kind: str, name: str) -> list[str]:
        """Return the folders of the instances that a block of the configuration names."""
        names = getattr(self.config, kind)[name].instances
        return [self.layout.instances(n) for n in ([names] if isinstance(names, str) else names)]

    def _block(self, kind: str, name: str) -> dict[str, Any]:
        """Return a block of the configuration as plain data, without the size of its jobs.

        The size of jobs is a matter of scheduling: no result depends on it.
        """
        block: dict[str, Any] = getattr(self.config, kind)[name].model_dump(
            mode="json", by_alias=True
        )
        block.pop("seeds_per_job", None)
        return block

    # --- simulations ------------------------------------------------------------------------------

    def bundles(self, experiment: str) -> dict[str, list[str]]:
        """Return the policies that share jobs in an experiment, by the name of the first."""
        policies, size = self.config.experiments[experiment].policies, self.config.policies_per_job
        return {policies[i]: policies[i : i + size] for i in range(0, len(policies), size)}

    def _shards(self, experiment: str, policy: str | None = None) -> dict[str, dict[str, Any]]:
        """Return the shards of an experiment, or those with a policy.

        Each comes with the metadata that it must have to be used: its key and its seeds.
        """
        block = self.config.experiments[experiment]
        size = block.seeds_per_job or self.config.seeds_per_job
        return {
            self.layout.shard(experiment, bundle, first, stop): {
                "key": self.simulation(experiment, bundle)["metadata"]["key"],
                "seeds": [first, stop],
            }
            for bundle, policies in self.bundles(experiment).items()
            if policy is None or policy in policies
            for first in range(0, block.seeds, size)
            for stop in [min(first + size, block.seeds)]
        }

    def tuned_files(self, experiment: str, bundle: str) -> list[str]:
        """Return the files with the tuned values that a bundle's policies take."""
        source = self.config.experiments[experiment].tuned_on
        return [
            self.layout.tuned(source, policy)
            for policy in self.bundles(experiment)[bundle]
            if source is not None and self.config.policies[policy].tuned
        ]

    @task
    def _simulation(self, experiment: str, bundle: str) -> dict[str, Any]:
        """Return the grids of a bundle of policies, and the metadata of their shards."""
        policies = self.bundles(experiment)[bundle]
        return {
            "grids": self._grids(experiment, policies),
            "metadata": {
                "key": self._key(experiment, policies),
                "code": {policy: self.policy_hash(policy) for policy in policies},
                "root": self.config.root,
            },
        }

    def _key(self, experiment: str, policies: list[str]) -> str:
        """Return what a shard must agree with to be used: a hash of all that its runs depend on.

        A tuned value is not known yet. What it is chosen from, and the code that chooses, stand for
        it.
        """
        block = self.config.experiments[experiment]
        tuning = [
            [self._key(source, [policy]), self.config.experiments[source].seeds]
            for policy in policies
            if (source := block.tuned_on) is not None and self.config.policies[policy].tuned
        ]
        return digest(
            [
                self._grids(experiment, policies),
                {name: self.block("instances", name) for name in block.instances},
                {policy: self.policy_hash(policy) for policy in policies},
                [tuning, self.code_hash("epochbandits.pipeline.aggregation")] if tuning else [],
            ]
        )

    def _grids(self, experiment: str, policies: list[str]) -> dict[str, dict[str, Any]]:
        return {policy: vars(self.grid(experiment, policy)) for policy in policies}

    def grid(self, experiment: str, policy: str) -> Grid:
        """Return what a policy does in an experiment; a tuned parameter is swept to choose it."""
        block, entry = self.config.experiments[experiment], self.config.policies[policy]
        sweep = entry.sweep or ({} if block.tuned_on else entry.tuned)
        return Grid(
            policy=self._implementation(policy),
            tau0=block.tau0,
            zeta=block.zeta,
            gammas=list(block.gammas),
            samplings=list(block.sampling),
            options={
                "params": dict(entry.params),
                "epochs": block.epochs,
                "pair": block.paired,
                "schedule": entry.schedule or block.schedule,
                "experiment": experiment,
                "root": self.config.root,
            },
            sweep=next(iter(sweep.items()), None),
        )

    def _implementation(self, policy: str) -> str:
        entry = self.config.policies[policy]
        return entry.code or entry.policy or policy

    @property
    def builtin_policies(self) -> list[str]:
        """The compiled policies that the experiments run."""
        used = {policy for block in self.config.experiments.values() for policy in block.policies}
        return sorted(POLICIES.keys() & {self._implementation(policy) for policy in used})

    def _policy_hash(self, policy: str) -> str:
        """Return the hash of the code that a policy's runs depend on."""
        return policy_hash(self._implementation(policy))

    # --- tasks of the other jobs ------------------------------------------------------------------

    @task
    def aggregation(self, experiment: str) -> dict[str, Any]:
        """Return the task of `pipeline.aggregation.aggregate_experiment`."""
        block = self.config.experiments[experiment]
        blocks = {
            "experiments": [experiment],
            "instances": block.instances,
            "policies": block.policies,
        }
        return {
            "shards": self.shards(experiment),
            "points": block.points,
            "metadata": {
                "experiment": experiment,
                "runs": {policy: self.policy_hash(policy) for policy in block.policies},
                **self._metadata(blocks, "pipeline.aggregation"),
            },
        }

    @task
    def tuning(self, experiment: str, policy: str) -> dict[str, Any]:
        """Return the task of `pipeline.aggregation.choose_tuned`."""
        return {
            "shards": self.shards(experiment, policy),
            "policy": policy,
            "parameter": next(iter(self.config.policies[policy].tuned)),
            "metadata": self._metadata({"experiments": [experiment]}, "pipeline.aggregation"),
        }

    @task
    def instance_set(self, name: str) -> dict[str, Any]:
        """Return the task of `pipeline.instance_sets.write_set`."""
        return self._table("instances", name, "pipeline.instance_sets")

    @task
    def theory(self, kind: str, name: str) -> dict[str, Any]:
        """Return the task of a table of the theory."""
        return self._table(kind, name, f"pipeline.{kind}")

    def _table(self, kind: str, name: str, module: str) -> dict[str, Any]:
        return {
            "block": self.block(kind, name),
            "metadata": self._metadata({kind: [name]}, module),
        }

    def _metadata(self, blocks: dict[str, list[str]], *modules: str) -> dict[str, Any]:
        """Return the origin of a result: blocks of the configuration, root seed and code."""
        configuration = {
            kind: {name: self.block(kind, name) for name in names} for kind, names in blocks.items()
        }
        return {
            "configuration": {"run": self.config.run, **configuration},
            "root": self.config.root,
            "code": self.code_hash(*(f"epochbandits.{module}" for module in modules)),
        }

    # --- figures, claims, page --------------------------------------------------------------------

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

    @task
    def _figure(self, figure: str, captions: str) -> dict[str, Any]:
        """Return the task of `figures.render.draw_figure`; ``captions`` has the templates."""
        spec, names = spec_of(figure), self.config.figures[figure].source
        blocks = {spec.kind: names, "figures": [figure]}
        sources = [self.block(spec.kind, name) for name in names]
        sets = {name: self.block("instances", name) for name in self.config.instances}
        settings = self._figure_settings(figure)
        return {
            "figure": figure,
            "settings": settings,
            "metadata": {
                "settings": settings,
                "caption": caption(figure, captions, sources, sets, self.config),
                **self._metadata(blocks, "figures.render", f"figures.{spec.module}"),
            },
            "stamp": self.config.stamp,
        }

    def _figure_settings(self, figure: str) -> dict[str, Any]:
        """Return what a figure takes from the configuration (`figures.registry.Settings`)."""
        kind, block = spec_of(figure).kind, self.config.figures[figure]
        policies: list[str] = []
        sets: list[str] = []
        if kind == "experiments":
            experiments = [self.config.experiments[name] for name in block.source]
            policies = block.policies or [p for one in experiments for p in one.policies]
            sets = [name for one in experiments for name in one.instances]
        labels = {name: self.config.policies[name].label or name for name in policies}
        return {
            "policies": list(labels),
            "labels": labels,
            "sets": {name: self.block("instances", name) for name in sets},
            "late": self.config.claims.late,
            **({} if figure in FIGURES else {"swept": self._swept(policies)}),
        }

    def _swept(self, policies: list[str]) -> dict[str, str]:
        """Return the parameter that each policy sweeps, if any."""
        return {p: name for p in policies for name in self.config.policies[p].sweep}

    @property
    @task
    def ledger(self) -> dict[str, Any]:
        """The task of `claims.assess.write_claims`."""
        kinds = ("experiments", "instances", "bounds", "eigenvalues", "inequalities")
        blocks = {
            kind: {name: self.block(kind, name) for name in getattr(self.config, kind)}
            for kind in kinds
        }
        thresholds = {"claims": self.config.claims.model_dump(mode="json")}
        metadata = self._metadata({}, "claims.assess")
        return {
            "run": self.config.run,
            "config": {**thresholds, **blocks},
            "metadata": {
                "run": self.config.run,
                **metadata,
                "configuration": {**metadata["configuration"], **thresholds},
            },
        }

    @property
    @task
    def page(self) -> dict[str, Any]:
        """The task of `report.write_page`."""
        assets = Path(epochbandits.report.__file__).parent / "assets"
        return {
            "figures": list(self.config.figures),
            "code": digest([self.code_hash("epochbandits.report"), file_digest(assets)]),
        }
