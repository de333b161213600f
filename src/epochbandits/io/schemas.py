"""The columns of every table that the project writes, with type, unit and meaning.

`RUNS` is what `epochbandits simulate` writes: the runs of one policy on one instance. `SHARD` holds
the runs of some policies of an experiment for a block of seeds; `CURVES` and `FINALS` are made from
the shards of an experiment. `BOUNDS`, `EIGENVALUES` and `INEQUALITIES` come from the theory.
"""

from __future__ import annotations

from epochbandits.io.tables import Column, Table

REGRET_FIGURE = "regret_"
"""The figure ``regret_<experiment>`` shows the `CURVES` of any experiment."""

BENCHMARK = "benchmark_"
"""The cases ``benchmark_<name>`` of `INEQUALITIES` are those of a benchmark."""

SEED = Column("seed", "int", "1", "number of the run")
EPOCH = Column("epoch", "int", "epochs", "epochs so far, or decisions of an unpaired run")
REGRETS = (
    Column("regret", "float", "reward", "cumulative n·μ* minus the rewards"),
    Column("expected_regret", "float", "reward", "the same with exact conditional expectations"),
    Column("subopt_regret", "float", "reward", "its part from suboptimal plays, Σ T_j Δ_j"),
    Column("markov_penalty", "float", "reward", "its other part, the Markovian penalty"),
    Column("iteration_regret", "float", "reward", "expected regret counted per iteration"),
)
RECORDED = (
    Column("arm", "int", "1", "arm played, from 0"),
    Column("tau", "int", "iterations", "length of the epoch"),
    Column("iteration", "int", "iterations", "iterations so far"),
    Column("reward", "float", "reward", "feedback of the epoch"),
    *REGRETS,
)
"""What an engine records about a block of a run; `engine.base.Row` has these fields."""
GROUP_COLUMNS = (
    Column("policy", "text", "name", "the policy's name in the configuration"),
    Column("instances", "text", "name", "set of instances"),
    Column("sampling", "text", "name", "marginal or trajectory"),
    Column("gamma", "float", "1", "discount of the feedback; 1: time average"),
    Column("value", "float", "1", "the swept parameter's value; nan: none is swept"),
    Column("instance", "int", "1", "number of the instance in its set"),
)

GROUP = tuple(c.name for c in GROUP_COLUMNS)

RUNS = Table("runs", (SEED, EPOCH, *RECORDED), ())
SHARD = Table(
    "shard",
    (*GROUP_COLUMNS, SEED, EPOCH, *RECORDED),
    ("instances", "instance", "policy", "sampling", "gamma", "value", "seed", "epoch"),
)

COMPARISON = Table(
    "comparison",
    (
        Column("first", "text", "name", "a policy"),
        Column("second", "text", "name", "the policy that it is compared with"),
        Column("difference", "float", "reward", "mean expected regret of first minus second"),
        Column("low", "float", "reward", "lower end of its interval, corrected for all pairs"),
        Column("high", "float", "reward", "upper end"),
        Column("units", "int", "1", "instances, or seeds on a single instance"),
        Column("clear", "int", "1", "1: the interval does not contain 0"),
    ),
    (),
)

# --- aggregates -----------------------------------------------------------------------------------

CURVES = Table(
    "curves",
    (
        *GROUP_COLUMNS,
        EPOCH,
        Column("seeds", "int", "1", "number of seeds that are averaged"),
        Column("iteration", "float", "iterations", "mean of the iterations so far"),
        *(c._replace(text=f"mean over seeds: {c.text}") for c in REGRETS),
        Column("deviation", "float", "reward", "expected_regret's standard deviation over seeds"),
    ),
    (*GROUP, "epoch"),
)
FINALS = Table(
    "finals",
    (
        *GROUP_COLUMNS,
        SEED,
        Column("epoch", "int", "epochs", "the horizon"),
        Column("iteration", "int", "iterations", "total number of iterations"),
        Column("arm", "int", "1", "the last arm played"),
        *REGRETS,
        Column("half_regret", "float", "reward", "expected_regret at half the horizon"),
        Column(
            "late_gap", "float", "1", "mean gap of the plays after half the horizon, over Δ_min"
        ),
    ),
    (*GROUP, "seed"),
)

