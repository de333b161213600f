"""What each study asks and concludes; `make docs` copies it to ``docs/studies.md``."""

from __future__ import annotations

from typing import NamedTuple


class StudyText(NamedTuple):
    """The question of a study, and the conclusion from its published run."""

    question: str
    conclusion: str


STUDY_TEXTS = {
    "study1_epochs_or_mixing": StudyText(
        "Is it the epochs or the mixing term?",
        "with the state redrawn either fix is enough: growing epochs without L, or each "
        "arm's L with a small constant and no epochs. Both together, with the printed constant, "
        "are worse than either. On a path UCB needs neither.",
    ),
    "study2_any_policy": StudyText(
        "Do epochs help any policy?",
        "the paper's suggestion is right, and more useful than its algorithm: combine epochs "
        "with an index policy that knows nothing about mixing. Of those tried, KL-UCB in epochs "
        "is the safe choice; on a path, with our δ, plain UCB is better still.",
    ),
    "study3_ucb_map": StudyText(
        "When does UCB fail?",
        "UCB fails where the good states are rare, the gap is small or medium, and either the "
        "state is redrawn with a sticky best arm or δ is .002 or less. A sliding window fixes "
        "most of this and a discount a little; variance tuning makes it worse.",
    ),
    "study4_knowledge": StudyText(
        "What does knowledge buy, and what does wrong knowledge cost?",
        "in epochs, knowledge of C and λ buys nothing; understating the mixing time is the safe "
        "error. EpochGreedy depends critically on Δ_min, and an estimate of it is as good as "
        "the right value. UCB in epochs needs neither and has less regret than any of these.",
    ),
    "study5_epoch_lengths": StudyText(
        "How long should epochs be?",
        "the paper's (40, 1) is near the best of its grid, and growing epochs beat fixed ones "
        "for UCB. A τ0 of half the relaxation time is a little better for UCB; long epochs (τ0 "
        "≥ 160) always raise regret.",
    ),
    "study6_strong_regret": StudyText(
        "How much does the best fixed arm leave on the table?",
        "in the paper's classes the best fixed arm is the right benchmark; where the state "
        "moves regardless of the arm played, it is not.",
    ),
    "study7_scale": StudyText(
        "What happens with more arms and states?",
        "with many arms UCB in epochs is still exploring after 300,000 iterations. In the class "
        "whose constants favour the best arm, EpochUCB scales best.",
    ),
    "study8_other_problems": StudyText(
        "What about other people's problems?",
        "where playing does not move the state, use a policy that decides each iteration. Do "
        "not trust weak regret there: it can be negative for good reasons.",
    ),
    "study9_long_horizons": StudyText(
        "What happens on long horizons?",
        "the bound is within a factor of ten of the truth where it is not vacuous, at 10^5 "
        "epochs. On long runs KL-UCB in epochs and, on paths, UCB stay ahead in the mean; UCB "
        "redrawn still has half the regret of random arms after 10^7 iterations. To settle the "
        "rankings takes more instances than fit into an hour on two cores.",
    ),
}
"""By the figure of the study."""
