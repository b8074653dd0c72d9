"""HTML of what commands show in a terminal, and of strips. Every text is escaped; colours never stand alone."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from itertools import zip_longest
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import Reels, StripSet, Weights

# Paul Tol's light scheme: told apart with any colour vision, black text readable on each
COLOURS = ("#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#99DDFF", "#44BB99", "#BBCC33", "#AAAA00", "#DDDDDD")
CELL = "padding:1px 8px;text-align:{};white-space:nowrap"


def colour(game: GameDefinition, symbol: str) -> str:
    """The colour behind a symbol: by its place in the definition, so the same wherever it is shown."""
    return COLOURS[game.symbol_index.get(symbol, 0) % len(COLOURS)]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts: the first column to the left, the others, numbers, to the right."""
    lines = []
    if any(head):
        lines.append("".join(_cell("th", text, i) for i, text in enumerate(head)))
    lines += ["".join(_cell("td", text, i) for i, text in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">{body}</table>'


def _cell(tag: str, text: str, column: int) -> str:
    return f'<{tag} style="{CELL.format("right" if column else "left")}">{escape(text)}</{tag}>'


def view(parts: Iterable[object]) -> str:
    """The HTML of what a command prints: tables of the terminal and the texts between them."""
    from rich.table import Table

    found = []
    for part in parts:
        if isinstance(part, Table):
            columns = [[_plain(cell) for cell in column.cells] for column in part.columns]
            head = [_plain(column.header) for column in part.columns] if part.show_header else []
            found.append(table(head, zip_longest(*columns, fillvalue="")))
        elif str(part).strip():
            found.append(paragraph(str(part), bold=str(getattr(part, "style", "")) == "bold"))
    return f"<div>{''.join(found)}</div>"


def _plain(cell: Any) -> str:
    return str(getattr(cell, "plain", cell))


def paragraph(text: str, bold: bool = False) -> str:
    """A text, its lines kept."""
    weight = "bold" if bold else "normal"
    return f'<div style="font-weight:{weight};white-space:pre-line;margin:4px 0 2px 0">{escape(text.strip())}</div>'


def picture(png: bytes, text: str, width: int = 760) -> str:
    """A PNG in the page, with a text for those who don't see it."""
    data = b64encode(png).decode("ascii")
    return f'<img alt="{escape(text)}" style="max-width:100%;width:{width}px" src="data:image/png;base64,{data}">'


def strips_html(game: GameDefinition, strips: StripSet) -> str:
    """A strip set: a table of columns for each reel set, then wheels and position reels."""
    parts = [reels_html(game, f"reels {name}", reels) for name, reels in strips.reels.items()]
    weights = [(f"wheel {name}", wheel) for name, wheel in strips.wheels.items()]
    for name, stages in strips.position_reels.items():
        for stage in stages:
            for cell, w in enumerate(stage.cells):
                where = f", cell {cell + 1}" if len(stage.cells) > 1 else ""
                weights.append((f"position reel {name} from {stage.start}{where}", w))
    rows = [(name, _listed(w), str(w.total)) for name, w in weights]
    parts.append(table(("weights", "value: weight", "total"), rows) if rows else "")
    return f"<div>{''.join(parts)}</div>"


def _listed(weights: Weights) -> str:
    return ", ".join(f"{value}: {weight}" for value, weight in weights.items())


def reels_html(game: GameDefinition, title: str, reels: Reels) -> str:
    """Strips side by side, stops counted from 0 at the left."""
    head = "".join(f"<th>reel {r + 1}</th>" for r in range(len(reels)))
    lines = [f"<tr><th>stop</th>{head}</tr>"]
    for stop in range(max(map(len, reels), default=0)):
        cells = "".join(_symbol(game, strip[stop]) if stop < len(strip) else "<td></td>" for strip in reels)
        lines.append(f'<tr><td style="text-align:right">{stop}</td>{cells}</tr>')
    body = "".join(lines)
    return (
        f"{paragraph(title, bold=True)}<div style='max-height:420px;overflow:auto'>"
        f"<table style='border-collapse:collapse'>{body}</table></div>"
    )


def _symbol(game: GameDefinition, symbol: str) -> str:
    style = (
        f"background:{colour(game, symbol)};color:#000;text-align:center;border:1px solid #fff;padding:0 8px"
    )
    return f'<td style="{style}">{escape(symbol)}</td>'
