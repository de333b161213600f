"""Types of the configuration's values, and the base class of its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.validation import InputError, choice, shown, unknown_key

__all__ = ["Block", "Count", "Distinct", "Name", "Schedule", "distinct", "one_of"]

T = TypeVar("T")
_NAME = "^[a-z0-9][a-z0-9_-]*$"


def _name(value: str) -> str:
    """Refuse a name that, as a file or folder under data/ and figures/, could lead elsewhere."""
    if len(value) > 60 or not re.fullmatch(_NAME[1:-1], value):
        raise InputError(
            "a name has at most 60 lowercase letters, digits, _ and -, and starts with a letter or "
            f"digit, not {shown(value)}",
            value=value,
        )
    return value


def distinct(values: list[T]) -> list[T]:
    """Return a list if no entry is in it twice, or refuse it."""
    seen: set[T] = set()
    for value in values:
        if value in seen:
            raise InputError(f"has the entry {shown(value)} twice", value=value)
        seen.add(value)
    return values


def _schedule(text: str) -> str:
    parse_schedule(text, Setting())
    return text


def one_of(what: str, allowed: Iterable[str]) -> AfterValidator:
    """Return a validator that accepts only the ``allowed`` values, under the name ``what``."""
    return AfterValidator(lambda value: choice(value, what, allowed))


Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "pattern": _NAME, "maxLength": 60}),
]
Distinct = Annotated[list[T], Field(min_length=1), AfterValidator(distinct)]
Count = Annotated[int, Field(ge=1, le=100_000)]
Schedule = Annotated[str, AfterValidator(_schedule)]


class Block(BaseModel):
    """A mapping with known keys only, and values of exactly their type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, block: Any) -> Any:
        """Refuse an unknown key first: a key that is missing is often there, but misspelt."""
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in block if isinstance(block, dict) else ():
            if key not in known:
                raise unknown_key(key, "unknown key", "the keys here are", known, path=(key,))
        return block
