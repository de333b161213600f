"""The figures there are, by id, without importing what draws them.

An id is the name of the function that draws it, of its caption in `workflow/report/`, of its files
and of its key in the configuration.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FIGURES", "Spec"]


class Spec(NamedTuple):
    """Where a figure's numbers come from, and where the functions are."""

    kind: str
    """The part of the configuration that its source is in."""
    data: str
    """Function that makes the plotted table, in `figures.data` or, for a finding, in
    `figures.findings_data`."""
    module: str
    """Module of `figures` that has the function which draws it."""
    paper: str
    """The paper's figure or section."""


FIGURES: dict[str, Spec] = {
    "fig1a_failure_arms": Spec("instances", "transitions", "failure", "Fig. 1a"),
    "fig1b_failure_regret": Spec("experiments", "failure", "failure", "Fig. 1b"),
    "fig2a_stationary": Spec("instances", "arms", "instances", "Fig. 2a"),
    "fig2b_mean_rewards": Spec("instances", "arms", "instances", "Fig. 2b"),
    "fig3a_bounds": Spec("bounds", "bounds", "bounds", "Fig. 3a"),
    "fig3b_ucb_bound_discount": Spec("bounds", "bounds", "bounds", "Fig. 3b"),
    "fig3c_greedy_bound_discount": Spec("bounds", "bounds", "bounds", "Fig. 3c"),
    "fig4a_ucb_vs_greedy": Spec("experiments", "curves", "regret", "Fig. 4a"),
    "fig4b_greedy_decay": Spec("experiments", "curves", "regret", "Fig. 4b"),
    "fig5a_ucb_discount": Spec("experiments", "curves", "regret", "Fig. 5a"),
    "fig5b_greedy_discount": Spec("experiments", "curves", "regret", "Fig. 5b"),
    "fig6a_baselines_4x4": Spec("experiments", "curves", "regret", "Fig. 6a"),
    "fig6b_baselines_4x8": Spec("experiments", "curves", "regret", "Fig. 6b"),
    "tab1_mixing": Spec("eigenvalues", "eigenvalues", "mixing", "Section 3.3"),
    # Findings: where the measured result departs from the paper's.
    "finding1_resampling": Spec("experiments", "resampling", "findings", "Fig. 6, Algorithm 1"),
    "finding2_decay": Spec("experiments", "decay", "findings", "Fig. 4b"),
    "finding3_discount_classes": Spec("experiments", "discount_classes", "findings", "Fig. 5a"),
    "finding4_bounds_near_one": Spec("bounds", "near_one", "findings", "Figs 3b and 3c"),
    "finding5_eigenvalue_scale": Spec("eigenvalues", "scales", "findings", "Section 3.3"),
    "finding6_exploration": Spec("inequalities", "exploration", "findings", "Theorem 2"),
}
