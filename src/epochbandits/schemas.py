"""The tables of runs, column by column.

`RUNS` is what one policy did on one instance, `SHARD` the runs of some policies in an experiment
for a block of seeds. What is made from them has its table where it is made: `aggregation`,
`bounds`, `eigenvalues`.
"""

from __future__ import annotations

from epochbandits.parquet import Column, Table

__all__ = ["EPOCH", "GROUP", "GROUP_COLUMNS", "REGRETS", "RUNS", "SEED", "SHARD"]

SEED = Column("seed", "int", "1", "number of the run")
EPOCH = Column("epoch", "int", "epochs", "epochs so far, or decisions of an unpaired run")
REGRETS = (
    Column("regret", "float", "reward", "cumulative n·μ* minus the rewards"),
    Column("expected_regret", "float", "reward", "the same with exact conditional expectations"),
    Column("subopt_regret", "float", "reward", "its part from suboptimal plays, Σ T_j Δ_j"),
    Column("markov_penalty", "float", "reward", "its other part, the Markovian penalty"),
    Column("iteration_regret", "float", "reward", "expected regret counted per iteration"),
)
_RECORDED = (
    Column("arm", "int", "1", "arm played, from 0"),
    Column("tau", "int", "iterations", "length of the epoch"),
    Column("iteration", "int", "iterations", "iterations so far"),
    Column("reward", "float", "reward", "feedback of the epoch"),
    *REGRETS,
)
GROUP_COLUMNS = (
    Column("policy", "text", "name", "the policy's name in the configuration"),
    Column("instances", "text", "name", "set of instances"),
    Column("sampling", "text", "name", "marginal or trajectory"),
    Column("gamma", "float", "1", "discount of the feedback; 1: time average"),
    Column("value", "float", "1", "the swept parameter's value; nan: none is swept"),
    Column("instance", "int", "1", "number of the instance in its set"),
)

GROUP = tuple(c.name for c in GROUP_COLUMNS)

RUNS = Table("runs", (SEED, EPOCH, *_RECORDED), ())
SHARD = Table("shard", (*GROUP_COLUMNS, SEED, EPOCH, *_RECORDED), (*GROUP, "seed", "epoch"))
