"""A run of the paper's configuration, as tables in memory."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from epochbandits.claims.evidence import Evidence
from epochbandits.config import load_files
from epochbandits.model.generators import failure_example, generate

ROOT = Path(__file__).parents[2]
CONFIG = load_files([ROOT / "config" / "paper.yaml"])
PLAIN = CONFIG.model_dump(mode="json", by_alias=True)

REGRETS = (
    "expected_regret", "half_regret", "late_gap", "markov_penalty", "iteration_regret",
    "subopt_regret",
)  # fmt: skip


def product(**columns):
    """Return a table with a row for each combination of values."""
    return pd.DataFrame(itertools.product(*columns.values()), columns=list(columns))


class PaperRun(Evidence):
    """Tables with a row for everything that the paper's configuration runs: 2 seeds of each.

    Parameters
    ----------
    growth : R(n)/R(n/2) by policy; other policies' regrets grow by half
    """

    def __init__(self, growth=None):
        super().__init__("", PLAIN)
        self.growth = {"control-linear": 2.0, "control-sublinear": 1.05} | (growth or {})
        self._instances = self._drawn

    @staticmethod
    @cache
    def _drawn(name):
        if name.startswith("failure"):
            return [failure_example(epsilon) for epsilon in CONFIG.instances[name].epsilon]
        return [generate("anticorrelated", 3, 3, seed) for seed in (0, 1)]

    def _read(self, kind, name):
        if kind == "finals":
            return self._finals(name)
        if kind == "bounds":
            return self._bounds(CONFIG.bounds[name])
        if kind == "eigenvalues":
            laws = CONFIG.eigenvalues[name].laws
            numbers = {"lambda2": 0.25, "root": 0.5, "singular": 0.4, "rho": np.inf}
            return product(law=laws, matrix=range(3)).assign(**numbers)
        return inequalities(CONFIG.inequalities[name])

    def _finals(self, name):
        block = CONFIG.experiments[name]
        parts = []
        for policy in block.policies:
            entry = CONFIG.policies[policy]
            swept = dict(entry.sweep) or ({} if block.tuned_on else dict(entry.tuned))
            values = next(iter(swept.values()), [np.nan])
            parts.extend(
                product(
                    policy=[policy], instances=[instances], sampling=block.sampling,
                    gamma=block.gammas, value=values, instance=range(len(self._drawn(instances))),
                    seed=[0, 1],
                )
                for instances in block.instances
            )  # fmt: skip
        table = pd.concat(parts, ignore_index=True)
        table["epoch"] = block.epochs
        numbers = np.arange(1.0, len(table) + 1)
        for column in REGRETS:
            table[column] = numbers
        growth = table["policy"].map(lambda policy: self.growth.get(policy, 1.5))
        return table.assign(half_regret=table["expected_regret"] / growth)

    @staticmethod
    def _bounds(block):
        forms = [("epoch-ucb", ""), ("epoch-greedy", "corrected"), ("epoch-greedy", "paper")]
        grid = block.horizons or np.geomspace(10, block.horizon, 50).round()
        table = product(
            forms=forms, variant=block.variants, gamma=block.gammas, epoch=grid, instance=[0, 1]
        )
        table["algorithm"], table["form"] = zip(*table.pop("forms"), strict=True)
        return table.assign(bound=table["epoch"] + table["instance"])


NAMES = {
    "lemmas": ("lemma1", "lemma2"),
    "reasonable": ("reasonable_lambda2", "reasonable_rho"),
    "irreducible": ("positive_diagonal", "reversible", "not_necessary", "ergodic"),
}
"""The inequalities of a check, where they have other names."""


def inequalities(block):
    """Return a table of inequalities in which every case holds."""
    parts = []
    for check in block.checks:
        samplings = block.sampling if check in ("theorem1", "theorem2") else [""]
        parts.append(
            product(
                name=NAMES.get(check, (check,)), instances=block.instances, instance=[0],
                gamma=block.gammas, at=[100], sampling=samplings,
            )
        )  # fmt: skip
    cases = pd.concat(parts, ignore_index=True).assign(left=0.5, right=1.0, runs=7)
    cases.loc[cases["name"] == "ergodic", "left"] = 2.0
    trivial = cases["name"].map({"theorem1": 100.0, "lemma1": 1.0})
    return cases.assign(margin=0.1 * (cases["sampling"] != ""), trivial=trivial)
