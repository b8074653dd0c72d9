"""What happens in a round with Orbs and Money respins, as data. Cells of a grid count from 0, in the order they fill."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.simulate.lines import LineWin, Window


@dataclass(frozen=True)
class OrbSpin:
    """The paid spin: its stops, window, lines won, Orbs in sight by colour, and the stashes' levels after them."""

    stops: tuple[int, ...]
    window: Window
    lines: tuple[LineWin, ...]
    orbs: dict[str, int]
    levels: dict[str, int]


@dataclass(frozen=True)
class Trigger:
    """The trigger wheel turned for the colours in sight, and what it awarded: a modifier set or none."""

    wheel: str
    award: str


@dataclass(frozen=True)
class Respin:
    """One respin: what landed in how many cells, the values of Money landed, and how many cells are filled after it."""

    number: int
    landed: dict[str, int]
    money: tuple[str, ...]
    filled: int


@dataclass(frozen=True)
class Charged:
    """A blue Orb added a value to a Money symbol."""

    cell: int
    value: str


@dataclass(frozen=True)
class Multiplied:
    """A red Orb: how many symbols its wheel said, and the cells it picked with their multipliers and whether they took."""

    count: int
    picks: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True)
class Revealed:
    """A golden Orb revealed a jackpot's name, and whether that awarded it."""

    name: str
    awarded: bool


@dataclass(frozen=True)
class RespinsEnd:
    """The end of the respins: cells filled of how many, and the values in bets."""

    filled: int
    cells: int
    values: tuple[float, ...]


MoneyEvent = OrbSpin | Trigger | Respin | Charged | Multiplied | Revealed | RespinsEnd


@dataclass(frozen=True)
class MoneyRound:
    """A complete round: its events, its win by component in units (uncut), and the stashes' levels after it."""

    events: tuple[MoneyEvent, ...]
    components: dict[str, int]
    levels: tuple[int, ...]

    @property
    def win(self) -> int:
        """Win of the round in units, before any cap."""
        return sum(self.components.values())
