"""Wheels and position reels to edit: weights beside those evaluated, chances and means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger
from workbench.reels.files import canonical_json
from workbench.reels.strip_set import StripSet, Weights
from workbench.report.xlsx.book import Book, Sheet
from workbench.report.xlsx.formula import Expr, both, total
from workbench.report.xlsx.guards import Guards

FIRST_ROW = 4


@dataclass(frozen=True)
class WheelCells:
    """One wheel: the chance of each value it may have, and its mean where all values are numbers."""

    chances: dict[str, Expr]
    mean: Expr | None

    def chance(self, value: str) -> Expr:
        """P(value)."""
        return self.chances[value]


def wheel_cells(book: Book, game: GameDefinition, strips: StripSet, guards: Guards) -> dict[str, WheelCells]:
    """Lay out every wheel; adds ``wheel:`` of each to the guards."""
    if not strips.wheels:
        return {}
    sheet = book.sheet("Wheels", "input")
    sheet.width(30, 24, 14, 14, 16, 16)
    sheet.freeze = (FIRST_ROW, 0)
    sheet.put(0, 0, "Wheels: edit the coloured weights", "title")
    sheet.put(1, 0, "Whole numbers; a value of weight 0 or none is not on the wheel.", "note")
    sheet.head(FIRST_ROW - 1, ["wheel", "value", "weight", "as evaluated", "probability", "number"])
    row, found = FIRST_ROW, {}
    for name, wheel in sorted(strips.wheels.items()):
        found[name], row = _wheel(sheet, guards, row, name, wheel, *_listed(game, name, wheel))
    return found


def _listed(game: GameDefinition, name: str, wheel: Weights) -> tuple[tuple[str, ...], bool]:
    """The values a wheel may have, and whether it must have them all."""
    trigger = game.only(ModifierTrigger)
    for feature in game.wheels:
        if name == feature.name or name.split(".")[0] == feature.name:
            return feature.values, feature.every_value == "required"
    if trigger and name.startswith(f"{trigger.wheel}."):
        return trigger.awards(name.removeprefix(f"{trigger.wheel}.").split("@")[0]), False
    return wheel.values, False


def _wheel(
    sheet: Sheet, guards: Guards, row: int, name: str, wheel: Weights, values: Sequence[str], required: bool
) -> tuple[WheelCells, int]:
    """One wheel from a row on; the row after it."""
    first, last = row, row + len(values) - 1
    weights, then = (sheet.range((first, c), (last, c)) for c in (2, 3))
    holds = [
        f"MIN({weights})>={1 if required else 0}",
        f"SUM({weights})>0",
        f"SUMPRODUCT(--(INT({weights})<>{weights}))=0",
    ]
    if required:
        holds.append(f"COUNT({weights})={len(values)}")
    sheet.put(last + 1, 1, "total", "head")
    whole = sheet.put(
        last + 1, 2, Expr(f"IF(AND({','.join(holds)}),SUM({weights}),NA())", wheel.total), "whole"
    )
    sheet.put(last + 1, 3, Expr(f"SUM({then})", wheel.total), "whole")
    chances: dict[str, Expr] = {}
    numbers = _numbers(values)
    for i, value in enumerate(values):
        sheet.put(first + i, 0, name, "name")
        sheet.put(first + i, 1, value, "name")
        weight = sheet.put(first + i, 2, wheel.weight(value), "weight")
        sheet.put(first + i, 3, wheel.weight(value), "whole")
        chances[value] = sheet.put(first + i, 4, weight / whole, "chance")
        if numbers:
            sheet.put(first + i, 5, numbers[i], "any")
    mean = None
    if numbers:
        listed = sheet.range((first, 5), (last, 5))
        sheet.put(last + 1, 4, "mean", "head")
        worth = sum(n * wheel.weight(v) for n, v in zip(numbers, values, strict=True)) / wheel.total
        mean = sheet.put(
            last + 1, 5, Expr(f"SUMPRODUCT({listed},{weights})/{whole.text}", worth, True), "number"
        )
    same = Expr(f"SUMPRODUCT(--({weights}*SUM({then})<>{then}*{whole.text}))=0", True)
    guards.add(f"wheel:{name}", same, canonical_json({"wheels": {name: dict(wheel.items())}}))
    return WheelCells(chances, mean), last + 3


def _numbers(values: Sequence[str]) -> list[float | int] | None:
    """The values as numbers, None if one isn't."""
    try:
        return [int(v) if v.isdigit() else float(v) for v in values]
    except ValueError:
        return None


