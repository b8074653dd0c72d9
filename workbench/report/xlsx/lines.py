"""Hits of every combination, live: the line's law as boxes of stops.

Each path through the automaton of :mod:`workbench.exact.line_law` lets a reel show one of a set of symbols. The paths are disjoint
and cover all stop combinations, so

    hits of an award = sum over its paths of the product over reels of (stops that show one of the path's symbols),

one row of the sheet each, the sets written out for a person to follow. This is the closed form of leading Wilds, symbol and
break, for any rules of a line. With stop weights lines differ, and the hits are values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.exact.line_hits import LineHits
from workbench.exact.line_law import LineLaw
from workbench.exact.line_rules import Award
from workbench.game.definition import GameDefinition
from workbench.report.xlsx.book import Sheet
from workbench.report.xlsx.formula import Expr, Number, product, standing, total
from workbench.report.xlsx.guards import Guards
from workbench.report.xlsx.strips import ReelSet

FIRST_ROW = 6
NOTHING = Expr("0", 0, True)
Sets = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class LineCells:
    """Hits of each award on one of ``lines`` lines, and the cycle."""

    hits: dict[Award, Expr]
    cycle: Expr
    lines: int
    bet: int
    shares: dict[Award, Expr]
    sheet: Sheet

    def largest(self) -> Expr:
        """Coins of the best combination that some spin wins."""
        last = FIRST_ROW + len(self.hits) - 1
        coins, hits = (self.sheet.range((FIRST_ROW, c), (last, c)) for c in (2, 3))
        value = max((award.coins for award, n in self.hits.items() if n.number), default=0)
        return Expr(f"SUMPRODUCT(MAX(({hits}>0)*{coins}))", value, True)

    def expected(self, value: Callable[[Award], Number]) -> Expr:
        """Expected sum of a value over the lines of a spin."""
        worth = {award: value(award) for award in self.hits}
        parts = [self.hits[award] * worth[award] for award in self.hits if worth[award] != 0]
        return total(parts) * self.lines / self.cycle if parts else NOTHING


def rank(award: Award) -> tuple[int, int, int, bool, bool]:
    """Best symbol first, longest run first."""
    return award.symbol, -award.length, -award.coins, award.wild_only, award.bonus


def paths(law: LineLaw, symbols: tuple[str, ...]) -> Iterator[tuple[Award | None, Sets]]:
    """Every path through the automaton: what it wins, and the symbols each reel may show."""

    def go(state: int, sets: Sets) -> Iterator[tuple[Award | None, Sets]]:
        if len(sets) == law.reels:
            yield law.award[state], sets
            return
        ahead: dict[int, set[str]] = {}
        for symbol, after in zip(symbols, law.step[state], strict=True):
            ahead.setdefault(int(after), set()).add(symbol)
        for after, shown in ahead.items():
            yield from go(after, (*sets, frozenset(shown)))

    return go(0, ())


def line_cells(
    sheet: Sheet,
    game: GameDefinition,
    law: LineLaw,
    reels: ReelSet,
    hits: LineHits,
    guards: Guards,
) -> LineCells:
    """Lay out the boxes of one kind of spin and the combinations they make up."""
    boxes: dict[Award, list[Sets]] = {}
    for award, sets in paths(law, game.symbols.all):
        if award is not None:
            boxes.setdefault(award, []).append(sets)
    _heads(sheet, game, reels)
    cycle = sheet.put(3, 1, reels.cycle, "whole")
    row = FIRST_ROW + len(boxes) + 4
    first = row
    found: dict[Award, Expr] = {}
    for award in sorted(boxes, key=rank):
        if reels.weighted:
            found[award] = standing(
                guards.of([f"stops:{reels.name}"]), _value(sheet, award, hits, len(found))
            )
            continue
        parts = []
        for sets in boxes[award]:
            parts.append(_box(sheet, row, game, law, award, sets, reels))
            row += 1
        found[award] = _sum(sheet, row - len(parts), 3 + 2 * law.reels, parts)
    if row > first:
        titles = [f"reel {r + 1} shows" for r in range(law.reels)]
        counts = [f"stops {r + 1}" for r in range(law.reels)]
        sheet.put(first - 2, 0, "Boxes: disjoint sets of stop combinations", "title")
        sheet.head(first - 1, ["combination", "length", "pays (coins)", *titles, *counts, "hits"])
    return _combinations(sheet, law, found, cycle, hits)


def _heads(sheet: Sheet, game: GameDefinition, reels: ReelSet) -> None:
    sheet.width(22, 14, 14, *[20] * (len(reels.reels) + 1))
    sheet.freeze = (FIRST_ROW, 1)
    sheet.put(0, 0, f"Combinations on one line, strips {reels.name}", "title")
    sheet.put(
        1,
        0,
        f"Each of the {len(game.lines)} lines has these hits. Whole numbers are exact below 2^53, about 9.007e15; above,"
        " hits and cycle are rounded to 1 part in 10^15 and the exact fraction stands as text among the figures.",
        "note",
    )
    sheet.put(3, 0, "cycle", "head")
    sheet.head(
        FIRST_ROW - 1,
        ["combination", "length", "pays (coins)", "hits", "probability on a line", "RTP, all lines"],
    )


def _value(sheet: Sheet, award: Award, hits: LineHits, place: int) -> Expr:
    """The computed hits, in a column that isn't shown."""
    sheet.hidden_columns.add(6)
    return sheet.put(FIRST_ROW + place, 6, hits.hits.get(award, 0), "whole")


