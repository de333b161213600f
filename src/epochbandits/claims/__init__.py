"""The ledger: what the paper says, what was measured, and the verdict.

`rules` decides from a sample, `evidence` takes samples from a run's tables, `ledger` lists the
claims, `assess` goes through them.
"""
