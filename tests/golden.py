"""The golden runs and instances, in tests/data/golden_*.json.

``python tests/golden.py`` writes the runs again; with names of policies, only theirs. With names of
instance classes it adds their golden instances.
"""

import json
import sys
from pathlib import Path
from typing import Any

from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import CLASSES, failure_example, generate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant
from epochbandits.policies import POLICIES

GOLDEN = Path(__file__).parent / "data" / "golden_runs.json"
INSTANCES = GOLDEN.with_name("golden_instances.json")
PARAMS = {"scripted": {"arms": "0,1,1,0"}, "epoch-greedy": {"c": 0.1}}
RECORDED = ("arm", "iteration", "reward", "regret", "expected_regret", "iteration_regret")


def revealed(instance: Instance) -> Instance:
    """Return the instance with rewards that reveal the state, near the mean ones."""
    rewards = [
        [Constant(0.9 * mean + 0.01 * state) for state, mean in enumerate(means)]
        for means in instance.reward_means.tolist()
    ]
    return Instance(instance.name, instance.transition, rewards, instance.initial)


def golden_runs(policies=POLICIES) -> dict[str, dict[str, float]]:
    """Return the last row of a short run of each policy, in several settings."""
    rows = {}
    for name in sorted(policies):
        for sampling, gamma, instance in (
            ("marginal", 1.0, generate("anticorrelated", 4, 4, 0)),
            ("trajectory", 1.0, generate("fast", 3, 5, 0)),
            ("marginal", 0.9, failure_example(0.01)),
        ):
            if name == "epoch-ucb-online" and gamma < 1:  # which it refuses
                continue
            if name == "rca":
                instance = revealed(instance)
            table = simulate(
                instance, name, epochs=40, seeds=[11], tau0=5, zeta=2, gamma=gamma,
                sampling=sampling, **PARAMS.get(name, {}),
            )  # fmt: skip
            key = f"{name} {sampling} gamma={gamma} {instance.name}"
            rows[key] = {column: float(table[column].iloc[-1]) for column in RECORDED}
    return rows


def golden_instance(name: str) -> dict[str, Any]:
    """Return the golden instance of a class."""
    return generate(name, 3, 5, 0).to_dict()


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name not in CLASSES]
    if classes := [name for name in sys.argv[1:] if name in CLASSES]:
        instances = json.loads(INSTANCES.read_text())
        instances |= {name: golden_instance(name) for name in classes}
        INSTANCES.write_text(json.dumps(instances) + "\n")
        if not names:
            sys.exit()
    runs = json.loads(GOLDEN.read_text()) | golden_runs(names) if names else golden_runs()
    order = sorted(runs, key=lambda key: key.split(" ")[0])  # a policy's runs stay in their order
    GOLDEN.write_text(json.dumps({key: runs[key] for key in order}, indent=1) + "\n")
