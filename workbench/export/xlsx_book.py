"""The tables of a strip set as an XLSX workbook; the only importer of xlsxwriter in ``export``.

Texts are written as texts, never as formulas or links. The parts are stored without compression and dated 1980, so that
the same set has the same bytes whatever the clock and the version of the compressor.
"""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

from workbench.errors import UsageError
from workbench.export.names import distinct
from workbench.export.tables import INDEX, Cell, Rows, tables_of
from workbench.game.named import shortest_decimal
from workbench.reels.strip_set import StripSet

EPOCH = (1980, 1, 1, 0, 0, 0)
LONGEST_SHEET_NAME = 31
UNWRITABLE = ("\ufffe", "\uffff")


def xlsx_book(strips: StripSet) -> bytes:
    """The workbook; UsageError where a symbol holds a character that XML has no place for."""
    sheets = distinct(tables_of(strips), lambda name: name[: LONGEST_SHEET_NAME - 3])
    tables = tables_of(strips, sheets.__getitem__)
    for rows in tables.values():
        for row in rows:
            _check(row)
    return _stored(_book({sheets[name]: rows for name, rows in tables.items()}))


def _check(row: tuple[Cell, ...]) -> None:
    for cell in row:
        if isinstance(cell, str) and any(character in cell for character in UNWRITABLE):
            raise UsageError(f"--format xlsx: can't hold {cell!r}; leave it out")


def _book(sheets: dict[str, Rows]) -> bytes:
    import xlsxwriter

    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"created": datetime(*EPOCH)})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                _write(sheet, r, c, cell, name not in (INDEX,) and not name.startswith("reels"))
    book.close()
    return buffer.getvalue()


def _write(sheet: object, row: int, column: int, cell: Cell, numbers: bool) -> None:
    """A cell as text, or as a number where its text is exactly what the number prints as."""
    if isinstance(cell, int):
        sheet.write_number(row, column, cell)  # type: ignore[attr-defined]
    elif numbers and shortest_decimal(cell) and number_text(float(cell)) == cell:
        sheet.write_number(row, column, float(cell))  # type: ignore[attr-defined]
    elif cell:
        sheet.write_string(row, column, cell)  # type: ignore[attr-defined]


def number_text(number: float) -> str:
    """A number in its shortest decimal form.

    >>> number_text(12.0), number_text(0.3)
    ('12', '0.3')
    """
    return str(int(number)) if number == int(number) else repr(number)


def _stored(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(buffer, "w") as stored:
        for part in packed.infolist():
            stored.writestr(zipfile.ZipInfo(part.filename, EPOCH), packed.read(part))
    return buffer.getvalue()
