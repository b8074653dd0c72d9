"""The strips to edit, and what is counted on them: symbols, stops, weights.

A reel's column has room below its last stop; its stops are the cells from the top down to the first empty one. The strips as
evaluated stand in the same cells of a hidden sheet. A strip with a gap or an unknown symbol has no length: the error #N/A.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.game.definition import GameDefinition
from workbench.reels.files import canonical_json
from workbench.reels.strip_set import MAX_STOPS, Reels, StopWeights, StripSet
from workbench.report.xlsx.book import Book, Sheet
from workbench.report.xlsx.formula import Expr, both, product, total
from workbench.report.xlsx.guards import Guards

FIRST_STOP = 6
LENGTH_ROW = 4
LEAST_ROOM = 24
COUNT_HEAD = 4


@dataclass(frozen=True)
class ReelCells:
    """One reel: the ranges of its stops and weights, its length, its ways (their weights' sum), its counts by symbol."""

    stops: str
    weights: str | None
    strip: tuple[str, ...]
    own_weights: tuple[int, ...] | None
    length: Expr
    ways: Expr
    counts: dict[str, Expr]

    def count(self, symbols: frozenset[str]) -> Expr:
        """How many stops show one of these symbols."""
        listed = [s for s in self.counts if s in symbols]
        others = [s for s in self.counts if s not in symbols]
        if not others:
            return self.length
        if len(listed) <= len(others):
            return total(self.counts[s] for s in listed)
        return self.length - total(self.counts[s] for s in others)


@dataclass(frozen=True)
class ReelSet:
    """The reels of one name; ``block`` are all their stops, ``evaluated`` the same as evaluated."""

    name: str
    reels: tuple[ReelCells, ...]
    weighted: bool
    block: str
    evaluated: str

    @property
    def cycle(self) -> Expr:
        """Stop combinations, or the product of the total weights."""
        return product(reel.ways for reel in self.reels)


@dataclass(frozen=True)
class StripCells:
    """All reel sets; ``symbol`` refers to the cell with a symbol's name, ``stop`` is the column of the stops' numbers."""

    sets: dict[str, ReelSet]
    symbol: dict[str, Expr]
    rows: int


def strip_cells(book: Book, game: GameDefinition, strips: StripSet, guards: Guards) -> StripCells:
    """Lay out strips and counts; adds ``stops:`` and ``counts:`` of each set to the guards."""
    live, frozen = book.sheet("Strips", "input"), book.sheet("Evaluated", hidden=True)
    counts = book.sheet("Counts")
    rows = _rows(strips)
    _heads(live, counts, game)
    for row in range(rows):
        live.put(FIRST_STOP + row, 0, row, "whole")
    symbol = {s: counts.put(COUNT_HEAD + 1 + i, 0, s, "name") for i, s in enumerate(game.symbols.all)}
    sets: dict[str, ReelSet] = {}
    column, count_column = 1, 1
    for name, reels in strips.reels.items():
        weights = strips.weights_of(name)
        _write(live, frozen, name, reels, weights, rows, column)
        found = [
            _reel(live, counts, symbol, (rows, column, count_column), r, reels[r], weights)
            for r in range(len(reels))
        ]
        counts.put(COUNT_HEAD - 1, count_column, name, "head")
        block = ((FIRST_STOP, column), (FIRST_STOP + rows - 1, column + len(reels) - 1))
        places = live.range(*block), frozen.range(*block)
        sets[name] = ReelSet(name, tuple(found), weights is not None, *places)
        _guard(live, frozen, guards, sets[name], (rows, column), strips)
        column += _width(reels, weights) + 1
        count_column += len(reels) + 1
    return StripCells(sets, symbol, rows)


def _heads(live: Sheet, counts: Sheet, game: GameDefinition) -> None:
    live.put(0, 0, "Strips: edit the coloured cells", "title")
    live.put(
        1,
        0,
        "One column a reel, its stops from the top; cells below the last stop stay empty. Reels count from 1,"
        " stops from 0.",
        "note",
    )
    live.put(LENGTH_ROW, 0, "stops", "head")
    live.put(FIRST_STOP - 1, 0, "stop", "head")
    live.freeze = (FIRST_STOP, 1)
    live.width(8)
    counts.put(0, 0, "Symbols on each reel", "title")
    counts.put(
        1,
        0,
        "Counted from the sheet Strips. Every cell of a reel shows a symbol at count / stops of its stops.",
        "note",
    )
    counts.freeze = (COUNT_HEAD + 1, 1)
    counts.width(18)
    counts.put(COUNT_HEAD, 0, "symbol", "head")
    counts.put(COUNT_HEAD + 1 + len(game.symbols.all), 0, "stops", "head")


def _rows(strips: StripSet) -> int:
    longest = max(len(strip) for reels in strips.reels.values() for strip in reels)
    return min(MAX_STOPS, longest + max(LEAST_ROOM, longest // 2))


def _width(reels: Reels, weights: StopWeights | None) -> int:
    return len(reels) * (1 if weights is None else 2)


def _write(
    live: Sheet,
    frozen: Sheet,
    name: str,
    reels: Reels,
    weights: StopWeights | None,
    rows: int,
    column: int,
) -> None:
    """The stops, then the weights, of one set on both sheets."""
    live.put(2, column, name, "head")
    columns: list[tuple[str, tuple[str | int, ...], bool]] = [
        (f"reel {r + 1}", strip, False) for r, strip in enumerate(reels)
    ]
    columns += [(f"weight {r + 1}", by_stop, True) for r, by_stop in enumerate(weights or ())]
    for i, (head, values, weighs) in enumerate(columns):
        live.put(FIRST_STOP - 1, column + i, head, "head")
        live.widths[column + i] = 12
        for row in range(rows):
            content = values[row] if row < len(values) else None
            live.put(FIRST_STOP + row, column + i, content, "weight" if weighs else "input")
            if content is not None:
                frozen.put(FIRST_STOP + row, column + i, content)


def _reel(
    live: Sheet,
    counts: Sheet,
    symbol: dict[str, Expr],
    place: tuple[int, int, int],
    r: int,
    strip: tuple[str, ...],
    weights: StopWeights | None,
) -> ReelCells:
    rows, column, count_column = place
    column, count_column = column + r, count_column + r
    last = FIRST_STOP + rows - 1
    stops = live.range((FIRST_STOP, column), (last, column))
    counts.put(COUNT_HEAD, count_column, f"reel {r + 1}", "head")
    found = {
        s: counts.put(
            COUNT_HEAD + 1 + i,
            count_column,
            Expr(f"SUMPRODUCT(--EXACT({stops},{symbol[s].text}))", strip.count(s)),
            "whole",
        )
        for i, s in enumerate(symbol)
    }
    numbers = live.range((FIRST_STOP, 0), (last, 0))
    listed = counts.range((COUNT_HEAD + 1, count_column), (COUNT_HEAD + len(symbol), count_column))
    checks = (
        f"COUNTA({stops})>0,SUM({listed})=COUNTA({stops}),"
        f'SUMPRODUCT(MAX(({stops}<>"")*({numbers}+1)))=COUNTA({stops})'
    )
    if weights is None:
        length = live.put(
            LENGTH_ROW, column, Expr(f"IF(AND({checks}),COUNTA({stops}),NA())", len(strip)), "whole"
        )
        counts.put(COUNT_HEAD + 1 + len(symbol), count_column, length, "whole")
        return ReelCells(stops, None, strip, None, length, length, found)
    weight_column = column + len(weights)
    range_ = live.range((FIRST_STOP, weight_column), (last, weight_column))
    checks += f',SUMPRODUCT(--(({stops}<>"")<>({range_}>0)))=0'
    length = live.put(
        LENGTH_ROW, column, Expr(f"IF(AND({checks}),COUNTA({stops}),NA())", len(strip)), "whole"
    )
    counts.put(COUNT_HEAD + 1 + len(symbol), count_column, length, "whole")
    ways = Expr(f"IF({length.text}>0,SUM({range_}),0)", sum(weights[r]))
    placed = live.put(LENGTH_ROW, weight_column, ways, "whole")
    return ReelCells(stops, range_, strip, weights[r], length, placed, found)


def _guard(
    live: Sheet,
    frozen: Sheet,
    guards: Guards,
    reels: ReelSet,
    place: tuple[int, int],
    strips: StripSet,
) -> None:
    rows, column = place
    last, n = FIRST_STOP + rows - 1, len(reels.reels)
    checks = [Expr(f"SUMPRODUCT(1-EXACT({reels.block},{reels.evaluated}))=0", True)]
    table: dict[str, object] = {"reels": {reels.name: [list(reel.strip) for reel in reels.reels]}}
    if reels.weighted:
        table["stop_weights"] = {reels.name: [list(reel.own_weights or ()) for reel in reels.reels]}
    for r, reel in enumerate(reels.reels):
        if reel.weights:
            there = frozen.range((FIRST_STOP, column + n + r), (last, column + n + r))
            total_then = f"SUM({there})"
            checks.append(
                Expr(
                    f"SUMPRODUCT(--({reel.weights}*{total_then}<>{there}*{reel.ways.text}))=0",
                    True,
                )
            )
    data = canonical_json(table)
    guards.add(f"stops:{reels.name}", both(checks), data)
    same = [
        Expr(f"{cell.text}={cell.value}", True)
        for reel in reels.reels
        for cell in (*reel.counts.values(), reel.length)
    ]
    guards.add(f"counts:{reels.name}", both(same), data)
