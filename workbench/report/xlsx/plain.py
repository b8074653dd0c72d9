"""Closed forms that every game shares: cycle, combinations, the sum of the components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from workbench.exact.line_hits import LineHits
from workbench.exact.line_law import line_law
from workbench.exact.line_rules import Award, Mode
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.report.xlsx.book import Book
from workbench.report.xlsx.figures_sheet import FigureCells, Formula
from workbench.report.xlsx.formula import Expr, total
from workbench.report.xlsx.guards import Guards
from workbench.report.xlsx.leaves import combination
from workbench.report.xlsx.lines import LineCells, line_cells
from workbench.report.xlsx.sight import Sight
from workbench.report.xlsx.strips import ReelSet, StripCells
from workbench.report.xlsx.wheels import WheelCells


@dataclass(frozen=True)
class Live:
    """All that formulas are made of."""

    game: GameDefinition
    strips: StripSet
    book: Book
    guards: Guards
    cells: StripCells
    wheels: dict[str, WheelCells]
    sight: Sight
    figures: FigureCells

    def reels(self, name: str) -> ReelSet:
        """The reel set of a name."""
        return self.cells.sets[name]

    def lines(self, sheet: str, name: str, hits: LineHits, mode: Mode = "base") -> LineCells:
        """Lay out the combinations of one kind of spin."""
        law = line_law(self.game, mode)
        return line_cells(self.book.sheet(sheet), self.game, law, self.reels(name), hits, self.guards)

    def everything(self) -> list[str]:
        """Every part that the strip set has: stops, wheels, cells."""
        return [name for name in self.guards.checks if name.split(":")[0] in ("stops", "wheel", "cells")]

    def sum_of(self, head: str) -> Expr:
        """The sum of all figures under a head."""
        paths = [path for path in self.figures.leaves if path.startswith(f"{head}/")]
        return total(self.figures.cell(path) for path in paths)


def combination_formulas(
    game: GameDefinition,
    lines: LineCells,
    head: str = "combinations",
    starts: Callable[[Award], bool] = lambda award: False,
) -> dict[str, Formula]:
    """Hits and RTP of each combination; ``starts`` says which awards start a bonus."""
    names, found = line_law(game).names, dict[str, Formula]()
    for award, hits in lines.hits.items():
        name = combination(names[award.symbol], award.length, award.coins, award.wild_only, starts(award))
        found[f"{head}/{name}/hits"] = partial(_same, hits)
        found[f"{head}/{name}/rtp"] = partial(_same, lines.shares[award])
    return found


def _same(cell: Expr) -> Expr:
    return cell
