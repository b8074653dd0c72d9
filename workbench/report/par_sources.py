"""What a PAR sheet is made from, and the small pieces all its sections use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.report.par_model import Cell, Column, Figure, Kind, Table
from workbench.sensitivity.table import Sensitivities
from workbench.value.round_law import RoundLaw

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Sources:
    """``figures`` are those of ``evaluate`` for the strip set; ``components`` the RTP's parts by strategy where there is a choice.

    ``law`` is that of a round, or says why there is none; ``simulation`` the exact figures against played rounds (``rounds``, ``seed`` and the verdict);
    ``sensitivity`` what every swapped stop does; sections of what is None are left out.
    """

    game: GameDefinition
    strips: StripSet
    figures: Figures
    components: Mapping[str, Mapping[str, float]]
    law: RoundLaw | str | None = None
    simulation: Figures | None = None
    sensitivity: Sensitivities | None = None


Fact = tuple[str, str, Cell]


def exact(value: Any, kind: Kind) -> Figure | None:
    """An exact figure; None stays None."""
    return None if value is None else Figure(value, kind)


def estimated(value: float, interval: Iterable[float], kind: Kind) -> Figure:
    """A figure with the interval that holds it with 99 %; ends that rounding put past the figure are the figure."""
    low, high = interval
    return Figure(value, kind, "estimated", (min(low, value), max(high, value)))


def facts(name: str, title: str, rows: Iterable[Fact | None], notes: tuple[str, ...] = ()) -> Table:
    """A table of single facts: an id, what it is in words, and the value; facts that are None or have none are left out."""
    columns = (Column("id", "Id"), Column("what", "Figure"), Column("value", "Value", "mixed"))
    return Table(name, title, columns, tuple(r for r in rows if r is not None and r[2] is not None), notes)


def filled(tables: Iterable[Table | None]) -> tuple[Table, ...]:
    """The tables that have rows."""
    return tuple(table for table in tables if table is not None and table.rows)


def reel_columns(count: int, kind: Kind = "text") -> tuple[Column, ...]:
    """A column a reel, counted from 1 as people do."""
    return tuple(Column(f"reel_{r + 1}", f"Reel {r + 1}", kind) for r in range(count))
