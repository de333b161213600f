"""The ledger: what the paper says, what was measured, and the verdicts.

In: a run's tables and its configuration. Out: ``claims.json``, and its table for docs/ledger.md.

A claim (`claim`) is data: statement, quantifier, estimator, rule, and conditions in the paper's
setting and beyond it. The modules named after sections of the paper list the claims, `not_assessed`
the statements without a verdict, and `ledger` collects the claims. `conditions` says which part of
a run a claim is tested on, `evidence` reads that part, `estimators` turn it into a sample, `rules`
give p-values for and against, `verdicts` combine them. `requirements` compares the ledger with a
configuration, `assess` judges all claims.
"""
