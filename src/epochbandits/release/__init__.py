"""Releases: `publish` a run, the ledger in the `readme`, generated `documentation`, `verify`."""
