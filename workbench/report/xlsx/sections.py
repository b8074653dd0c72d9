"""Sections of a PAR sheet as plain sheets: rules as they are, figures as references to their cells or as values that stand.

A figure that is one of ``evaluate`` alone refers to its cell among all figures. Any other (of the law of a round, of the
simulation) depends on all that is drawn from, and reads as stale once any of it is edited; so does its interval.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.report.heat_map import heat_of
from workbench.report.par_model import Cell, Figure, Kind, ParSheet, Section, Table
from workbench.report.xlsx.book import Book, Sheet, Style
from workbench.report.xlsx.figures_sheet import FigureCells
from workbench.report.xlsx.formula import Expr, Value, standing

SHEETS = {
    "assumptions": "Assumptions",
    "paytable": "Paytable",
    "lines": "Paylines",
    "strategies": "Strategies",
    "volatility": "Volatility",
    "win_bands": "WinBands",
    "simulated": "Simulated",
    "sensitivity": "Sensitivity",
}
STYLES: dict[Kind, Style] = {
    "text": "name",
    "mixed": "any",
    "count": "whole",
    "coins": "whole",
    "bets": "bets",
    "probability": "chance",
    "one_in": "bets",
    "rtp": "share",
    "number": "number",
    "score": "number",
    "fraction": "name",
}
FIRST_ROW = 3


@dataclass
class SectionWriter:
    """Where computed values go, and the figures to refer to."""

    values: Sheet
    cells: FigureCells
    parts: list[str]
    row: int = 0

    def __post_init__(self) -> None:
        self.paths: dict[Value, list[str]] = {}
        for path, value in self.cells.leaves.items():
            if isinstance(value, float):
                self.paths.setdefault(value, []).append(path)

    def write(self, book: Book, section: Section) -> None:
        """One section on a sheet of its own."""
        sheet = book.sheet(SHEETS[section.id])
        sheet.put(0, 0, section.title, "title")
        row = 1
        for note in section.notes:
            sheet.put(row, 0, note, "note")
            row += 1
        for table in section.tables:
            row = self._table(sheet, table, row + 1) + 1

    def _table(self, sheet: Sheet, table: Table, row: int) -> int:
        """A table from a row on, a last column telling what isn't exact; the row after it."""
        sheet.put(row, 0, table.title, "link")
        titles = [column.title for column in table.columns]
        figures = any(isinstance(cell, Figure) for line in table.rows for cell in line)
        sheet.head(row + 1, [*titles, *(["Status"] if figures else [])])
        for i, title in enumerate(titles):
            longest = max([len(title), *(len(line[i]) for line in table.rows if isinstance(line[i], str))])  # type: ignore[arg-type]
            sheet.widths[i] = max(sheet.widths.get(i, 0), min(60, longest + 3), 20)
        row += 2
        for line in table.rows:
            for i, (cell, column) in enumerate(zip(line, table.columns, strict=True)):
                self._cell(sheet, row, i, cell, column.kind)
            if figures:
                self._status(sheet, row, len(line), line)
            row += 1
        self._scale(sheet, table, row - len(table.rows), row - 1)
        for note in table.notes:
            sheet.put(row, 0, note, "note")
            row += 1
        return row

    def _scale(self, sheet: Sheet, table: Table, first: int, last: int) -> None:
        """Colours of a column a reel of changes."""
        found = [i for i, column in enumerate(table.columns) if column.id.startswith("change_")]
        if found:
            sheet.scales.append(((first, found[0]), (last, found[-1]), heat_of((table,)).limit))

    def _cell(self, sheet: Sheet, row: int, column: int, cell: Cell, kind: Kind) -> None:
        if isinstance(cell, Figure):
            sheet.put(row, column, self._figure(cell), STYLES[cell.kind])
        elif cell is not None:
            plain = isinstance(cell, str) or kind in ("text", "mixed")
            sheet.put(
                row, column, cell, "name" if isinstance(cell, str) else "any" if plain else STYLES[kind]
            )

    def _figure(self, figure: Figure) -> Expr:
        # 0 is the value of much that has nothing to do with one another
        found = self.paths.get(figure.value, []) if figure.value else []
        return self.cells.cell(found[0]) if len(found) == 1 else self._standing(figure.value)

    def _standing(self, value: Value) -> Expr:
        """A value on the hidden sheet that stands while everything is as evaluated."""
        kept = self.values.put(self.row, 0, value, "any")
        self.row += 1
        return standing(self.cells.guards.of(self.parts), Expr(kept.text, value, True))

    def _status(self, sheet: Sheet, row: int, column: int, line: tuple[Cell, ...]) -> None:
        """The statuses of a row's figures, with the intervals of those that aren't exact."""
        figures = [cell for cell in line if isinstance(cell, Figure)]
        plain = [f.status for f in figures if f.interval is None]
        sheet.put(row, column, ", ".join(dict.fromkeys(plain)), "name") if plain else None
        ends = [(f.status, f.interval) for f in figures if f.interval is not None]
        for i, (status, (low, high)) in enumerate(ends):
            text = f"{status}: {low:.9g} to {high:.9g}"
            sheet.put(row, column + i + bool(plain), self._standing(text), "name")


def section_sheets(book: Book, sheet: ParSheet, cells: FigureCells, parts: list[str]) -> None:
    """Sheets of the sections that formulas don't carry."""
    values = Sheet("Values", hidden=True)
    writer = SectionWriter(values, cells, parts)
    for section in sheet.sections:
        if section.id in SHEETS:
            writer.write(book, section)
    book.sheets.append(values)
