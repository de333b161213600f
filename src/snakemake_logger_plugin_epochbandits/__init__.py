"""The bars of snakemake-logger-plugin-rich, with the time that is left: ``--logger epochbandits``.

Snakemake finds a logger by its package's name, hence a package of its own.
"""

from __future__ import annotations

from rich.progress import TextColumn, TimeRemainingColumn
from snakemake_logger_plugin_rich import LogHandler as RichHandler

__all__ = ["LogHandler"]


class LogHandler(RichHandler):  # type: ignore[misc]
    """Rich's bars and one more column."""

    def __post_init__(self) -> None:
        super().__post_init__()
        columns = (*self.progress.columns, TimeRemainingColumn(), TextColumn("left"))
        self.progress.columns = columns
        # Jobs take a minute and more: a speed over the usual half minute would know of none.
        self.progress.speed_estimate_period = 900
