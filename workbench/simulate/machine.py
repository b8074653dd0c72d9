"""One face for all games: what plays rounds, what it counts, and what outlives a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError, UsageError
from workbench.game import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.reels.strip_set import StripSet
from workbench.simulate import _money_shapes_kernels as money_at
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.burn_in import burn_in_for_keys
from workbench.simulate.codex_tables import codex_tables, win_units
from workbench.simulate.layout import Layout, codex_layout
from workbench.simulate.line_machine import LineMachine
from workbench.simulate.line_rule import is_line_game
from workbench.simulate.money_tables import MoneyGame, money_layout, money_squares, money_tables, money_units
from workbench.simulate.source import stream
from workbench.simulate.strategy import StrategyTable

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Buffers:
    """Arrays a kernel adds to: counts, sums of squares [place][half], round wins by units, [largest, status], and the wins
    of single spins [kind of spin][units]."""

    counts: Ints
    squares: Ints
    wins: Ints
    peak: Ints
    spins: Ints

    @classmethod
    def empty(cls, machine: Machine) -> Buffers:
        """Nothing counted yet."""
        spins = (len(machine.spins), at.WIN_CELLS)
        sizes = (machine.layout.size, (len(machine.squares), 2), at.WIN_CELLS, 2, spins)
        return cls(*(np.zeros(size, np.int64) for size in sizes))

    def clear(self) -> None:
        """Forget all counts."""
        for array in (self.counts, self.squares, self.wins, self.peak, self.spins):
            array[:] = 0


class Machine(Protocol):
    """Plays rounds of one game on one strip set with one strategy."""

    layout: Layout
    squares: tuple[str, ...]
    """Names of the sums of squares."""
    spins: tuple[str, ...]
    """Kinds of spin whose own wins are counted one by one."""
    units: int
    """Units of win in one total bet."""
    dependent: bool
    """Whether a round depends on those before it."""

    def carry(self) -> Ints:
        """What outlives a round, as a new player begins with it."""
        ...

    def play(
        self, buffers: Buffers, state: Words, carry: Ints, rounds: int, log: at.RoundLog = at.NO_LOG
    ) -> None:
        """Play rounds; ``state`` and ``carry`` live on, ``log`` has no places or ``rounds``. Raises EndlessFeatureError."""
        ...

    def burn_in(self) -> int:
        """Rounds after which a new player's state counts as stationary."""
        ...


class CodexMachine:
    """Games of lines, hold-and-spin, free spins and banked Keys."""

    def __init__(self, game: GameDefinition, strips: StripSet, strategy: StrategyTable) -> None:
        refuse_endless_free_spins(game, strips)
        self._tables = codex_tables(game, strips, strategy)
        self._names = (game.hold_and_spin, game.free_spins)
        self._most_used = game.banked_keys.use_at_most if game.banked_keys else 0
        self.layout = codex_layout(game)
        self.squares: tuple[str, ...] = at.SQUARES
        self.spins: tuple[str, ...] = ()
        self.units = win_units(game)
        self.dependent = game.banked_keys is not None and strategy.banks_and_uses

    def carry(self) -> Ints:
        """[banked Keys]."""
        return np.zeros(1, np.int64)

    def play(
        self, buffers: Buffers, state: Words, carry: Ints, rounds: int, log: at.RoundLog = at.NO_LOG
    ) -> None:
        """Play rounds of Codex; see :class:`Machine`."""
        from workbench.simulate._codex_kernels import play_codex

        counts = at.CodexCounts(**self.layout.parts(buffers.counts))
        play_codex(
            self._tables, counts, buffers.squares, buffers.wins, buffers.peak, state, carry, rounds, log
        )
        self._check(int(buffers.peak[at.STATUS]))

    def _check(self, status: int) -> None:
        hold, free = self._names
        if status == at.ENDLESS_HOLD and hold:
            raise EndlessFeatureError(
                f"{hold.name}: a feature was still going after {at.MOST_SPINS} re-spins"
            )
        if status == at.ENDLESS_FREE and free:
            raise EndlessFeatureError(f"{free.name}: a feature was still going after {at.MOST_SPINS} spins")
        if status == at.WIN_TOO_LARGE:
            raise EndlessFeatureError(f"a round won {at.LARGEST_ROUND} units or more, beyond what is counted")

    def burn_in(self) -> int:
        """Rounds to play before counting: none where rounds are independent."""
        if not self.dependent:
            return 0
        buffers = Buffers.empty(self)
        self.play(buffers, stream(0, PILOT_SESSION), self.carry(), PILOT_ROUNDS)
        sums = self.layout.parts(buffers.counts)["sums"]
        saved, features = int(sums[at.KEYS_SAVED]), int(sums[at.FREE_COUNT])
        return burn_in_for_keys(PILOT_ROUNDS, saved, features, self._most_used)


PILOT_ROUNDS = 1 << 17
PILOT_SESSION = (1 << 32) - 1


def refuse_endless_free_spins(game: GameDefinition, strips: StripSet) -> None:
    """Raise EndlessFeatureError where a free spin adds one spin or more on average."""
    free = game.free_spins
    if free is None:
        return
    for name, reels in strips.reels.items():
        if name != free.reels and not name.startswith(f"{free.reels}."):
            continue
        added = sum(
            game.grid.rows[reel] * reels[reel].count(free.retrigger.symbol) / len(reels[reel])
            for reel in free.retrigger.reels
        )
        if added * free.retrigger.spins_each >= 1:
            raise EndlessFeatureError(
                f"reels.{name}: a free spin must add less than one spin on average, but adds {added:.6g}"
                f" ({free.retrigger.symbol} in sight)"
            )


class MoneyMachine:
    """Games whose Orbs award modifiers and whose respins fill a grid with Money."""

    def __init__(self, game: GameDefinition, strips: StripSet) -> None:
        money = MoneyGame.of(game)
        self._tables = money_tables(money, strips)
        self._colours = len(money.colours)
        self.layout = money_layout(money)
        self.squares = money_squares(money)
        self.spins: tuple[str, ...] = ()
        self.units = money_units(money)
        self.dependent = money.trigger.stash_levels != "shows-only"

    def carry(self) -> Ints:
        """[colour] level of its stash."""
        return np.zeros(self._colours, np.int64)

    def play(
        self, buffers: Buffers, state: Words, carry: Ints, rounds: int, log: at.RoundLog = at.NO_LOG
    ) -> None:
        """Play rounds; see :class:`Machine`."""
        from workbench.simulate._money_kernels import play_money

        counts = money_at.MoneyCounts(**self.layout.parts(buffers.counts))
        play_money(
            self._tables, counts, buffers.squares, buffers.wins, buffers.peak, state, carry, rounds, log
        )
        if buffers.peak[at.STATUS] == at.WIN_TOO_LARGE:
            raise EndlessFeatureError(f"a round won {at.LARGEST_ROUND} units or more, beyond what is counted")

    def burn_in(self) -> int:
        """Rounds before levels count as stationary: they forget their start at the next award of their modifier."""
        return LEVELS_BURN_IN if self.dependent else 0


LEVELS_BURN_IN = 1 << 16


def machine_for(game: GameDefinition, strips: StripSet, strategy: StrategyTable | None) -> Machine:
    """The machine that plays a game; UsageError if it leaves choices to the player and no strategy is given."""
    if game.only(MoneyRespins):
        return MoneyMachine(game, strips)
    if is_line_game(game):
        return LineMachine(game, strips)
    if strategy is None:
        raise UsageError(f"--strategy: {game.game} leaves choices to the player and needs a strategy")
    return CodexMachine(game, strips, strategy)
