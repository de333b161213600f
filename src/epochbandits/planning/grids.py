"""What the policies of a run do in its experiments."""

from __future__ import annotations

from functools import cache

from epochbandits.config.models import Config
from epochbandits.engine.pairing import PAIR
from epochbandits.engine.simulation import Simulation
from epochbandits.engine.warmup import CompiledRun
from epochbandits.pipeline.policy_hash import policy_hash
from epochbandits.pipeline.shards import Grid
from epochbandits.planning.instances import Instances
from epochbandits.policies.loading import resolve


class Grids:
    """The grid of each policy in each experiment, and the code that they need."""

    def __init__(self, config: Config, instances: Instances) -> None:
        self._config, self._instances = config, instances

    def of(self, experiment: str, policy: str) -> Grid:
        """Return what a policy does in an experiment; a parameter to be tuned is swept."""
        block, entry = self._config.experiments[experiment], self._config.policies[policy]
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
                "root": self._config.root,
            },
            sweep=next(iter(sweep.items()), None),
        )

    def provisional(self, experiment: str, policy: str) -> Grid:
        """Return the same with the first value of a parameter that another experiment tunes."""
        tuned = self._config.policies[policy].tuned
        if not self._config.experiments[experiment].tuned_on:
            tuned = {}
        first = {parameter: values[0] for parameter, values in tuned.items()}
        return self.of(experiment, policy).with_params(first)

    def first_run(self, experiment: str, policy: str) -> Simulation:
        """Return the first of a policy's simulations in an experiment."""
        grid = self.provisional(experiment, policy)
        first = self._instances.first(self._config.experiments[experiment].instances[0])
        return grid.simulation(first, *grid.cells[0])

    @property
    def compiled_runs(self) -> list[CompiledRun]:
        """What the experiments need compiled: built-in policies, in epochs or each iteration."""
        runs = set()
        for experiment, block in self._config.experiments.items():
            for policy in block.policies:
                run = self.first_run(experiment, policy)
                if run.paired:
                    runs.add(CompiledRun(PAIR, False))
                if run.compiled:
                    runs.add(CompiledRun(run.name, run.parsed_schedule.each_iteration))
        return sorted(runs)

    @cache  # noqa: B019
    def policy_hash(self, policy: str) -> str:
        """Return the hash of the code that a policy's runs depend on."""
        return policy_hash(self._implementation(policy))

    def _implementation(self, policy: str) -> str:
        entry = self._config.policies[policy]
        return entry.code or resolve(entry.policy or policy)
