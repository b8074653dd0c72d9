"""Edits of a strip set, each one a set of its own: the set that is edited stays as it is.

Reels and stops count from 0. Where stops are weighted, a stop takes its weight along; one that is put in weighs 1. What
an edit leaves need not fit the game: :func:`workbench.reels.fit.check_fit` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from workbench.errors import UsageError
from workbench.reels.strip_set import Stage, StripSet, Weights

_Item = TypeVar("_Item")
_Edit = Callable[[list[str], list[int]], None]


def swap(strips: StripSet, reels: str, reel: int, stop: int, symbol: str) -> StripSet:
    """Another symbol on one stop."""

    def edit(strip: list[str], _: list[int]) -> None:
        strip[_place(f"reel {reel + 1}, stop", stop, len(strip))] = symbol

    return _edited(strips, reels, reel, edit)


def insert(strips: StripSet, reels: str, reel: int, stop: int, symbol: str) -> StripSet:
    """One stop more, before ``stop``; the length of the strip puts it at the end."""

    def edit(strip: list[str], weights: list[int]) -> None:
        place = _place(f"reel {reel + 1}, stop", stop, len(strip) + 1)
        strip.insert(place, symbol)
        weights.insert(place, 1)

    return _edited(strips, reels, reel, edit)


def delete(strips: StripSet, reels: str, reel: int, stop: int) -> StripSet:
    """One stop less."""

    def edit(strip: list[str], weights: list[int]) -> None:
        place = _place(f"reel {reel + 1}, stop", stop, len(strip))
        del strip[place], weights[place]

    return _edited(strips, reels, reel, edit)


def move(strips: StripSet, reels: str, reel: int, stop: int, to: int) -> StripSet:
    """A stop taken out and put in again so that it is number ``to`` of the strip."""

    def edit(strip: list[str], weights: list[int]) -> None:
        here = _place(f"reel {reel + 1}, stop", stop, len(strip))
        there = _place(f"reel {reel + 1}, stop", to, len(strip))
        strip.insert(there, strip.pop(here))
        weights.insert(there, weights.pop(here))

    return _edited(strips, reels, reel, edit)


def set_count(strips: StripSet, reels: str, reel: int, symbol: str, count: int) -> StripSet:
    """So many stops with the symbol on a reel.

    A stop that is missing goes into the middle of the widest gap between two of them, one too many is taken where two
    stand closest; of equals the first.
    """
    if count < 0:
        raise UsageError(f"count: must be 0 or more, but got {count}")
    found = strips
    while (have := _strip(found, reels, reel).count(symbol)) != count:
        strip = _strip(found, reels, reel)
        if have < count:
            found = insert(found, reels, reel, _middle_of_widest_gap(strip, symbol), symbol)
        else:
            found = delete(found, reels, reel, _closest(strip, symbol))
    return found


def set_weight(strips: StripSet, wheel: str, value: str, weight: int) -> StripSet:
    """Another weight of a value of a wheel; 0 leaves the value out."""
    return strips.with_wheel(wheel, _reweighed(_known("wheel", strips.wheels, wheel), value, weight))


def set_cell_weight(strips: StripSet, name: str, stage: int, cell: int, symbol: str, weight: int) -> StripSet:
    """Another weight of a symbol on a cell of a position reel; 0 leaves the symbol out."""
    stages = list(_known("position reel", strips.position_reels, name))
    old = stages[_place(f"position reel {name}, stage", stage, len(stages))]
    cells = list(old.cells)
    place = _place(f"position reel {name}, cell", cell, len(cells))
    cells[place] = _reweighed(cells[place], symbol, weight)
    stages[stage] = Stage(old.start, tuple(cells))
    return strips.with_position_reels(name, tuple(stages))


def rename(strips: StripSet, name: str) -> StripSet:
    """The set under another name."""
    return replace(strips, name=name)


def _reweighed(old: Weights, value: str, weight: int) -> Weights:
    """In the order there was; a value that is put in comes last."""
    pairs = {**dict(old.items()), value: weight}
    kept = {v: w for v, w in pairs.items() if w != 0}
    return Weights(old.where, tuple(kept), tuple(kept.values()))


def _edited(strips: StripSet, reels: str, reel: int, edit: _Edit) -> StripSet:
    strip = list(_strip(strips, reels, reel))
    weights = strips.weights_of(reels)
    own = list(weights[reel]) if weights else [1] * len(strip)
    edit(strip, own)
    found = strips.with_reels(reels, _with(strips.reels[reels], reel, tuple(strip)))
    if weights is None:
        return found
    return replace(found, stop_weights={**strips.stop_weights, reels: _with(weights, reel, tuple(own))})


def _with(items: Sequence[_Item], place: int, item: _Item) -> tuple[_Item, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _strip(strips: StripSet, reels: str, reel: int) -> tuple[str, ...]:
    every = _known("reel set", strips.reels, reels)
    return every[_place("reel", reel, len(every))]


def _known(what: str, table: Mapping[str, _Item], name: str) -> _Item:
    if name not in table:
        raise UsageError(f"{what}: must be one of {', '.join(table) or 'none'}, but got {name!r}")
    return table[name]


def _place(what: str, number: int, size: int) -> int:
    if type(number) is not int or not 0 <= number < size:
        raise UsageError(f"{what}: must be 0 to {size - 1} (counted from 0), but got {number!r}")
    return number


def _middle_of_widest_gap(strip: Sequence[str], symbol: str) -> int:
    """Where a further stop stands farthest from those there are; the end of a strip without any.

    >>> _middle_of_widest_gap("AxxxAxx", "A")
    3
    """
    stops = [i for i, s in enumerate(strip) if s == symbol]
    if not stops:
        return len(strip)
    gaps = [(b - a, a) for a, b in zip(stops, [*stops[1:], stops[0] + len(strip)], strict=True)]
    gap, start = max(gaps, key=lambda found: (found[0], -found[1]))
    return (start + (gap + 2) // 2) % (len(strip) + 1)


def _closest(strip: Sequence[str], symbol: str) -> int:
    """The stop whose next one with the symbol, turning on, is nearest.

    >>> _closest("AxxxAxAx", "A")
    4
    """
    stops = [i for i, s in enumerate(strip) if s == symbol]
    gaps = [(b - a, a) for a, b in zip(stops, [*stops[1:], stops[0] + len(strip)], strict=True)]
    return min(gaps)[1]
