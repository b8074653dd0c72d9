"""Sheets as data: cells with a style, column widths, frozen panes; a cell put down is referred to by its address.

Styles are names that :mod:`workbench.report.xlsx.door` draws. Names of sheets are ours and need no quotes in formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from workbench.report.xlsx.formula import Expr, Value, shown

Style = Literal[
    "title", "text", "note", "head", "name", "hash", "input", "weight", "whole", "share", "chance", "number",
    "bets", "flag", "any", "link", "left", "sample",
]  # fmt: skip
MOST_COLUMNS = 16_384


def column_name(column: int) -> str:
    """Letters of a column counted from 0.

    >>> column_name(0), column_name(25), column_name(26)
    ('A', 'Z', 'AA')
    """
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


@dataclass(frozen=True)
class Cell:
    """A text, a number, a formula, or None for an empty cell that is drawn."""

    content: Expr | Value | None
    style: Style


@dataclass
class Sheet:
    """One sheet; rows and columns count from 0; ``scales`` are blocks coloured from minus a limit over 0 to it."""

    name: str
    tab: str = ""
    hidden: bool = False
    freeze: tuple[int, int] = (0, 0)
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    hidden_columns: set[int] = field(default_factory=set)
    scales: list[tuple[tuple[int, int], tuple[int, int], float]] = field(default_factory=list)

    def put(self, row: int, column: int, content: Expr | Value | None, style: Style = "text") -> Expr:
        """Put something into a cell; what comes back refers to it from any sheet."""
        assert (row, column) not in self.cells and column < MOST_COLUMNS, (self.name, row, column)
        if isinstance(content, Expr):
            content = shown(content)
        self.cells[row, column] = Cell(content, style)
        text = self.address(row, column)
        if isinstance(content, Expr):
            return Expr(text, content.value, True, (text,) if _may_be_stale(content) else ())
        return Expr(text, content if content is not None else 0, True)

    def head(self, row: int, texts: Sequence[str], column: int = 0) -> None:
        """A row of headings."""
        for i, text in enumerate(texts):
            self.put(row, column + i, text, "head")

    def address(self, row: int, column: int) -> str:
        """The absolute address of a cell, sheet included."""
        return f"{self.name}!${column_name(column)}${row + 1}"

    def range(self, first: tuple[int, int], last: tuple[int, int]) -> str:
        """The absolute address of a block of cells, sheet included."""
        corner = f"${column_name(last[1])}${last[0] + 1}"
        return f"{self.address(*first)}:{corner}"

    def width(self, *widths: float) -> None:
        """Widths of the columns from the first on, in characters."""
        self.widths.update(enumerate(widths))


def _may_be_stale(content: Expr) -> bool:
    return bool(content.stale) or '"stale' in content.text


@dataclass
class Book:
    """The sheets in their order."""

    title: str
    sheets: list[Sheet] = field(default_factory=list)

    def sheet(self, name: str, tab: str = "", hidden: bool = False) -> Sheet:
        """Add a sheet."""
        self.sheets.append(Sheet(name, tab, hidden))
        return self.sheets[-1]
