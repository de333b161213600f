"""Releases: `publish` a run, the `ledger_page`, the `gallery`, generated `documentation`, `verify`."""
