"""Sensitivities for people: of each figure the changes that move it most. Reels count from 1, stops from 0."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from workbench.commands.figures_view import Section, number, sections_view
from workbench.sensitivity.changes import Unit
from workbench.sensitivity.table import Sensitivities


def sensitivity_view(
    found: Sensitivities, title: str, name: str, figures: Sequence[str], top: int
) -> list[Table | Text]:
    """A table a figure for swaps, and one for units of weight."""
    strategy = f", strategy {found.strategy}" if found.strategy else ""
    head = f"{title}, {name}{strategy}: {len(found.swaps)} swaps, {len(found.units)} units of weight"
    sections = [
        part for figure in figures for part in (_swaps(found, figure, top), _units(found, figure, top))
    ]
    notes = []
    if any(found.breaks):
        notes.append(f"{sum(found.breaks)} swaps break a strip rule; they are marked *.")
    if found.refused:
        reason = next(iter(found.refused.values()))
        notes.append(f"{len(found.refused)} changes leave no figures, such as: {reason}")
    return [
        Text(head, style="bold"),
        Text(),
        *sections_view(sections),
        *([Text("\n".join(notes))] if notes else []),
    ]


def _swaps(found: Sensitivities, figure: str, top: int) -> Section:
    rows = [
        (
            f"{s.reels}, reel {s.reel + 1}, stop {s.stop}",
            f"{s.before} > {s.symbol}{' *' if breaks else ''}",
            f"{change:+.6g}",
        )
        for s, change, breaks in found.largest(figure, top)
    ]
    value = number(float(found.base[found.column(figure)]))
    return Section(f"{figure}, now {value}: swaps", ("", "", "change"), rows)


def _units(found: Sensitivities, figure: str, top: int) -> Section:
    rows = [
        (_place(unit), f"{unit.value} {unit.more:+d}", f"{change:+.6g}")
        for unit, change in found.largest_units(figure, top)
    ]
    return Section(f"{figure}: units of weight", ("", "", "change"), rows)


def _place(unit: Unit) -> str:
    if unit.stage is None or unit.cell is None:
        return unit.name
    return f"{unit.name}, stage {unit.stage + 1}, cell {unit.cell + 1}"
