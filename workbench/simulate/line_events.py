"""What happens in a round of a line game, as data. Reels, rows, stops and lines count from 0, free games from 1."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.simulate.line_rule import LineWon
from workbench.simulate.lines import Window


@dataclass(frozen=True)
class LineSpin:
    """A paid spin (number 0) or a free game: its lines won, symbols in sight, Scatter pays in bets, free games awarded."""

    number: int
    stops: tuple[int, ...]
    window: Window
    lines: tuple[LineWon, ...]
    in_sight: dict[str, int]
    scatters: dict[str, float]
    awarded: int


@dataclass(frozen=True)
class BonusWon:
    """A bonus given once: the prizes drawn as the wheel names them, what they are multiplied by, and their win in bets."""

    bonus: str
    prizes: tuple[str, ...]
    factor: int
    win: float


LineGameEvent = LineSpin | BonusWon


@dataclass(frozen=True)
class LineRound:
    """A complete round: its events in order and the win by component in units."""

    events: tuple[LineGameEvent, ...]
    components: dict[str, int]

    @property
    def win(self) -> int:
        """Win of the round in units."""
        return sum(self.components.values())
