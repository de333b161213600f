"""Releases: `publish`, `verify`, and generated pages: `ledger_page`, `gallery`, `documentation`."""
