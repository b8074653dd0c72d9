"""What swaps on the windows of a reel change in what is started, as sums over the stops of the other reels."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.prob.product_chain import Array


@dataclass(frozen=True)
class StartValues:
    """Sums over spins, in coins: (N, ...) each, or changes of sums.

    ``law``, ``first`` are (N, 2, steps, K), ``won`` (N, 2), the others (N,).
    """

    line_win: Array
    more: Array
    won: Array
    law: Array
    first: Array

    def parts(self) -> tuple[Array, ...]:
        """All of them, in order."""
        return self.line_win, self.more, self.won, self.law, self.first

    def without_last(self) -> StartValues:
        """All rows but the last."""
        return StartValues(*(part[:-1] for part in self.parts()))
