"""Edits a strip set and, cell by cell as a person would, the workbook made for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from openpyxl import load_workbook

from workbench.reels.strip_set import Reels, Stage, StripSet, Weights


def edit_workbook(path: Path, out: Path, was: StripSet, now: StripSet) -> None:
    """Write into the input cells of a workbook what differs between two sets."""
    book = load_workbook(path)
    _edit_strips(book["Strips"], was, now)
    for row in book["Wheels"].iter_rows(min_row=5) if "Wheels" in book.sheetnames else ():
        wheel, value = row[0].value, row[1].value
        if wheel and now.wheels[wheel] != was.wheels[wheel]:
            row[2].value = now.wheels[wheel].weight(value) or None
    if "Cells" in book.sheetnames:
        _edit_cells(book["Cells"], now)
    book.save(out)


def _edit_strips(sheet, was: StripSet, now: StripSet) -> None:
    heads = {cell.value: cell.column for cell in sheet[3] if cell.value}
    for name, reels in now.reels.items():
        columns = [*reels, *(now.weights_of(name) or ())]
        before = [*was.reels[name], *(was.weights_of(name) or ())]
        for i, values in enumerate(columns):
            for stop in range(max(len(values), len(before[i]))):
                cell = sheet.cell(7 + stop, heads[name] + i)
                cell.value = values[stop] if stop < len(values) else None


def _edit_cells(sheet, now: StripSet) -> None:
    symbols = {}
    for cell in sheet[4][3:]:
        if cell.value and cell.value not in symbols:
            symbols[cell.value] = cell.column
    rows = sheet.iter_rows(min_row=5)
    for name in sorted(now.position_reels):
        for stage in now.position_reels[name]:
            for cell in stage.cells:
                row = next(rows)
                assert row[0].value == name and row[1].value == stage.start
                for symbol, weight in cell.items():
                    sheet.cell(row[0].row, symbols[symbol]).value = weight


def swapped(reels: Reels, rng: random.Random, times: int = 3) -> Reels:
    """Two unlike stops of a reel change places, some times."""
    strips = [list(strip) for strip in reels]
    for _ in range(times):
        strip = rng.choice([s for s in strips if len(set(s)) > 1])
        i = rng.randrange(len(strip))
        j = rng.choice([k for k in range(len(strip)) if strip[k] != strip[i]])
        strip[i], strip[j] = strip[j], strip[i]
    return tuple(map(tuple, strips))


def redrawn(reels: Reels, rng: random.Random) -> Reels:
    """Stops copied over others, one put in on a reel and one taken out of another."""
    strips = [list(strip) for strip in reels]
    for strip in strips:
        strip[rng.randrange(len(strip))] = rng.choice(strip)
    longer, shorter = rng.sample(strips, 2)
    longer.insert(rng.randrange(len(longer)), rng.choice(longer))
    shorter.pop(rng.randrange(len(shorter)))
    return tuple(map(tuple, strips))


def reweighted(weights: Weights, rng: random.Random) -> Weights:
    """Some weights raised by up to an eighth."""
    raised = [w + rng.randint(1, 1 + w // 8) if rng.random() < 0.5 else w for w in weights.weights]
    if tuple(raised) == weights.weights:
        raised[0] += 1
    return Weights(weights.where, weights.values, tuple(raised))


def moved_cells(stages: tuple[Stage, ...], rng: random.Random) -> tuple[Stage, ...]:
    """Every cell of a position reel with other weights."""
    return tuple(Stage(s.start, tuple(reweighted(cell, rng) for cell in s.cells)) for s in stages)


def one_by_one(strips: StripSet, seed: int) -> Iterator[tuple[str, StripSet]]:
    """The set with each of its parts edited alone."""
    rng = random.Random(seed)
    for name, reels in strips.reels.items():
        yield f"reels.{name}", strips.with_reels(name, swapped(reels, rng))
    for name, wheel in strips.wheels.items():
        if len(wheel.values) > 1:
            yield f"wheels.{name}", strips.with_wheel(name, reweighted(wheel, rng))
    for name, stages in strips.position_reels.items():
        yield f"position_reels.{name}", strips.with_position_reels(name, moved_cells(stages, rng))


def all_at_once(strips: StripSet, seed: int) -> StripSet:
    """Everything edited, strips longer and shorter."""
    rng = random.Random(seed)
    found = strips
    for name, reels in strips.reels.items():
        if strips.weights_of(name) is None:
            found = found.with_reels(name, redrawn(swapped(reels, rng), rng))
        else:
            found = found.with_reels(name, swapped(reels, rng))
    for name, wheel in strips.wheels.items():
        found = found.with_wheel(name, reweighted(wheel, rng))
    for name, stages in strips.position_reels.items():
        found = found.with_position_reels(name, moved_cells(stages, rng))
    return replace(found, name=strips.name)
