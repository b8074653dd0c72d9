"""How strips lie in a table: a column or a row a reel, labels before them or none, stop numbers beside them or none.

Every way to read the table that is allowed is tried. A way fits if each cell is then a symbol or a blank below its reel,
labels are labels and stop numbers are numbers in order. If two that fit give different strips, none is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from workbench.errors import StripSetError
from workbench.reading.grid import Grid
from workbench.reading.symbols import Names
from workbench.reels.strip_set import Reels

LABEL = re.compile(
    r"(?:reel|strip|column|col|walze|rolle|rouleau|rodillo|r)?[ ._#-]*([0-9]{1,2})", re.IGNORECASE
)


@dataclass(frozen=True)
class Told:
    """What the user says of the layout; None leaves it open."""

    rows: bool | None = None
    header: bool | None = None
    index: bool | None = None


@dataclass(frozen=True)
class Reading:
    """One way to read a table: strips by reel set (None where no label names it), what it assumes, what doesn't fit."""

    sets: Mapping[str | None, Reels]
    assumes: tuple[str, ...]
    problems: tuple[str, ...]
    renamed: Mapping[tuple[str, str], int]
    plausible: bool


@dataclass(frozen=True)
class Layout:
    """What is known of the strips before the table is seen: how many reels, which reel sets there may be."""

    reels: int
    sets: tuple[str, ...]


def read_layout(grid: Grid, layout: Layout, names: Names, told: Told) -> Reading:
    """The one reading of a table; StripSetError where none fits, or more than one with different strips."""
    if not grid.cells:
        raise StripSetError(f"{grid.where}: must hold strips, but is blank")
    readings = list(_readings(grid, layout, names, told))
    fitting = [reading for reading in readings if not reading.problems]
    if not fitting:
        nearest = min(readings, key=lambda reading: (not reading.plausible, len(reading.problems)))
        raise StripSetError(nearest.problems[0] + _more(nearest))
    if any(reading.sets != fitting[0].sets for reading in fitting):
        ways = "; or ".join(", ".join(reading.assumes) for reading in fitting)
        raise StripSetError(
            f"{grid.where}: can be read in more than one way ({ways});"
            " --rows or --columns, --header or --no-header, --index or --no-index tells which"
        )
    return fitting[0]


def _more(reading: Reading) -> str:
    read = f" (read with {', '.join(reading.assumes)}"
    more = len(reading.problems) - 1
    return read + (f"; {more} more such places)" if more else ")")


def _readings(grid: Grid, layout: Layout, names: Names, told: Told) -> Iterator[Reading]:
    for turned, header, index in product(_choices(told.rows), _choices(told.header), _choices(told.index)):
        yield _reading(grid.turn() if turned else grid, header, index, layout, names, told)


def _choices(told: bool | None) -> tuple[bool, ...]:
    return (False, True) if told is None else (told,)


def _reading(grid: Grid, header: bool, index: bool, layout: Layout, names: Names, told: Told) -> Reading:
    """The table read with a column a reel, its first row labels or not, its first column stop numbers or not."""
    top, left = int(header), int(index)
    problems: list[str] = []
    order = _order(grid, top, left, layout, names, told, problems)
    if index:
        problems += _wrong_numbers(grid, top, told)
    renamed: Counter[tuple[str, str]] = Counter()
    strips = [
        _strip(grid, column, top, names, problems, renamed) for column in range(left, len(grid.columns))
    ]
    sets: dict[str | None, Reels] = {}
    for name, columns in order.items():
        sets[name] = tuple(strips[column] for column in columns)
    plausible = all(len(columns) == layout.reels for columns in order.values())
    plausible &= not index or any(row[0].isdecimal() for row in grid.cells)
    return Reading(sets, _assumes(grid, header, index, order), tuple(problems), renamed, plausible)


def _assumes(
    grid: Grid, header: bool, index: bool, order: Mapping[str | None, Sequence[int]]
) -> tuple[str, ...]:
    moved = any(list(columns) != sorted(columns) for columns in order.values())
    line, side = ("column", "row") if grid.turned else ("row", "column")
    labels = f"{line} {grid.rows[0]} as labels" if header else "no labels"
    return (
        f"a {side} a reel",
        labels + (", reels in the order that they number" if moved else ""),
        f"{side} {grid.columns[0]} as stop numbers" if index else "no stop numbers",
    )


