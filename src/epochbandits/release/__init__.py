"""Releases: `publish` a run, the `ledger_page`, generated `documentation`, `verify`."""
