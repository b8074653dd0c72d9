"""What a spin shows of counted symbols: the joint law of their numbers in sight.

Each (symbol, reels) that a feature counts is a *mark*; a window's numbers, each cut at a cap, are one integer code in mixed
radix. Reels are independent, so the law of a spin's code is the laws of the windows added up with ``plus``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.exact.tables import window_counts
from workbench.game.definition import GameDefinition

Ints = NDArray[np.int64]
Mark = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Marks:
    """Marks on some strips. ``codes`` (R, L), padded with 0; a code's numbers are cut at ``caps``."""

    caps: tuple[int, ...]
    codes: Ints

    @property
    def size(self) -> int:
        """How many codes there are."""
        return prod(cap + 1 for cap in self.caps)

    @property
    def numbers(self) -> Ints:
        """(size, marks): the numbers of each code."""
        return np.array(list(np.ndindex(*(cap + 1 for cap in self.caps))), dtype=np.int64)

    @property
    def plus(self) -> Ints:
        """(size, size): the code of two codes together."""
        numbers = self.numbers
        both = np.minimum(numbers[:, None, :] + numbers[None, :, :], np.array(self.caps, dtype=np.int64))
        return _code(both, self.caps)

    def law(self, weights: Sequence[Ints], first: int = 0) -> list[int]:
        """Stop combinations by code, of the reels from ``first`` on: exact, whatever the cycle."""
        law = [0] * self.size
        law[0] = 1
        plus = self.plus.tolist()
        for r in range(first, len(weights)):
            after = [0] * self.size
            own: dict[int, int] = {}
            for code, weight in zip(self.codes[r].tolist(), weights[r].tolist(), strict=False):
                own[code] = own.get(code, 0) + weight
            for m, chance in enumerate(law):
                if chance:
                    for code, weight in own.items():
                        after[plus[m][code]] += chance * weight
            law = after
        return law


def _code(numbers: Ints, caps: Sequence[int]) -> Ints:
    code = np.zeros(numbers.shape[:-1], dtype=np.int64)
    for i, cap in enumerate(caps):
        code = code * (cap + 1) + numbers[..., i]
    return code


def marks_on(
    game: GameDefinition, reels: Sequence[Sequence[str]], marks: Sequence[Mark], caps: Sequence[int]
) -> Marks:
    """The marks of a game on some strips; a cap beyond what can be in sight is lowered to that."""
    counts = [window_counts(game, reels, symbol, on) for symbol, on in marks]
    most = [sum(int(c.max()) for c in by_reel) for by_reel in counts]
    lowered = tuple(min(cap, m) for cap, m in zip(caps, most, strict=True))
    codes = np.zeros((len(reels), max(map(len, reels))), dtype=np.int64)
    for r, strip in enumerate(reels):
        numbers = (
            np.array([by_reel[r] for by_reel in counts], dtype=np.int64).reshape(len(marks), len(strip)).T
        )
        codes[r, : len(strip)] = _code(np.minimum(numbers, np.array(lowered, dtype=np.int64)), lowered)
    return Marks(lowered, codes)
