"""Rough cost of each job, as weights for the time left that a terminal shows.

The numbers are seconds of one core for 4 arms and 4 states. Only their ratios matter: the time that
has passed scales them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from epochbandits.config.instance_sets import Failure
from epochbandits.engine.pairing import most_decisions
from epochbandits.model.schedules import LINEAR
from epochbandits.model.setting import TAU0
from epochbandits.planning.plan import Plan
from epochbandits.policies import Builtin

_START = 1.0  # of a job: Python, imports
_RULES = {
    "compile_engine": 10.0,
    "draw_figure": 3.0,
    "assess_claims": 10.0,
    "build_page": 3.0,
    "compute_bounds": 10.0,
    "check_inequalities": 30.0,
}
_EPOCH = 1e-6  # a decision in epochs
_ITERATION = 1.8e-9  # an iteration of its epoch
_DECISION = 8e-9  # a decision of a policy that decides each iteration
_SLOW = 35e-9  # the same for a policy without `decide`
_PYTHON = 70e-6  # a decision of a policy in plain Python


class Costs:
    """The expected seconds of the jobs of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._shards: dict[tuple[str, str, int, int], float] = {}
        for experiment in plan.config.experiments:
            for bundle, policies in plan.simulations.bundles(experiment).items():
                each = sum(self._run(experiment, policy) for policy in policies)
                for first, stop in plan.simulations.seed_ranges(experiment):
                    self._shards[experiment, bundle, first, stop] = _START + each * (stop - first)

    def mean(self, rule: str) -> float:
        """Return the mean over all jobs of a rule."""
        if rule == "simulate_shard" and self._shards:
            return sum(self._shards.values()) / len(self._shards)
        return _RULES.get(rule, _START)

    def of(self, rule: str, wildcards: Mapping[str, Any]) -> float:
        """Return the seconds of one job."""
        if rule != "simulate_shard":
            return self.mean(rule)
        names = ("experiment", "bundle", "first", "stop")
        experiment, bundle, first, stop = (str(wildcards.get(name, "0")) for name in names)
        return self._shards.get((experiment, bundle, int(first), int(stop)), self.mean(rule))

    def _run(self, experiment: str, policy: str) -> float:
        """Return the seconds of one seed of a policy on all instances of an experiment."""
        plan, block = self._plan, self._plan.config.experiments[experiment]
        sets = [plan.config.instances[name] for name in block.instances]
        run, n = plan.grids.first_run(experiment, policy), block.epochs
        schedule, decisions = run.parsed_schedule, most_decisions(run.paired, run.setting, n)
        if not isinstance(run.implementation, Builtin):
            seconds = _PYTHON * decisions
        elif schedule.each_iteration:
            seconds = (_DECISION if run.implementation.decide else _SLOW) * decisions
        else:
            # The rewards of Example 1 are constant: nothing is added up.
            constant = all(isinstance(members, Failure) for members in sets)
            iterations = schedule.most_iterations(n) if schedule.kind == LINEAR else TAU0 * n
            seconds = _EPOCH * n + (0.0 if constant else _ITERATION * iterations)
        cells = len(plan.grids.of(experiment, policy).cells)
        return seconds * cells * sum(members.size for members in sets)
