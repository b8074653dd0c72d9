"""The figures of a strip set as a flat table: every number and text of ``evaluate --json`` by its path.

>>> list(leaves({"rtp": 0.9, "keys": {"load": 0.2}, "game": "mine", "law": [0.5, 0.5]}))
[('rtp', 0.9), ('keys/load', 0.2), ('law/0', 0.5), ('law/1', 0.5)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.report.xlsx.formula import Value

HEADING = {
    *("format", "game", "strip_set", "sha256", "definition_sha256", "workbench_version", "assumptions"),
    *("strategy", "strip_set_definition_sha256"),
}

Leaf = tuple[str, Value | None]


def leaves(figures: Mapping[str, Any]) -> Iterator[Leaf]:
    """Path and value of every figure; the heading is left out."""
    for name, value in figures.items():
        if name not in HEADING:
            yield from _leaves(name, value)


def _leaves(path: str, value: Any) -> Iterator[Leaf]:
    if path.split("/")[-1] == "combinations":
        for row in value:
            yield from _combination(path, row)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(f"{path}/{name}", part)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _leaves(f"{path}/{place}", part)
    else:
        yield path, value


def _combination(path: str, row: Mapping[str, Any]) -> Iterator[Leaf]:
    """Hits and RTP of a combination; the rest of the row is what it is."""
    name = combination(row["symbol"], row["count"], row["pay"], row["wilds_only"], bool(row.get("bonus")))
    yield f"{path}/{name}/hits", row["hits"]
    yield f"{path}/{name}/rtp", row["rtp"]


def combination(symbol: str, count: int, pay: int, wilds_only: bool, bonus: bool) -> str:
    """The name of a combination among the figures.

    >>> combination("Lion", 5, 200, True, False)
    'Lion x 5 for 200, all Wild'
    """
    ends = (", all Wild" if wilds_only else "") + (", bonus" if bonus else "")
    return f"{symbol} x {count} for {pay}{ends}"
