"""What a change reruns: exactly what depends on it. On a small workflow, really run."""

import os
import pty
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from conftest import PAPER, ROOT, only  # tests/workflow/conftest.py
from epochbandits import Instance
from epochbandits.engine.simulation import simulate
from epochbandits.io import parquet
from epochbandits.io.schemas import SHARD
from epochbandits.provenance.code_hash import digest
from patience import PATIENCE  # tests/patience.py

SMALL = {
    "run": "small",
    "seeds_per_job": 2,
    "policies_per_job": 1,
    "claims": {"assess": False},
    **only(
        instances=["main_4x4", "tuning_4x4"],
        experiments=["tuning_4x4", "baselines_4x4"],
        figures=["fig2a_stationary", "fig6a_baselines_4x4"],
    ),
}
SMALL["instances"] |= {"main_4x4": {"count": 2}, "tuning_4x4": {"count": 1}}
SMALL["experiments"] |= {
    "tuning_4x4": {"epochs": 60, "seeds": 1, "policies": ["epoch-greedy"]},
    "baselines_4x4": {
        "epochs": 60,
        "seeds": 4,
        "seeds_per_job": 2,
        "policies": ["epoch-ucb", "epoch-greedy", "ucb", "exp3"],
    },
}
SMALL["figures"] |= {"fig2a_stationary": {"source": "main_4x4"}, "fig6a_baselines_4x4": {}}
CONFIG = ("--configfile", "small.yaml")
SHOWING = {"assess_claims": 1, "build_page": 1}
ENGINE = {"aggregate_experiment": 1, "draw_figure": 1, **SHOWING}


@pytest.fixture(scope="module")
def project(make_project):
    project = make_project("reruns")
    for part in ("docs/studies.md", "figures/published/studies"):  # which the page shows
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        (project.folder / part).parent.mkdir(parents=True)
        copy(ROOT / part, project.folder / part)
    project.write("small.yaml", SMALL)
    project.snakemake(*CONFIG)
    return project


@pytest.fixture
def restored(project):
    """Give the project, and put its sources back afterwards."""
    files = [p for p in (project.folder / "src").rglob("*") if p.suffix in (".py", ".css")]
    before = {path: (path.read_text(), path.stat()) for path in files}
    yield project
    for path, (text, _) in before.items():
        if path.read_text() != text:
            path.write_text(text)


def test_a_terminal_shows_the_jobs_done(project):
    """On a terminal of its own, as `make figures` shows it: one job of another run."""
    project.write("bars.yaml", SMALL | {"run": "bars"})
    arguments = ["data/bars/instances/main_4x4", "--configfile", "bars.yaml"]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*command, "--logger", "epochbandits"],
        cwd=project.folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "120"},
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # how a terminal ends
        pass
    assert process.wait(timeout=PATIENCE) == 0
    assert re.search(rb"\d+ of \d+ jobs? done", shown), shown[-3000:]


def test_a_second_run_does_nothing(project):
    assert project.jobs(*CONFIG) == {}


@pytest.mark.parametrize(
    ("edited", "jobs"),
    [
        ("figures/style.py", {"draw_figure": 2, "build_page": 1}),
        ("figures/fig4_fig5_fig6_regret.py", {"draw_figure": 1, "build_page": 1}),
        ("stats.py", {"draw_figure": 1, **SHOWING}),
        (
            "policies/exp3.py",
            ENGINE | {"simulate_shard": 2},
        ),
        (  # EpochUCB's own runs, and those that are cut at its epochs; nothing of EpochGreedy's
            "policies/epoch_ucb.py",
            ENGINE | {"simulate_shard": 6},
        ),
        (
            "pipeline/aggregation.py",
            {
                "choose_tuned": 1,
                # what is tuned is run again if the choice may change
                "simulate_shard": 2,
                "aggregate_experiment": 2,
                "draw_figure": 1,
                **SHOWING,
            },
        ),
        ("pipeline/bounds.py", {}),
        ("claims/section3_bounds.py", SHOWING),
        ("report/numbers.py", {"build_page": 1}),
        ("report/study_texts.py", {"build_page": 1}),
        ("report/assets/page.css", {"build_page": 1}),
        ("cli/main.py", {}),
        ("config/loading.py", {}),
    ],
)
def test_an_edit_reruns_what_depends_on_it(restored, edited, jobs):
    restored.edit(f"src/epochbandits/{edited}")
    assert restored.jobs(*CONFIG) == jobs


def test_a_changed_setting_reruns_its_experiment(project):
    changed = SMALL | {"experiments": SMALL["experiments"] | {}}
    changed["experiments"]["baselines_4x4"] = SMALL["experiments"]["baselines_4x4"] | {"epochs": 61}
    project.write("changed.yaml", changed)
    jobs = project.jobs("--configfile", "changed.yaml")
    expected = {"simulate_shard": 8, "aggregate_experiment": 1, "draw_figure": 1}
    assert jobs == {**expected, **SHOWING}


def digests(project, run):
    folder = project.folder / "data" / run / "aggregates"
    digests = {}
    for path in sorted(folder.rglob("*.parquet")):
        columns, about = parquet.read_any(path)
        del about["configuration"]["run"]  # runs in one folder have to have different names
        values = {name: column.tolist() for name, column in columns.items()}
        digests[str(path.relative_to(folder))] = digest([values, about])
    return digests


@pytest.mark.parametrize(
    "change",
    [
        {"seeds_per_job": 1, "policies_per_job": 1},
        {"seeds_per_job": 4, "policies_per_job": 10},
    ],
)
def test_the_size_of_jobs_changes_nothing(project, change):
    run = f"sized{change['seeds_per_job']}"
    config = SMALL | change | {"run": run}
    sized = dict(config["experiments"]["baselines_4x4"].items())
    sized["seeds_per_job"] = change["seeds_per_job"]
    config["experiments"] = config["experiments"] | {"baselines_4x4": sized}
    project.write(f"{run}.yaml", config)
    output = project.snakemake("tables", "--configfile", f"{run}.yaml")
    shards = list((project.folder / "data" / run / "shards" / "baselines_4x4").rglob("*.parquet"))
    assert len(shards) == (16 if change["seeds_per_job"] == 1 else 1), output
    assert digests(project, run) == digests(project, "small")


def test_any_seed_can_be_computed_by_itself(project):
    folder = project.folder / "data" / "small"
    shard = folder / "shards" / "baselines_4x4" / "ucb" / "2-4.parquet"
    table = pd.DataFrame(parquet.read(shard, SHARD).columns)
    chosen = table[(table.instance == 1) & (table.seed == 3)].reset_index(drop=True)
    instance = Instance.from_json(folder / "instances" / "main_4x4" / "1.json")
    stream = {"experiment": "baselines_4x4", "root": PAPER["root"]}
    alone = simulate(instance, "ucb", epochs=60, seeds=[3], **stream)
    pd.testing.assert_frame_equal(chosen[alone.columns], alone)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rot": 1}, "rot: unknown key (did you mean 'root'?)"),
        (
            {"experiments": {"baselines_4x4": {"gammas": [1.2]}}},
            "experiments.baselines_4x4.gammas.0",
        ),
        ({"figures": {"fig9": {"source": "x"}}}, "figures.fig9"),
    ],
)
def test_bad_input_is_refused_before_any_job(project, change, sentence):
    project.write("bad.yaml", {"run": "bad", **change})
    output = project.snakemake("--configfile", "bad.yaml", ok=False)
    assert "Invalid configuration:" in output
    assert "bad.yaml, line" in output
    assert sentence in output
    assert "Traceback" not in output
    assert not (project.folder / "data" / "bad").exists()
