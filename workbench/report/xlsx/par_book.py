"""The workbook of one strip set, from its figures: sheets to edit, sheets that follow, and all figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.reels.strip_set import StripSet
from workbench.report.par_model import ParSheet
from workbench.report.xlsx.book import Book
from workbench.report.xlsx.figures_sheet import FigureCells, Rules, as_table
from workbench.report.xlsx.guards import Guards
from workbench.report.xlsx.keys_rules import KeysRules
from workbench.report.xlsx.leaves import leaves
from workbench.report.xlsx.line_rules import LineGameRules
from workbench.report.xlsx.modifier_rules import ModifierRules
from workbench.report.xlsx.plain import Live
from workbench.report.xlsx.sections import section_sheets
from workbench.report.xlsx.sight import sight
from workbench.report.xlsx.start import start_sheet, summary_sheet
from workbench.report.xlsx.strips import strip_cells
from workbench.report.xlsx.wheels import position_cells, wheel_cells


def par_xlsx(game: GameDefinition, strips: StripSet, figures: Mapping[str, Any], sheet: ParSheet) -> bytes:
    """The file ``par.xlsx``: deterministic bytes."""
    from workbench.report.xlsx.door import book_bytes

    return book_bytes(par_book(game, strips, figures, sheet))


def par_book(
    game: GameDefinition, strips: StripSet, figures: Mapping[str, Any], sheet: ParSheet | None = None
) -> Book:
    """The workbook of a strip set and its figures (:func:`workbench.value.evaluate.figures_of`).

    ``sheet`` adds the sections of the PAR sheet that formulas don't carry.
    """
    book = Book(f"{game.title}: {strips.name}")
    start, summary = book.sheet("Start", "answer"), book.sheet("Summary", "answer")
    figures_sheet = book.sheet("Figures", "answer")
    inputs = Guards(book.sheet("Inputs", "answer"))
    cells = strip_cells(book, game, strips, inputs)
    wheels = wheel_cells(book, game, strips, inputs)
    position_cells(book, strips, inputs)
    table = FigureCells(figures_sheet, inputs, as_table(list(leaves(figures))))
    live = Live(game, strips, book, inputs, cells, wheels, sight(book, game, cells, inputs), table)
    table.lay_out(rules_of(live))
    start_sheet(start, book.title, figures, table)
    summary_sheet(summary, table)
    if sheet is not None:
        section_sheets(book, sheet, table, live.everything())
    return book


def rules_of(live: Live) -> Rules:
    """The rules of the figures, by the kind of round."""
    if live.game.only(MoneyRespins):
        return ModifierRules(live)
    if any(isinstance(f, FEATURE_ROUNDS) for f in live.game.features):
        return KeysRules(live)
    return LineGameRules(live)
