"""Workbooks of strangers: what is read, and what is refused before it can do harm."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import openpyxl
import pytest

from workbench.errors import StripSetError
from workbench.export.xlsx_sheets import xlsx_sheets


def workbook(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def with_part(data, name, change):
    """The workbook with another text of one part."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, change(old.read(part)) if part == name else old.read(part))
    return buffer.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def test_cells_as_texts():
    data = workbook(["A", 7, 0.3, True, " x "], [None, "B", None], [None], [])
    assert xlsx_sheets(data, "f") == {"Sheet": (("A", "7", "0.3", "TRUE", " x "), ("", "B"))}


def test_escapes_are_read_as_spreadsheets_do():
    data = with_part(workbook(["A"]), SHEET, lambda xml: xml.replace(b">A<", b">_x0041_x_x005F_x0042_<"))
    assert xlsx_sheets(data, "f") == {"Sheet": (("Ax_x0042_",),)}


@pytest.mark.parametrize(
    ("cell", "found"),
    [("=1+1", "formula"), ("=A1", "formula"), ("#N/A", "error #N/A"), (date(2026, 1, 2), "date")],
)
def test_what_a_cell_does_not_hold_is_refused_with_its_place(cell, found):
    with pytest.raises(StripSetError, match=rf"f: sheet 'Sheet': row 2, column 3: .*{found}"):
        xlsx_sheets(workbook(["A", "B", "C"], ["A", "B", cell]), "f")


ENTITY = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("encode", [bytes, lambda xml: b"\xff\xfe" + xml.decode().encode("utf-16-le")])
def test_entities_are_refused(encode):
    data = with_part(workbook(["A"]), SHEET, lambda xml: encode(ENTITY + xml))
    with pytest.raises(StripSetError, match="document type"):
        xlsx_sheets(data, "f")


def test_bombs_are_refused_unopened():
    data = with_part(workbook(["A"]), SHEET, lambda xml: xml + b" " * (65 << 20))
    assert len(data) < 1 << 20
    with pytest.raises(StripSetError, match="when unpacked"):
        xlsx_sheets(data, "f")


def test_a_size_that_a_part_lies_about_is_no_way_round():
    data = bytearray(with_part(workbook(["A"]), SHEET, lambda xml: xml + b" " * (65 << 20)))
    at = data.rindex(SHEET.encode()) - 22  # the uncompressed size in the central directory
    data[at : at + 4] = (100).to_bytes(4, "little")
    with pytest.raises(StripSetError):
        xlsx_sheets(bytes(data), "f")


def test_many_parts_are_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as parts:
        for i in range(1001):
            parts.writestr(f"p{i}", b"")
    with pytest.raises(StripSetError, match="1000 parts"):
        xlsx_sheets(buffer.getvalue(), "f")


def test_a_claimed_size_is_not_believed_and_far_cells_cost_little():
    claims = with_part(workbook(["A"]), SHEET, lambda xml: xml.replace(b'ref="A1"', b'ref="A1:XFD1048576"'))
    assert xlsx_sheets(claims, "f") == {"Sheet": (("A",),)}
    wide = b"".join(b'<row r="%d"><c r="XFD%d"/></row>' % (r, r) for r in range(2, 1000))
    data = with_part(workbook(["A"]), SHEET, lambda xml: xml.replace(b"</sheetData>", wide + b"</sheetData>"))
    with pytest.raises(StripSetError, match="cells"):
        xlsx_sheets(data, "f")
    far = b'<row r="99999999999"><c r="A99999999999"/></row>'
    data = with_part(workbook(["A"]), SHEET, lambda xml: xml.replace(b"</sheetData>", far + b"</sheetData>"))
    with pytest.raises(StripSetError, match="rows"):
        xlsx_sheets(data, "f")


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"A,B\n", workbook(["A"])[:-30], workbook(["A"])[:2000]]
)
def test_no_workbook(data):
    with pytest.raises(StripSetError, match="f: not "):
        xlsx_sheets(data, "f")


@pytest.mark.parametrize("spoilt", [b"", b"<", b"<worksheet>", b"\xff" * 100])
def test_spoilt_parts_are_one_line(spoilt):
    with pytest.raises(StripSetError, match="f: not a workbook"):
        xlsx_sheets(with_part(workbook(["A"]), "xl/workbook.xml", lambda _: spoilt), "f")
