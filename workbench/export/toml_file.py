"""A strip set as TOML: the tables and keys of its JSON, every key and text quoted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from workbench.reels.files import FORMAT
from workbench.reels.strip_set import StripSet

T = TypeVar("T")


def toml_file(strips: StripSet) -> bytes:
    """The file, in UTF-8."""
    return "".join(f"{line}\n" for line in _lines(strips)).encode()


def _lines(strips: StripSet) -> Iterator[str]:
    head = {"definition_sha256": strips.definition_sha256, "format": FORMAT, "game": strips.game}
    for key, value in {**head, "name": strips.name}.items():
        yield f"{key} = {_text(value)}"
    yield from ("", "[reels]", *_by_reel(strips.reels, _text))
    if strips.stop_weights:
        yield from ("", "[stop_weights]", *_by_reel(strips.stop_weights, str))
    yield from ("", "[wheels]")
    yield from (f"{_text(name)} = {_weights(wheel.items())}" for name, wheel in sorted(strips.wheels.items()))
    yield from ("", "[position_reels]")
    for name, stages in sorted(strips.position_reels.items()):
        yield f"{_text(name)} = ["
        for stage in stages:
            cells = ", ".join(_weights(cell.items()) for cell in stage.cells)
            yield f"  {{ from = {stage.start}, cells = [{cells}] }},"
        yield "]"


def _by_reel(named: Mapping[str, Sequence[Sequence[T]]], scalar: Callable[[T], str]) -> Iterator[str]:
    for name, columns in sorted(named.items()):
        yield f"{_text(name)} = ["
        yield from (f"  [{', '.join(map(scalar, column))}]," for column in columns)
        yield "]"


def _weights(items: Iterable[tuple[str, int]]) -> str:
    table: Mapping[str, int] = dict(items)
    return "{ " + ", ".join(f"{_text(value)} = {weight}" for value, weight in sorted(table.items())) + " }"


def _text(text: str) -> str:
    """A basic string; JSON's escapes are TOML's, but for the delete character, which TOML has no place for.

    >>> print(_text('a"b'))
    "a\\"b"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
