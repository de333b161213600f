"""Progress bars with the time left: snakemake-logger-plugin-rich as ``--logger epochbandits``.

Snakemake finds a logger by the name of its package, so this is a package by itself.
"""

from __future__ import annotations

from rich.progress import TextColumn, TimeRemainingColumn
from snakemake_logger_plugin_rich import LogHandler as RichHandler

__all__ = ["LogHandler"]


class LogHandler(RichHandler):  # type: ignore[misc]
    """Rich's progress bars, with one more column: the time left."""

    def __post_init__(self) -> None:
        super().__post_init__()
        columns = (*self.progress.columns, TimeRemainingColumn(), TextColumn("left"))
        self.progress.columns = columns
        # Jobs take a minute or more: the default window of 30 s would often contain none.
        self.progress.speed_estimate_period = 900
        self.live_display.refresh_per_second = 1  # eight times would take a twentieth of a core
