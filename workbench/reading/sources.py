"""Files as people bring them: exports of the workbench that carry a whole set, or tables of strips."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import FileError, StripSetError
from workbench.export.csv_files import INDEX_FILE, csv_rows, csv_strip_set
from workbench.export.manifest import FILE_NAME
from workbench.export.tables import is_index
from workbench.export.xlsx_sheets import xlsx_sheets
from workbench.export.xlsx_tables import is_exported, sheets_strip_set
from workbench.game.definition import GameDefinition
from workbench.reading.grid import Grid, grid_of
from workbench.reading.symbols import Names
from workbench.reels.files import canonical_json, parse_strip_set, read_file
from workbench.reels.strip_set import StripSet

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
ONE_WAY = (".h", ".ts")


@dataclass(frozen=True)
class Tables:
    """Tables of strips, and what was guessed to read them."""

    grids: tuple[Grid, ...]
    said: tuple[str, ...]


def read_source(path: Path, game: GameDefinition, names: Names) -> StripSet | Tables:
    """A whole strip set where the file (or folder) is an export that carries one, else its tables.

    Raises FileError or StripSetError where the file can't be read or understood.
    """
    if path.is_dir():
        path = path / INDEX_FILE
    kind = path.suffix.lower()
    if kind in ONE_WAY:
        raise FileError(f"{path}: C and TypeScript files are written only; import strip_set.json beside it")
    data = read_file(path)
    where = str(path)
    if kind == ".json":
        return parse_strip_set(data, game, where)
    if kind == ".toml":
        return _toml_strip_set(data, game, where)
    if kind in (".xlsx", ".xlsm") or data.startswith(b"PK\x03\x04"):
        sheets = xlsx_sheets(data, where)
        if is_exported(sheets):
            return sheets_strip_set(sheets, game, where)
        grids = [grid_of(f"{where}: sheet {name!r}", name, sheet) for name, sheet in sheets.items()]
        return Tables(tuple(grid for grid in grids if grid.cells), ())
    if path.name == INDEX_FILE and is_index(csv_rows(data, where)):
        return csv_strip_set(lambda name: _beside(path, name), game, where)
    return _csv_tables(data, where, path.stem, names)


def _beside(index: Path, name: str) -> bytes:
    """A file that an index names; only files of exports in the same folder."""
    if not FILE_NAME.fullmatch(name):
        raise StripSetError(f"{index}: must name files in its folder, but got {name[:60]!r}")
    path = index.with_name(name)
    if path.is_symlink() or not path.is_file():
        raise FileError(f"{path}: must be a file, as {INDEX_FILE} names it")
    return read_file(path)


def _toml_strip_set(data: bytes, game: GameDefinition, where: str) -> StripSet:
    try:
        table = canonical_json(tomllib.loads(data.decode()))
    except (ValueError, TypeError, RecursionError) as error:
        raise StripSetError(f"{where}: not a strip set in TOML ({error})") from None
    return parse_strip_set(table, game, where)


def _csv_tables(data: bytes, where: str, name: str, names: Names) -> Tables:
    text, said = _decoded(data, where)
    if any(symbol.startswith("\ufeff") for symbol in names.symbols) and said:
        raise StripSetError(
            f"{where}: begins with a mark that symbols of the game begin with as well; take it off"
        )
    told = re.match(r"sep=(.)\r?\n", text)
    if told:
        rows = _rows(text[told.end() :], told[1], where)
        return Tables(
            (grid_of(where, name, rows),), (*said, f"{where}: cells apart by {told[1]!r}, as it says")
        )
    delimiter = _delimiter(text, where, names)
    if delimiter not in (None, ","):
        said += (f"{where}: taken to have cells apart by {DELIMITERS[str(delimiter)]}",)
    return Tables((grid_of(where, name, _rows(text, delimiter or ",", where)),), said)


def _decoded(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    """The text of a file in UTF-8, with a mark or without, or UTF-16 with its mark."""
    encoding = "utf-8"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif data.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise StripSetError(
            f"{where}: must be text in UTF-8, or UTF-16 with its mark ({error.reason})"
        ) from None
    if "\0" in text:
        raise StripSetError(f"{where}: must be text in UTF-8, or UTF-16 with its mark, but holds zeros")
    said = {"utf-16": "UTF-16", "utf-8-sig": "UTF-8 with a mark at its beginning"}.get(encoding)
    return text, (f"{where}: taken as {said}",) if said else ()


def _delimiter(text: str, where: str, names: Names) -> str | None:
    """What keeps cells apart; None where there is one column. The one that leaves the most cells symbols.

    Raises StripSetError where two leave as many, in different cells.
    """
    best: dict[str, tuple[float, list[list[str]]]] = {}
    for delimiter in DELIMITERS:
        if delimiter not in text:
            continue
        try:
            rows = _rows(text, delimiter, where)
        except StripSetError:
            continue
        cells = [cell.strip() for row in rows for cell in row if cell.strip()]
        known = sum(names.symbol(cell) is not None for cell in cells)
        best[delimiter] = (known / len(cells) if cells else 0.0, rows)
    if not best:
        return None
    most = max(share for share, _ in best.values())
    found = [delimiter for delimiter, (share, _) in best.items() if share == most]
    if any(best[delimiter][1] != best[found[0]][1] for delimiter in found[1:]):
        ways = " or ".join(DELIMITERS[delimiter] for delimiter in found)
        raise StripSetError(f"{where}: cells may be apart by {ways}; a first line 'sep=;' tells")
    return found[0]


def _rows(text: str, delimiter: str, where: str) -> list[list[str]]:
    try:
        return list(
            csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
        )
    except (csv.Error, TypeError) as error:
        raise StripSetError(f"{where}: not a table of cells ({error})") from None
