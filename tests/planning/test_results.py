"""A result of another run under the right file name is rejected by every stage, and recomputed.

Two runs that differ in the root seed alone, and so in every key, are made in two folders.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from small_run import CAPTIONS, EXPERIMENT, FIGURE, SHARD, plan_with_root, stages

from epochbandits.io import files
from epochbandits.model.generators import failure_example
from epochbandits.pipeline import instance_sets, results
from epochbandits.release.publish import ledger_tables
from epochbandits.validation import InputError
from patience import PATIENCE  # tests/patience.py

TUNED = "data/small/tuned/tuning_4x4/epoch-greedy.json"
CURVES, FINALS = (f"data/small/aggregates/{EXPERIMENT}/{n}.parquet" for n in ("curves", "finals"))
MAIN = "data/small/instances/main_4x4"
PLOTTED, CLAIMS = f"figures/small/data/{FIGURE}.parquet", "figures/small/claims.json"
SIDECAR, SVG = f"figures/small/{FIGURE}.json", f"figures/small/{FIGURE}.svg"
PAGE = "figures/small/index.html"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return the folders of the run, and of the one with another root seed."""
    folders = []
    for root in (0, 1):
        folders.append(tmp_path_factory.mktemp("run"))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folders[-1])
            for stage in stages(plan_with_root(root)).values():
                stage()
    return folders


@pytest.fixture
def run(runs, tmp_path, monkeypatch):
    """Work in a copy of the run; what it gives copies a result of the other run over it."""
    shutil.copytree(runs[0], tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")

    def replace(*paths):
        for path in paths:
            if Path(path).is_dir():
                shutil.rmtree(path)
                shutil.copytree(runs[1] / path, path)
            else:
                assert Path(path).read_bytes() != (runs[1] / path).read_bytes()
                shutil.copyfile(runs[1] / path, path)

    return replace


def stale():
    return results.mismatched(plan_with_root().keys(CAPTIONS))


def test_a_run_has_the_keys_of_its_plan(run):
    keys = plan_with_root().keys(CAPTIONS)
    assert stale() == []
    paths = [str(path) for path in Path().rglob("*") if path.is_file()]
    assert sorted(keys) == sorted({*(p for p in paths if "/instances/" not in p), *_sets()})


def _sets():
    return map(str, Path("data/small/instances").iterdir())


@pytest.mark.parametrize(
    ("paths", "stage"),
    [
        ([MAIN], "simulate"),
        ([MAIN], "bounds"),
        ([MAIN], "inequalities"),
        ([TUNED], "simulate"),
        ([SHARD], "aggregate"),
        ([CURVES], "draw"),
        ([FINALS], "draw"),
        ([FINALS], "claims"),
        (["data/small/bounds/time_average.parquet"], "claims"),
        (["data/small/eigenvalues/mixing.parquet"], "claims"),
        (["data/small/inequalities/theorem1.parquet"], "claims"),
        ([SIDECAR], "page"),
        ([SVG], "page"),
        ([PLOTTED], "page"),
        ([SIDECAR, SVG, SVG.replace("svg", "pdf"), SVG.replace("svg", "png"), PLOTTED], "page"),
        ([CLAIMS], "page"),
    ],
)
def test_a_result_of_another_root_is_refused_and_made_again(run, paths, stage):
    run(*paths)
    with pytest.raises(InputError, match=r"(its key differs|does not match the checksum)"):
        stages(plan_with_root())[stage]()
    assert set(stale()) & {*paths, SIDECAR}


def test_a_page_of_another_root_is_made_again(run):
    run(PAGE)
    assert stale() == [PAGE]


def test_one_flipped_letter_of_the_page_is_noticed(run):
    text = Path(PAGE).read_text(encoding="utf-8")
    Path(PAGE).write_text(text.replace("</h1>", " forged</h1>", 1), encoding="utf-8")
    assert stale() == [PAGE]
    with pytest.raises(InputError, match="was changed after it was written"):
        results.page_origin(Path(PAGE))


def test_a_flipped_value_of_a_table_is_not_published(run):
    assert FINALS in ledger_tables(plan_with_root(), CAPTIONS)
    table = pq.read_table(FINALS)
    index = table.column_names.index("regret")
    values = pc.add(table["regret"], 1e-9)
    pq.write_table(table.set_column(index, table.schema.field(index), values), FINALS)
    assert stale() == []  # values are read by the stage that needs them
    with pytest.raises(InputError, match="its checksum differs"):
        ledger_tables(plan_with_root(), CAPTIONS)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("{}")])
def test_one_instance_of_a_set_is_missing_or_another(run, damage):
    damage(Path(MAIN) / "0.json")
    assert stale() == [MAIN]
    with pytest.raises(InputError, match=f"0.json: is missing, or not .* delete {MAIN} and run"):
        stages(plan_with_root())["simulate"]()


