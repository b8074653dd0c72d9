"""Laws of a round for people: their figures side by side, and how far the others are from the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from workbench.commands.figures_view import Section, number, sections_view
from workbench.compare.comparison import LETTERS
from workbench.compare.laws import Distance, LawComparison

# sets beside the first in a table of 80 columns: numbers alone, and with intervals
BESIDE, BESIDE_INTERVALS = 3, 1
NAMES = {
    "mean": "mean",
    "standard_deviation": "standard deviation",
    "skewness": "skewness",
    "no_win": "no win",
}

Row = tuple[str, ...]


def laws_view(found: LawComparison) -> list[Table | Text]:
    """The tables in reading order: figures of A and some others at a time, then the distances from A."""
    size = BESIDE_INTERVALS if found.estimated else BESIDE
    others = range(1, len(found.laws))
    sections = [
        section
        for first in others[::size]
        for section in _sections(found, (0, *others[first - 1 : first - 1 + size]))
    ]
    parts = sections_view([*sections, _distances(found)])
    if any(law.dependent for law in found.laws):
        parts.append(Text("Rounds depend on each other: a law is that of one round in the long run.\n"))
    return parts


def _sections(found: LawComparison, sets: Sequence[int]) -> Iterator[Section]:
    """The figures of some of the sets."""
    tables = [found.figures[i] for i in sets]
    letters = tuple(LETTERS[i] for i in sets)
    main = [row for key, name in NAMES.items() for row in _rows(name, tables, key)]
    left_out = ("left out, less than", *(f"{table['left_out']:.2g}" for table in tables))
    yield Section("Laws of a round: win in bets", ("", *letters), [*main, left_out])
    for title, head, key in (
        ("P(win at least so many bets)", "bets", "at_least"),
        ("Share of rounds that win no more: bets", "%", "percentiles"),
    ):
        rows = [row for x in tables[0][key] for row in _rows(x, tables, key, x)]
        yield Section(title, (head, *letters), rows)


def _rows(name: str, tables: Sequence[dict[str, Any]], key: str, *place: str) -> Iterator[Row]:
    """A figure of every table, and the intervals below where some table has one."""
    yield (name, *(number(_at(table[key], place)) for table in tables))
    intervals = [_at(table.get(f"{key}_interval_99"), place) for table in tables]
    if any(intervals):
        yield ("  99 %", *(f"{i[0]:.6g} to {i[1]:.6g}" if i else "exact" for i in intervals))


def _at(value: Any, place: Sequence[str]) -> Any:
    for name in place if value is not None else ():
        value = value[name]
    return value


def _distances(found: LawComparison) -> Section:
    interval = ("99 % from", "to") if found.estimated else ()
    rows = [_distance(i, distance, bool(interval)) for i, distance in enumerate(found.distances, 1)]
    title = "Largest distance of the laws: of P(win at least so many bets)"
    return Section(title, ("", "distance", *interval, "bets", "P in A", "P in other"), rows)


def _distance(i: int, distance: Distance, interval: bool) -> Row:
    ends = tuple(f"{end:.5g}" for end in distance.interval) if interval else ()
    chances = ("-", "-") if distance.at is None else tuple(f"{p:.8g}" for p in distance.chances)
    return (f"A to {LETTERS[i]}", f"{distance.size:.6g}", *ends, number(distance.at), *chances)
