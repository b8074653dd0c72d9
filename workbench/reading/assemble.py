"""From tables to a strip set: which reel set each table is, and what the rest comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.errors import StripSetError, UsageError
from workbench.game.definition import GameDefinition
from workbench.reading.grid import Grid
from workbench.reading.layout import Layout, Reading, Told, read_layout
from workbench.reading.symbols import Names
from workbench.reels.fit import check_fit, reel_set_names
from workbench.reels.strip_set import Reels, StripSet


@dataclass(frozen=True)
class Read:
    """A strip set and everything that was guessed on the way to it, a line each."""

    strips: StripSet
    said: tuple[str, ...]


def assembled(
    grids: Sequence[Grid],
    game: GameDefinition,
    names: Names,
    told: Told,
    reels: Sequence[str],
    base: StripSet | None,
    name: str,
) -> Read:
    """The strip set of tables of strips; wheels, position reels and other reel sets are those of ``base``.

    ``reels`` names the reel sets of the tables in order, where neither labels nor names of tables do. Raises StripSetError
    or UsageError where that leaves anything open.
    """
    layout = Layout(game.reel_count, reel_set_names(game))
    if reels and len(reels) != len(grids):
        raise UsageError(f"--reels: must be given once for each of {len(grids)} tables, but got {len(reels)}")
    found: dict[str, Reels] = {}
    said: list[str] = []
    for i, grid in enumerate(grids):
        reading = read_layout(grid, layout, names, told)
        own = reels[i] if reels else None
        for label, read in reading.sets.items():
            target = label or own or _set_of(grid, layout, base, len(grids))
            if target in found:
                raise StripSetError(f"{grid.where}: reels {target!r} must be given once, but are given again")
            found[target] = read
            said.append(_summary(grid, target, read))
        said += _said(grid, reading)
    strips = _with_base(found, game, base, name)
    if base is not None:
        said += _kept(base, found)
    try:
        check_fit(strips, game)
    except StripSetError as error:
        hint = "" if base else "; --base STRIPS gives what the tables don't hold"
        raise StripSetError(f"{error}{hint}") from None
    return Read(strips, tuple(said))


def _set_of(grid: Grid, layout: Layout, base: StripSet | None, tables: int) -> str:
    """The reel set a table is by its own name, or as there is only one that it can be."""
    stem = grid.name.casefold().removeprefix("reels.")
    by_name = [name for name in layout.sets if name.casefold() == stem]
    if len(by_name) == 1:
        return by_name[0]
    if len(layout.sets) == 1 and tables == 1:
        return layout.sets[0]
    raise UsageError(
        f"{grid.where}: --reels must say which reel set it is, one of {', '.join(layout.sets)},"
        f" as the name {grid.name!r} doesn't"
    )


def _summary(grid: Grid, name: str, strips: Reels) -> str:
    return f"{grid.where}: taken as reels {name!r}, stops {', '.join(str(len(strip)) for strip in strips)}"


def _said(grid: Grid, reading: Reading) -> Iterator[str]:
    yield f"{grid.where}: read with {', '.join(reading.assumes)}"
    for (cell, symbol), count in sorted(reading.renamed.items()):
        yield f"{grid.where}: {cell!r} taken as {symbol!r} ({count} cells)"


def _with_base(
    found: Mapping[str, Reels], game: GameDefinition, base: StripSet | None, name: str
) -> StripSet:
    if base is None:
        return StripSet(game.game, game.sha256, name, found, {}, {})
    reels = {**base.reels, **found}
    return replace(base, definition_sha256=game.sha256, name=name, reels=reels)


def _kept(base: StripSet, found: Mapping[str, Reels]) -> Iterator[str]:
    parts = {
        "reels": set(base.reels) - set(found),
        "stop weights": set(base.stop_weights),
        "position reels": set(base.position_reels),
        "wheels": set(base.wheels),
    }
    for part, names in parts.items():
        if names:
            yield f"{part} {', '.join(sorted(names))} taken from the base set {base.name}"
