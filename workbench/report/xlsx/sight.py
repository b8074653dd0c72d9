"""What is in sight of a spin, live: windows reel by reel, folded into the law of the whole spin.

Beside each stop stands what its window shows, read from the strip with the last stop followed by the first. How many stops show
what is a reel's law in whole numbers; reels are independent, so the laws of the first r reels and of the next fold into

    N_(r+1)(c) = sum over a, b that make c of N_r(a) n_r(b),

where numbers in sight add up and sets of colours unite. All terms are positive whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.game.definition import GameDefinition
from workbench.reels.files import canonical_json
from workbench.report.xlsx.book import Book, Sheet
from workbench.report.xlsx.formula import Expr, both, product, total
from workbench.report.xlsx.guards import Guards
from workbench.report.xlsx.strips import ReelCells, ReelSet, StripCells

FIRST_STOP = 6
FIRST_LAW = 4
MOST_COLOURS = 4

Law = dict[int, Expr]


@dataclass
class Sight:
    """The sheets of windows and laws; each mark of each reel set is laid out once."""

    game: GameDefinition
    cells: StripCells
    guards: Guards
    windows: Sheet
    laws: Sheet
    column: int = 1
    row: int = FIRST_LAW
    known: dict[tuple[str, str, tuple[int, ...]], Law] = field(default_factory=dict)

    def numbers(self, reels: ReelSet, symbol: str, on: Sequence[int]) -> Law:
        """Stop combinations by the number of a symbol in sight on some reels."""
        key = (reels.name, symbol, tuple(sorted(on)))
        if key not in self.known:
            by_reel = [self._reel(reels, r, symbol if r in key[2] else None) for r in range(len(reels.reels))]
            name = f"{symbol} in sight, strips {reels.name}, reels {', '.join(str(r + 1) for r in key[2])}"
            self.known[key] = self._fold(name, by_reel, lambda a, b: a + b, str)
            guard = f"sight:{reels.name}:{symbol}:{','.join(str(r + 1) for r in key[2])}"
            self._guard(guard, self.known[key], reels)
        return self.known[key]

    def colours(self, reels: ReelSet, symbols: Mapping[str, str]) -> dict[str, Expr]:
        """Stop combinations by the set of colours in sight, named in alphabetical order, "none" for none."""
        names = sorted(symbols)
        by_reel = [
            self._colours_of(reels, r, [symbols[c] for c in names], names) for r in range(len(reels.reels))
        ]

        def told(bits: int) -> str:
            return "+".join(c for i, c in enumerate(names) if bits >> i & 1) or "none"

        law = self._fold(f"colours in sight, strips {reels.name}", by_reel, lambda a, b: a | b, told)
        self._guard(f"sight:{reels.name}:colours", law, reels)
        return {told(bits): ways for bits, ways in law.items()}

    def _reel(self, reels: ReelSet, r: int, symbol: str | None) -> Law:
        """One reel's stops by the number its window shows; the reel's whole weight where nothing is counted."""
        reel, rows = reels.reels[r], self.game.grid.rows[r]
        if symbol is None:
            return {0: reel.ways}
        seen = _shown(reel.strip, [symbol], rows)
        column = self._window(
            reels.name,
            r,
            symbol,
            [self._count(reel, symbol, row, rows) for row in range(self.cells.rows)],
            seen,
        )
        return {k: _ways(reel, column, seen, k) for k in range(rows + 1)}

    def _colours_of(self, reels: ReelSet, r: int, symbols: Sequence[str], names: Sequence[str]) -> Law:
        reel, rows = reels.reels[r], self.game.grid.rows[r]
        counts = [_shown(reel.strip, [s], rows) for s in symbols]
        codes = [sum((n > 0) << i for i, n in enumerate(at)) for at in zip(*counts, strict=True)]
        formulas = [
            "+".join(f"{1 << i}*(({self._count(reel, s, row, rows)})>0)" for i, s in enumerate(symbols))
            for row in range(self.cells.rows)
        ]
        column = self._window(reels.name, r, " + ".join(names), formulas, codes)
        return {bits: _ways(reel, column, codes, bits) for bits in range(1 << len(symbols))}

    def _count(self, reel: ReelCells, symbol: str, row: int, rows: int) -> str:
        """How often the window at a stop shows a symbol."""
        stop, name = self.windows.address(FIRST_STOP + row, 0), self.cells.symbol[symbol].text
        return "+".join(
            f"EXACT(INDEX({reel.stops},MOD({stop}+{down},{reel.length.text})+1),{name})"
            for down in range(rows)
        )

    def _window(self, name: str, r: int, what: str, formulas: Sequence[str], values: Sequence[int]) -> str:
        """A column beside the stops; its range."""
        sheet, column = self.windows, self.column
        self.column += 1
        sheet.put(FIRST_STOP - 3, column, name, "head")
        sheet.put(FIRST_STOP - 2, column, f"reel {r + 1}", "head")
        sheet.put(FIRST_STOP - 1, column, what, "head")
        sheet.widths[column] = 14
        length = self.cells.sets[name].reels[r].length
        for row, formula in enumerate(formulas):
            stop = sheet.address(FIRST_STOP + row, 0)
            value = values[row] if row < len(values) else ""
            sheet.put(
                FIRST_STOP + row,
                column,
                Expr(f'IF({stop}<{length.text},0+{formula},"")', value, True),
                "whole",
            )
        return sheet.range((FIRST_STOP, column), (FIRST_STOP + len(formulas) - 1, column))

    def _fold(
        self,
        name: str,
        by_reel: Sequence[Law],
        make: Callable[[int, int], int],
        told: Callable[[int], str],
    ) -> Law:
        """Lay out the laws of the first 1, 2, ... reels, one row each, and return the last."""
        sheet, law = self.laws, Law({0: Expr("1", 1, True)})
        sheet.put(self.row, 0, name, "head")
        keys = _reached(by_reel, make)
        for i, key in enumerate(keys[-1]):
            sheet.put(self.row, 1 + i, told(key), "head")
        place = {key: 1 + i for i, key in enumerate(keys[-1])}
        for r, own in enumerate(by_reel):
            row = self.row + 1 + 2 * r
            sheet.put(row, 0, f"stops of reel {r + 1}", "name")
            placed = {k: sheet.put(row, place[k], ways, "whole") for k, ways in own.items()}
            sheet.put(row + 1, 0, f"combinations of reels 1 to {r + 1}", "name")
            sums: dict[int, list[Expr]] = {}
            for a, before in law.items():
                for b, ways in placed.items():
                    sums.setdefault(make(a, b), []).append(product([before, ways]))
            law = {k: sheet.put(row + 1, place[k], total(sums[k]), "whole") for k in sorted(sums)}
        self.row += 2 * len(by_reel) + 3
        return law

    def _guard(self, name: str, law: Law, reels: ReelSet) -> None:
        checks = [_same(ways) for ways in law.values()]
        table = {"reels": {reels.name: [list(reel.strip) for reel in reels.reels]}}
        self.guards.add(name, both(checks), canonical_json(table))


def _same(ways: Expr) -> Expr:
    """Whether a number of stop combinations is as evaluated; formulas carry 15 digits, and doubles no more than 2^53."""
    number = int(ways.number)
    high, low = divmod(number, 10**12)
    kept = f"({high}*1000000000000+{low})" if high else str(low)
    if number < 2**53:
        return Expr(f"{ways.text}={kept}", True)
    return Expr(f"ABS({ways.text}/{kept}-1)<1E-12", True)


def _reached(by_reel: Sequence[Law], make: Callable[[int, int], int]) -> list[list[int]]:
    found = [[0]]
    for own in by_reel:
        found.append(sorted({make(a, b) for a in found[-1] for b in own}))
    return found


def _shown(strip: Sequence[str], symbols: Sequence[str], rows: int) -> list[int]:
    """How often each window shows one of the symbols."""
    n = len(strip)
    return [sum(strip[(stop + down) % n] in symbols for down in range(rows)) for stop in range(n)]


def _ways(reel: ReelCells, column: str, seen: Sequence[int], value: int) -> Expr:
    """The weight of a reel's stops beside which the column has a value."""
    weights = reel.own_weights or (1,) * len(seen)
    ways = sum(w for w, n in zip(weights, seen, strict=True) if n == value)
    if reel.weights is None:
        return Expr(f"SUMPRODUCT(--({column}={value}))", ways, True)
    return Expr(f"SUMPRODUCT(({column}={value})*{reel.weights})", ways, True)


def sight(book: Book, game: GameDefinition, cells: StripCells, guards: Guards) -> Sight:
    """Empty sheets of windows and laws."""
    windows, laws = book.sheet("Windows"), book.sheet("Sight")
    windows.put(0, 0, "What the window at each stop shows", "title")
    windows.put(
        1, 0, "The stop is in the top row; the strip goes on with its first stop after the last.", "note"
    )
    windows.put(FIRST_STOP - 1, 0, "stop", "head")
    windows.freeze = (FIRST_STOP, 1)
    for row in range(cells.rows):
        windows.put(FIRST_STOP + row, 0, row, "whole")
    laws.put(0, 0, "What is in sight of a spin", "title")
    laws.put(1, 0, "Stop combinations by what they show, reel after reel.", "note")
    laws.freeze = (0, 1)
    laws.width(46, *[14] * 24)
    return Sight(game, cells, guards, windows, laws)
