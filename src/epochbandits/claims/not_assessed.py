"""Statements of the paper that are listed without a verdict, each with the reason."""

from __future__ import annotations

from epochbandits.claims.claim import NotAssessed

_OTHER = "a statement about another paper, which this project does not reproduce"

STATEMENTS = (
    NotAssessed(
        "other_information",
        "Section 1",
        "All reinforcement-learning algorithms assume full or partial information on the state.",
        "all",
        _OTHER,
    ),
    NotAssessed(
        "other_lower_bound",
        "Section 1.1",
        "No algorithm has sublogarithmic regret, so the bounds are asymptotically tight.",
        "all",
        "a lower bound proved elsewhere for independent rewards; no run can show it",
    ),
    NotAssessed(
        "other_mazumdar",
        "Section 1.2",
        "EpochUCB improves on the regret bound of Mazumdar et al. (2017).",
        "all",
        _OTHER,
    ),
    NotAssessed(
        "model_externalities",
        "Section 1.2",
        "Bandits with positive externalities are a special case.",
        "all",
        "the text does not say which chain the bias follows, so there is nothing to check",
    ),
    NotAssessed(
        "no_prior_information",
        "Abstract, Section 1.1",
        "The algorithms need no a priori information on the chain.",
        "all",
        "Algorithms 2 and 3 take C_j, λ_j, κ and d as inputs (errata E14); finding 7 measures what "
        "the arm-specific constants are worth",
    ),
    NotAssessed(
        "regret_deterministic",
        "Section 2.1.1",
        "With full information the optimal policy is deterministic in the state.",
        "all",
        "a theorem on Markov decision processes that the paper cites",
    ),
    NotAssessed(
        "window_coverage",
        "Section 3.3",
        "Each side of EpochUCB's window covers the mean with probability at least 1 - k⁻³.",
        "all",
        "a step of the proof of Theorem 1, whose conclusion is tested; at k = 100 a failure has "
        "probability 1e-6, far below what runs can resolve",
    ),
    NotAssessed(
        "mixing_necessary",
        "Section 3.3",
        "Any algorithm's regret must depend on the mixing times.",
        "all",
        "a lower bound that the paper does not state as a formula",
    ),
    NotAssessed(
        "greedy_gap_dependence",
        "Section 3.4, last remark",
        "d⁻² Σ Δ_j can be far larger than Σ 1/Δ_j.",
        "some",
        "read off the formulas; it cannot come out otherwise",
    ),
    NotAssessed(
        "other_auer_decay",
        "Section 5.2.2",
        "Decaying c helps as it does for ε-greedy in Auer et al. (2002).",
        "some",
        _OTHER,
    ),
    NotAssessed(
        "other_exp3",
        "Section 5.3",
        "EXP3 has sublinear regret against oblivious and can have linear regret against adaptive "
        "adversaries.",
        "some",
        _OTHER,
    ),
    NotAssessed(
        "q_learning_steps",
        "Section 5.3",
        "Steps of 1/√k satisfy the conditions of Robbins and Monro.",
        "all",
        "false by arithmetic, since Σ 1/k diverges (errata E13); nothing to measure",
    ),
)
