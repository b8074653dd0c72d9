"""A strip set as plain tables, the shape of CSV and XLSX; and back.

The table ``index`` says what there is: ``format``, ``game``, ``definition_sha256``, ``name``, ``cells``, then a row
(kind, name, table) for each further table. Reel sets and their stop weights have one column a reel, one row a stop and
blanks below shorter reels; wheels and position reels are lists with a header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from workbench.errors import StripSetError
from workbench.export.names import distinct, file_slug
from workbench.game.definition import GameDefinition
from workbench.reels.files import FORMAT as STRIP_SET_FORMAT
from workbench.reels.files import canonical_json, parse_strip_set
from workbench.reels.strip_set import StripSet

FORMAT = "workbench.strip-tables/1"
INDEX = "index"
HEAD = ("format", "game", "definition_sha256", "name")
KINDS = ("reels", "stop_weights", "wheels", "position_reels")
WHEELS = ("wheel", "value", "weight")
POSITION_REELS = ("position_reels", "from", "cell", "symbol", "weight")

Cell = str | int
Rows = tuple[tuple[Cell, ...], ...]
Texts = Sequence[Sequence[str]]


def tables_of(strips: StripSet, name_of: Callable[[str], str] = str) -> dict[str, Rows]:
    """The tables by name, ``index`` first; ``name_of`` makes the name that the index has of it (``base.csv``)."""
    tables: dict[str, Rows] = {}
    listed: list[tuple[Cell, ...]] = []

    def add(kind: str, name: str, table: str, rows: Rows) -> None:
        tables[table] = rows
        listed.append((kind, name, name_of(table)))

    slugs = distinct(sorted(strips.reels), file_slug)
    for name, slug in slugs.items():
        add("reels", name, f"reels.{slug}", _by_column(strips.reels[name]))
    for name in sorted(strips.stop_weights):
        add("stop_weights", name, f"stop_weights.{slugs[name]}", _by_column(strips.stop_weights[name]))
    if strips.wheels:
        add("wheels", "", "wheels", (WHEELS, *_wheels(strips)))
    if strips.position_reels:
        add("position_reels", "", "position_reels", (POSITION_REELS, *_position_reels(strips)))
    head = (FORMAT, strips.game, strips.definition_sha256, strips.name)
    return {INDEX: (*zip(HEAD, head, strict=True), *listed), **tables}


def _by_column(columns: Sequence[Sequence[Cell]]) -> Rows:
    return tuple(zip_longest(*columns, fillvalue=""))


def _wheels(strips: StripSet) -> Rows:
    return tuple(
        (name, value, weight)
        for name, wheel in sorted(strips.wheels.items())
        for value, weight in sorted(wheel.items())
    )


def _position_reels(strips: StripSet) -> Rows:
    return tuple(
        (name, stage.start, reel, symbol, weight)
        for name, stages in sorted(strips.position_reels.items())
        for stage in stages
        for reel, cell in enumerate(stage.cells)
        for symbol, weight in sorted(cell.items())
    )


def is_index(rows: Texts) -> bool:
    """Whether a table is the index of exported tables."""
    return bool(rows) and [*rows[0][:2]] == [HEAD[0], FORMAT]


def strip_set_of(index: Texts, table: Callable[[str], Texts], game: GameDefinition, where: str) -> StripSet:
    """The strip set of tables; ``table`` gives the one that the index names so.

    Raises StripSetError where a table isn't laid out as :func:`tables_of` does it, or the set doesn't fit its game.
    """
    raw: dict[str, dict[str, object]] = {kind: {} for kind in KINDS}
    head: dict[str, object] = {}
    for i, row in enumerate(index):
        key, name, file = (*row, "", "", "")[:3]
        place = f"{where}: row {i + 1}"
        if key in HEAD and key not in head:
            head[key] = name
        elif key in KINDS and name not in raw[key]:
            _READERS[key](table(file), name, raw[key], f"{where}: {file}")
        elif any(row):
            raise StripSetError(
                f"{place}: must be one of {', '.join((*HEAD, *KINDS))}, each once, but got {key!r}"
            )
    if not raw["stop_weights"]:
        del raw["stop_weights"]
    return parse_strip_set(canonical_json({**head, **raw, "format": STRIP_SET_FORMAT}), game, where)


def _read_reels(rows: Texts, name: str, raw: dict[str, object], where: str) -> None:
    raw[name] = [list(column) for column in _columns(rows, where)]


def _read_stop_weights(rows: Texts, name: str, raw: dict[str, object], where: str) -> None:
    raw[name] = [[whole(cell, where) for cell in column] for column in _columns(rows, where)]


def _columns(rows: Texts, where: str) -> list[list[str]]:
    """Cells by column, blanks below the last one left out; one among them is an error."""
    columns = [list(column) for column in zip_longest(*rows, fillvalue="")]
    for reel, column in enumerate(columns):
        while column and not column[-1]:
            column.pop()
        if "" in column:
            raise StripSetError(
                f"{where}: row {column.index('') + 1}, column {reel + 1}: must have a cell, but is blank"
            )
    return columns


def _read_wheels(rows: Texts, _: str, raw: dict[str, object], where: str) -> None:
    for place, (name, value, weight) in _listed(rows, WHEELS, where):
        _put(_inner(raw, name), value, whole(weight, place), place)


def _read_position_reels(rows: Texts, _: str, raw: dict[str, object], where: str) -> None:
    stages: dict[str, dict[int, dict[int, dict[str, object]]]] = {}
    for place, (name, start, reel, symbol, weight) in _listed(rows, POSITION_REELS, where):
        cells = stages.setdefault(name, {}).setdefault(whole(start, place), {})
        if whole(reel, place) > len(cells):
            raise StripSetError(f"{place}: cells must be in order from 0, but got {reel}")
        _put(cells.setdefault(whole(reel, place), {}), symbol, whole(weight, place), place)
    for name, by_start in stages.items():
        raw[name] = [{"from": start, "cells": list(cells.values())} for start, cells in by_start.items()]


def _listed(rows: Texts, header: Sequence[str], where: str) -> list[tuple[str, list[str]]]:
    """The rows below a header, each with its place."""
    width = len(header)
    wide = [[*row, *[""] * width][: max(width, len(row))] for row in rows if any(row)]
    for i, row in enumerate(wide):
        if any(row[width:]) or (i == 0 and row[:width] != list(header)):
            raise StripSetError(
                f"{where}: row {i + 1}: must be {', '.join(header)}, but got {', '.join(row)}"
            )
    return [(f"{where}: row {i + 1}", row[:width]) for i, row in enumerate(wide)][1:]


def _inner(raw: dict[str, object], name: str) -> dict[str, object]:
    inner = raw.setdefault(name, {})
    assert isinstance(inner, dict)
    return inner


def _put(table: dict[str, object], key: str, value: int, place: str) -> None:
    if key in table:
        raise StripSetError(f"{place}: must be given once, but {key!r} is given again")
    table[key] = value


def whole(text: str, where: str) -> int:
    """A whole number from 0; StripSetError if the text isn't one.

    >>> whole("12", "row 3")
    12
    """
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise StripSetError(f"{where}: must be a whole number, but got {text[:40]!r}")
    return int(text)


_READERS: Mapping[str, Callable[[Texts, str, dict[str, object], str], None]] = {
    "reels": _read_reels,
    "stop_weights": _read_stop_weights,
    "wheels": _read_wheels,
    "position_reels": _read_position_reels,
}
