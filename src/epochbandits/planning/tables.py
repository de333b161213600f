"""The tables that a configuration needs, and the task of each job that writes one.

Tasks are plain data: Snakemake reruns a job when its task changes, and a task holds the hash of the
code that its result depends on. A task's metadata has the key of its result, and ``inputs`` the
keys that its inputs must have (`pipeline.results`).
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

from epochbandits.config.models import Config
from epochbandits.engine.pairing import PAIR
from epochbandits.engine.warmup import CompiledRun
from epochbandits.pipeline.layout import Layout
from epochbandits.pipeline.policy_hash import policy_hash
from epochbandits.pipeline.shards import Grid, shard_key
from epochbandits.policies.loading import resolve
from epochbandits.provenance.code_hash import code_hash, digest, file_digest

THEORY = ("bounds", "eigenvalues", "inequalities")
"""Tables computed from theory alone: keys of the configuration, folders, and modules."""


class Task(dict[str, Any]):
    """Plain data whose ``repr`` is a hash of each part.

    Snakemake reruns a job when the ``repr`` of its parameters changes, and prints both as the
    reason: with hashes that is one line, which shows what part has changed.
    """

    def __repr__(self) -> str:
        parts = {key: value for key, value in self.items() if key != "metadata"}
        metadata = self.get("metadata")
        parts |= metadata if isinstance(metadata, dict) else {}
        return " ".join(f"{key}:{digest(value)[:8]}" for key, value in sorted(parts.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)  # a script gets a plain mapping, and need not import this


class TablePlan:
    """The tables of a configuration, and the tasks that compute them.

    Rules ask for many of them in each of thousands of jobs, and Snakemake asks twice for a task. So
    they are cached; the caches keep a plan in memory as long as its process lives.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.layout = Layout(config.run)
        self.code_hash = cache(code_hash)  # for each plan: code may be edited between two plans

    # --- files and blocks -------------------------------------------------------------------------

    @cached_property
    def origins(self) -> dict[str, dict[str, Any]]:
        """The metadata of all tables of a run except its shards, by path."""
        origins: dict[str, dict[str, Any]] = {}
        for name in self.config.experiments:
            metadata = self.aggregation(name)["metadata"]
            origins |= dict.fromkeys([self.layout.curves(name), self.layout.finals(name)], metadata)
        for kind in THEORY:
            for name in getattr(self.config, kind):
                origins[self.layout.theory(kind, name)] = self.theory(kind, name)["metadata"]
        return origins

    @property
    def tables(self) -> list[str]:
        """All tables of a run except its shards."""
        return list(self.origins)

    @property
    def verdict_tables(self) -> list[str]:
        """The tables that the verdicts rest on: all but the curves."""
        curves = {self.layout.curves(name) for name in self.config.experiments}
        return [path for path in self.tables if path not in curves]

    def instance_folders(self, kind: str, name: str) -> list[str]:
        """Return the folders of the instances that a block of the configuration names."""
        names = getattr(self.config, kind)[name].instances
        return [self.layout.instances(n) for n in ([names] if isinstance(names, str) else names)]

    @cache  # noqa: B019
    def block(self, kind: str, name: str) -> dict[str, Any]:
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

    def seed_ranges(self, experiment: str) -> list[tuple[int, int]]:
        """Return the seeds of each job of a bundle: the first, and one past the last."""
        block = self.config.experiments[experiment]
        size = block.seeds_per_job or self.config.seeds_per_job
        return [(i, min(i + size, block.seeds)) for i in range(0, block.seeds, size)]

    @cache  # noqa: B019
    def shards(self, experiment: str, policy: str | None = None) -> dict[str, str]:
        """Return the shards of an experiment, or those with a policy, with their keys."""
        shards = {}
        for bundle, policies in self.bundles(experiment).items():
            if policy is None or policy in policies:
                key = self.simulation(experiment, bundle)["metadata"]["key"]
                for first, stop in self.seed_ranges(experiment):
                    path = self.layout.shard(experiment, bundle, first, stop)
                    shards[path] = shard_key(key, first, stop)
        return shards

    def tuned_files(self, experiment: str, bundle: str) -> list[str]:
        """Return the files with the tuned values that a bundle's policies take."""
        return list(self._tuned_keys(experiment, self.bundles(experiment)[bundle]))

    def _tuned_keys(self, experiment: str, policies: list[str]) -> dict[str, str]:
        """Return the files with the tuned values that policies take, with their keys."""
        source = self.config.experiments[experiment].tuned_on
        return {
            self.layout.tuned(source, policy): self.tuning(source, policy)["metadata"]["key"]
            for policy in policies
            if source is not None and self.config.policies[policy].tuned
        }

    @cache  # noqa: B019
    def simulation(self, experiment: str, bundle: str) -> Task:
        """Return the grids of a bundle of policies, and the metadata of their shards."""
        policies = self.bundles(experiment)[bundle]
        return Task(
            grids={policy: vars(self.grid(experiment, policy)) for policy in policies},
            metadata={
                "key": digest({policy: self._run_key(experiment, policy) for policy in policies}),
                "code": {policy: self.policy_hash(policy) for policy in policies},
                "root": self.config.root,
            },
            inputs={
                **self._set_keys(self.config.experiments[experiment].instances),
                **self._tuned_keys(experiment, policies),
            },
        )

    def _run_key(self, experiment: str, policy: str) -> str:
        """Return a hash of all that a policy's runs depend on, whatever jobs run them.

        A tuned value is not known yet, so the key of its file stands for it.
        """
        sets = self._set_keys(self.config.experiments[experiment].instances)
        return digest(
            [
                vars(self.grid(experiment, policy)),
                list(sets.values()),
                self.policy_hash(policy),
                list(self._tuned_keys(experiment, [policy]).values()),
            ]
        )

    def grid(self, experiment: str, policy: str) -> Grid:
        """Return what a policy does in an experiment; a parameter to be tuned is swept."""
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
        return entry.code or resolve(entry.policy or policy)

    @property
    def compiled_runs(self) -> list[CompiledRun]:
        """What the experiments need compiled: built-in policies, in epochs or each iteration."""
        runs = set()
        for experiment, block in self.config.experiments.items():
            for policy in block.policies:
                grid = self.grid(experiment, policy)
                if grid.paired:
                    runs.add(CompiledRun(PAIR, False))
                if grid.compiled:
                    runs.add(CompiledRun(grid.policy, grid.schedule.each_iteration))
        return sorted(runs)

    @cache  # noqa: B019
    def policy_hash(self, policy: str) -> str:
        """Return the hash of the code that a policy's runs depend on."""
        return policy_hash(self._implementation(policy))

    # --- tasks of the other jobs ------------------------------------------------------------------

    def aggregation(self, experiment: str) -> Task:
        """Return the task of `pipeline.aggregation.aggregate_experiment`."""
        block = self.config.experiments[experiment]
        blocks = {
            "experiments": [experiment],
            "instances": block.instances,
            "policies": block.policies,
        }
        dependencies = [self._run_key(experiment, policy) for policy in block.policies]
        return Task(
            shards=list(self.shards(experiment)),
            points=block.points,
            metadata={
                "experiment": experiment,
                "runs": {policy: self.policy_hash(policy) for policy in block.policies},
                **self._metadata(blocks, "pipeline.aggregation", dependencies=dependencies),
            },
            inputs={**self.shards(experiment), **self._set_keys(block.instances)},
        )

    @cache  # noqa: B019
    def tuning(self, experiment: str, policy: str) -> Task:
        """Return the task of `pipeline.aggregation.choose_tuned`."""
        shards = self.shards(experiment, policy)
        dependencies = [policy, self._run_key(experiment, policy)]
        return Task(
            shards=list(shards),
            policy=policy,
            parameter=next(iter(self.config.policies[policy].tuned)),
            metadata=self._metadata(
                {"experiments": [experiment]}, "pipeline.aggregation", dependencies=dependencies
            ),
            inputs={**shards, **self._set_keys(self.config.experiments[experiment].instances)},
        )

    @cache  # noqa: B019
    def instance_set(self, name: str) -> Task:
        """Return the task of `pipeline.instance_sets.write_set`."""
        block = self.block("instances", name)
        contents = {path: file_digest(path) for path in block.get("files", ())}
        metadata = self._metadata(
            {"instances": [name]}, "pipeline.instance_sets", dependencies=list(contents.values())
        )
        return Task(block=block, metadata=metadata | ({"sources": contents} if contents else {}))

    def _set_keys(self, names: list[str]) -> dict[str, str]:
        """Return the folders of sets of instances, with their keys."""
        return {
            self.layout.instances(name): self.instance_set(name)["metadata"]["key"]
            for name in names
        }

    def theory(self, kind: str, name: str) -> Task:
        """Return the task of a table of the theory."""
        task = Task(block=self.block(kind, name))
        if kind != "eigenvalues":
            names = task["block"]["instances"]
            task["inputs"] = self._set_keys([names] if isinstance(names, str) else names)
        dependencies = list(task.get("inputs", {}).values())
        task["metadata"] = self._metadata(
            {kind: [name]}, f"pipeline.{kind}", dependencies=dependencies
        )
        return task

    def _metadata(
        self, blocks: dict[str, list[str]], *modules: str, dependencies: Any = None
    ) -> dict[str, Any]:
        """Return the origin of a result: blocks of the configuration, root seed, code, and key.

        The key is a hash of these and of other ``dependencies``, such as the keys of its inputs.
        The name of the run is not part of it.
        """
        configuration = {
            kind: {name: self.block(kind, name) for name in names} for kind, names in blocks.items()
        }
        code = self.code_hash(*(f"epochbandits.{module}" for module in modules))
        return {
            "configuration": {"run": self.config.run, **configuration},
            "root": self.config.root,
            "code": code,
            "key": digest([configuration, self.config.root, code, dependencies]),
        }

    @cached_property
    def _input_keys(self) -> dict[str, str]:
        """The keys of everything that figures and ledger are made from."""
        keys = {path: metadata["key"] for path, metadata in self.origins.items()}
        return {**self._set_keys(list(self.config.instances)), **keys}
