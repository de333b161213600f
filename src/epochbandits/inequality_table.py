"""The table of the theory's inequalities, apart from `inequalities`, which simulates to fill it."""

from __future__ import annotations

from epochbandits.parquet import Column, Table

__all__ = ["INEQUALITIES"]

INEQUALITIES = Table(
    "inequalities",
    (
        Column("name", "text", "name", "example2, lemma1, lemma2, theorem1 or theorem2"),
        Column("instances", "text", "name", "set of instances"),
        Column("instance", "int", "1", "number of the instance in its set"),
        Column("gamma", "float", "1", "discount of the feedback"),
        Column("arm", "int", "1", "arm, from 0"),
        Column("at", "int", "1", "τ of lemma1, T of lemma2, n of theorem1, k of theorem2"),
        Column("left", "float", "1", "measured or exact side"),
        Column("margin", "float", "1", "half-width of its 95% interval; 0: exact"),
        Column("right", "float", "1", "bound"),
        Column("runs", "int", "1", "simulated runs behind it"),
    ),
    ("name", "instances", "instance", "gamma", "arm", "at"),
)
