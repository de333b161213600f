"""The quick run, from nothing: its numbers against the golden ones."""

import json
import re
import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest

from conftest import PAPER, ROOT, counted
from epochbandits.figures.registry import FIGURES
from epochbandits.io import parquet
from epochbandits.pipeline.layout import FORMATS
from epochbandits.release.records import KEYS, record
from epochbandits.release.verify import TOLERANCE, difference
from epochbandits.stats import t_quantile

GOLDEN = ROOT / "data" / "golden" / "quick" / "data"
# Python imports this when it starts; it lists the threads, Python's or not, that a job ends with.
THREADS = """
import atexit, contextlib, pathlib, sys, time

def threads():
    names = []
    for task in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it ended meanwhile
            names.append((task / "comm").read_text().strip())
    return sorted(names)

def write_threads():
    # A thread that Python has joined is in /proc for a moment more.
    end = time.monotonic() + 60
    while [name for name in threads() if name != "jemalloc_bg_thd"] != ["python"]:
        if time.monotonic() > end:
            break
        time.sleep(0.01)
    with open("threads.txt", "a") as file:
        print(sys.argv[0], *threads(), file=file)

if sys.platform == "linux":
    atexit.register(write_threads)
"""


@pytest.fixture(scope="module")
def quick(make_project):
    project = make_project("quick")
    (project.folder / "src" / "sitecustomize.py").write_text(THREADS)
    project.output = project.snakemake("--configfile", "config/quick.yaml", "--verbose")
    return project


def differences(actual: pd.DataFrame, expected: pd.DataFrame) -> list[str]:
    """Return in which columns two tables of plotted data differ by more than the tolerance."""
    if list(actual.columns) != list(expected.columns) or len(actual) != len(expected):
        return [f"shape {actual.shape} against {expected.shape}"]
    wrong = []
    for name in expected:
        a, b = actual[name].to_numpy(), expected[name].to_numpy()
        if b.dtype.kind != "f":
            differs = bool((a != b).any())
        else:
            # Rounding of the means is multiplied in an interval over two instances.
            factor = float(t_quantile(1)) if name in ("low", "high") else 1.0
            differs = difference(a, b) > TOLERANCE * factor
        if differs:
            wrong.append(name)
    return wrong


def test_the_golden_numbers_are_complete():
    assert {path.stem for path in GOLDEN.glob("*.parquet")} == set(FIGURES)


@pytest.mark.parametrize("figure", FIGURES)
def test_the_numbers_behind_each_figure(quick, figure):
    table = pq.read_table(quick.folder / "figures/quick/data" / f"{figure}.parquet").to_pandas()
    assert differences(table, pq.read_table(GOLDEN / f"{figure}.parquet").to_pandas()) == []


def test_a_wrong_curve_is_noticed():
    """A value that is off by one part in ten thousand million of the largest is noticed."""
    data = pq.read_table(GOLDEN / "fig6a_baselines_4x4.parquet").to_pandas()
    wrong = data.copy()
    wrong.loc[wrong["expected_regret"].idxmax(), "expected_regret"] *= 1 + 1e-10
    assert differences(wrong, data) == ["expected_regret"]
    assert differences(data, data) == []


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_has_all_its_files(quick, figure):
    folder = quick.folder / "figures" / "quick"
    for end in FORMATS:
        assert (folder / f"{figure}.{end}").stat().st_size > 1000
    about = json.loads((folder / f"{figure}.json").read_text())
    assert about["id"] == figure
    assert about["configuration"]["run"] == "quick"
    assert about["caption"].endswith(".")
    assert about["code"]
    assert about["versions"]["matplotlib"]
    assert about["inputs"]
    from epochbandits.provenance.code_hash import file_digest

    for path, digest in about["inputs"].items():
        assert file_digest(quick.folder / path) == digest
    assert parquet.about(folder / "data" / f"{figure}.parquet")["inputs"] == about["inputs"]
    assert "quick" in (folder / f"{figure}.svg").read_text()


def test_every_output_carries_its_origin(quick):
    silent = ("logs", "compiled.txt")  # what was said on the way, and an empty mark
    outputs = [
        path
        for folder in ("data/quick", "figures/quick")
        for path in (quick.folder / folder).rglob("*")
        if path.is_file() and path.name[0] != "." and not {*silent} & {*path.parts}
    ]
    assert {path.suffix for path in outputs} == {
        ".parquet", ".json", ".pdf", ".png", ".svg", ".html",
    }  # fmt: skip
    assert len(outputs) > 200
    for path in outputs:
        origin = record(path)
        assert origin["root"] == PAPER["root"]
        assert all(origin[key] for key in KEYS if key != "root"), path


def test_snakemake_looks_for_jobs_only_when_one_has_ended(quick):
    """With its limit of jobs per second it looks thousands of times (`rules/common.smk`)."""
    jobs = quick.output.count("Finished jobid: ")
    assert jobs >= 90
    assert quick.output.count("Ready jobs: ") <= jobs + 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_job_leaves_a_thread_behind(quick):
    """Only Python's main thread may see the interpreter end, and jemalloc's, which is plain C.

    A thread of Arrow that is alive then can abort the process ('terminate called without an active
    exception').
    """
    lines = (quick.folder / "threads.txt").read_text().splitlines()
    assert len(lines) >= 90  # jobs
    for line in lines:
        job, *names = line.split()
        assert sorted(set(names) - {"jemalloc_bg_thd"}) == ["python"], job
        assert names.count("python") == 1, job


def test_the_documented_graph_is_the_workflows(quick):
    output = quick.snakemake("--rulegraph", "mermaid-js", "--quiet", "all")
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", output))
    edges = {(names[a], names[b]) for a, b in re.findall(r"(id\d+) --> (id\d+)", output)}
    page = (ROOT / "docs/pipeline.md").read_text(encoding="utf-8")
    shown = page.split("```mermaid")[1].split("```")[0]
    drawn = set(re.findall(r"(\w+) --> (\w+)", shown))
    assert drawn == {edge for edge in edges if edge[1] != "default"}


def test_a_second_run_does_nothing(quick):
    assert quick.jobs("--configfile", "config/quick.yaml") == {}


def test_the_report_has_every_figure_and_its_caption(quick):
    quick.snakemake("--configfile", "config/quick.yaml", "--report", "report.html")
    page = (quick.folder / "report.html").read_text()
    for figure in FIGURES:
        assert f"{figure}.svg" in page
        caption = json.loads((quick.folder / f"figures/quick/{figure}.json").read_text())["caption"]
        assert json.dumps(caption[:40])[1:-1] in page


def test_figures_have_the_same_bytes_when_they_are_drawn_again(quick):
    folder = quick.folder / "figures" / "quick"
    files = [folder / f"fig6a_baselines_4x4.{end}" for end in (*FORMATS, "json")]
    before = [path.read_bytes() for path in files]
    output = quick.snakemake("--configfile", "config/quick.yaml", "--forcerun", "draw_figure", "--",
                             str(files[0].relative_to(quick.folder)))  # fmt: skip
    assert counted(output) == {"draw_figure": 1}
    assert [path.read_bytes() for path in files] == before
