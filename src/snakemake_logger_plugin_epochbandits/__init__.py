"""One line of progress with the time left: ``--logger epochbandits``.

Snakemake finds a logger by the name of its package, so this is a separate package. It prints what
snakemake-logger-plugin-rich prints, except that

* one bar shows the run, with counts of its jobs and the time left weighted by the expected cost
  of each job (`COSTS`);
* Ctrl-C ends in one sentence.

Snakemake imports the package whether or not this logger is chosen. `config_errors` relies on that.
"""

from __future__ import annotations

import logging
import os
import time
from logging import LogRecord
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from snakemake_logger_plugin_rich import LogHandler as RichHandler
from snakemake_logger_plugin_rich.event_handler import EventHandler

from snakemake_logger_plugin_epochbandits.config_errors import ConfigErrorFilter
from snakemake_logger_plugin_epochbandits.time_left import TimeLeft, in_words

INTERRUPTED = "interrupted; run the same command to resume"
"""As in `epochbandits.interruption`, which is not imported here: Snakemake imports every plugin
before the workflow says where the library is."""

COSTS: list[Any] = []
"""The costs of the workflow's jobs (`epochbandits.planning.costs`); the workflow appends them."""

logging.getLogger("snakemake.logging").addFilter(ConfigErrorFilter(os.path.realpath(".")))


class LogHandler(RichHandler):  # type: ignore[misc]
    """Rich's handler with the events of `Events`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.progress.columns = (
            SpinnerColumn(finished_text="[green]✓"),
            TextColumn("{task.description}"),
            BarColumn(bar_width=None, complete_style="green"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
        )
        self.live_display.refresh_per_second = 1  # eight would take a twentieth of a core
        old: EventHandler = self.event_handler  # type: ignore[has-type]
        self.event_handler = Events(
            console=old.console, progress=old.progress, live_display=self.live_display,
            dryrun=old.dryrun, printshellcmds=old.printshellcmds,
            show_failed_logs=old.show_failed_logs, verbose=old.verbose,
        )  # fmt: skip


class Events(EventHandler):  # type: ignore[misc]
    """Counts jobs, and says how long the rest will take."""

    def __init__(self, *args: Any, progress: Progress, **options: Any) -> None:
        super().__init__(*args, progress=progress, **options)
        self.bar: Any = None
        self.time_left = TimeLeft({}, _mean)
        self.running: dict[int, str] = {}
        self.failed = 0
        self.interrupted = False

    # --- jobs ---------------------------------------------------------------------------------

    def handle_run_info(self, event_data: Any, **_: Any) -> None:
        """Print what will run, and start the bar."""
        if self.dryrun:
            super().handle_run_info(event_data)
            return
        self._stop_dag_status()
        counts, self.total_jobs = event_data.per_rule_job_counts, event_data.total_job_count
        if not self.total_jobs or self.bar is not None:
            return
        self._display_job_summary(counts, self.total_jobs)
        self.time_left = TimeLeft(counts, _mean)
        self.progress.disable = False
        self.bar = self.progress.add_task("", total=self.total_jobs, left="")
        self.progress_display.live_display.start()
        self._show()

    def handle_job_info(self, event_data: Any, **_: Any) -> None:
        """Count a job that starts."""
        if self.dryrun:
            super().handle_job_info(event_data)
            return
        rule, wildcards = event_data.rule_name, dict(event_data.wildcards or {})
        self.jobs_info[event_data.jobid] = {
            "rule": rule, "wildcards": wildcards, "log": event_data.log,
        }  # fmt: skip
        cost = COSTS[-1].of(rule, wildcards) if COSTS else 1.0
        self.time_left.start(event_data.jobid, rule, cost, time.monotonic())
        self.running[event_data.jobid] = rule
        self._show()

    def handle_job_finished(self, event_data: Any, **_: Any) -> None:
        """Count a job that has finished."""
        self.time_left.finish(event_data.job_id)
        self.running.pop(event_data.job_id, None)
        self.completed += 1
        self._show()

    def handle_job_error(self, event_data: Any, **_: Any) -> None:
        """Show the log of a job that failed; a job that Ctrl-C stopped has none."""
        info = self.jobs_info.get(event_data.jobid)
        if self.interrupted or info is None or event_data.jobid not in self.running:
            return
        self.time_left.finish(event_data.jobid)
        del self.running[event_data.jobid]
        self.failed += 1
        self._show()
        names = " ".join(str(value) for value in info["wildcards"].values())
        self.console.print(f"[red]✗ failed:[/] {info['rule']} {names}")
        for log in info["log"]:
            text = Path(log).read_text(encoding="utf-8") if Path(log).is_file() else ""
            self.console.print(f"{log}:\n{text}", highlight=False, markup=False)

    def _show(self) -> None:
        if self.bar is None:
            return
        done = f"{self.completed} of {self.total_jobs} jobs done, {len(self.running)} running"
        text = done + (f", {self.failed} failed" if self.failed else "")
        ended = self.completed + self.failed >= self.total_jobs
        left = "" if ended else in_words(self.time_left.left(time.monotonic()))
        self.progress.update(self.bar, description=text, completed=self.completed, left=left)

    # --- messages -----------------------------------------------------------------------------

    def handle(self, record: LogRecord, **options: Any) -> None:
        """Process a record; after Ctrl-C (`epochbandits.interruption`) only one sentence."""
        if self.interrupted:
            return
        if record.getMessage() == INTERRUPTED:
            self.interrupted = True
            self.progress_display.live_display.stop()
            self.console.print(INTERRUPTED)
            return
        super().handle(record, **options)


def _mean(rule: str) -> float:
    return float(COSTS[-1].mean(rule)) if COSTS else 1.0
