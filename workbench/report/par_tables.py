"""Tables of a PAR sheet as markup: long narrow ones in pieces side by side, tables of facts with the status of each fact."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from workbench.report.par_model import Cell, Column, Figure, Table
from workbench.report.par_text import marked, plain, text

MOST_IN_PIECE = 36
TIGHT, SHORT, LONG = 8, 24, 40
SMALL_ROWS, SMALL_COLUMNS = 24, 7
DENSE_COLUMNS, DENSE_INTERVALS = 8, 5
SHA256 = 64

Row = tuple[Cell, ...]


def table_html(table: Table) -> str:
    """A heading with what all its figures are, notes, and the rows in a box that scrolls by itself."""
    notes = "".join(f'<p class="note">{text(note)}</p>' for note in table.notes)
    label = f'role="group" aria-label="{text(table.title)}"'
    pieces = [_piece(table, rows) for rows in _pieces(table)]
    boxes = "".join(f'<div class="box" tabindex="0" {label}>{piece}</div>' for piece in pieces)
    body = boxes if len(pieces) == 1 else f'<div class="pieces">{boxes}</div>'
    kind = "table dense" if _is_dense(table) else "table small" if _is_small(table) else "table"
    return f'<div class="{kind}"><h3>{text(table.title)} {_badge(table)}</h3>{notes}{body}</div>'


def _is_small(table: Table) -> bool:
    """Small tables stand side by side, and whole on a printed page."""
    return len(table.rows) <= SMALL_ROWS and len(table.columns) <= SMALL_COLUMNS


def _is_dense(table: Table) -> bool:
    """Wide tables are set smaller on a printed page."""
    intervals = any(isinstance(cell, Figure) and cell.interval for row in table.rows for cell in row)
    return len(table.columns) >= (DENSE_INTERVALS if intervals else DENSE_COLUMNS)


def _pieces(table: Table) -> Iterator[tuple[Row, ...]]:
    """Strips and lines in pieces that stand side by side; other tables whole."""
    if not (table.id == "lines" or table.id.startswith("strips.")):
        yield table.rows
        return
    pieces = ceil(len(table.rows) / MOST_IN_PIECE)
    size = ceil(len(table.rows) / pieces)
    for start in range(0, len(table.rows), size):
        yield table.rows[start : start + size]


def _piece(table: Table, rows: tuple[Row, ...]) -> str:
    if _is_facts(table):
        return _facts(table, rows)
    head = "".join(f'<th scope="col"{_align(c)}>{text(c.title)}</th>' for c in table.columns)
    return _markup(head, [_row(table, row) for row in rows])


def _markup(head: str, rows: list[str]) -> str:
    body = "\n".join(rows)
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def _is_facts(table: Table) -> bool:
    return any(column.kind == "mixed" for column in table.columns)


def _facts(table: Table, rows: tuple[Row, ...]) -> str:
    """What it is, value, status, id; values are set to the left where none is a figure."""
    _, what, value = table.columns
    if not any(isinstance(row[2], Figure) for row in rows):
        value = Column(value.id, value.title)
    heads = (what, value, Column("status", "Status"), Column("id", "Id"))
    head = "".join(f'<th scope="col"{_align(c)}>{text(c.title)}</th>' for c in heads)
    return _markup(head, [_fact(row, value) for row in rows])


def _fact(row: Row, column: Column) -> str:
    name, what, value = row
    status = value.status if isinstance(value, Figure) else "given"
    tag = f'<td><span class="tag {status}">{status}</span></td>'
    return f'<tr><td>{text(plain(what, "text"))}</td>{_cell(value, column)}{tag}<td class="id">{text(name)}</td></tr>'


TAGS = {"exact": "exact", "bounded": "bounded: in [ ]", "estimated": "estimated: ≈, 99 % interval in [ ]"}


def _badge(table: Table) -> str:
    """What all its figures are; tables of facts say it row by row."""
    if _is_facts(table):
        return ""
    found = {cell.status for row in table.rows for cell in row if isinstance(cell, Figure)}
    marks = [f'<span class="tag {name}">{words}</span>' for name, words in TAGS.items() if name in found]
    return " ".join(marks or ['<span class="tag">given</span>'])


def _row(table: Table, row: Row) -> str:
    kind = ' class="sum"' if row[0] == "total" else ""
    cells = (_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _cell(cell: Cell, column: Column) -> str:
    shown = marked(cell, column)
    if isinstance(cell, str):
        return f"<td{_text_class(cell)}>{shown}</td>"
    if column.kind == "fraction":
        return f'<td class="wide">{shown}</td>'
    return f"<td>{shown}</td>" if column.kind == "text" else f'<td class="n">{shown}</td>'


def _text_class(cell: str) -> str:
    """Short texts stay on one line, long ones get room, hashes are set as such."""
    if len(cell) == SHA256 and cell.isalnum():
        return ' class="hash"'
    limits = {"tight": TIGHT, "short": SHORT, "": LONG}
    kind = next((name for name, most in limits.items() if len(cell) <= most), "wide")
    return f' class="{kind}"' if kind else ""


def _align(column: Column) -> str:
    return "" if column.kind in ("text", "fraction") else ' class="n"'
