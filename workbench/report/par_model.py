"""What a PAR sheet is: sections of tables of typed columns, every figure with its status. Frozen; written as canonical JSON.

A figure is ``exact`` (no sampling: its distance from the true value is at most the sheet's ``error_bound``, times its size where
that is above 1), ``bounded`` (proved to lie in ``interval``) or ``estimated`` (drawn at random; ``interval`` holds the true value
with 99 %). Texts and numbers that the definition or the strip set gives (a pay, a weight) are no figures but cells as they are.

The file (format ``workbench.par-sheet/1``): a cell is a text, a number, null where there is none, or a figure as
``{"value", "status"}`` with ``interval`` where it isn't exact and ``kind`` where that isn't its column's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from workbench.errors import FileError
from workbench.reels.files import canonical_json, parse_json

FORMAT = "workbench.par-sheet/1"

Status = Literal["exact", "bounded", "estimated"]
Kind = Literal[
    "text", "mixed", "count", "coins", "bets", "probability", "one_in", "rtp", "number", "score", "fraction"
]
"""What a number is of: a whole number, coins or total bets won, a probability, one in so many, a fraction of the bet, any other, a normal score.
``fraction`` is a text, NUMERATOR/DENOMINATOR, without any rounding. ``mixed`` is the kind of a column whose figures have kinds of their own."""


@dataclass(frozen=True)
class Figure:
    """A number that was found, how well it is known, and what it is of.

    Raises ValueError where a figure is exact and has an interval, or isn't and has none that holds it.

    >>> Figure(0.92, "rtp").status
    'exact'
    """

    value: float | int | str
    kind: Kind
    status: Status = "exact"
    interval: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if (self.interval is None) != (self.status == "exact"):
            raise ValueError(f"a figure must have an interval unless it is exact, but got {self}")
        if isinstance(self.value, str) != (self.kind == "fraction"):
            raise ValueError(f"a figure must be a number, and a fraction a text, but got {self}")
        if self.interval is not None and not self.interval[0] <= float(self.value) <= self.interval[1]:
            raise ValueError(f"an interval must hold its figure, but got {self}")


Cell = str | int | float | None | Figure


@dataclass(frozen=True)
class Column:
    """A column: its id, its heading, and what its numbers are of."""

    id: str
    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """A table; ValueError unless every row has a cell for every column."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.id}: rows must have {len(self.columns)} cells, but got {row}")

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of a column; KeyError if there is none of that id."""
        ids = [column.id for column in self.columns]
        if name not in ids:
            raise KeyError(name)
        return tuple(row[ids.index(name)] for row in self.rows)

    def figure(self, row: str, column: str = "value") -> Figure:
        """The figure in the row that begins with a text; KeyError if there is none."""
        for first, cell in zip((r[0] for r in self.rows), self.column(column), strict=True):
            if first == row and isinstance(cell, Figure):
                return cell
        raise KeyError(row)


@dataclass(frozen=True)
class Section:
    """A section: its id, heading, tables, and what a reader must know."""

    id: str
    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParSheet:
    """The document as data; sections that don't apply to a game are left out."""

    title: str
    game: str
    strip_set: str
    sha256: str
    definition_sha256: str
    workbench_version: str
    error_bound: float
    sections: tuple[Section, ...]

    def section(self, name: str) -> Section | None:
        """The section of that id, None where the sheet has none."""
        return next((s for s in self.sections if s.id == name), None)

    def table(self, name: str) -> Table | None:
        """The table of that id, None where the sheet has none."""
        return next((t for s in self.sections for t in s.tables if t.id == name), None)


HEAD = (
    *("title", "game", "strip_set", "sha256"),
    *("definition_sha256", "workbench_version", "error_bound"),
)


def par_json(sheet: ParSheet) -> bytes:
    """The canonical file of a sheet."""
    head = {name: getattr(sheet, name) for name in HEAD}
    return canonical_json({"format": FORMAT, **head, "sections": [_section(s) for s in sheet.sections]})


def _section(section: Section) -> dict[str, Any]:
    return {
        "id": section.id,
        "title": section.title,
        "notes": list(section.notes),
        "tables": [_table(t) for t in section.tables],
    }


def _table(table: Table) -> dict[str, Any]:
    kinds = [c.kind for c in table.columns]
    return {
        "id": table.id,
        "title": table.title,
        "notes": list(table.notes),
        "columns": [{"id": c.id, "title": c.title, "kind": c.kind} for c in table.columns],
        "rows": [[_cell(x, kind) for x, kind in zip(row, kinds, strict=True)] for row in table.rows],
    }


def _cell(cell: Cell, kind: Kind) -> Any:
    if not isinstance(cell, Figure):
        return cell
    found: dict[str, Any] = {"value": cell.value, "status": cell.status}
    if cell.interval is not None:
        found["interval"] = list(cell.interval)
    return found if cell.kind == kind else {**found, "kind": cell.kind}


def parse_par_json(data: bytes, where: str) -> ParSheet:
    """A sheet from the bytes of its file; FileError, headed by ``where``, if they hold something else."""
    raw = parse_json(data, where)
    if not isinstance(raw, Mapping) or raw.get("format") != FORMAT:
        raise FileError(f"{where}: format: must be {FORMAT!r}")
    try:
        return ParSheet(**{name: raw[name] for name in HEAD}, sections=_read(raw["sections"], _read_section))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileError(f"{where}: not a PAR sheet ({type(error).__name__}: {error})") from None


def _read(rows: Any, reader: Any) -> tuple[Any, ...]:
    return tuple(reader(row) for row in rows)


def _read_section(raw: Mapping[str, Any]) -> Section:
    return Section(raw["id"], raw["title"], _read(raw["tables"], _read_table), tuple(raw["notes"]))


def _read_table(raw: Mapping[str, Any]) -> Table:
    columns = _read(raw["columns"], lambda c: Column(c["id"], c["title"], _kind(c["kind"])))
    rows = tuple(
        tuple(_read_cell(x, c.kind) for x, c in zip(row, columns, strict=True)) for row in raw["rows"]
    )
    return Table(raw["id"], raw["title"], columns, rows, tuple(raw["notes"]))


def _kind(name: str) -> Any:
    if name not in get_args(Kind):
        raise ValueError(f"kind: must be one of {', '.join(get_args(Kind))}, but got {name!r}")
    return name


def _read_cell(raw: Any, kind: Kind) -> Cell:
    if isinstance(raw, Mapping):
        if raw["status"] not in get_args(Status):
            raise ValueError(f"status: must be one of {', '.join(get_args(Status))}")
        interval = tuple(raw["interval"]) if "interval" in raw else None
        return Figure(raw["value"], _kind(raw.get("kind", kind)), raw["status"], interval)
    if raw is None or isinstance(raw, str | int | float):
        return raw
    raise ValueError(f"a cell must be a text, a number, null or a figure, but got {type(raw).__name__}")
