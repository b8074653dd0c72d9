"""What every round does: halt the reels, keep a sum of squares."""

from __future__ import annotations

from workbench.jit import melted
from workbench.simulate._random_kernels import below
from workbench.simulate._shapes_kernels import Ints, Words

_LOW = (1 << 32) - 1


@melted
def add_square(squares: Ints, place: int, amount: int) -> None:
    """Add an amount's square below 2^62 to a sum kept as two halves."""
    square = amount * amount
    squares[place, 0] += square & _LOW
    squares[place, 1] += square >> 32


@melted
def halt(state: Words, first: Words, length: Words, rows: Words) -> None:
    """Draw a stop for every reel, from the left: ``rows`` is set to the rows of their windows."""
    for reel in range(rows.shape[0]):
        rows[reel] = first[reel] + below(state, length[reel])
