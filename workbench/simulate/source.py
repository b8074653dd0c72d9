"""Where randomness comes from: one independent stream a session, and a plain source of whole numbers.

A stream is the generator xoshiro256++ (Blackman and Vigna, 2019), its 256 bits of state taken from numpy's
``SeedSequence(seed, spawn_key=(session,))``: streams of different seeds or sessions start at unrelated
points of a period of 2^256 - 1.

A whole number below n is drawn from the upper 32 bits x of one word as x n >> 32 (Lemire, 2019); the
2^32 mod n products whose lower half falls below that bound are thrown away and drawn again, so every number is
exactly equally likely.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_MASK64 = (1 << 64) - 1
_MASK32 = (1 << 32) - 1


class Source(Protocol):
    """Anything that draws uniform whole numbers."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""
        ...


def stream(seed: int, session: int) -> NDArray[np.uint64]:
    """The generator's starting state for a session: four 64-bit words."""
    words = np.random.SeedSequence(seed, spawn_key=(session,)).generate_state(4, np.uint64)
    return words.astype(np.uint64)


def _rotated(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & _MASK64


class Xoshiro:
    """xoshiro256++ in plain Python: the twin of the kernels' generator.

    >>> Xoshiro((1, 2, 3, 4)).word()
    41943041
    """

    def __init__(self, state: tuple[int, int, int, int]) -> None:
        self.state = state

    @classmethod
    def of(cls, words: NDArray[np.uint64]) -> Xoshiro:
        """The generator at a state held as an array of four words."""
        a, b, c, d = (int(word) for word in words)
        return cls((a, b, c, d))

    def word(self) -> int:
        """The next 64 random bits."""
        a, b, c, d = self.state
        result = (_rotated((a + d) & _MASK64, 23) + a) & _MASK64
        shifted = (b << 17) & _MASK64
        c ^= a
        d ^= b
        self.state = (a ^ d, b ^ c, c ^ shifted, _rotated(d, 45))
        return result

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely; n is at most 2^32."""
        while True:
            product = (self.word() >> 32) * n
            if product & _MASK32 >= (1 << 32) % n:
                return product >> 32
