"""Maps of strips: a row a reel, a cell a stop, a colour and a short name a symbol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workbench.report.par_model import ParSheet, Table
from workbench.report.svg import colour, drawing, rect, words

PER_ROW = 64
CELL, ROW, LEFT, RIGHT = 12.8, 20.0, 66.0, 890.0
MOST_TITLES = 1500
# shares of the colour; the second and third round of colours are paler
SHARES = (100, 55, 28)
DARK = (0, 1, 2, 6)


@dataclass(frozen=True)
class Look:
    """How a symbol looks on every map of a sheet."""

    fill: str
    ink: str
    short: str


def looks(sheet: ParSheet) -> dict[str, Look]:
    """The look of each symbol, in the order of the counts, which is the definition's."""
    section = sheet.section("counts")
    named = [s for t in (section.tables if section else ()) for s in t.column("symbol")[:-1]]
    symbols = [s for s in dict.fromkeys(named) if isinstance(s, str)]
    shorts = short_names(symbols)
    return {s: Look(_fill(i), "on" if i in DARK else "dark", shorts[s]) for i, s in enumerate(symbols)}


def _fill(i: int) -> str:
    """The colour of the i-th symbol: seven colours, then paler ones."""
    share = SHARES[(i // 7) % len(SHARES)]
    return colour(i) if share == 100 else f"color-mix(in srgb, {colour(i)} {share}%, #fff)"


def strip_map(table: Table, look: Mapping[str, Look]) -> str:
    """The strips of a table with a column a reel; symbols are named in the cells, in full in the key below."""
    ids = [column.id for column in table.columns if column.id.startswith("reel_")]
    reels = [[str(s) for s in table.column(name) if s is not None] for name in ids]
    stops = max(map(len, reels))
    titled = sum(map(len, reels)) <= MOST_TITLES
    parts: list[str] = []
    y = 8.0
    for start in range(0, stops, PER_ROW):
        parts += _ruler(y, start, min(PER_ROW, stops - start))
        for r, strip in enumerate(reels):
            parts += _reel(y + 16 + r * (ROW + 2), r, start, strip[start : start + PER_ROW], look, titled)
        y += 28 + len(reels) * (ROW + 2)
    key, y = _key(y, {s: seen for s, seen in look.items() if any(s in strip for strip in reels)})
    return drawing(900, y, f"{table.title}, coloured by symbol", [*parts, *key])


def _ruler(y: float, start: int, stops: int) -> Iterator[str]:
    for k in range(0, stops, 8):
        yield words(LEFT + (k + 0.47) * CELL, y + 10, start + k, "small muted", "middle")


def _reel(
    y: float, r: int, start: int, symbols: Sequence[str], look: Mapping[str, Look], titled: bool
) -> Iterator[str]:
    """One row of cells, and the reel's number before it."""
    if symbols:
        yield words(LEFT - 8, y + 14, f"reel {r + 1}", anchor="end")
    for k, symbol in enumerate(symbols):
        seen, x = look[symbol], LEFT + k * CELL
        title = f"reel {r + 1}, stop {start + k}: {symbol}" if titled else ""
        yield rect(x, y, CELL - 0.8, ROW, "", title, seen.fill)
        yield words(x + 0.47 * CELL, y + 13, seen.short, f"tiny {seen.ink}", "middle")


def _key(y: float, look: Mapping[str, Look]) -> tuple[list[str], float]:
    """The symbols' full names beside their colours, and where the key ends."""
    parts: list[str] = []
    x = LEFT
    for symbol, seen in look.items():
        wide = 34 + 7.6 * len(symbol)
        if x > LEFT and x + wide > RIGHT:
            x, y = LEFT, y + 24
        parts += [
            rect(x, y, 20, 18, "", "", seen.fill),
            words(x + 10, y + 12, seen.short, f"tiny {seen.ink}", "middle"),
            words(x + 26, y + 14, symbol),
        ]
        x += wide + 14
    return parts, y + 30


def short_names(symbols: Sequence[str]) -> dict[str, str]:
    """At most two letters a symbol, different ones where that can be had.

    >>> short_names(["Lion", "Koi", "K", "Key", "+10"])
    {'Lion': 'L', 'Koi': 'Ko', 'K': 'K', 'Key': 'Ke', '+10': '+1'}
    """
    found: dict[str, str] = {}
    for symbol in sorted(symbols, key=lambda s: (len(s), symbols.index(s))):
        choices = [
            symbol[:1],
            symbol[:2],
            *(symbol[0] + c for c in symbol[1:]),
            *(f"{symbol[0]}{n}" for n in range(2, 10)),
        ]
        if len(symbol) == 2 or not symbol[0].isalpha():
            choices = choices[1:]
        found[symbol] = next((c for c in choices if c not in found.values()), symbol[:2])
    return {symbol: found[symbol] for symbol in symbols}
