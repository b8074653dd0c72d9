"""Sections of what is tuned: strips, symbol counts, wheels and position reels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.exact.line_hits import symbol_counts
from workbench.game.named import shortest_decimal
from workbench.reels.strip_set import Stage, Weights
from workbench.report.par_model import Cell, Column, Section, Table
from workbench.report.par_sources import Sources, exact, filled, reel_columns


def strips(of: Sources) -> Section:
    """Every strip, stop by stop; weights beside the symbols where stops carry any."""
    note = "A stop's symbol is the one in the top row when the reel halts there; strips are circles."
    tables = [_strip_table(of, name) for name in of.strips.reels]
    return Section("strips", "Strips", filled(tables), (note,))


def _strip_table(of: Sources, name: str) -> Table:
    reels, weights = of.strips.reels[name], of.strips.weights_of(name)
    rows: list[tuple[Cell, ...]] = []
    for stop in range(max(map(len, reels))):
        symbols = [strip[stop] if stop < len(strip) else None for strip in reels]
        weighed = [row[stop] if stop < len(row) else None for row in weights or ()]
        rows.append((stop, *symbols, *weighed))
    columns: tuple[Column, ...] = (Column("stop", "Stop, from 0", "count"), *reel_columns(len(reels)))
    if weights:
        columns += tuple(
            Column(f"weight_{r + 1}", f"Weight, reel {r + 1}", "count") for r in range(len(reels))
        )
    lengths = ", ".join(str(len(strip)) for strip in reels)
    return Table(f"strips.{name}", f"Strips {name}: {lengths} stops", columns, tuple(rows))


def counts(of: Sources) -> Section:
    """How often each symbol stands on each reel, and its weight where stops carry any."""
    tables = [_count_table(of, name, None) for name in of.strips.reels]
    tables += [_count_table(of, name, by_reel) for name, by_reel in of.strips.stop_weights.items()]
    return Section("counts", "Symbol counts", filled(tables))


def _count_table(of: Sources, name: str, weights: tuple[tuple[int, ...], ...] | None) -> Table:
    reels = of.strips.reels[name]
    by_stop = None if weights is None else [np.array(w, dtype=np.int64) for w in weights]
    found = symbol_counts(of.game, reels, by_stop)
    rows: list[tuple[Cell, ...]] = [
        (symbol, *(exact(int(n), "count") for n in found[:, i]), exact(int(found[:, i].sum()), "count"))
        for i, symbol in enumerate(of.game.symbols.all)
        if found[:, i].any()
    ]
    totals = [exact(int(n), "count") for n in found.sum(axis=1)]
    rows.append(("total", *totals, exact(int(found.sum()), "count")))
    columns = (
        *(Column("symbol", "Symbol"), *reel_columns(len(reels), "count")),
        Column("total", "All reels", "count"),
    )
    what, part = ("stops", "stops") if weights is None else ("total weight of stops", "weights")
    return Table(f"counts.{name}.{part}", f"{name}: {what} by symbol", columns, tuple(rows))


def wheels(of: Sources) -> Section | None:
    """Wheels and position reels: weights as they are set, and the probabilities they make."""
    tables = [
        *(_wheel_table(of, name, wheel) for name, wheel in of.strips.wheels.items()),
        *(_position_table(of, name, stages) for name, stages in of.strips.position_reels.items()),
    ]
    if not tables:
        return None
    return Section(
        "wheels", "Wheels and position reels", (_means(of), *tables) if of.strips.wheels else tuple(tables)
    )


def _means(of: Sources) -> Table:
    columns = (
        Column("wheel", "Wheel"),
        Column("total", "Total weight", "count"),
        Column("mean", "Mean", "number"),
    )
    rows = tuple(
        (name, wheel.total, exact(_mean(wheel), "number")) for name, wheel in of.strips.wheels.items()
    )
    return Table("wheels", "Wheels: totals, and means of numbers", columns, rows)


def _mean(wheel: Weights) -> float | None:
    """Of a wheel of numbers; None of another."""
    if not all(map(shortest_decimal, wheel.values)):
        return None
    return sum(float(value) * weight for value, weight in wheel.items()) / wheel.total


def _wheel_table(of: Sources, name: str, wheel: Weights) -> Table:
    """Values in the definition's order where it lists them."""
    listed = next((w.values for w in of.game.wheels if w.name == name), ())
    places = {value: i for i, value in enumerate(listed)}
    ordered = sorted(wheel.items(), key=lambda item: places.get(item[0], 0))
    rows = tuple((value, weight, exact(wheel.probability(value), "probability")) for value, weight in ordered)
    columns = (
        *(Column("value", "Value"), Column("weight", "Weight", "count")),
        Column("probability", "Probability", "probability"),
    )
    return Table(f"wheels.{name}", f"Wheel {name}", columns, rows)


def _position_table(of: Sources, name: str, stages: tuple[Stage, ...]) -> Table:
    symbols = list(dict.fromkeys(s for stage in stages for cell in stage.cells for s in cell.values))
    columns = (
        *(Column("from", "From", "count"), Column("reel", "Reel"), Column("total", "Total weight", "count")),
        *(Column(f"weight_{i}", f"Weight {s}", "count") for i, s in enumerate(symbols)),
        *(Column(f"probability_{i}", f"P({s})", "probability") for i, s in enumerate(symbols)),
    )
    counted = "filled cells" if of.game.hold_and_spin is None else "re-spins"
    note = f"From: the number of {counted} from which on the row is in force."
    return Table(
        f"position_reels.{name}",
        f"Position reel {name}",
        columns,
        tuple(_position_rows(stages, symbols)),
        (note,),
    )


def _position_rows(stages: tuple[Stage, ...], symbols: list[str]) -> Iterator[tuple[Cell, ...]]:
    for stage in stages:
        for r, cell in enumerate(stage.cells):
            weights = (cell.weight(s) for s in symbols)
            chances = (exact(cell.probability(s), "probability") for s in symbols)
            yield (
                stage.start,
                "all" if len(stage.cells) == 1 else str(r + 1),
                cell.total,
                *weights,
                *chances,
            )
