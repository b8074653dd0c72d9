"""A table of texts as it stands in somebody's file, every cell with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """Rows of equal length; ``rows`` and ``columns`` say where in the file they stand, counted from 1."""

    where: str
    name: str
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    turned: bool = False

    def place(self, row: int, column: int) -> str:
        """The place of a cell, in words for people."""
        across, along = ("column", "row") if self.turned else ("row", "column")
        return f"{self.where}: {across} {self.rows[row]}, {along} {self.columns[column]}"

    def turn(self) -> Grid:
        """Rows for columns."""
        cells = tuple(zip(*self.cells, strict=True))
        return Grid(self.where, self.name, cells, self.columns, self.rows, not self.turned)


def grid_of(where: str, name: str, texts: Iterable[Iterable[str]]) -> Grid:
    """The grid of a table: blanks at the ends of cells cut off, blank rows at the ends and blank columns left out."""
    rows = [[text.strip() for text in row] for row in texts]
    width = max((len(row) for row in rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in rows]
    full = [i for i, row in enumerate(rows) if any(row)]
    kept = range(full[0], full[-1] + 1) if full else range(0)
    columns = [c for c in range(width) if any(row[c] for row in rows)]
    cells = tuple(tuple(rows[i][c] for c in columns) for i in kept)
    return Grid(where, name, cells, tuple(i + 1 for i in kept), tuple(c + 1 for c in columns))
