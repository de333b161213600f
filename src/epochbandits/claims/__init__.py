"""The ledger: what the paper says, what was measured, and the verdict.

In: a run's tables and its configuration. Out: ``claims.json``, and its table for the README.

A claim (`claim`) is data: statement, estimator, rule and conditions. The modules named after
sections of the paper list the claims, and `ledger` collects them. `conditions` says which part of
a run a claim is tried on, `evidence` reads that part, `estimators` turn it into a sample, `rules`
decide from the sample. `check` holds the ledger against a configuration, `assess` goes through it.
"""
