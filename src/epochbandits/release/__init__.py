"""Releases: published results and generated pages.

`publish` copies a run's results with a `manifest`; `bindings` and `verdicts` check that they belong
together, `verify` recomputes them, and `records` prints the origin of any output. `ledger_page`,
`gallery` and `documentation` write pages of docs/.
"""
