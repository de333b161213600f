"""Types of the configuration's values, and the base class of its blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
from epochbandits.validation import InputError, choice, short_repr, unknown_key

T = TypeVar("T")
NAME = "[a-z0-9][a-z0-9_-]*"
"""Pattern of all names in a configuration, which become parts of paths."""
_CODE = r"^[^:]+:[A-Za-z_]\w*$"


def _name(value: str) -> str:
    """Reject a name that, as a file or folder under data/ and figures/, could lead elsewhere."""
    if len(value) > 60 or not re.fullmatch(NAME, value):
        raise InputError(
            "a name has at most 60 lowercase letters, digits, _ and -, and starts with a letter or "
            f"digit, not {short_repr(value)}",
            value=value,
        )
    return value


def distinct(values: list[T]) -> list[T]:
    """Return a list; reject it if an entry appears twice."""
    seen: set[T] = set()
    for value in values:
        if value in seen:
            raise InputError(f"has the entry {short_repr(value)} twice", value=value)
        seen.add(value)
    return values


def _code(value: str) -> str:
    if not re.fullmatch(_CODE[1:-1], value):
        raise InputError(
            f"must be module:Class or file.py:Class, not {short_repr(value)}", value=value
        )
    return value


def _printable_text(value: str) -> str:
    """Reject control characters: no figure can contain them, and they can rewrite a terminal."""
    if not value.isprintable():
        raise InputError(f"must have no control characters, not {short_repr(value)}", value=value)
    return value


def _schedule(text: str) -> str:
    parse_schedule(text, Setting())
    return text


def one_of(what: str, allowed: Iterable[str] | Callable[[], Iterable[str]]) -> AfterValidator:
    """Return a validator that accepts only the ``allowed`` values; an error calls them ``what``."""
    return AfterValidator(
        lambda value: choice(value, what, allowed() if callable(allowed) else allowed)
    )


Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "pattern": f"^{NAME}$", "maxLength": 60}),
]
Code = Annotated[str, AfterValidator(_code), WithJsonSchema({"type": "string", "pattern": _CODE})]
Distinct = Annotated[list[T], Field(min_length=1), AfterValidator(distinct)]
Count = Annotated[int, Field(ge=1, le=100_000)]
Schedule = Annotated[str, AfterValidator(_schedule)]
PrintableText = Annotated[str, AfterValidator(_printable_text)]


class Block(BaseModel):
    """A mapping with known keys only, and values of exactly their type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, block: Any) -> Any:
        """Reject unknown keys first: a key that is missing is often there, but misspelt."""
        known = [field.alias or name for name, field in cls.model_fields.items()]
        if not isinstance(block, dict):
            raise InputError(
                f"must be a mapping with keys among {', '.join(known)}, not {short_repr(block)}",
                value=block,
                allowed=known,
            )
        for key in block:
            if key not in known:
                raise unknown_key(key, "unknown key", "the keys here are", known, path=(key,))
        return block
