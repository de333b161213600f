"""The page that shows a run: verdicts on the paper's claims, figures, and how they were made."""

from __future__ import annotations

from epochbandits.report.page import build_page, write_page

__all__ = ["build_page", "write_page"]
