"""The machine that plays line games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import EndlessFeatureError
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._line_game_shapes_kernels import LineCounts
from workbench.simulate._shapes_kernels import Ints, Words
from workbench.simulate.line_endless import refuse_endless_free_games
from workbench.simulate.line_tables import LineGame, line_game_tables, line_layout, line_squares

if TYPE_CHECKING:
    from workbench.simulate.machine import Buffers


class LineMachine:
    """Games of lines, Scatter pays, free games and bonuses; their rounds are independent."""

    def __init__(self, game: GameDefinition, strips: StripSet) -> None:
        line_game = LineGame.of(game, strips)
        refuse_endless_free_games(game, strips)
        self._tables = line_game_tables(line_game)
        self._free = game.free_games
        self.layout = line_layout(game)
        self.squares = line_squares(game)
        self.spins: tuple[str, ...] = ("base", self._free.name) if self._free else ("base",)
        self.units = line_game.units
        self.dependent = False

    def carry(self) -> Ints:
        """Nothing outlives a round."""
        return np.zeros(0, np.int64)

    def play(
        self, buffers: Buffers, state: Words, carry: Ints, rounds: int, log: at.RoundLog = at.NO_LOG
    ) -> None:
        """Play rounds; see :class:`~workbench.simulate.machine.Machine`."""
        from workbench.simulate._line_game_kernels import play_lines

        counts = LineCounts(**self.layout.parts(buffers.counts))
        play_lines(
            self._tables,
            counts,
            buffers.squares,
            buffers.wins,
            buffers.spins,
            buffers.peak,
            state,
            rounds,
            log,
        )
        status = int(buffers.peak[at.STATUS])
        if status == at.ENDLESS_FREE and self._free:
            raise EndlessFeatureError(
                f"{self._free.name}: a feature was still going after {at.MOST_SPINS} spins"
            )
        if status == at.WIN_TOO_LARGE:
            raise EndlessFeatureError(f"a round won {at.LARGEST_ROUND} units or more, beyond what is counted")

    def burn_in(self) -> int:
        """None: rounds are independent."""
        return 0