def _box(
    sheet: Sheet,
    row: int,
    game: GameDefinition,
    law: LineLaw,
    award: Award,
    sets: Sets,
    reels: ReelSet,
) -> Expr:
    sheet.put(row, 0, award_name(law, award), "name")
    sheet.put(row, 1, award.length, "whole")
    sheet.put(row, 2, award.coins, "whole")
    counts = []
    for r, shown in enumerate(sets):
        sheet.put(row, 3 + r, _told(shown, game.symbols.all), "name")
        counts.append(sheet.put(row, 3 + law.reels + r, reels.reels[r].count(shown), "whole"))
    return sheet.put(row, 3 + 2 * law.reels, product(counts), "whole")


def _told(shown: frozenset[str], symbols: tuple[str, ...]) -> str:
    """The set in words, the shorter way."""
    listed = [s for s in symbols if s in shown]
    others = [s for s in symbols if s not in shown]
    if not others:
        return "any"
    return ", ".join(listed) if len(listed) <= len(others) else f"not {', '.join(others)}"


def _sum(sheet: Sheet, first: int, column: int, parts: list[Expr]) -> Expr:
    block = sheet.range((first, column), (first + len(parts) - 1, column))
    return Expr(f"SUM({block})", sum(part.number for part in parts), True)


def award_name(law: LineLaw, award: Award) -> str:
    """The combination's name, with what tells it from others of the same symbol."""
    return law.names[award.symbol] + (" (all Wild)" if award.wild_only else "")


def _combinations(
    sheet: Sheet, law: LineLaw, found: dict[Award, Expr], cycle: Expr, hits: LineHits
) -> LineCells:
    placed: dict[Award, Expr] = {}
    shares: dict[Award, Expr] = {}
    for i, (award, number) in enumerate(found.items()):
        row = FIRST_ROW + i
        sheet.put(row, 0, award_name(law, award), "name")
        sheet.put(row, 1, award.length, "whole")
        coins = sheet.put(row, 2, award.coins, "whole")
        placed[award] = sheet.put(row, 3, number, "whole")
        sheet.put(row, 4, placed[award] / cycle, "chance")
        shares[award] = sheet.put(row, 5, placed[award] * coins * hits.lines / (cycle * hits.bet), "share")
    return LineCells(placed, cycle, hits.lines, hits.bet, shares, sheet)
