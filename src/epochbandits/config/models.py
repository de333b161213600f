"""The configuration's keys: type, range, default and meaning of each.

`config/README.md` and the JSON schema are generated from these models. Unknown keys are rejected
everywhere, and so are values of the wrong type: `yes` is not a number, nor is `"5"`.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from epochbandits.config.checks import check_blocks
from epochbandits.config.fields import (
    Block,
    Code,
    Count,
    Distinct,
    Name,
    PrintableText,
    Schedule,
    distinct,
    one_of,
)
from epochbandits.config.instance_sets import InstanceSet
from epochbandits.config.thresholds import Thresholds
from epochbandits.io.schemas import CHECKS, PAPER_CHECKS
from epochbandits.model.generators import MAX_SIZE
from epochbandits.model.moments import Sampling
from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.model.setting import TAU0, ZETA
from epochbandits.policies.loading import known_policies
from epochbandits.theory.penalty import Variant
from epochbandits.validation import InputError


class SettingBlock(Block):
    """The setting of runs or bounds: epoch lengths and discounts."""

    tau0: int = Field(TAU0, ge=1, le=10**6, description="length τ0 of an arm's first epoch")
    zeta: int = Field(ZETA, ge=1, le=10**6, description="growth ζ of an arm's epochs")
    gammas: Distinct[Annotated[float, Field(gt=0, le=1)]] = Field(
        [1.0], description="discounts γ of the feedback; 1 is the time average"
    )


# --- policies and experiments ---------------------------------------------------------------------


class PolicyBlock(Block):
    """A policy with its parameters, under the name that tables and figures use."""

    policy: Annotated[str, one_of("policy", known_policies)] | None = Field(
        None,
        description="name of the policy, built-in or registered by an installed package; the "
        "block's name by default",
    )
    code: Code | None = Field(
        None,
        description="in place of `policy`: module:Class or file.py:Class of your own; the file is "
        "relative to the configuration file. "
        "**This runs the file's code**: name only code that you trust",
    )
    label: PrintableText | None = Field(
        None, description="name in figures; the block's name by default"
    )
    params: dict[str, Any] = Field({}, description="the policy's parameters")
    schedule: Schedule | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="schedule of this policy, as in `experiments.<name>`, which it overrides",
    )
    sweep: dict[str, list[float]] = Field(
        {},
        max_length=1,
        json_schema_extra={"additionalProperties": {"type": "array"}},
        description="one parameter, or `tau0` or `zeta`, and the values to run it with. "
        "Values that are not numbers (words, true and false, lists, null for automatic) each make "
        "a policy `<name>-<value>`, and `<name>` in a list of policies stands for all of them. "
        "To sweep discounts, use the experiment's `gammas`",
    )
    tuned: dict[str, list[float]] = Field(
        {},
        max_length=1,
        description="one parameter and the values to choose from: the one with the least mean "
        "regret in the experiment's `tuned_on`",
    )
    source: str = Field("", description="where the parameters come from")

    @model_validator(mode="after")
    def _check(self) -> PolicyBlock:
        if self.policy is not None and self.code is not None:
            raise InputError("give policy or code, not both")
        if self.sweep and self.tuned:
            raise InputError("give sweep or tuned, not both")
        for name, values in (self.sweep | self.tuned).items():
            path = ("sweep" if self.sweep else "tuned", name)
            if not values:
                raise InputError("needs at least one value", path=path)
            if name in self.params:
                raise InputError("is in params as well; give one of them", path=path)
            if name in ("gamma", "gammas"):
                raise InputError("is swept by `gammas` of the experiment", path=path)
            try:
                distinct(values)
            except InputError as error:
                raise error.at(path) from None
        return self


class Experiment(SettingBlock):
    """Policies on sets of instances over seeds."""

    instances: Distinct[Name] = Field(description="names of blocks in `instances`")
    policies: Distinct[Name] = Field(description="names of blocks in `policies`")
    epochs: int = Field(ge=1, le=10**7, description="horizon n")
    seeds: Count = Field(description="runs of each policy on each instance: seeds 0, 1, ...")
    sampling: Distinct[Sampling] = Field(
        ["marginal"],
        description="`marginal` (Algorithm 1 to the letter), `trajectory` (a path of the chain)",
    )
    schedule: Schedule | None = Field(
        None,
        exclude_if=lambda value: value is None,
        description="epoch lengths of all policies, such as `linear` (τ0 + ζT iterations after T "
        "earlier plays of the arm), `fixed:TAU` or `geometric:ALPHA` (all are in `epochbandits "
        "simulate --help`); by default each policy uses its own. "
        "A run with a schedule from the configuration is never paired: `epochs` counts decisions",
    )
    paired: bool = Field(
        True,
        description="if true, a policy that decides each iteration runs for as many iterations as "
        "EpochUCB, and its rewards are averaged over EpochUCB's epochs; if false, it makes "
        "`epochs` decisions, each counted as an epoch",
    )
    tuned_on: Name | None = Field(
        None, description="the experiment on which the `tuned` parameters are chosen"
    )
    points: int = Field(200, ge=2, le=400, description="approximate points of each curve")
    seeds_per_job: Count | None = Field(None, description="overrides the run's")


# --- tables of the theory -------------------------------------------------------------------------


class Bounds(SettingBlock):
    """Regret bounds over the horizon."""

    instances: Name = Field(description="name of `instances`")
    variants: Distinct[Variant] = Field(
        ["paper"], description="forms of L: `paper`, `tight`, `min`"
    )
    horizon: int = Field(ge=100, le=10**8, description="largest n")
    points: int = Field(200, ge=10, le=2000, description="points of each curve")
    horizons: Distinct[Annotated[int, Field(ge=100, le=10**8)]] | None = Field(
        None, description="values of n to tabulate, instead of `points` values up to the horizon"
    )
    useful: bool = Field(
        False, description="also search for the n from which each bound is not vacuous"
    )


class Eigenvalues(Block):
    """Second-largest eigenvalues of M(P) over random matrices (Section 3.3)."""

    matrices: int = Field(1000, ge=1, le=10**6, description="matrices of each law")
    states: int = Field(10, ge=2, le=MAX_SIZE, description="states of each matrix")
    seed: int = Field(0, ge=0, le=2**62, description="seed of the matrices")
    laws: Distinct[Annotated[str, one_of("law", ROW_LAWS)]] = Field(
        list(ROW_LAWS), description="how rows are drawn: " + ", ".join(ROW_LAWS)
    )


class Inequalities(SettingBlock):
    """Lemmas, theorems and remarks, both sides computed."""

    instances: Distinct[Name] = Field(description="names of `instances`")
    checks: Distinct[Annotated[str, one_of("check", CHECKS)]] = Field(
        list(PAPER_CHECKS),
        description="what to compute: " + "; ".join(f"`{k}` ({v})" for k, v in CHECKS.items()),
    )
    sampling: Distinct[Sampling] = Field(
        ["marginal"], description="samplings of the theorems' simulations"
    )
    epochs: int = Field(
        ge=10, le=10**5, description="horizon of the simulations, and of constants that need one"
    )
    seeds: int = Field(100, ge=2, le=10_000, description="runs of the theorems' simulations")
    c: float = Field(100, gt=0, le=1e6, description="c of Theorem 2, which applies only if c > 8κ²")


# --- figures ------------------------------------------------------------------------------------


class FigureBlock(Block):
    """Where a figure's numbers come from."""

    source: Annotated[
        list[Name],
        Field(min_length=1),
        BeforeValidator(
            lambda value: [value] if isinstance(value, str) else value,
            json_schema_input_type=str | list[str],
        ),
    ] = Field(
        description="name, or names, of the figure's experiments, bounds, instances, eigenvalues "
        "or inequalities"
    )
    policies: Distinct[Name] | None = Field(
        None, description="the policies to draw; all of the experiment by default"
    )


