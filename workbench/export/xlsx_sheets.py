"""Cells of an XLSX workbook that nobody vouches for, as texts; the only importer of openpyxl.

A workbook is a ZIP of XML. Before the library sees it: at most so many parts, so many bytes when unpacked (an unpacker stops
at the size a part declares), and no document types, so no entities. Sheets are read as a stream with the size that they
claim left aside, up to a budget of cells. A formula, an error value or a date is refused with its place: what the cell showed
isn't known from what it holds.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from workbench.errors import StripSetError
from workbench.export.xlsx_book import number_text

MAX_PARTS = 1000
MAX_UNPACKED_BYTES = 64 << 20
MAX_CELLS = 2_000_000
MAX_ROWS = 1_100_000
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")

Sheet = tuple[tuple[str, ...], ...]


def xlsx_sheets(data: bytes, where: str) -> dict[str, Sheet]:
    """The visible sheets of a workbook in order: rows of texts, "" for a blank cell, numbers in shortest form.

    Raises StripSetError where it is no workbook, too large, or holds a formula, an error value or a date.
    """
    import openpyxl

    checked = _checked(data, where)
    try:
        book = openpyxl.load_workbook(io.BytesIO(checked), read_only=True, keep_links=False)
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return {sheet.title: tuple(_rows(sheet, f"{where}: sheet {sheet.title!r}")) for sheet in sheets}
    except StripSetError:
        raise
    # A library for files of good will: what spoilt ones make it raise is open-ended.
    except Exception as error:
        raise StripSetError(f"{where}: not a workbook that can be read ({type(error).__name__})") from None


def _checked(data: bytes, where: str) -> bytes:
    """The workbook, its parts unpacked and looked at."""
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(buffer, "w") as checked:
            listed = parts.infolist()
            if len(listed) > MAX_PARTS or sum(part.file_size for part in listed) > MAX_UNPACKED_BYTES:
                raise StripSetError(
                    f"{where}: must have at most {MAX_PARTS} parts and {MAX_UNPACKED_BYTES} bytes when unpacked"
                )
            for part in listed:
                checked.writestr(part.filename, _checked_part(parts.read(part), f"{where}: {part.filename}"))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as error:
        raise StripSetError(f"{where}: not an XLSX workbook, or cut short ({type(error).__name__})") from None
    return buffer.getvalue()


def _checked_part(part: bytes, where: str) -> bytes:
    """A part without a document type in any encoding that a parser would take: UTF-16 is plain text but for zeros."""
    plain = part.replace(b"\0", b"") if b"\0" in part[:200] else part
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        raise StripSetError(f"{where}: must have no document type")
    # The library takes x005F_ out of every text, but only in capitals: the escape of an underscore is written small,
    # what stands there as text gets its x escaped.
    return part.replace(b"_x005F_", b"_x005f_").replace(b"x005F_", b"_x0078_005F_")


def _rows(sheet: Any, where: str) -> Iterator[tuple[str, ...]]:
    """The rows, blank ends cut off; blank rows after the last one with a text are left out."""
    sheet.reset_dimensions()
    blank, cells = 0, 0
    for number, row in enumerate(sheet.iter_rows(), start=1):
        cells += len(row)
        if cells > MAX_CELLS or number > MAX_ROWS:
            raise StripSetError(f"{where}: must have at most {MAX_CELLS} cells and {MAX_ROWS} rows")
        texts = _texts(row, where, number)
        if not texts:
            blank += 1
            continue
        yield from ((),) * blank
        blank = 0
        yield texts


def _texts(row: Sequence[Any], where: str, number: int) -> tuple[str, ...]:
    texts = [_text(cell, f"{where}: row {number}, column {i}") for i, cell in enumerate(row, start=1)]
    while texts and not texts[-1].strip():
        texts.pop()
    return tuple(texts)


def _text(cell: Any, place: str) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "f":
        raise StripSetError(f"{place}: must be a text, but is a formula; paste it as a value")
    if cell.data_type == "e":
        raise StripSetError(f"{place}: must be a text, but is the error {value}")
    if isinstance(value, date | datetime | time | timedelta):
        raise StripSetError(f"{place}: must be a text, but is a date; write it as a text")
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return number_text(value) if abs(value) < 1e15 else repr(value)
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), str(value))
