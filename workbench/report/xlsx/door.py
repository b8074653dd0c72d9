"""The importer of xlsxwriter in ``report``: draws a book. Equal books have equal bytes."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from workbench.report.xlsx.book import Book, Cell, Sheet
from workbench.report.xlsx.formula import STALE, Expr

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

CREATED = datetime(2000, 1, 1)
INPUT = {"bg_color": "#FFF2CC", "border": 1, "border_color": "#D6B656", "locked": False}
STYLES: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 14},
    "text": {"text_wrap": True, "valign": "top"},
    "note": {"italic": True, "font_color": "#555555"},
    "head": {"bold": True, "bg_color": "#DCE6F1", "bottom": 1, "num_format": "@"},
    "name": {"num_format": "@", "indent": 1},
    "hash": {"font_name": "Consolas", "font_size": 9},
    "input": {**INPUT, "num_format": "@"},
    "weight": {**INPUT, "num_format": "#,##0"},
    "whole": {"num_format": "#,##0"},
    "share": {"num_format": "0.000000%"},
    "chance": {"num_format": "0.000000E+00"},
    "number": {"num_format": "0.000000"},
    "bets": {"num_format": "#,##0.000000"},
    "flag": {"align": "center", "num_format": '"yes";;"no"'},
    "any": {},
    "left": {"align": "left", "bold": True},
    "sample": {**INPUT, "locked": True},
    "link": {"bold": True},
}
# orange and blue: every kind of colour blindness tells them apart
SCALE = {
    "type": "3_color_scale",
    "min_type": "num",
    "mid_type": "num",
    "max_type": "num",
    "mid_value": 0,
    "min_color": "#E8873A",
    "mid_color": "#FFFFFF",
    "max_color": "#4FA3DB",
}
TABS = {"input": "#FFC000", "": "#4472C4", "answer": "#70AD47"}


def book_bytes(book: Book) -> bytes:
    """The file of a book."""
    import xlsxwriter

    out = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    workbook = xlsxwriter.Workbook(out, options)
    workbook.set_properties({"title": book.title, "created": CREATED})
    workbook.set_calc_mode("auto")
    styles = {name: workbook.add_format(look) for name, look in STYLES.items()}
    stale = workbook.add_format({"bg_color": "#F8CBAD", "font_color": "#9C0006", "bold": True})
    for sheet in book.sheets:
        _draw(workbook, sheet, styles, stale)
    workbook.close()
    return out.getvalue()


def _draw(workbook: Workbook, sheet: Sheet, styles: dict[str, Format], stale: Format) -> None:
    page = workbook.add_worksheet(sheet.name)
    page.set_tab_color(TABS[sheet.tab])
    for column, width in sheet.widths.items():
        page.set_column(column, column, width)
    for row, height in sheet.heights.items():
        page.set_row(row, height)
    for column in sheet.hidden_columns:
        page.set_column(column, column, None, None, {"hidden": True})
    for (row, column), cell in sorted(sheet.cells.items()):
        _write(page, row, column, cell, styles[cell.style])
    if any(sheet.freeze):
        page.freeze_panes(*sheet.freeze)
    _finish(page, sheet, stale)


def _finish(page: Worksheet, sheet: Sheet, stale: Format) -> None:
    """Stale cells in red, pages to print, cells that aren't inputs locked against slips (without a password)."""
    last = (max(r for r, _ in sheet.cells), max(c for _, c in sheet.cells)) if sheet.cells else (0, 0)
    rule = {"type": "cell", "criteria": "==", "value": f'"{STALE}"', "format": stale}
    page.conditional_format(0, 0, *last, rule)
    for first, end, limit in sheet.scales:
        page.conditional_format(*first, *end, {**SCALE, "min_value": -limit, "max_value": limit})
    if sheet.hidden:
        page.hide()
    page.protect("", {"format_columns": True, "format_rows": True, "format_cells": True})
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.set_footer("&L&A&RPage &P of &N")


def _write(page: Worksheet, row: int, column: int, cell: Cell, style: Format) -> None:
    content = cell.content
    if isinstance(content, Expr):
        page.write_formula(row, column, f"={content.text}", style, content.value)
    elif content is None:
        page.write_blank(row, column, None, style)
    elif isinstance(content, bool):
        page.write_boolean(row, column, content, style)
    elif isinstance(content, str):
        page.write_string(row, column, content, style)
    else:
        page.write_number(row, column, content, style)