@pytest.mark.parametrize("path", [SIDECAR, SVG, CLAIMS, PLOTTED, TUNED])
def test_one_flipped_letter_is_refused(run, path):
    content = bytearray(Path(path).read_bytes())
    content[len(content) // 2] ^= 1
    Path(path).write_bytes(content)
    with pytest.raises(InputError, match=r"(was changed after|does not match|is not JSON|UTF-8)"):
        stages(plan_with_root())["simulate" if path == TUNED else "page"]()
    assert set(stale()) & {path, SIDECAR}


@pytest.mark.parametrize(
    ("stage", "path"),
    [
        ("instances", MAIN + "/about.json"),
        ("tune", TUNED),
        ("simulate", SHARD),
        ("aggregate", CURVES),
        ("bounds", "data/small/bounds/time_average.parquet"),
        ("draw", SVG),
        ("claims", CLAIMS),
        ("page", PAGE),
    ],
)
def test_a_job_of_an_old_key_replaces_nothing(run, runs, tmp_path, stage, path):
    """The job has read its inputs; then the run starts again with another root, and is complete."""
    good = Path(path).read_bytes()
    results.prepare(["data/small", "figures/small"], plan_with_root().keys(CAPTIONS))
    old = stages(plan_with_root(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "accept", lambda inputs: None)
        with pytest.raises(InputError, match="not written, because the run was restarted"):
            old[stage]()
    assert Path(path).read_bytes() == good
    assert not list(Path().rglob(f"{files.TEMPORARY}*"))
    stages(plan_with_root())[stage]()  # a job of the right key may
    assert stale() == []


# --- the folders of a run -------------------------------------------------------------------------

KILLED = """
import os, signal
from epochbandits.io import files
with files.replacing("run/table.parquet") as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_worker_left_is_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    done = subprocess.run([sys.executable, "-c", KILLED], check=False, timeout=PATIENCE)
    assert done.returncode == -9
    assert len(list(Path("run").glob(".epochbandits-*"))) == 1
    Path("run/.epochbandits-folder").mkdir()
    Path("run/.epochbandits-folder/0.json").write_text("{}")
    results.prepare(["run"], {"run/table.parquet": "k", "elsewhere": "k"})
    assert os.listdir("run") == [".keys.json"]
    assert Path("run/.keys.json").read_text() == '{"table.parquet": "k"}'


def test_dates_in_the_future_become_present_and_keep_their_order(tmp_path):
    for days, name in enumerate(["first", "second", "third"]):
        (tmp_path / name).write_text("")
        date = time.time() + 86_400 * (1 + days)
        os.utime(tmp_path / name, (date, date))
    (tmp_path / "old").write_text("")
    os.utime(tmp_path / "old", (1, 1))
    results.prepare([str(tmp_path)], {})
    dates = [(tmp_path / name).stat().st_mtime_ns for name in ("old", "first", "second", "third")]
    assert sorted(dates) == dates
    assert len(set(dates)) == 4
    assert dates[0] == 10**9
    assert dates[-1] <= time.time_ns()


def test_a_set_of_instances_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    members, seen = [failure_example(0.1), failure_example(0.2)], []
    written = type(members[0]).to_json

    def write(instance, path):
        seen.append(sorted(p.name for p in tmp_path.iterdir() if p.name[0] != "."))
        written(instance, path)
        if failing:
            raise InputError("the disk is full")

    monkeypatch.setattr(type(members[0]), "to_json", write)
    failing = True
    with pytest.raises(InputError, match="the disk is full"):
        instance_sets.write(tmp_path / "set", members)
    assert os.listdir(tmp_path) == []
    failing = False
    instance_sets.write(tmp_path / "set", members, {"key": "a"})
    assert seen == [[], [], []]
    assert instance_sets.read(tmp_path / "set") == members
    before = os.stat(tmp_path / "set").st_ino
    instance_sets.write(tmp_path / "set", members, {"key": "a"})  # by a job that came late
    assert os.stat(tmp_path / "set").st_ino == before
    instance_sets.write(tmp_path / "set", members[:1], {"key": "b"})
    assert instance_sets.read(tmp_path / "set") == members[:1]


def test_a_folder_that_cannot_be_written_to_is_named_before_any_job(tmp_path, monkeypatch):
    """Root may write anywhere but on a disk that is read-only, so the answer is replaced."""
    (tmp_path / "logs" / "figures").mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("logs/figures"))
    with pytest.raises(InputError, match="logs/figures: cannot be written to; no job was started"):
        results.prepare([str(tmp_path)], {})