# --- theory ---------------------------------------------------------------------------------------

BOUNDS = Table(
    "bounds",
    (
        Column("instances", "text", "name", "set of instances"),
        Column("instance", "int", "1", "number of the instance in its set"),
        Column("algorithm", "text", "name", "epoch-ucb, epoch-greedy or trivial (n·Δ_max)"),
        Column("variant", "text", "name", "form of L: paper, tight or min"),
        Column(
            "form",
            "text",
            "name",
            "EpochGreedy's bound: corrected or paper; EpochUCB's: empty or gap-independent",
        ),
        Column("gamma", "float", "1", "discount of the feedback; 1: time average"),
        Column("epoch", "int", "epochs", "n"),
        Column("bound", "float", "reward", "bound on the regret at n"),
        Column("c", "float", "1", "EpochGreedy's c with the least bound at the end; else nan"),
        Column("k_prime", "float", "epochs", "exploration is certain until then; else nan"),
        Column(
            "useful_from",
            "float",
            "epochs",
            "n from which the bound is below n·Δ_max, with c tuned for each n; nan: not computed",
        ),
        Column(
            "beats_random_from",
            "float",
            "epochs",
            "n from which it is below n times the mean gap of all arms",
        ),
    ),
    ("instances", "algorithm", "variant", "form", "gamma", "instance", "epoch"),
)

EIGENVALUES = Table(
    "eigenvalues",
    (
        Column("law", "text", "name", "how the rows are drawn"),
        Column("index", "int", "1", "number of the matrix"),
        Column("lambda2", "float", "1", "second-largest eigenvalue of M(P)"),
        Column("root", "float", "1", "its square root, λ of the mixing bound"),
        Column("singular", "float", "1", "second-largest singular value of P itself"),
        Column("C", "float", "1", "C of the mixing bound"),
        Column("rho", "float", "1", "ρ of Theorem 1, τ0 = 40, ζ = γ = 1; inf: M(P) reducible"),
    ),
    ("law", "index"),
)

CHECKS = {
    "example2": "Example 2",
    "lemmas": "Lemmas 1 and 2",
    "theorem1": "Theorem 1, simulated",
    "theorem2": "Theorem 2, simulated",
    "theorem2_valid": "Theorem 2 against a bound that has a proof, over a grid of constants",
    "corollary2_order": "order of Corollary 2's bound",
    "remark1": "the penalty with discounted against averaged feedback",
    "reasonable": "size of the constants that depend on mixing",
    "irreducible": "sufficient conditions for M(P) to be irreducible",
    "benchmarks": "bounds on what learners that know the instance can earn",
}
"""What a table of inequalities can hold; `pipeline.inequalities` computes it."""
PAPER_CHECKS = tuple(check for check in CHECKS if check != "benchmarks")
"""Those that concern the paper's statements, which a table holds by default."""

INEQUALITIES = Table(
    "inequalities",
    (
        Column("name", "text", "name", "the inequality"),
        Column("instances", "text", "name", "set of instances, or the case in words"),
        Column("instance", "int", "1", "number of the instance in its set"),
        Column("gamma", "float", "1", "discount of the feedback"),
        Column("arm", "int", "1", "arm, from 0; -1: all arms"),
        Column(
            "at",
            "int",
            "1",
            "τ of lemma1, T of lemma2, k of theorem2, states, length of a cycle, else n",
        ),
        Column("left", "float", "1", "measured or exact side"),
        Column("margin", "float", "1", "half-width of its 95% interval; 0: exact"),
        Column("right", "float", "1", "bound"),
        Column("runs", "int", "1", "simulated runs, or matrices, behind it"),
        Column("sampling", "text", "name", "marginal or trajectory; empty: exact"),
        Column("trivial", "float", "1", "value known without the theorem; nan: none"),
    ),
    ("name", "instances", "instance", "gamma", "sampling", "arm", "at"),
)
