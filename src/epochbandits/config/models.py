"""What a configuration file may say: every key, its type, its range and its default.

The JSON schema and `config/README.md` are generated from these models (`documentation`), and
unknown keys are refused everywhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    model_validator,
)

from epochbandits.figures.registry import FIGURES
from epochbandits.limits import MOST_JOBS
from epochbandits.model.generators import CLASSES, LARGEST
from epochbandits.model.random_matrices import LAWS
from epochbandits.policies import POLICIES
from epochbandits.validation import choice

__all__ = [
    "Bounds",
    "Config",
    "Drawn",
    "Eigenvalues",
    "Experiment",
    "Failure",
    "FigureBlock",
    "Files",
    "Inequalities",
    "PolicyBlock",
    "Thresholds",
]

# Names are folders and files under data/ and figures/: none of them may lead elsewhere.
NAME = r"^[a-z0-9][a-z0-9_-]*$"
Name = Annotated[str, Field(pattern=NAME, max_length=60)]
Gamma = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[int, Field(ge=1, le=100_000)]


def _one_of(what: str, allowed: Any) -> AfterValidator:
    return AfterValidator(lambda value: choice(value, what, allowed))


def _distinct(values: list[Any]) -> list[Any]:
    if len(set(values)) < len(values):
        raise ValueError("has an entry twice")
    return values


Gammas = Annotated[list[Gamma], Field(min_length=1), AfterValidator(_distinct)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


# --- instances ------------------------------------------------------------------------------------


class Drawn(_Model):
    """Random instances of a class."""

    cls: Annotated[str, _one_of("class", CLASSES)] = Field(
        alias="class", description="class of instances: " + ", ".join(CLASSES)
    )
    arms: int = Field(4, ge=2, le=LARGEST, description="number of arms")
    states: int = Field(4, ge=2, le=LARGEST, description="number of states")
    first: int = Field(0, ge=0, le=2**62, description="seed of the first instance")
    count: int = Field(ge=1, le=10_000, description="how many, with successive seeds")
    knobs: dict[str, Any] = Field(
        {}, description="changes to the class's ranges, as in `epochbandits generate --knob`"
    )

    @property
    def end(self) -> int:
        """The seed after the last instance's."""
        return self.first + self.count


class Failure(_Model):
    """Example 1 of the paper, for each ε."""

    cls: Literal["failure"] = Field(alias="class", description="`failure`")
    epsilon: Annotated[
        list[Annotated[float, Field(gt=0, lt=1)]],
        Field(min_length=1, description="ε of each instance, in (0, 1)"),
        AfterValidator(_distinct),
    ]


class Files(_Model):
    """Instances of your own."""

    files: Annotated[
        list[str],
        Field(min_length=1, description="instance files (JSON), relative to the working folder"),
        AfterValidator(_distinct),
    ]


def _kind(block: Any) -> str:
    if isinstance(block, dict) and "files" in block:
        return "files"
    cls = block.get("class") if isinstance(block, dict) else getattr(block, "cls", None)
    return "failure" if cls == "failure" else "drawn"


InstanceSet = Annotated[
    Annotated[Drawn, Tag("drawn")]
    | Annotated[Failure, Tag("failure")]
    | Annotated[Files, Tag("files")],
    Discriminator(_kind),
]

# --- policies and experiments ---------------------------------------------------------------------


