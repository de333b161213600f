"""The logger of the terminal: counts in words, weighted time left, one line after Ctrl-C."""

import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from rich.live import Live
from rich.progress import Progress

from epochbandits.interruption import INTERRUPTED
from snakemake_logger_plugin_epochbandits import COSTS, Events
from snakemake_logger_plugin_epochbandits.time_left import TimeLeft, in_words

SITE = Path(__file__).parents[1] / "workflow" / "site"


@pytest.fixture
def screen():
    """Return the events, and what they have printed."""
    output = io.StringIO()
    console = Console(file=output, width=200)
    progress = Progress(console=console, disable=True)
    events = Events(console=console, progress=progress, live_display=Live(console=console))
    yield events, output
    events.close()


def start(events, job, rule="simulate_shard", log=()):
    info = SimpleNamespace(jobid=job, rule_name=rule, wildcards={"name": "x"}, log=list(log))
    events.handle_job_info(info)


def run_info(events, **counts):
    info = SimpleNamespace(per_rule_job_counts=counts, total_job_count=sum(counts.values()))
    events.handle_run_info(info)


def line(events):
    return events.progress.tasks[0].description


def record(message):
    return logging.LogRecord("snakemake", logging.INFO, "", 0, message, None, None)


def test_jobs_are_counted_in_words(screen):
    events, _ = screen
    run_info(events, simulate_shard=3, draw_figure=1)
    assert line(events) == "0 of 4 jobs done, 0 running"
    start(events, 1)
    start(events, 2)
    assert line(events) == "0 of 4 jobs done, 2 running"
    events.handle_job_finished(SimpleNamespace(job_id=1))
    assert line(events) == "1 of 4 jobs done, 1 running"
    events.handle_job_error(SimpleNamespace(jobid=2))
    events.handle_job_error(SimpleNamespace(jobid=2))  # Snakemake may say it twice
    assert line(events) == "1 of 4 jobs done, 0 running, 1 failed"


def test_a_failed_job_shows_its_log_if_it_has_one(screen, tmp_path):
    events, output = screen
    log = tmp_path / "job.log"
    log.write_text("c must be [positive]")
    run_info(events, simulate_shard=2)
    start(events, 1, log=[str(log)])
    start(events, 2, log=[str(tmp_path / "none.log")])
    for job in (1, 2):
        events.handle_job_error(SimpleNamespace(jobid=job))
    assert "c must be [positive]" in output.getvalue()
    assert "Traceback" not in output.getvalue()


def test_ctrl_c_gives_one_line(screen):
    events, output = screen
    run_info(events, simulate_shard=2)
    start(events, 1, log=["no/such.log"])
    before = len(output.getvalue())
    events.handle(record(INTERRUPTED))
    events.handle_job_error(SimpleNamespace(jobid=1))
    events.handle(record("Exiting because a job execution failed. Look below for error messages"))
    printed = output.getvalue()[before:]
    assert printed.count(INTERRUPTED) == 1
    assert "failed" not in printed
    assert "no/such.log" not in printed


def test_time_left_is_weighted_by_cost():
    """One job of 90 and nine of 10/9: after the large one, a tenth of the work is left."""
    costs = {"large": 90.0, "small": 10 / 9}
    left = TimeLeft({"large": 1, "small": 9}, costs.__getitem__)
    assert left.left(0.0) is None
    left.start(0, "large", 90.0, now=0.0)
    assert left.left(0.0) == pytest.approx(100)
    assert left.left(45.0) == pytest.approx(55)
    left.finish(0)
    assert left.left(180.0) == pytest.approx(20)  # this machine takes twice as long


def test_time_left_learns_what_single_jobs_cost():
    left = TimeLeft({"shard": 2}, lambda _: 10.0)
    left.start(0, "shard", 18.0, now=0.0)
    left.start(1, "shard", 2.0, now=0.0)
    left.finish(1)
    left.finish(0)
    assert left.left(18.0) == 0


def test_time_left_shrinks_to_nothing():
    left = TimeLeft({"shard": 8}, lambda _: 5.0)
    times, now = [], 0.0
    for job in range(8):
        left.start(job, "shard", 5.0, now)
        now += 5.0
        left.finish(job)
        times.append(left.left(now))
    assert times == pytest.approx([35, 30, 25, 20, 15, 10, 5, 0])


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, ""), (0.2, "about 1 s left"), (80, "about 80 s left"), (600, "about 10 min left"),
     (9000, "about 2.5 h left")],
)  # fmt: skip
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words


def test_the_costs_of_the_workflow_are_used(screen, monkeypatch):
    events, _ = screen
    costs = SimpleNamespace(mean=lambda rule: 100.0, of=lambda rule, wildcards: 200.0)
    monkeypatch.setattr("snakemake_logger_plugin_epochbandits.COSTS", [*COSTS, costs])
    run_info(events, simulate_shard=2)
    start(events, 1)
    assert events.time_left.left(events.time_left._began) == pytest.approx(300)


@pytest.mark.parametrize(("error", "printed"), [("KeyboardInterrupt", False), ("ValueError", True)])
def test_a_job_that_is_interrupted_prints_no_traceback(error, printed):
    done = subprocess.run(
        [sys.executable, "-c", f"raise {error}"],
        env={**os.environ, "PYTHONPATH": str(SITE)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode != 0
    assert ("Traceback" in done.stderr) == printed


def test_the_plugin_does_not_import_the_library():
    """It is imported before the workflow says which copy of the library to use."""
    code = (
        "import sys, snakemake_logger_plugin_epochbandits as plugin\n"
        "assert not [name for name in sys.modules if name.startswith('epochbandits')]\n"
        "from epochbandits.interruption import INTERRUPTED\n"
        "assert plugin.INTERRUPTED == INTERRUPTED"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
