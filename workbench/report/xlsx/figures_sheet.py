"""All figures on one sheet: a formula where a closed form carries, else a value that stands while its inputs do.

A formula may refer to other figures; each is laid out the first time it is asked for, on the row its path has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from workbench.report.xlsx.book import Sheet, Style
from workbench.report.xlsx.formula import Expr, Value, standing
from workbench.report.xlsx.guards import Guards
from workbench.report.xlsx.leaves import Leaf

FIRST_ROW = 5
VALUE, COMPUTED = 1, 6
DIGITS = 10**15
HEADS = (
    "figure",
    "value",
    "status",
    "carried by",
    "depends on",
    "SHA-256 it was computed for",
    "as evaluated",
)

Formula = Callable[[], Expr]


class Rules(Protocol):
    """What a kind of game says of its figures."""

    def formula(self, path: str) -> Formula | None:
        """The closed form of a figure, or None."""

    def depends(self, path: str) -> Sequence[str]:
        """The parts of the strip set that a figure without closed form depends on."""


@dataclass
class FigureCells:
    """The cells of all figures by path."""

    sheet: Sheet
    guards: Guards
    leaves: Mapping[str, Value | None]
    rules: Rules | None = None
    rows: dict[str, int] = field(default_factory=dict)
    placed: dict[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = {path: FIRST_ROW + i for i, path in enumerate(self.leaves)}
        self.sheet.width(58, 24, 11, 11, 60, 68)
        self.sheet.hidden_columns.add(COMPUTED)
        self.sheet.freeze = (FIRST_ROW, 2)
        self.sheet.put(0, 0, "All figures", "title")
        self.sheet.put(
            1, 0, "Fractions, not percent; wins in total bets. Names as in evaluate --json.", "note"
        )
        self.sheet.put(2, 0, CARRIED, "note")
        self.sheet.head(FIRST_ROW - 1, HEADS)

    def lay_out(self, rules: Rules) -> None:
        """Put every figure down."""
        self.rules = rules
        for path in self.leaves:
            self.cell(path)

    def cell(self, path: str) -> Expr:
        """The cell of a figure."""
        assert self.rules is not None
        if path not in self.placed:
            formula = self.rules.formula(path)
            self.placed[path] = self._formula(path, formula) if formula else self._value(path)
        return self.placed[path]

    def hidden(self, path: str, value: float, parts: Sequence[str]) -> Expr:
        """A computed value that figures are made of and that isn't one of them, on a row of its own."""
        if path not in self.placed:
            self.rows[path] = FIRST_ROW + len(self.rows)
            self.placed[path] = self._standing(path, value, parts)
        return self.placed[path]

    def _formula(self, path: str, formula: Formula) -> Expr:
        row, content = self.rows[path], formula()
        self._name(row, path)
        self.sheet.put(row, 3, "formula", "name")
        told = "what its formula names" + (", some of them values" if content.stale else "")
        self.sheet.put(row, 4, told, "note")
        value = self.leaves.get(path)
        if value is not None:
            self.sheet.put(row, COMPUTED, value, "any")
        return self.sheet.put(row, VALUE, content, style_of(path))

    def _value(self, path: str) -> Expr:
        value = self.leaves[path]
        if value is None:
            value = "never" if path.endswith("one_in") else "none"
        assert self.rules is not None
        return self._standing(path, value, self.rules.depends(path))

    def _standing(self, path: str, value: Value, parts: Sequence[str]) -> Expr:
        row = self.rows[path]
        self._name(row, path)
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, int) and abs(value) >= DIGITS:
            value = str(value)
        kept = self.sheet.put(row, COMPUTED, value, "any")
        kept = Expr(kept.text, value, True)
        self.sheet.put(row, 3, "value" if parts else "rules", "name")
        self.sheet.put(row, 4, ", ".join(parts) or "the game's rules alone", "name")
        self.sheet.put(row, 5, self.guards.sha256(parts), "hash")
        return self.sheet.put(row, VALUE, standing(self.guards.of(parts), kept), style_of(path))

    def _name(self, row: int, path: str) -> None:
        self.sheet.put(row, 0, path, "name")
        self.sheet.put(row, 2, status_of(path), "name")


def status_of(path: str) -> str:
    """How sure a figure is."""
    if not path.startswith("estimates/"):
        return "exact"
    return "bounded" if path.endswith(("bound", "at_most")) else "estimated"


def style_of(path: str) -> Style:
    """How a figure is shown."""
    last = path.split("/")[-1]
    if last in ("hits", "cycle", "plays", "seed") or path.startswith("rounds_for_half_width"):
        return "whole"
    shares = ("rtp", "components", "strategies", "autoplay_cost", "new_player", "rtp_intervals")
    if path.split("/")[0] in shares or last == "rtp" or "hit_frequency" in last:
        return "share"
    if "probability" in last or path.startswith(("colours", "in_sight")) or "/in_sight/" in path:
        return "chance"
    return "bets" if last in ("mean_win", "one_in", "value", "spins") else "any"


def as_table(found: Sequence[Leaf]) -> dict[str, Value | None]:
    """Figures by path; paths are distinct."""
    table = dict(found)
    assert len(table) == len(found), "two figures of one path"
    return table


CARRIED = (
    "formula: recomputed from the sheets Strips, Wheels and Cells. value: from evaluate, stands while the parts it depends on"
    ' are as evaluated; else "stale, run evaluate", and so does every total that contains it.'
)
