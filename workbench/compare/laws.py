"""Laws of a round of several strip sets laid over each other: figures at common wins, and how far apart two laws are.

The distance of two laws is that of Kolmogorov, the largest |P_A(win >= x) - P_B(win >= x)| over all x. Between neighbouring
wins of the two lattices together neither chance changes, so the largest over these wins is the largest of all.

Where a part of a law is drawn, let F be the part's law and F_n that of its n draws. Whatever F is,

    P(sup_x |F_n(x) - F(x)| > e) <= 2 exp(-2 n e^2)        (Dvoretzky, Kiefer and Wolfowitz; the constant is Massart's),

and a part of share s moves a law's chances by no more than s e. So the printed distance is within the sum of s e over the
estimated laws of the true one, with the level that is left when each is allowed its part of the error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.compare.comparison import LETTERS
from workbench.library import Loaded, located
from workbench.value.estimated import LEVEL
from workbench.value.law_figures import bounds_of, law_figures
from workbench.value.round_law import RoundLaw, law_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Distance:
    """How far apart two laws are: the chances of at least ``at`` bets are ``chances``, and nowhere further apart.

    ``at`` is the largest of the wins that do; None where the laws are the same. ``half_width`` is that of the interval, 0
    where both laws are exact.
    """

    at: float | None
    chances: tuple[float, float]
    half_width: float

    @property
    def size(self) -> float:
        """The distance."""
        return abs(self.chances[0] - self.chances[1])

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the distance with 99 %."""
        return max(0.0, self.size - self.half_width), min(1.0, self.size + self.half_width)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; the interval where a part is estimated."""
        found = {"distance": self.size, "at": self.at, "at_least": list(self.chances)}
        return {**found, "interval_99": list(self.interval)} if self.half_width else found


@dataclass(frozen=True)
class LawComparison:
    """Laws of a round, that of the first set first; ``distances`` are the others' from it."""

    laws: tuple[RoundLaw, ...]
    distances: tuple[Distance, ...]

    @property
    def estimated(self) -> bool:
        """Whether a part of some law is."""
        return any(law.estimated for law in self.laws)

    @cached_property
    def figures(self) -> tuple[dict[str, Any], ...]:
        """The figures of every law, chances of large wins at the same wins for all."""
        bounds = max((bounds_of(law) for law in self.laws), key=len)
        return tuple(law_figures(law, bounds) for law in self.laws)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, sets by letter."""
        return {
            "figures": [
                {"set": letter, **table} for letter, table in zip(LETTERS, self.figures, strict=False)
            ],
            "distances": [
                {"set": letter, **distance.to_json()}
                for letter, distance in zip(LETTERS[1:], self.distances, strict=False)
            ],
        }


def laws_of(sets: Sequence[Loaded], strategy: str | None = None, quick: bool = False) -> Iterator[RoundLaw]:
    """The law of a round of each set; errors name the set's file."""
    for loaded in sets:
        with located(loaded.path):
            law = law_of(loaded.game, loaded.strips, quick, strategy)
        yield law


def lay_over(laws: Sequence[RoundLaw]) -> LawComparison:
    """The first law held against each of the others."""
    first, *others = laws
    return LawComparison(tuple(laws), tuple(distance(first, other) for other in others))


def distance(one: RoundLaw, other: RoundLaw) -> Distance:
    """The largest distance of P(win >= x) under two laws, whose lattices may differ.

    Wins are correctly rounded quotients, so that wins both lattices have are equal floats.
    """
    wins = np.union1d(one.wins, other.wins)
    chances = _at_least(one, wins), _at_least(other, wins)
    apart = np.abs(chances[0] - chances[1])
    place = int(np.argmax(apart))
    if apart[place] <= one.error + other.error:
        return Distance(None, (1.0, 1.0), _half_width([one, other]))
    nearer = np.flatnonzero(apart[place:] < apart[place] - one.error - other.error)
    place += int(nearer[0]) - 1 if len(nearer) else len(wins) - 1 - place
    at = float(wins[place])
    return Distance(at, (float(chances[0][place]), float(chances[1][place])), _half_width([one, other]))


def _at_least(law: RoundLaw, wins: Array) -> Array:
    """P(win >= x) at each x."""
    return np.asarray(np.append(law.from_above, 0.0)[np.searchsorted(law.wins, wins)])


def _half_width(laws: Sequence[RoundLaw]) -> float:
    parts = [law.estimated for law in laws if law.estimated]
    return sum(part.share * sqrt(log(2 * len(parts) / (1 - LEVEL)) / (2 * part.draws)) for part in parts)
