"""The ledger of studies 6 and 8; `docs/studies_rules_6_8.md` has its rules."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from epochbandits.claims import estimators_benchmarks as benchmarks
from epochbandits.claims.claim import Claim, Estimator, NotAssessed
from epochbandits.claims.conditions import Condition, Counters, Inequality
from epochbandits.claims.estimators import GROWTH, regret_ratio
from epochbandits.claims.estimators_exact import REDUCIBLE_SHARE
from epochbandits.claims.growth import linear, sublinear
from epochbandits.claims.rules import Above, Below, Holds, Near
from epochbandits.claims.texts import multiple, percent
from epochbandits.config.thresholds import Thresholds
from epochbandits.io.schemas import BENCHMARK

_CLASSES = ("anticorrelated", "slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")
_TWO_CHANNELS = ("constructed_1", "constructed_2", "heavy_tree_s", "urban_s")
_RESTLESS = (*_TWO_CHANNELS, "suburban_l", "urban_l")
_IID = ("iid_two", "iid_ten")
_OURS = "our expectation"


def _rung(benchmark: str, *sets: str, table: str = "ladder_others") -> tuple[Inequality, ...]:
    """Return a condition on a benchmark for each set of instances."""
    return tuple(
        Inequality(set_name, f"{BENCHMARK}{benchmark}", table, set_name) for set_name in sets
    )


def _judged(benchmark: str, *classes: str) -> tuple[Inequality, ...]:
    """Return a condition on a benchmark for the judging instances of each class."""
    name = f"{BENCHMARK}{benchmark}"
    return tuple(Inequality(cls, name, "ladder", f"judge_{cls}") for cls in classes)


def _runs(
    experiment: str, policy: str, sets: tuple[str, ...], *samplings: str
) -> tuple[Condition, ...]:
    return tuple(
        Condition(
            set_name if sampling == "trajectory" else f"{set_name}, redrawn",
            experiment,
            policy,
            set_name,
            sampling,
        )
        for set_name in sets
        for sampling in samplings or ("trajectory",)
    )


def _paired(*sets: str) -> tuple[Condition, ...]:
    return tuple(
        Condition(set_name, "study8_epochs", "epoch-ucb", set_name, "trajectory")
        for set_name in sets
    )


def _claim(
    id: str,
    statement: str,
    estimator: Estimator,
    rule: Above | Below | Holds | Near,
    setting: tuple[Condition | Inequality | Counters, ...],
    *,
    where: str = _OURS,
    figure: str = "study8_other_problems",
) -> Claim:
    return Claim(id, where, statement, "all", estimator, rule, setting, figure)


def claims(thresholds: Thresholds) -> list[Claim]:
    """Return the statements of both studies."""
    parts = (_ladder, _iid, _restless, _tekin_liu, _counters)
    return [claim for part in parts for claim in part(thresholds)]


def _ladder(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    blind, little, some, known, restless = 1.001, 1.01, 1.005, 1.02, 1.05
    claim = partial(_claim, figure="study6_strong_regret")
    return [
        claim(
            "s6_open_loop",
            f"No sequence of arms that ignores rewards earns even {percent(blind)} more than the "
            "best fixed arm.",
            benchmarks.at_most(blind),
            Holds(level),
            (
                *_judged("open_loop", *_CLASSES),
                *_rung("open_loop", "ladder_example1", table="ladder"),
            ),
        ),
        claim(
            "s6_observed_little",
            f"Seeing rewards buys less than {percent(little)} in the five classes whose arms avoid "
            "each other.",
            benchmarks.upper_share,
            Below(little, level),
            _judged("observed", *_CLASSES[:-1]),
        ),
        claim(
            "s6_observed_some",
            f"Seeing rewards buys more than {percent(some)} where the other arms visit the good "
            "states.",
            benchmarks.lower_share,
            Above(some, level),
            _judged("observed", _CLASSES[-1]),
        ),
        claim(
            "s6_known_little",
            f"Seeing the state buys less than {percent(known)} in every class.",
            benchmarks.upper_share,
            Below(known, level),
            _judged("known", *_CLASSES),
        ),
        claim(
            "s6_restless",
            f"In restless bandits the best fixed arm leaves more than {percent(restless)} to a "
            "learner that sees the played channel.",
            benchmarks.at_least(restless),
            Holds(level),
            _rung("observed", *_TWO_CHANNELS),
        ),
    ]


def _iid(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    samplings = ("trajectory", "marginal")
    return [
        *(
            _claim(
                f"s8_iid_{name}",
                f"On independent rewards the regret of {text} grows at the Lai-Robbins rate.",
                benchmarks.slope("lai-robbins"),
                Near(1, 0.5, level),
                _runs("study8_iid", policy, _IID, *samplings),
            )
            for name, text, policy in (
                ("thompson", "Thompson sampling", "other-thompson"),
                ("kl_ucb", "KL-UCB", "other-kl-ucb"),
            )
        ),
        _claim(
            "s8_iid_ucb",
            "On two arms with independent rewards the regret of UCB1 grows at the rate Σ 2/Δ.",
            benchmarks.slope("index"),
            Near(1, 0.5, level),
            _runs("study8_iid", "ucb", _IID[:1], *samplings),
        ),
        _claim(
            "s8_iid_epochs",
            "Where nothing mixes epochs only cost.",
            benchmarks.MORE_THAN_UCB,
            Above(0, level),
            _paired("iid_two"),
        ),
    ]


def _restless(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    rca = _runs("study8_restless", "other-rca", _TWO_CHANNELS)
    ucb = _runs("study8_restless", "ucb", _TWO_CHANNELS)
    return [
        _claim(
            "s8_rca_log",
            "The weak regret of RCA is logarithmic in restless bandits: R(T) does not double.",
            GROWTH,
            sublinear(thresholds),
            _runs("study8_restless", "other-rca", _RESTLESS),
            where="Tekin and Liu (2012), abstract",
        ),
        _claim(
            "s8_ucb_restless",
            "UCB1 has sublinear weak regret too: playing moves nothing, so it cannot lock in.",
            GROWTH,
            sublinear(thresholds),
            _runs("study8_restless", "ucb", _RESTLESS),
        ),
        _claim(
            "s8_epochs_restless",
            "Where playing moves nothing epochs only cost.",
            benchmarks.MORE_THAN_UCB,
            Above(0, level),
            _paired(*_RESTLESS),
        ),
        _claim(
            "s8_strong_linear",
            "Against a learner that uses what it sees, RCA and UCB1 have linear regret.",
            benchmarks.strong_growth("ladder_others"),
            linear(thresholds),
            (*rca, *(replace(condition, label=f"{condition.label}, UCB") for condition in ucb)),
        ),
    ]


def _tekin_liu(thresholds: Thresholds) -> list[Claim]:
    simulations = "Tekin and Liu (2012), simulations as others summarise them"

    def runs(*policies: str) -> tuple[Condition, ...]:
        return tuple(
            Condition(label, "study8_tekin_liu", policy, "tekin_liu_s1", "trajectory")
            for policy, label in (
                ("other-rca", "L = 1"),
                ("other-rca-360", "L = 360"),
                ("other-rca-7200", "L = 7200"),
            )
            if policy in policies
        )

    return [
        _claim(
            "s8_tekin_liu_log",
            "With L = 1 the weak regret of RCA is logarithmic on bursty channels: R(T) does not "
            "double.",
            GROWTH,
            sublinear(thresholds),
            runs("other-rca"),
            where=simulations,
        ),
        _claim(
            "s8_tekin_liu_small_L",
            "RCA has less regret with a smaller L than with the 7200 of its theorem.",
            regret_ratio(
                "mean regret of RCA divided by that with L = 7200", policy="other-rca-7200"
            ),
            Below(1, thresholds.level),
            runs("other-rca", "other-rca-360"),
            where=simulations,
        ),
        _claim(
            "s8_tekin_liu_explores",
            "With L = 7200 RCA still explores after 50,000 iterations: R(T) nearly doubles.",
            GROWTH,
            linear(thresholds),
            runs("other-rca-7200"),
        ),
    ]


def _counters(thresholds: Thresholds) -> list[Claim]:
    level = thresholds.level
    cycle, rotted = 1.5, 1.05
    return [
        _claim(
            "s8_refused",
            "The truncations of rotting and recharging bandits break Assumption 1.",
            REDUCIBLE_SHARE,
            Above(0.5, level),
            (Counters("rotting", "rotting", 3), Counters("recharging", "recharging", 3)),
        ),
        _claim(
            "s8_recharging_cycle",
            f"With restarts, alternating recharging arms earns at least {multiple(cycle - 1)} as "
            "much again as the best fixed arm.",
            benchmarks.at_least(cycle),
            Holds(level),
            _rung("cycle", "recharging"),
        ),
        _claim(
            "s8_recharging_negative",
            "The weak regret of UCB1, which switches, is therefore negative on recharging arms.",
            benchmarks.PER_ITERATION,
            Below(0, level),
            _runs("study8_counters", "ucb", ("recharging",)),
        ),
        _claim(
            "s8_rotting_little",
            f"Arms that have rotted leave less than {percent(rotted)} to a learner that sees the "
            "counters.",
            benchmarks.at_most(rotted),
            Holds(level),
            _rung("known", "rotting"),
        ),
    ]


STATEMENTS = (
    NotAssessed(
        "s8_restless_ucb",
        "Wang, Huang and Lui (2020), abstract",
        "Restless-UCB outperforms existing algorithms in regret.",
        "all",
        "the policy plans with an oracle for known channels and is not implemented here",
    ),
)
