"""The unit wins are counted in: the largest fraction of the total bet that every award is a whole multiple of."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from workbench.errors import DefinitionError
from workbench.game import GameDefinition

NO_CAP = 1 << 40
"""Above every win."""
MAX_AWARD_UNITS = 1 << 28


def exact(number: float | int | str) -> Fraction:
    """A number of a definition or a wheel as the decimal it was written as.

    >>> exact(12.5), exact(0.3)
    (Fraction(25, 2), Fraction(3, 10))
    """
    return Fraction(str(number))


def units_per_bet(awards: Iterable[Fraction]) -> int:
    """The units in one total bet, for awards in total bets.

    Raises DefinitionError if an award then has more than 2^28 units: a round's win must stay below 2^31.

    >>> units_per_bet([Fraction(7, 20), Fraction(1, 4), Fraction(5)])
    20
    """
    listed = list(awards)
    units = math.lcm(1, *(award.denominator for award in listed))
    largest = max(listed, default=Fraction(0)) * units
    if largest > MAX_AWARD_UNITS:
        raise DefinitionError(
            f"awards: the simulator counts in units of 1/{units} bet and awards must have at most"
            f" {MAX_AWARD_UNITS} units, but got {largest}"
        )
    return units


def cap_units(game: GameDefinition, units: int) -> int:
    """The most that a round pays, in units."""
    return NO_CAP if game.win_cap == "none" else int(exact(game.win_cap) * units)