def _or_list_of_ids(schema: dict[str, Any]) -> None:
    """Let the schema of a mapping accept a list of its keys, too (`expansion`)."""
    mapping = {k: schema.pop(k) for k in list(schema) if k not in ("description", "title")}
    schema["anyOf"] = [mapping, {"type": "array", "items": {"type": "string"}}]


# --- a run ----------------------------------------------------------------------------------------


class Config(Block):
    """The keys of a run."""

    run: Name = Field(description="names `data/<run>` and `figures/<run>`")
    stamp: PrintableText = Field(
        "",
        max_length=20,
        description="text printed on each figure to mark a run other than the paper's; the page of "
        "a stamped run has no separate figures for phones",
    )
    root: int = Field(0, ge=0, le=2**62, description="root seed of all random streams")
    seeds_per_job: Count = Field(
        description="number of seeds per simulation job; does not affect results"
    )
    policies_per_job: Count = Field(
        1,
        description="number of an experiment's policies per simulation job; those in a job share "
        "the work that does not depend on the policy, but a change to one reruns the whole job",
    )
    instances: dict[Name, InstanceSet] = Field(description="sets of problem instances, by name")
    policies: dict[Name, PolicyBlock] = Field(description="policies with parameters, by name")
    experiments: dict[Name, Experiment] = Field(description="simulations, by name")
    bounds: dict[Name, Bounds] = Field({}, description="tables of bounds, by name")
    eigenvalues: dict[Name, Eigenvalues] = Field({}, description="tables of eigenvalues, by name")
    inequalities: dict[Name, Inequalities] = Field(
        {}, description="tables of the theory's inequalities, by name"
    )
    claims: Thresholds = Field(description="thresholds of the verdicts")
    figures: dict[Name, FigureBlock] = Field(
        description="figures to draw, by id, or a list of ids of figures that an earlier file "
        "describes. `regret_<experiment>` draws the regret of any experiment",
        json_schema_extra=_or_list_of_ids,
    )

    @model_validator(mode="after")
    def _check(self) -> Config:
        check_blocks(self)
        return self
