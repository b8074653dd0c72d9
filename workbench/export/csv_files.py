"""The tables of a strip set as CSV: commas, UTF-8 without a mark, ``\\n``, quotes only where a cell needs them.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula; a production reader wants the exact
id. So cells are ``exact``, and whoever exports is warned of them; or there is an ``apostrophe`` before each of them (and
before those that begin with one, so that it can be taken off again), which the index then says.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable

from workbench.errors import StripSetError
from workbench.export.tables import INDEX, Cell, Texts, strip_set_of, tables_of
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet

INDEX_FILE = f"{INDEX}.csv"
EXACT, APOSTROPHE = "exact", "apostrophe"
# The wide forms of the signs are formulas as well where the keyboard is Chinese or Japanese.
DANGEROUS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")


def csv_files(strips: StripSet, cells: str = EXACT) -> dict[str, bytes]:
    """The files by name."""
    tables = tables_of(strips, "{}.csv".format)
    escape = _with_apostrophe if cells == APOSTROPHE else _exact
    if cells == APOSTROPHE:
        tables[INDEX] = (*tables[INDEX][:4], ("cells", cells), *tables[INDEX][4:])
    return {f"{name}.csv": _csv(rows, escape) for name, rows in tables.items()}


def dangerous_cells(strips: StripSet) -> list[str]:
    """The texts that a spreadsheet takes for formulas, each once, sorted."""
    cells = {cell for rows in tables_of(strips).values() for row in rows for cell in row}
    return sorted(cell for cell in cells if isinstance(cell, str) and cell.startswith(DANGEROUS))


def _exact(cell: Cell) -> str:
    return str(cell)


def _with_apostrophe(cell: Cell) -> str:
    text = str(cell)
    return f"'{text}" if text.startswith((*DANGEROUS, "'")) else text


def _csv(rows: Iterable[Iterable[Cell]], escape: Callable[[Cell], str]) -> bytes:
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows([escape(cell) for cell in row] for row in rows)
    return page.getvalue().encode()


def csv_strip_set(read: Callable[[str], bytes], game: GameDefinition, where: str) -> StripSet:
    """The set whose index and tables ``read`` gives by file name; StripSetError says what is wrong where.

    The files are those that were exported, byte for byte: a mark at the beginning would be part of a symbol.
    """
    index = csv_rows(read(INDEX_FILE), where)
    apostrophe = ["cells", APOSTROPHE] in [list(row[:2]) for row in index]
    rows = [row for row in index if row[:1] != ["cells"]]

    def table(name: str) -> Texts:
        found = csv_rows(read(name), f"{where}: {name}")
        return [[cell.removeprefix("'") for cell in row] for row in found] if apostrophe else found

    if apostrophe:
        rows = [[cell.removeprefix("'") for cell in row] for row in rows]
    return strip_set_of(rows, table, game, where)


def csv_rows(data: bytes, where: str, delimiter: str = ",") -> list[list[str]]:
    """The rows of a CSV file in UTF-8; StripSetError where it is none."""
    try:
        text = data.decode()
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise StripSetError(f"{where}: not a CSV file in UTF-8 ({error})") from None
