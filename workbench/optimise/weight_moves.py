"""What weights a strip set has, and how units go from one value to another of the same wheel or cell.

A total is kept by every move, so a figure that is linear in the chances of a wheel is linear in the units moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.reels.strip_set import Stage, StripSet, Weights


@dataclass(frozen=True)
class Wheel:
    """The place of a wheel."""

    name: str

    def weights(self, strips: StripSet) -> Weights:
        """The wheel."""
        return strips.wheels[self.name]

    def changed(self, strips: StripSet, weights: Weights) -> StripSet:
        """The set with other weights here."""
        return strips.with_wheel(self.name, weights)


@dataclass(frozen=True)
class Cell:
    """The place of one cell of a position reel: its stage by number and the cell's own."""

    name: str
    stage: int
    cell: int

    def weights(self, strips: StripSet) -> Weights:
        """The cell."""
        return strips.position_reels[self.name][self.stage].cells[self.cell]

    def changed(self, strips: StripSet, weights: Weights) -> StripSet:
        """The set with other weights here."""
        stages = list(strips.position_reels[self.name])
        cells = list(stages[self.stage].cells)
        cells[self.cell] = weights
        stages[self.stage] = Stage(stages[self.stage].start, tuple(cells))
        return strips.with_position_reels(self.name, tuple(stages))


Place = Wheel | Cell


@dataclass(frozen=True)
class Move:
    """Units go from the value ``source`` to the value ``sink`` (by index) of one place."""

    place: Place
    source: int
    sink: int

    @property
    def back(self) -> Move:
        """The way back."""
        return Move(self.place, self.sink, self.source)

    def most(self, strips: StripSet) -> int:
        """Units that may go: one stays."""
        return self.place.weights(strips).weights[self.source] - 1

    def made(self, strips: StripSet, units: int) -> StripSet:
        """The set after ``units`` went; StripSetError if fewer than one stays."""
        old = self.place.weights(strips)
        weights = list(old.weights)
        weights[self.source] -= units
        weights[self.sink] += units
        return self.place.changed(strips, Weights(old.where, old.values, tuple(weights)))


def places(strips: StripSet) -> list[Place]:
    """Every wheel, then every cell of the position reels, by name."""
    found: list[Place] = [Wheel(name) for name in sorted(strips.wheels)]
    for name in sorted(strips.position_reels):
        for s, stage in enumerate(strips.position_reels[name]):
            found += [Cell(name, s, c) for c in range(len(stage.cells))]
    return found


def moves(strips: StripSet) -> Iterator[Move]:
    """Every pair of values of every place once."""
    for place in places(strips):
        count = len(place.weights(strips).values)
        yield from (Move(place, i, j) for i in range(count) for j in range(i + 1, count))


def changed_weights(made: Sequence[tuple[Move, int]]) -> int:
    """How many weights several moves change together.

    >>> w = Wheel("w")
    >>> changed_weights([(Move(w, 0, 1), 3), (Move(w, 1, 2), 3)])
    2
    """
    change: Counter[tuple[Place, int]] = Counter()
    for move, units in made:
        change[move.place, move.source] -= units
        change[move.place, move.sink] += units
    return sum(1 for units in change.values() if units)
