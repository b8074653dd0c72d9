"""What every piece of rules data is made of: strict, closed, deeply immutable models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, TypeVar
from unicodedata import category

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

Key = TypeVar("Key")
Value = TypeVar("Value")


class Frozen(BaseModel):
    """A value: no unknown keys, no coercion, no assignment."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)


def _read_only(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(mapping))


FrozenMap = Annotated[Mapping[Key, Value], AfterValidator(_read_only)]


def _plain_number(key: object) -> object:
    """A key of a table by number, as a file writes it; two ways to write one number would hide one of two entries."""
    if isinstance(key, str):
        if not re.fullmatch("0|[1-9][0-9]{0,8}", key):
            raise ValueError(f"a key must be a whole number as 3 or 12, but got {key[:40]!r}")
        return int(key)
    return key


PlainNumber = BeforeValidator(_plain_number)


def _one_line(name: str) -> str:
    """Any text that prints on one line; what begins or ends with a blank couldn't be told from what doesn't."""
    if name != name.strip() or any(category(c) in ("Cc", "Zl", "Zp") for c in name):
        raise ValueError(f"must be a text of one line without blanks at its ends, but got {name[:40]!r}")
    return name


OneLine = AfterValidator(_one_line)
SymbolName = Annotated[str, Field(min_length=1, max_length=40), OneLine]
FeatureName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.]*$", max_length=60)]
ReelIndex = Annotated[int, Field(ge=0, le=7)]
Positive = Annotated[int, Field(ge=1, le=2**31)]
