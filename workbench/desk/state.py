"""What is on the desk, as one frozen value, and the values it had before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.display.objects import Strips
from workbench.errors import UsageError


@dataclass(frozen=True)
class Selection:
    """The stop that is picked; all count from 0."""

    reels: str
    reel: int
    stop: int


@dataclass(frozen=True, repr=False)
class DeskState:
    """The strip set, the one it is held against, the player's strategy, the stop that is picked."""

    strips: Strips
    start: Strips
    strategy: str | None
    selection: Selection

    @property
    def symbol(self) -> str:
        """The symbol on the picked stop."""
        at = self.selection
        return self.strips.set.reels[at.reels][at.reel][at.stop]

    def with_strips(self, strips: Strips) -> DeskState:
        """Another strip set; the selection stays where it is, as far as the strip goes."""
        at = self.selection
        stops = len(strips.set.reels[at.reels][at.reel])
        return replace(self, strips=strips, selection=replace(at, stop=min(at.stop, stops - 1)))

    def __repr__(self) -> str:
        at, strategy = self.selection, f", strategy {self.strategy}" if self.strategy else ""
        place = f"{at.reels} reel {at.reel + 1} stop {at.stop} {self.symbol}"
        return f"<DeskState {self.strips!r} against {self.start.name}{strategy}, picked {place}>"


@dataclass(frozen=True)
class History:
    """The state now, those before it, oldest first, and those that were undone, the next first."""

    now: DeskState
    before: tuple[DeskState, ...] = ()
    undone: tuple[DeskState, ...] = ()

    def then(self, state: DeskState) -> History:
        """A further state; what was undone is gone."""
        return History(state, (*self.before, self.now)[-MOST_STEPS:])

    def undo(self) -> History:
        """A step back; UsageError at the first state."""
        if not self.before:
            raise UsageError("undo: there is nothing to undo")
        return History(self.before[-1], self.before[:-1], (self.now, *self.undone))

    def redo(self) -> History:
        """A step forth again; UsageError where nothing was undone."""
        if not self.undone:
            raise UsageError("redo: there is nothing to redo")
        return History(self.undone[0], (*self.before, self.now), self.undone[1:])


MOST_STEPS = 500
