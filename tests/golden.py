"""The golden runs. ``python tests/golden.py`` rewrites tests/data/golden_runs.json."""

import json
from pathlib import Path

from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import failure_example, generate
from epochbandits.policies import POLICIES

PARAMS = {"scripted": {"arms": "0,1,1,0"}, "epoch-greedy": {"c": 0.1}}
COLUMNS = ("arm", "iteration", "reward", "regret", "expected_regret", "iteration_regret")


def golden_runs() -> dict[str, dict[str, float]]:
    """Return the last row of a short run of each policy, in several settings."""
    runs = {}
    for name in sorted(POLICIES):
        for sampling, gamma, instance in (
            ("marginal", 1.0, generate("anticorrelated", 4, 4, 0)),
            ("trajectory", 1.0, generate("fast", 3, 5, 0)),
            ("marginal", 0.9, failure_example(0.01)),
        ):
            table = simulate(
                instance, name, epochs=40, seeds=[11], tau0=5, zeta=2, gamma=gamma,
                sampling=sampling, **PARAMS.get(name, {}),
            )  # fmt: skip
            key = f"{name} {sampling} gamma={gamma} {instance.name}"
            runs[key] = {column: float(table[column].iloc[-1]) for column in COLUMNS}
    return runs


if __name__ == "__main__":
    path = Path(__file__).parent / "data" / "golden_runs.json"
    path.write_text(json.dumps(golden_runs(), indent=1) + "\n")