@dataclass
class _Stages:
    """Where the position reels stand: a column a symbol, then the same as evaluated, then chances."""

    sheet: Sheet
    symbols: list[str]
    row: int = FIRST_ROW
    head: dict[str, int] = field(default_factory=dict)

    def column(self, symbol: str, part: int) -> int:
        """The column of a symbol: weights (0), as evaluated (1), chances (2)."""
        return 3 + part * (len(self.symbols) + 1) + self.symbols.index(symbol)


def position_cells(book: Book, strips: StripSet, guards: Guards) -> None:
    """Lay out every position reel; adds ``cells:`` of each to the guards."""
    if not strips.position_reels:
        return
    sheet = book.sheet("Cells", "input")
    listed = [s.cells for stages in strips.position_reels.values() for s in stages]
    symbols = list(dict.fromkeys(v for cells in listed for cell in cells for v in cell.values))
    layout = _Stages(sheet, symbols)
    sheet.width(32, 10, 12)
    sheet.freeze = (FIRST_ROW, 3)
    sheet.put(0, 0, "Position reels: edit the coloured weights", "title")
    sheet.put(
        1, 0, "What each open cell may land on, from the re-spin or the number of filled cells on.", "note"
    )
    heads = ("weight", "as evaluated", "probability")
    for part, head in enumerate(heads):
        sheet.put(FIRST_ROW - 2, layout.column(symbols[0], part), head, "head")
        for symbol in symbols:
            sheet.put(FIRST_ROW - 1, layout.column(symbol, part), symbol, "head")
            sheet.widths[layout.column(symbol, part)] = 13
    sheet.head(FIRST_ROW - 1, ["position reels", "from", "reel"])
    for name in sorted(strips.position_reels):
        _position(layout, strips, name, guards)


def _position(layout: _Stages, strips: StripSet, name: str, guards: Guards) -> None:
    checks, data = [], []
    for stage in strips.position_reels[name]:
        data.append({"from": stage.start, "cells": [dict(cell.items()) for cell in stage.cells]})
        for r, cell in enumerate(stage.cells):
            reel = "all" if len(stage.cells) == 1 else str(r + 1)
            checks.append(_cell(layout, name, stage.start, reel, cell))
    guards.add(f"cells:{name}", both(checks), canonical_json({"position_reels": {name: data}}))


def _cell(layout: _Stages, name: str, start: int, reel: str, cell: Weights) -> Expr:
    """One weighted cell on a row of its own; whether it is as evaluated."""
    sheet, row = layout.sheet, layout.row
    layout.row += 1
    sheet.put(row, 0, name, "name")
    sheet.put(row, 1, start, "whole")
    sheet.put(row, 2, f"reel {reel}" if reel != "all" else "all reels", "name")
    now = [sheet.put(row, layout.column(v, 0), w, "weight") for v, w in cell.items()]
    then = [sheet.put(row, layout.column(v, 1), w, "whole") for v, w in cell.items()]
    whole, was = total(now), total(then)
    for value, weight in zip(cell.values, now, strict=True):
        sheet.put(row, layout.column(value, 2), weight / whole, "chance")
    return both(
        [Expr(f"{a.text}*({was.text})={b.text}*({whole.text})", True) for a, b in zip(now, then, strict=True)]
    )
