"""A run of the paper's configuration, as tables in memory."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd

from epochbandits.claims.evidence import Evidence
from epochbandits.config import load_files
from epochbandits.model.generators import generate

ROOT = Path(__file__).parents[2]
CONFIG = load_files([ROOT / "config" / "paper.yaml"])
PLAIN = CONFIG.model_dump(mode="json", by_alias=True)


def product(**columns):
    """Return a table with a row for each combination of values."""
    return pd.DataFrame(itertools.product(*columns.values()), columns=list(columns))


class PaperRun(Evidence):
    """Tables with a row for everything that the paper's configuration runs: 2 seeds of each."""

    def __init__(self):
        super().__init__("", PLAIN)
        self._instances = lambda name: [generate("anticorrelated", 3, 3, seed) for seed in (0, 1)]

    def _read(self, kind, name):
        if kind == "finals":
            return self._finals(name)
        if kind == "bounds":
            return self._bounds(CONFIG.bounds[name])
        if kind == "eigenvalues":
            laws = CONFIG.eigenvalues[name].laws
            return product(law=laws, matrix=range(3)).assign(lambda2=0.25, root=0.5)
        names = ("example2", "lemma1", "lemma2", "theorem1", "theorem2")
        cases = product(name=names, instances=["main_4x4"], instance=[0], gamma=[1.0])
        return cases.assign(left=0.5, right=1.0, margin=0.1, runs=7)

    @staticmethod
    def _finals(name):
        block = CONFIG.experiments[name]
        parts = []
        for policy in block.policies:
            entry = CONFIG.policies[policy]
            swept = dict(entry.sweep) or ({} if block.tuned_on else dict(entry.tuned))
            values = next(iter(swept.values()), [np.nan])
            parts.append(
                product(
                    policy=[policy], instances=block.instances, sampling=block.sampling,
                    gamma=block.gammas, value=values, instance=[0, 1], seed=[0, 1],
                )
            )  # fmt: skip
        table = pd.concat(parts, ignore_index=True)
        table["epoch"] = 10
        numbers = np.arange(1.0, len(table) + 1)
        for column in ("expected_regret", "half_regret", "late_gap", "markov_penalty"):
            table[column] = numbers
        return table.assign(iteration_regret=numbers)

    @staticmethod
    def _bounds(block):
        forms = [("epoch-ucb", ""), ("epoch-greedy", "corrected"), ("epoch-greedy", "paper")]
        grid = np.geomspace(10, block.horizon, 50).round()
        table = product(
            forms=forms, variant=block.variants, gamma=block.gammas, epoch=grid, instance=[0, 1]
        )
        table["algorithm"], table["form"] = zip(*table.pop("forms"), strict=True)
        return table.assign(bound=table["epoch"] + table["instance"])