class PolicyBlock(_Model):
    """A policy with its parameters, under the name that tables and figures use."""

    policy: Annotated[str, _one_of("policy", POLICIES)] | None = Field(
        None, description="the built-in policy's name; the block's own name by default"
    )
    code: str | None = Field(
        None,
        pattern=r"^[^:]+:[A-Za-z_]\w*$",
        description="in place of `policy`: module:Class or file.py:Class of your own. "
        "**This runs the file's code**: name only code that you trust",
    )
    label: str | None = Field(None, description="name in figures; the block's own by default")
    params: dict[str, Any] = Field({}, description="the policy's parameters")
    sweep: dict[str, list[float]] = Field(
        {}, max_length=1, description="one parameter and its values, each of which is run"
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
            raise ValueError("give policy or code, not both")
        if self.sweep and self.tuned:
            raise ValueError("give sweep or tuned, not both")
        for name, values in (self.sweep | self.tuned).items():
            if not values or len(set(values)) < len(values):
                raise ValueError(f"{name} needs at least one value, and none of them twice")
            if name in self.params:
                raise ValueError(f"{name} is given in params and swept as well")
        return self


class Experiment(_Model):
    """Policies on sets of instances over seeds."""

    instances: Annotated[list[Name], Field(min_length=1), AfterValidator(_distinct)] = Field(
        description="names of `instances`"
    )
    policies: Annotated[list[Name], Field(min_length=1), AfterValidator(_distinct)] = Field(
        description="names of `policies`"
    )
    epochs: int = Field(ge=1, le=10**7, description="horizon n")
    seeds: Count = Field(description="runs of each policy on each instance: seeds 0, 1, ...")
    tau0: int = Field(40, ge=1, le=10**6, description="length τ0 of an arm's first epoch")
    zeta: int = Field(1, ge=1, le=10**6, description="growth ζ of an arm's epochs")
    gammas: Gammas = Field([1.0], description="discounts of the feedback; 1: time average")
    sampling: Annotated[
        list[Literal["marginal", "trajectory"]], Field(min_length=1), AfterValidator(_distinct)
    ] = Field(
        ["marginal"],
        description="`marginal` (Algorithm 1 to the letter), `trajectory` (a path of the chain)",
    )
    paired: bool = Field(
        True,
        description="a policy that decides each iteration gets EpochUCB's iterations and is cut at "
        "its epochs; false: `epochs` decisions, each counted as an epoch",
    )
    tuned_on: Name | None = Field(
        None, description="the experiment on which the `tuned` parameters are chosen"
    )
    points: int = Field(200, ge=2, le=400, description="points of each aggregated curve, about")
    seeds_per_job: Count | None = Field(None, description="in place of the run's")


class Bounds(_Model):
    """Regret bounds over the horizon."""

    instances: Name = Field(description="name of `instances`")
    tau0: int = Field(40, ge=1, le=10**6, description="length τ0 of an arm's first epoch")
    zeta: int = Field(1, ge=1, le=10**6, description="growth ζ of an arm's epochs")
    gammas: Gammas = Field([1.0], description="discounts of the feedback; 1: time average")
    variants: Annotated[
        list[Literal["paper", "tight", "min"]], Field(min_length=1), AfterValidator(_distinct)
    ] = Field(["paper"], description="forms of L")
    horizon: int = Field(ge=100, le=10**8, description="largest n")
    points: int = Field(200, ge=10, le=2000, description="points of each curve")


class Eigenvalues(_Model):
    """Second-largest eigenvalues of M(P) over random matrices (Section 3.3)."""

    matrices: int = Field(1000, ge=1, le=10**6, description="matrices of each law")
    states: int = Field(10, ge=2, le=LARGEST, description="states of each matrix")
    seed: int = Field(0, ge=0, le=2**62, description="seed of the matrices")
    laws: Annotated[
        list[Annotated[str, _one_of("law", LAWS)]],
        Field(min_length=1, description="how rows are drawn: " + ", ".join(LAWS)),
        AfterValidator(_distinct),
    ] = list(LAWS)


class Inequalities(_Model):
    """Lemmas and theorems, both sides computed."""

    instances: Annotated[list[Name], Field(min_length=1), AfterValidator(_distinct)] = Field(
        description="names of `instances`"
    )
    tau0: int = Field(40, ge=1, le=10**6, description="length τ0 of an arm's first epoch")
    zeta: int = Field(1, ge=1, le=10**6, description="growth ζ of an arm's epochs")
    gammas: Gammas = Field([1.0], description="discounts for the lemmas")
    epochs: int = Field(ge=10, le=10**5, description="horizon of the theorems' simulations")
    seeds: int = Field(ge=2, le=10_000, description="runs of the theorems' simulations")
    cprime: float = Field(gt=8, le=1e6, description="c' of Theorem 2")
    c: float = Field(gt=0, le=1e6, description="c of Theorem 2, at least c'ν²")


class Thresholds(_Model):
    """What the verdicts on the paper's claims depend on, besides the data."""

    assess: bool = Field(True, description="false: every claim is 'not assessed'")
    level: float = Field(0.95, gt=0.5, lt=1, description="level of all intervals")
    linear: float = Field(
        1.65, description="R(n)/R(n/2) above this is a line (a line has 2, a square root 1.41)"
    )
    sublinear: float = Field(1.65, description="R(n)/R(n/2) below this is sublinear")
    late: float = Field(
        0.5, description="mean gap of later plays over Δ_min above which the best arm is not found"
    )
    most: float = Field(0.5, ge=0, lt=1, description="share that counts as 'typically'")
    nearly_all: float = Field(0.9, ge=0, lt=1, description="share that counts as 'always'")
    close: float = Field(1.5, gt=1, description="ratio below which one 'tends toward' another")
    dramatic: float = Field(0.5, gt=0, lt=1, description="ratio that is a dramatic improvement")
    logarithmic: float = Field(
        2.0, gt=1, description="growth over a decade over the decade before (a line has 10)"
    )
    printed: float = Field(0.02, gt=0, description="tolerance of the paper's printed numbers")


class FigureBlock(_Model):
    """Where a figure's numbers come from."""

    source: Annotated[
        list[Name],
        Field(min_length=1),
        BeforeValidator(
            lambda value: [value] if isinstance(value, str) else value,
            json_schema_input_type=str | list[str],
        ),
    ] = Field(
        description="name, or names, of the figure's experiments, bounds, instances or eigenvalues"
    )
    policies: Annotated[list[Name], Field(min_length=1), AfterValidator(_distinct)] | None = Field(
        None, description="the policies to draw; all of the experiment by default"
    )


class Config(_Model):
    """A whole run."""

    run: Name = Field(description="names `data/<run>` and `figures/<run>`")
    stamp: str = Field(
        "", max_length=20, description="printed on each figure, to mark what is no paper run"
    )
    root: int = Field(0, ge=0, le=2**62, description="root seed of all random streams")
    seeds_per_job: Count = Field(
        description="seeds that one simulation job runs; changes nothing in the results"
    )
    policies_per_job: Count = Field(
        1,
        description="policies of an experiment that one simulation job runs; more make fewer jobs, "
        "of which more is rerun when one of the policies changes",
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
    figures: dict[Annotated[str, _one_of("figure", FIGURES)], FigureBlock] = Field(
        description="figures to draw: " + ", ".join(FIGURES)
    )

    @model_validator(mode="after")
    def _check(self) -> Config:
        jobs = 0
        for name, block in self.experiments.items():
            where = f"experiments.{name}"
            blocks = -(-block.seeds // (block.seeds_per_job or self.seeds_per_job))
            jobs += blocks * -(-len(block.policies) // self.policies_per_job)
            if jobs > MOST_JOBS:
                raise ValueError(
                    f"{where}.seeds: the run has more than {MOST_JOBS} simulation jobs; "
                    "take a larger seeds_per_job or policies_per_job"
                )
            for key, known in (("instances", self.instances), ("policies", self.policies)):
                for entry in getattr(block, key):
                    _known(entry, f"{where}.{key}", known)
            if block.tuned_on is not None:
                _known(block.tuned_on, f"{where}.tuned_on", self.experiments)
                if block.tuned_on == name or self.experiments[block.tuned_on].tuned_on:
                    raise ValueError(f"{where}.tuned_on must name an experiment that tunes")
                shared = {i for i in block.instances if self._same_draws(i, block.tuned_on)}
                if shared:
                    raise ValueError(
                        f"{where}: {', '.join(sorted(shared))} must not have instances of "
                        f"{block.tuned_on}, on which the parameters are chosen"
                    )
                for policy in block.policies:
                    tuning = self.experiments[block.tuned_on].policies
                    if self.policies[policy].tuned and policy not in tuning:
                        raise ValueError(
                            f"experiments.{block.tuned_on}.policies must have {policy}, "
                            f"which {where} takes tuned from there"
                        )
        for name, bounds in self.bounds.items():
            _known(bounds.instances, f"bounds.{name}.instances", self.instances)
        for name, checked in self.inequalities.items():
            for entry in checked.instances:
                _known(entry, f"inequalities.{name}.instances", self.instances)
        for name, figure in self.figures.items():
            kind = FIGURES[name].kind
            for entry in figure.source:
                _known(entry, f"figures.{name}.source", getattr(self, kind))
            if figure.policies and kind != "experiments":
                raise ValueError(f"figures.{name}.policies: the figure shows no policies")
            drawn = (
                {p for e in figure.source for p in getattr(self, kind)[e].policies}
                if (kind == "experiments")
                else set()
            )
            for policy in figure.policies or []:
                _known(policy, f"figures.{name}.policies", dict.fromkeys(sorted(drawn)))
        return self

    def _same_draws(self, name: str, experiment: str) -> bool:
        """Tell whether a set shares instances with those of an experiment."""
        others = self.experiments[experiment].instances
        return any(_share(self.instances[name], self.instances[other]) for other in others)


def _share(one: Any, other: Any) -> bool:
    """Tell whether two sets have an instance in common."""
    if isinstance(one, Drawn) and isinstance(other, Drawn):
        same = ("cls", "arms", "states", "knobs")
        overlap = range(max(one.first, other.first), min(one.end, other.end))
        return len(overlap) > 0 and all(getattr(one, k) == getattr(other, k) for k in same)

    def named(block: Any) -> set[Any]:
        return set(getattr(block, "epsilon", getattr(block, "files", [])))

    return bool(named(one) & named(other))


def _known(entry: str, where: str, known: dict[str, Any]) -> None:
    choice(entry, where, known)
