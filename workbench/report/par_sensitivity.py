"""What one swapped stop does to the RTP: for each stop the swap that raises it most and the one that lowers it most.

Swaps that break a strip rule are left out. Changes are exact, with the strategy solved anew where the player has choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.report.par_model import Cell, Column, Section, Table
from workbench.report.par_sources import Sources, exact, filled
from workbench.sensitivity.changes import Swap
from workbench.sensitivity.table import Sensitivities

MOST = 10
WAYS = {"rise": ("raises the RTP most", 1.0), "fall": ("lowers the RTP most", -1.0)}


@dataclass(frozen=True)
class Moved:
    """A swap and the change of the RTP that it makes."""

    swap: Swap
    change: float


def sensitivity(of: Sources) -> Section | None:
    """The largest changes, then stop by stop of each reel set; None where no swaps were looked at."""
    if of.sensitivity is None:
        return None
    moved = list(_moved(of.sensitivity))
    names = dict.fromkeys(m.swap.reels for m in moved)
    tables = [_largest(moved, way) for way in WAYS]
    tables += [
        _by_stop([m for m in moved if m.swap.reels == name], name, way) for name in names for way in WAYS
    ]
    kept = (
        ""
        if of.sensitivity.strategy is None
        else f" The player plays {of.sensitivity.strategy}, solved anew."
    )
    note = (
        "The change of the RTP where another symbol that the strip rules allow stands on one stop, the rest as it is."
        f" Reels count from 1, stops from 0.{kept}"
    )
    return Section("sensitivity", "What one stop moves", filled(tables), (note,))


def _moved(found: Sensitivities) -> Iterator[Moved]:
    """The swaps that break no rule and have an RTP."""
    changes = found.swap_changes[:, found.column("rtp")].tolist()
    for swap, change, breaks in zip(found.swaps, changes, found.breaks, strict=True):
        if not breaks and change == change:
            yield Moved(swap, change)


def _largest(moved: list[Moved], way: str) -> Table:
    words, sign = WAYS[way]
    ordered = sorted((m for m in moved if sign * m.change > 0), key=lambda m: -sign * m.change)
    rows: list[tuple[Cell, ...]] = [
        (m.swap.reels, m.swap.reel + 1, m.swap.stop, m.swap.before, m.swap.symbol, exact(m.change, "rtp"))
        for m in ordered[:MOST]
    ]
    columns = (
        *(Column("reels", "Reel set"), Column("reel", "Reel", "count"), Column("stop", "Stop", "count")),
        *(Column("from", "Symbol"), Column("to", "Instead"), Column("change", "Change of RTP", "rtp")),
    )
    return Table(f"sensitivity.{way}", f"The {MOST} swaps whose symbol {words}", columns, tuple(rows))


def _by_stop(moved: list[Moved], name: str, way: str) -> Table:
    """A row a stop; of every reel the symbol put there and the change, blank where no swap goes that way."""
    words, sign = WAYS[way]
    best: dict[tuple[int, int], Moved] = {}
    for m in moved:
        place = m.swap.stop, m.swap.reel
        if place not in best or sign * m.change > sign * best[place].change:
            best[place] = m
    stops, reels = (max(place[i] for place in best) + 1 for i in (0, 1))
    rows = tuple((stop, *_cells(best, stop, reels)) for stop in range(stops))
    changes = [Column(f"change_{r + 1}", f"Reel {r + 1}: change", "rtp") for r in range(reels)]
    symbols = [Column(f"symbol_{r + 1}", f"Reel {r + 1}: instead") for r in range(reels)]
    return Table(
        f"sensitivity.{name}.{way}",
        f"{name}: the symbol on each stop that {words}",
        (Column("stop", "Stop, from 0", "count"), *changes, *symbols),
        rows,
    )


def _cells(best: dict[tuple[int, int], Moved], stop: int, reels: int) -> list[Cell]:
    row = [best.get((stop, r)) for r in range(reels)]
    changes = [None if m is None else exact(m.change, "rtp") for m in row]
    return [*changes, *(None if m is None else m.swap.symbol for m in row)]
