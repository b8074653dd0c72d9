"""The lattice that amounts lie on: the step all of them are whole multiples of, and amounts counted in it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray


def largest_step(amounts: Iterable[Fraction]) -> Fraction:
    """The largest step that every amount is a whole multiple of; 1 if there is none but 0.

    >>> largest_step([Fraction("0.3"), Fraction("12.5")])
    Fraction(1, 10)
    """
    found = [a for a in set(amounts) if a]
    whole = lcm(1, *(a.denominator for a in found))
    return Fraction(gcd(*(int(a * whole) for a in found)), whole) if found else Fraction(1)


def exact(value: float) -> Fraction:
    """The decimal number that a float was read from.

    >>> exact(0.3)
    Fraction(3, 10)
    """
    return Fraction(repr(float(value)))


def in_steps(amounts: Iterable[Fraction], step: Fraction) -> NDArray[np.int64]:
    """Multiples of a step as whole numbers of it."""
    return np.array([int(a / step) for a in amounts], dtype=np.int64)