def _order(
    grid: Grid, top: int, left: int, layout: Layout, names: Names, told: Told, problems: list[str]
) -> dict[str | None, Sequence[int]]:
    """The columns of each reel set, in the order of its reels."""
    columns = len(grid.columns) - left
    side = "rows" if grid.turned else "columns"
    labels = grid.cells[0][left:] if top else ()
    parsed = [_label(label, layout.sets) for label in labels]
    known = [label for label in parsed if label is not None]
    if top and len(known) == columns:
        order = _numbered(known, layout.reels)
        if order is not None:
            return order
    if top and told.header is None:
        at = next((i for i, label in enumerate(parsed) if label is None), 0)
        problems.append(
            f"{grid.place(0, left + at) if columns else grid.where}: must be a symbol or the label of a reel"
            f" (reel 1, ...), but got {labels[at] if labels else ''!r}; --header says that it is a label"
        )
    if columns != layout.reels:
        problems.insert(0, f"{grid.where}: must have {layout.reels} {side} of stops, but has {columns}")
    return {None: range(columns)}


def _label(text: str, sets: Sequence[str]) -> tuple[str | None, int] | None:
    """The reel set and the number that a label names: "Reel 1", "free R2", "base 3"; None if it is no label."""
    for name in sorted(sets, key=len, reverse=True):
        if text.casefold().startswith(name.casefold()):
            rest = text[len(name) :].lstrip(" ._:-")
            found = LABEL.fullmatch(rest)
            if found:
                return name, int(found[1])
    found = LABEL.fullmatch(text)
    return (None, int(found[1])) if found else None


def _numbered(labels: Sequence[tuple[str | None, int]], reels: int) -> dict[str | None, Sequence[int]] | None:
    """Columns by set in the order of the labels' numbers, from 0 or 1 on; None unless each set has each number once."""
    sets: dict[str | None, Sequence[int]] = {}
    for name in dict.fromkeys(name for name, _ in labels):
        at = {number: column for column, (own, number) in enumerate(labels) if own == name}
        first = min(at)
        count = sum(own == name for own, _ in labels)
        if first > 1 or sorted(at) != list(range(first, first + reels)) or count != reels:
            return None
        sets[name] = [at[number] for number in sorted(at)]
    return sets


def _wrong_numbers(grid: Grid, top: int, told: Told) -> list[str]:
    """Where the first column isn't 0, 1, 2, ... or 1, 2, 3, ...; the user's word goes for any numbers."""
    found = [row[0] for row in grid.cells[top:]]
    if told.index and all(re.fullmatch(r"[0-9]+", text) for text in found):
        return []
    first = 0 if found[:1] == ["0"] else 1
    return [
        f"{grid.place(top + i, 0)}: must be the stop number {first + i}, but got {text!r}"
        for i, text in enumerate(found)
        if text != str(first + i)
    ]


def _strip(
    grid: Grid, column: int, top: int, names: Names, problems: list[str], renamed: Counter[tuple[str, str]]
) -> tuple[str, ...]:
    """The strip in a column; a cell that is no symbol, or a blank above another stop, is a problem."""
    cells = [row[column] for row in grid.cells[top:]]
    while cells and not cells[-1]:
        cells.pop()
    strip = []
    for i, cell in enumerate(cells):
        symbol = names.symbol(cell) if cell else None
        if not cell:
            problems.append(f"{grid.place(top + i, column)}: is blank, but further stops of the reel follow")
        elif symbol is None:
            problems.append(
                f"{grid.place(top + i, column)}: must be one of {', '.join(names.symbols)}, but got {cell[:40]!r};"
                " --map gives other names"
            )
        elif symbol != cell:
            renamed[cell, symbol] += 1
        strip.append(symbol or "")
    if not strip:
        problems.append(f"{grid.where}: reel {column + 1} has no stops")
    return tuple(strip)
