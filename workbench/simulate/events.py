"""What happens in a round, as data: what ``replay`` tells and the kernels' oracle is compared by.

Reels, rows, stops, lines count from 0; levels, steps, re-spins and free spins from 1. A cell is (reel, row).
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.simulate.lines import LineWin, Window

Cell = tuple[int, int]


@dataclass(frozen=True)
class BaseSpin:
    """The paid spin: its stops, window, lines won and the trigger symbols in sight for each feature."""

    stops: tuple[int, ...]
    window: Window
    lines: tuple[LineWin, ...]
    hold_triggers: int
    free_triggers: int


@dataclass(frozen=True)
class HoldStart:
    """A hold-and-spin begins: its collectable, the cells held, and whether free spins follow it."""

    collectable: str
    held: frozenset[Cell]
    free_spins_follow: bool


@dataclass(frozen=True)
class ReSpin:
    """One re-spin: cells where the collectable landed, Keys awarded, and the stops if it ran on strips."""

    number: int
    landed: tuple[Cell, ...]
    keys: int
    stops: tuple[int, ...] | None


@dataclass(frozen=True)
class FinalBoard:
    """The board at the end of a hold-and-spin and the lines it pays."""

    collectable: str
    held: frozenset[Cell]
    lines: tuple[LineWin, ...]


@dataclass(frozen=True)
class SaveDecision:
    """Whether the player saved the Keys won, with ``banked`` Keys before."""

    free_spins_follow: bool
    step: int
    keys: int
    banked: int
    saved: bool


@dataclass(frozen=True)
class UseDecision:
    """How many of the banked Keys the player used at the start of free spins."""

    banked: int
    used: int


@dataclass(frozen=True)
class WheelStop:
    """The wheel's three tiers."""

    spins: int
    collectable: str
    keys: int


@dataclass(frozen=True)
class FreeSpin:
    """One free spin: what its window shows, wins and adds."""

    number: int
    stops: tuple[int, ...]
    window: Window
    lines: tuple[LineWin, ...]
    collected: int
    bonus: int
    keys: int
    added: int


@dataclass(frozen=True)
class LadderWin:
    """The prize of a ladder, in total bets, at the end of a feature."""

    feature: str
    level: int
    step: int
    prize: float


Event = (
    BaseSpin | HoldStart | ReSpin | FinalBoard | SaveDecision | UseDecision | WheelStop | FreeSpin | LadderWin
)


@dataclass(frozen=True)
class Round:
    """A complete round: its events in order, the win by component in units, and the banked Keys after it."""

    events: tuple[Event, ...]
    components: dict[str, int]
    banked: int

    @property
    def win(self) -> int:
        """Win of the round in units."""
        return sum(self.components.values())
