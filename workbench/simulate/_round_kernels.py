"""What every round does: halt the reels, keep a sum of squares."""

from __future__ import annotations

from workbench.jit import melted
from workbench.simulate import _shapes_kernels as at
from workbench.simulate._random_kernels import below
from workbench.simulate._shapes_kernels import Ints, Words

_LOW = (1 << 32) - 1


@melted
def add_square(squares: Ints, place: int, amount: int, by: int = 1) -> None:
    """Add an amount's square below 2^62, ``by`` (1 or -1) times, to a sum kept as two halves."""
    square = amount * amount
    squares[place, 0] += by * (square & _LOW)
    squares[place, 1] += by * (square >> 32)


@melted
def count_win(sums: Ints, squares: Ints, wins: Ints, peak: Ints, win: int, by: int) -> None:
    """Count the win of a round; ``by`` -1 takes it back, for a feature that adds to it (``peak`` only rises)."""
    sums[at.WIN] += by * win
    add_square(squares, at.SQ_WIN, win, by)
    wins[min(win, at.WIN_CELLS - 1)] += by
    if win > peak[at.LARGEST]:
        peak[at.LARGEST] = win
        if win >= at.LARGEST_ROUND:
            peak[at.STATUS] = at.WIN_TOO_LARGE


@melted
def halt(state: Words, first: Words, length: Words, rows: Words) -> None:
    """Draw a stop for every reel, from the left: ``rows`` is set to the rows of their windows."""
    for reel in range(rows.shape[0]):
        rows[reel] = first[reel] + below(state, length[reel])
