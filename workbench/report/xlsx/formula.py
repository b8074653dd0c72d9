"""A formula and its value side by side: built together, so that a viewer that doesn't recalculate shows the same number.

A formula names cells only, never a user's text. Numbers of a spreadsheet are doubles: whole numbers are exact below 2^53, and
an expression of n operations on positive terms is off by at most n 2^-53 of its value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Union

STALE = "stale, run evaluate"
MOST_ARGUMENTS = 200

Number = Union["Expr", int, float]
Value = float | int | str | bool


@dataclass(frozen=True)
class Expr:
    """The text of a formula without its "=", and its value. ``stale`` are cells in it that may show no number.

    >>> Expr("Counts!$B$5", 3, True) * 2 + 1
    Expr(text='Counts!$B$5*2+1', value=7, atom=False, stale=())
    """

    text: str
    value: Value
    atom: bool = False
    stale: tuple[str, ...] = ()

    @property
    def number(self) -> float | int:
        """The value of an expression that is a number."""
        assert not isinstance(self.value, str)
        return self.value

    def __add__(self, other: Number) -> Expr:
        return total([self, other])

    def __mul__(self, other: Number) -> Expr:
        return product([self, other])

    def __sub__(self, other: Number) -> Expr:
        two = _expr(other)
        text = f"{self.text}-{_closed(two)}"
        return Expr(text, self.number - two.number, False, _all_stale([self, two]))

    def __rsub__(self, other: Number) -> Expr:
        return _expr(other) - self

    def __truediv__(self, other: Number) -> Expr:
        two = _expr(other)
        text = f"{_closed(self)}/{_closed(two)}"
        return Expr(
            text, self.number / two.number if two.number else math.nan, False, _all_stale([self, two])
        )


def _expr(part: Number) -> Expr:
    """A number of the rules as an expression; spreadsheets read at most 15 digits in a formula."""
    if isinstance(part, Expr):
        return part
    text = format(part, ".15g") if isinstance(part, float) else str(part)
    assert float(text) == part, f"{part!r} has more digits than a formula carries: put it into a cell"
    return Expr(text, part, part >= 0)


def _closed(part: Expr) -> str:
    return part.text if part.atom else f"({part.text})"


def _all_stale(parts: Iterable[Expr]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell for part in parts for cell in part.stale))


def total(parts: Iterable[Number]) -> Expr:
    """Their sum; 0 of none."""
    terms = [_expr(part) for part in parts]
    if len(terms) == 1:
        return terms[0]
    text = "+".join(term.text for term in terms) or "0"
    return Expr(text, sum(term.number for term in terms), not terms, _all_stale(terms))


def product(parts: Iterable[Number]) -> Expr:
    """Their product; 1 of none."""
    factors = [_expr(part) for part in parts]
    if len(factors) == 1:
        return factors[0]
    text = "*".join(_closed(factor) for factor in factors) or "1"
    return Expr(text, math.prod(factor.number for factor in factors), not factors, _all_stale(factors))


def one_in(chance: Expr) -> Expr:
    """1 / p; the text "never" where p is 0."""
    shown: Value = 1 / chance.number if chance.number else "never"
    return Expr(f'IF({chance.text}>0,1/{_closed(chance)},"never")', shown, True, chance.stale)


def ratio(part: Expr, of: Expr) -> Expr:
    """part / of; 0 where ``of`` is 0."""
    value = part.number / of.number if of.number else 0.0
    return Expr(f"IF({of.text}=0,0,{_closed(part)}/{_closed(of)})", value, True, _all_stale([part, of]))


def below_one(mean: Expr, then: Expr) -> Expr:
    """An expression that holds while a mean is below 1: the error #N/A beyond, where a feature need never end."""
    return Expr(f"IF({mean.text}<1,{then.text},NA())", then.value, True, _all_stale([mean, then]))


def both(conditions: Sequence[Expr]) -> Expr:
    """Whether all conditions hold; TRUE of none."""
    if not conditions:
        return Expr("TRUE", True, True)
    if len(conditions) == 1:
        return conditions[0]
    if len(conditions) > MOST_ARGUMENTS:
        halves = [both(conditions[:MOST_ARGUMENTS]), both(conditions[MOST_ARGUMENTS:])]
        return both(halves)
    return Expr(f"AND({','.join(c.text for c in conditions)})", all(c.value for c in conditions), True)


def shown(part: Expr) -> Expr:
    """What a cell shows: the expression, or that it is stale while a cell in it is."""
    if not part.stale:
        return part
    groups = [part.stale[i : i + MOST_ARGUMENTS] for i in range(0, len(part.stale), MOST_ARGUMENTS)]
    count = "+".join(f"COUNT({','.join(group)})" for group in groups)
    return Expr(f'IF({count}={len(part.stale)},{part.text},"{STALE}")', part.value, True, part.stale)


def standing(conditions: Sequence[Expr], cell: Expr) -> Expr:
    """A computed value that stands while all conditions hold."""
    if not conditions:
        return cell
    return Expr(f'IF({both(conditions).text},{cell.text},"{STALE}")', cell.value, True, cell.stale)
