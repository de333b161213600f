"""Every study makes its table and its picture from curves that only look like those of a run."""

import zlib
from pathlib import Path

import numpy as np
import pytest

from epochbandits.config.loading import load
from epochbandits.config.reading import read_yaml
from epochbandits.figures.registry import STUDIES
from epochbandits.figures.render import draw, plotted_data, plotted_table
from epochbandits.figures.study1_epochs_or_mixing import CONTRASTS
from epochbandits.figures.study_tables import ALL
from epochbandits.io import parquet
from epochbandits.io.schemas import CURVES, FINALS
from epochbandits.pipeline import instance_sets
from epochbandits.planning.loading import FOLDER, study_files, study_plan
from epochbandits.planning.plan import Plan

CAPTIONS = str(Path(__file__).parents[2] / "workflow" / "report")
EXPERIMENTS = [name for name, spec in STUDIES.items() if spec.kind == "experiments"]


def small_plan():
    """Return the plan of the studies with two instances in few sets, and a part of study 5."""
    raw = study_plan().config.model_dump(mode="json", by_alias=True)
    for block in raw["instances"].values():
        if "count" in block:
            block["count"] = 2
            block["arms"], block["states"] = min(8, block["arms"]), min(8, block["states"])
    for block in raw["experiments"].values():
        block["instances"] = sorted({block["instances"][0], block["instances"][-1]})
    few = ["epoch-ucb", "ucb", "ucb-epochs", "sw-ucb", "sw-ucb-epochs"]
    raw["experiments"]["study2_policies"]["policies"] = few
    grid = raw["figures"]["study5_epoch_lengths"]
    grid["source"] = [name for name in grid["source"] if "_4_" in name or "_40_" in name]
    return Plan(load(raw))


def columns(table, plan, experiment, rng):
    """Return made-up rows of an experiment: regret that grows with the square root."""
    block = plan.config.experiments[experiment]
    rows = {name: [] for name in table.names}
    for policy in block.policies:
        level = 1 + zlib.crc32(policy.encode()) % 9
        for value in plan.grids.of(experiment, policy).cells:
            sampling, gamma, swept = value
            for name in block.instances:
                count = len(plan.run.block("instances", name).get("epsilon", (0, 0)))
                for instance in range(count):
                    t = np.geomspace(10, 2e9, 12) if table is CURVES else np.array([3e5])
                    regret = level * np.sqrt(t) * rng.uniform(0.8, 1.2)
                    epoch = np.linspace(1, block.epochs, len(t)).round() if len(t) > 1 else [9]
                    values = {"policy": policy, "instances": name, "sampling": sampling,
                              "gamma": gamma, "value": swept, "instance": instance, "epoch": epoch,
                              "iteration": t, "iteration_regret": regret,
                              "expected_regret": np.sqrt(np.asarray(epoch, dtype=float)),
                              "late_gap": rng.uniform(0, 1)}  # fmt: skip
                    for key in rows:
                        rows[key].append(np.broadcast_to(values.get(key, 1), len(t)))
    kinds = {c.name: object if c.type == "text" else c.type for c in table.columns}
    return {key: np.concatenate(parts).astype(kinds[key]) for key, parts in rows.items()}


@pytest.fixture(scope="module")
def plan():
    return small_plan()


@pytest.mark.parametrize("figure", EXPERIMENTS)
def test_a_study_is_drawn(figure, plan, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    inputs = plan.figures.inputs(figure)
    for experiment, *paths in zip(plan.config.figures[figure].source, inputs["curves"],
                                  inputs["finals"], strict=True):  # fmt: skip
        for path, table in zip(paths, (CURVES, FINALS), strict=True):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            parquet.write(path, table, columns(table, plan, experiment, rng), {})
    for folder in inputs["instances"]:
        name = Path(folder).name
        instance_sets.write(folder, instance_sets.make(plan.run.block("instances", name)))
    task = plan.figures.task(figure, CAPTIONS)
    data = plotted_data(figure, inputs, task["settings"])
    assert np.isfinite(data["mean"]).any()
    if figure == "study1_epochs_or_mixing":
        assert set(CONTRASTS) <= set(data["window"])
    if figure == "study5_epoch_lengths":  # its other class is only tuned on
        assert set(data["zeta"]) == {0, 1, 4, 16}
        assert set(data["class"]) == {ALL, "uncorrelated"}
    assert task["metadata"]["caption"]
    table = plotted_table(figure, data)
    parquet.write("table.parquet", table, {n: data[n].to_numpy() for n in table.names}, {})
    assert draw(figure, data).axes


def test_captions_and_files_are_those_of_the_registry():
    assert {path.stem for path in Path(CAPTIONS).glob("study*.rst")} == set(STUDIES)
    configured = {name for path in study_files() for name in read_yaml(path).get("figures", {})}
    assert configured == set(STUDIES), FOLDER
