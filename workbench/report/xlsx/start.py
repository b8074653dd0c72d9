"""The first sheets: what the workbook is and how to use it, and the main figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.report.xlsx.book import Sheet
from workbench.report.xlsx.figures_sheet import FIRST_ROW, VALUE, FigureCells, status_of, style_of
from workbench.report.xlsx.formula import STALE, Expr, both

HOW = (
    "Edit here: the coloured cells of the sheets Strips, Wheels and Cells. Everything else follows or says that it can't.",
    "Strips may change and get longer or shorter: a reel's stops are the cells from the top down, without gaps.",
    "Formulas carry what follows from counts, single windows and weights, and equal `workbench evaluate` of the edited set"
    " to 1 part in 10^12.",
    f'Other figures are values of `workbench evaluate`. One whose inputs are edited reads "{STALE}", and so does every total'
    " that contains it; all others stand. The sheet Inputs says which inputs are as evaluated, with their SHA-256.",
    "An edit that can't be evaluated (a gap, an unknown symbol, a weight that isn't a whole number) shows #N/A.",
    "Rules (pays, lines, features) are those of the definition; they are not to be edited here. Sheets are protected against"
    " slips, without a password.",
    "Numbers of a spreadsheet are doubles: whole numbers are exact below 2^53, others rounded to 1 part in 10^15; exact"
    " fractions stand as text on the sheet Figures.",
)
STATUS = (
    (
        "exact",
        "no sampling: off from the true value by at most the error bound below, times its size above 1",
    ),
    ("bounded", "proved to be at most this"),
    ("estimated", "drawn at random; its interval holds the true value with 99 %"),
)
LINE, LINE_HEIGHT = 100, 15
MAIN = (
    "rtp",
    "hit_frequency",
    "standard_deviation",
    "long_run_standard_deviation",
    "volatility_index_90",
    "cycle",
)
KEPT = {"probability", "one_in", "mean_win", "spins", "re_spins", "value"}


def start_sheet(sheet: Sheet, title: str, figures: Mapping[str, Any], cells: FigureCells) -> None:
    """What is evaluated, how to use it, and whether anything is stale."""
    sheet.width(30, 110)
    sheet.put(0, 0, title, "title")
    row = 2
    for name in (
        "game",
        "strip_set",
        "sha256",
        "definition_sha256",
        "workbench_version",
        "strategy",
        "error_bound",
    ):
        if figures.get(name) is not None:
            sheet.put(row, 0, name.replace("_", " "), "head")
            sheet.put(row, 1, str(figures[name]), "hash" if "sha256" in name else "name")
            row += 1
    values = cells.sheet.range((FIRST_ROW, VALUE), (FIRST_ROW + len(cells.rows) - 1, VALUE))
    same = both(list(cells.guards.checks.values()))
    state = Expr(f'IF({same.text},"as evaluated","edited")', "as evaluated", True)
    stale = Expr(f'COUNTIF({values},"{STALE}")', 0, True)
    for told, content in (("strip set", state), ("figures that are stale", stale)):
        sheet.put(row, 0, told, "head")
        sheet.put(row, 1, content, "left")
        row += 1
    row += 1
    for line in HOW:
        sheet.put(row, 1, line, "text")
        sheet.heights[row] = LINE_HEIGHT * (1 + len(line) // LINE)
        row += 1
    sheet.put(row, 0, "edit here", "head")
    sheet.put(row, 1, "cells that look like this are the inputs", "sample")
    for i, (status, means) in enumerate(STATUS):
        sheet.put(row + 1 + i, 0, status, "head")
        sheet.put(row + 1 + i, 1, means, "text")


def summary_sheet(sheet: Sheet, cells: FigureCells) -> None:
    """The main figures, each a reference to its cell."""
    sheet.width(46, 22, 12)
    sheet.freeze = (3, 1)
    sheet.put(0, 0, "Summary", "title")
    sheet.head(2, ["figure", "value", "status"])
    row = 3
    for path in [*(p for p in MAIN if p in cells.leaves), *(p for p in cells.leaves if _is_main(p))]:
        sheet.put(row, 0, path, "name")
        sheet.put(row, 1, cells.cell(path), style_of(path))
        sheet.put(row, 2, status_of(path), "name")
        row += 1


def _is_main(path: str) -> bool:
    parts = path.split("/")
    if path.startswith(("components/", "strategies/", "colours/", "top_prize/")):
        return len(parts) == 2
    if path.startswith(("features/", "modifier_sets/")):
        return len(parts) == 3 and parts[2] in KEPT
    return path == "estimates/cap/rtp"
