"""What every piece of rules data is made of: strict, closed, deeply immutable models."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Key = TypeVar("Key")
Value = TypeVar("Value")


class Frozen(BaseModel):
    """A value: no unknown keys, no coercion, no assignment."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)


def _read_only(mapping: Mapping[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(dict(mapping))


FrozenMap = Annotated[Mapping[Key, Value], AfterValidator(_read_only)]

SymbolName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]
FeatureName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_.]*$", max_length=60)]
ReelIndex = Annotated[int, Field(ge=0, le=7)]
Positive = Annotated[int, Field(ge=1, le=2**31)]
