"""Heat maps of strips: a row a reel, a cell a stop, coloured by how far one swap of the stop moves the RTP.

Blue raises, orange lowers, the paler the less: hues that every kind of colour blindness tells apart, and the two never
meet on one side of white.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.report.par_model import Figure, Table
from workbench.report.strip_map import CELL, LEFT, PER_ROW, ROW, Look
from workbench.report.svg import drawing, rect, words

RISE, FALL = (0, 114, 178), (213, 94, 0)
STEPS = 5
# colours end where all but this share of the changes lie: one scatter more would leave the rest pale
SHOWN = 0.98
DARK_FROM = 5
SWATCH = 74.0


@dataclass(frozen=True)
class Heat:
    """Steps of colour for changes up to a limit, which every map of a reel set shares."""

    limit: float

    def step(self, change: float) -> int:
        """-STEPS (lowers most) .. STEPS; 0 for no change.

        >>> [Heat(1.0).step(x) for x in (-2.0, -0.1, 0.0, 0.5, 1.0)]
        [-5, -1, 0, 3, 5]
        """
        if change == 0:
            return 0
        size = min(STEPS, 1 + int(STEPS * abs(change) / self.limit))
        return size if change > 0 else -size

    def fill(self, step: int) -> str:
        """The colour of a step.

        >>> Heat(1.0).fill(0), Heat(1.0).fill(5), Heat(1.0).fill(-5)
        ('#ffffff', '#0072b2', '#d55e00')
        """
        hue = RISE if step > 0 else FALL
        share = abs(step) / STEPS
        return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in hue)


def heat_of(tables: tuple[Table, ...]) -> Heat:
    """One scale for tables that are looked at side by side."""
    sizes = sorted(
        abs(float(figure.value)) for table in tables for row in changes_of(table) for figure in row if figure
    )
    limit = sizes[int(SHOWN * (len(sizes) - 1))] if sizes else 0.0
    return Heat(limit or (sizes[-1] if sizes else 0.0) or 1.0)


def changes_of(table: Table) -> list[list[Figure | None]]:
    """The changes of a table by stop, row by row of reels."""
    ids = [column.id for column in table.columns if column.id.startswith("change_")]
    columns = [[cell if isinstance(cell, Figure) else None for cell in table.column(name)] for name in ids]
    return [list(column) for column in columns]


def heat_map(table: Table, heat: Heat, look: Mapping[str, Look]) -> str:
    """The map of one table of :mod:`workbench.report.par_sensitivity`; cells name the symbol put there."""
    changes = changes_of(table)
    symbols = [table.column(f"symbol_{r + 1}") for r in range(len(changes))]
    stops, y = len(table.rows), 8.0
    parts: list[str] = []
    for start in range(0, stops, PER_ROW):
        end = min(start + PER_ROW, stops)
        parts += [
            words(LEFT + (k - start + 0.47) * CELL, y + 10, k, "small muted", "middle")
            for k in range(start, end, 8)
        ]
        for r, row in enumerate(changes):
            parts += _reel(y + 16 + r * (ROW + 2), r, range(start, end), (row, symbols[r]), heat, look)
        y += 28 + len(changes) * (ROW + 2)
    parts += _legend(y + 4, heat)
    return drawing(900, y + 46, table.title, parts)


def _reel(
    y: float,
    r: int,
    stops: range,
    row: tuple[list[Figure | None], tuple[object, ...]],
    heat: Heat,
    look: Mapping[str, Look],
) -> Iterator[str]:
    """One row of cells, and the reel's number before it; the pointer shows the change itself."""
    yield words(LEFT - 8, y + 14, f"reel {r + 1}", anchor="end")
    for k, stop in enumerate(stops):
        figure, symbol = row[0][stop], row[1][stop]
        if figure is None or symbol is None:
            continue
        step, x = heat.step(float(figure.value)), LEFT + k * CELL
        title = f"reel {r + 1}, stop {stop}: {symbol} instead, {figure.value:+.6f}"
        yield rect(x, y, CELL - 0.8, ROW, "edge", title, heat.fill(step))
        ink = "on" if step >= DARK_FROM else "dark"
        yield words(
            x + 0.47 * CELL,
            y + 13,
            look[str(symbol)].short if str(symbol) in look else "",
            f"tiny {ink}",
            "middle",
        )


def _legend(y: float, heat: Heat) -> Iterator[str]:
    """A swatch a step, and the largest change that it stands for."""
    for i, step in enumerate(range(-STEPS, STEPS + 1)):
        x = LEFT + i * SWATCH
        yield rect(x, y, SWATCH - 2, 14, "edge", "", heat.fill(step))
        ends = "" if abs(step) < STEPS else " and more"
        shown = (
            "0"
            if step == 0
            else f"{heat.limit * (abs(step) - bool(ends)) / STEPS * (1 if step > 0 else -1):+.2g}{ends}"
        )
        yield words(x + SWATCH / 2 - 1, y + 28, shown, "small", "middle")
