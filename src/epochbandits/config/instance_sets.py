"""The models of instance sets: drawn, Example 1, problems of other kinds, and files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from epochbandits.config.fields import Block, Distinct, one_of
from epochbandits.model.generators import ARMS, CLASSES, MAX_SIZE, STATES
from epochbandits.model.problems import PROBLEMS, Problem, build
from epochbandits.validation import InputError


class Drawn(Block):
    """Random instances of a class."""

    cls: Annotated[str, one_of("class", CLASSES)] = Field(
        alias="class", description="class of instances: " + ", ".join(CLASSES)
    )
    arms: int = Field(ARMS, ge=2, le=MAX_SIZE, description="number of arms")
    states: int = Field(STATES, ge=2, le=MAX_SIZE, description="number of states")
    first: int = Field(0, ge=0, le=2**62, description="seed of the first instance")
    count: int = Field(ge=1, le=10_000, description="number of instances, with successive seeds")
    knobs: dict[str, Any] = Field(
        {}, description="changes to the class's ranges, as in `epochbandits generate --knob`"
    )

    @property
    def size(self) -> int:
        """The number of instances."""
        return self.count

    def overlaps(self, other: object) -> bool:
        """Return whether two sets have an instance in common."""
        if not isinstance(other, Drawn):
            return False
        same = ("cls", "arms", "states", "knobs")
        return (
            all(getattr(self, key) == getattr(other, key) for key in same)
            and self.first < other.first + other.count
            and other.first < self.first + self.count
        )


class Failure(Block):
    """Example 1 of the paper, once for each ε."""

    cls: Literal["failure"] = Field(alias="class", description="`failure`")
    epsilon: Distinct[Annotated[float, Field(gt=0, lt=1)]] = Field(
        description="ε of each instance, in (0, 1)"
    )

    @property
    def size(self) -> int:
        """The number of instances."""
        return len(self.epsilon)

    def overlaps(self, other: object) -> bool:
        """Return whether two sets have an instance in common."""
        return isinstance(other, Failure) and not set(self.epsilon).isdisjoint(other.epsilon)


class Built(Block):
    """One problem of another kind, given by its numbers."""

    cls: Problem = Field(
        alias="class",
        description="`restless` (independent channels), `iid` (independent rewards), `rotting` or "
        "`recharging` (counters of plays)",
    )
    params: dict[str, Any] = Field(description="arguments of the function in `model.problems`")

    @property
    def size(self) -> int:
        """The number of instances."""
        return 1

    @model_validator(mode="after")
    def _check(self) -> Built:
        try:
            build(self.cls, self.params)
        except InputError as error:
            raise error.at(("params",)) from None
        return self

    def overlaps(self, other: object) -> bool:
        """Return whether two sets have an instance in common."""
        return isinstance(other, Built) and self == other


class Files(Block):
    """Your own instances."""

    files: Distinct[str] = Field(
        description="instance files (JSON), relative to the configuration file"
    )

    @property
    def size(self) -> int:
        """The number of instances."""
        return len(self.files)

    def overlaps(self, other: object) -> bool:
        """Return whether two sets have an instance in common."""
        return isinstance(other, Files) and not set(self.files).isdisjoint(other.files)


def _instance_set(block: Any) -> Any:
    """Validate a block with the model that its keys select; a union would report every model."""
    keys = block if isinstance(block, dict) else {}
    name = keys.get("class")
    model: type[Block] = Drawn
    if name == "failure":
        model = Failure
    elif isinstance(name, str) and name in PROBLEMS:
        model = Built
    return (Files if "files" in keys else model).model_validate(block)


InstanceSet = Annotated[Drawn | Failure | Built | Files, BeforeValidator(_instance_set)]
