"""A strip set out of the workbook that :mod:`workbench.export.xlsx_book` writes."""

from __future__ import annotations

from workbench.errors import StripSetError
from workbench.export.tables import INDEX, Texts, is_index, strip_set_of
from workbench.export.xlsx_sheets import Sheet, xlsx_sheets
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet


def xlsx_strip_set(data: bytes, game: GameDefinition, where: str) -> StripSet:
    """The set in an exported workbook; StripSetError says what is wrong where."""
    return sheets_strip_set(xlsx_sheets(data, where), game, where)


def is_exported(sheets: dict[str, Sheet]) -> bool:
    """Whether the sheets are those of an export."""
    return is_index(sheets.get(INDEX, ()))


def sheets_strip_set(sheets: dict[str, Sheet], game: GameDefinition, where: str) -> StripSet:
    """The set in the sheets of an exported workbook."""

    def table(name: str) -> Texts:
        if name not in sheets:
            raise StripSetError(
                f"{where}: must have a sheet {name!r}, but has {', '.join(map(repr, sheets))}"
            )
        return sheets[name]

    return strip_set_of(sheets.get(INDEX, ()), table, game, where)
