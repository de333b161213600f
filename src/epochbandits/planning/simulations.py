"""The simulations of a run: bundles of policies that share jobs, tuned values, and aggregates.

A policy that is tuned takes its value from the shards of another experiment, so that tasks of
simulations and of tuning need each other.
"""

from __future__ import annotations

from functools import cache

from epochbandits.pipeline.shards import shard_key
from epochbandits.planning.grids import Grids
from epochbandits.planning.instances import Instances
from epochbandits.planning.tasks import Run, Task
from epochbandits.provenance.code_hash import digest


class Simulations:
    """The tasks of simulations, tuning and aggregation; the keys of shards and tuned values."""

    def __init__(self, run: Run, instances: Instances, grids: Grids) -> None:
        self._run, self._instances, self._grids = run, instances, grids
        self._config, self._layout = run.config, run.layout

    def bundles(self, experiment: str) -> dict[str, list[str]]:
        """Return the policies that share jobs in an experiment, by the name of the first."""
        policies = self._config.experiments[experiment].policies
        size = self._config.policies_per_job
        return {policies[i]: policies[i : i + size] for i in range(0, len(policies), size)}

    def seed_ranges(self, experiment: str) -> list[tuple[int, int]]:
        """Return the seeds of each job of a bundle: the first, and one past the last."""
        block = self._config.experiments[experiment]
        size = block.seeds_per_job or self._config.seeds_per_job
        return [(i, min(i + size, block.seeds)) for i in range(0, block.seeds, size)]

    @cache  # noqa: B019
    def shards(self, experiment: str, policy: str | None = None) -> dict[str, str]:
        """Return the shards of an experiment, or those with a policy, with their keys."""
        shards = {}
        for bundle, policies in self.bundles(experiment).items():
            if policy is None or policy in policies:
                key = self.task(experiment, bundle).key
                for first, stop in self.seed_ranges(experiment):
                    path = self._layout.shard(experiment, bundle, first, stop)
                    shards[path] = shard_key(key, first, stop)
        return shards

    @cache  # noqa: B019
    def task(self, experiment: str, bundle: str) -> Task:
        """Return the task of `pipeline.shards.simulate_shard`, the same for all seeds."""
        policies = self.bundles(experiment)[bundle]
        return Task(
            grids={policy: vars(self._grids.of(experiment, policy)) for policy in policies},
            metadata={
                "key": digest({policy: self._run_key(experiment, policy) for policy in policies}),
                "code": {policy: self._grids.policy_hash(policy) for policy in policies},
                "root": self._config.root,
            },
            inputs={
                **self._instances.folders("experiments", experiment),
                **self.tuned(experiment, bundle),
            },
        )

    def _run_key(self, experiment: str, policy: str) -> str:
        """Return a hash of all that a policy's runs depend on, whatever jobs run them.

        A tuned value is not known yet, so the key of its file stands for it.
        """
        return digest(
            [
                vars(self._grids.of(experiment, policy)),
                list(self._instances.folders("experiments", experiment).values()),
                self._grids.policy_hash(policy),
                list(self._tuned(experiment, [policy]).values()),
            ]
        )

    def tuned(self, experiment: str, bundle: str) -> dict[str, str]:
        """Return the files with the tuned values that a bundle's policies take, with keys."""
        return self._tuned(experiment, self.bundles(experiment)[bundle])

    def _tuned(self, experiment: str, policies: list[str]) -> dict[str, str]:
        source = self._config.experiments[experiment].tuned_on
        return {
            self._layout.tuned(source, policy): self.tuning(source, policy).key
            for policy in policies
            if source is not None and self._config.policies[policy].tuned
        }

    @cache  # noqa: B019
    def tuning(self, experiment: str, policy: str) -> Task:
        """Return the task of `pipeline.aggregation.choose_tuned`."""
        shards = self.shards(experiment, policy)
        dependencies = [policy, self._run_key(experiment, policy)]
        return Task(
            policy=policy,
            parameter=next(iter(self._config.policies[policy].tuned)),
            metadata=self._run.metadata(
                dependencies, "pipeline.aggregation", experiments=[experiment]
            ),
            inputs={**shards, **self._instances.folders("experiments", experiment)},
        )

    def aggregation(self, experiment: str) -> Task:
        """Return the task of `pipeline.aggregation.aggregate_experiment`."""
        block, shards = self._config.experiments[experiment], self.shards(experiment)
        metadata = self._run.metadata(
            [self._run_key(experiment, policy) for policy in block.policies],
            "pipeline.aggregation",
            experiments=[experiment],
            instances=block.instances,
            policies=block.policies,
        )
        runs = {policy: self._grids.policy_hash(policy) for policy in block.policies}
        return Task(
            points=block.points,
            metadata={"experiment": experiment, "runs": runs, **metadata},
            inputs={**shards, **self._instances.folders("experiments", experiment)},
        )
