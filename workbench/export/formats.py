"""The formats of production files: what each writes, and its version.

Every export holds ``strip_set.json``, the strip set in its canonical form: the record that all other files are made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from workbench.export import c_header, tables, typescript_module
from workbench.export.csv_files import EXACT, csv_files
from workbench.export.toml_file import toml_file
from workbench.export.xlsx_book import xlsx_book
from workbench.game.definition import GameDefinition
from workbench.reels.files import FORMAT, canonical_bytes
from workbench.reels.strip_set import StripSet

RECORD = "strip_set.json"
XLSX = "strip_set.xlsx"

Files = dict[str, bytes]


@dataclass(frozen=True)
class Format:
    """The version of a format and the files it writes, from a set, its game and the choice of CSV cells."""

    version: str
    files: Callable[[StripSet, GameDefinition, str], Files]


FORMATS: Mapping[str, Format] = {
    "json": Format(FORMAT, lambda strips, game, cells: {RECORD: canonical_bytes(strips)}),
    "csv": Format(tables.FORMAT, lambda strips, game, cells: csv_files(strips, cells)),
    "xlsx": Format(tables.FORMAT, lambda strips, game, cells: {XLSX: xlsx_book(strips)}),
    "toml": Format(FORMAT, lambda strips, game, cells: {"strip_set.toml": toml_file(strips)}),
    "c": Format(
        c_header.FORMAT, lambda strips, game, cells: {"strip_set.h": c_header.c_header(strips, game)}
    ),
    "typescript": Format(
        typescript_module.FORMAT,
        lambda strips, game, cells: {"strip_set.ts": typescript_module.typescript_module(strips, game)},
    ),
}


def production_files(
    strips: StripSet, game: GameDefinition, formats: Iterable[str], cells: str = EXACT
) -> Files:
    """The files of the formats and the record, by name; UsageError where a format can't hold the set's names."""
    files: Files = {}
    for name in ("json", *formats):
        files |= FORMATS[name].files(strips, game, cells)
    return files
