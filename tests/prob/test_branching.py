"""Totals of a branching process against the fixed point itself, iterated with 60 digits."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.prob.branching import saturated, saturated_mean_win

# positive sums: each coefficient is right to some rounding errors of each of a few hundred operations
RELATIVE = 2e-13


def product(a, b, ends):
    """Of two series by mark: marks add up to their ends."""
    found = {}
    for (x, y), p in a.items():
        for (u, v), q in b.items():
            place = (min(x + u, ends[0]), min(y + v, ends[1]))
            found[place] = found.get(place, Decimal(0)) + p * q
    return found


def total(parts):
    found = {}
    for part in parts:
        for place, p in part.items():
            found[place] = found.get(place, Decimal(0)) + p
    return found


def series_of(array, ends):
    return total([{(min(x, ends[0]), min(y, ends[1])): Decimal(p)} for (x, y), p in np.ndenumerate(array)])


def power(series, n, ends):
    found = {(0, 0): Decimal(1)}
    for _ in range(n):
        found = product(found, series, ends)
    return found


def scaled(series, factor):
    return {place: p * factor for place, p in series.items()}


def fixed_point(g, w, ends):
    """F and D by iterating their equations from nothing."""
    f, d = {}, {}
    for _ in range(2000):
        powers = [power(f, s, ends) for s in range(len(g))]
        h = total([scaled(product(g[s], powers[s - 1], ends), s) for s in range(1, len(g))])
        after = total([product(one, p, ends) for one, p in zip(g, powers, strict=True)])
        won = total([*(product(one, p, ends) for one, p in zip(w, powers, strict=True)), product(h, d, ends)])
        moved = max(abs(x - f.get(k, 0)) for k, x in after.items()) + max(
            abs(x - d.get(k, 0)) for k, x in won.items()
        )
        f, d = after, won
        if moved < Decimal("1e-45"):
            return f, d
    raise AssertionError("no fixed point")


def as_array(series, ends):
    found = np.zeros((ends[0] + 1, ends[1] + 1))
    for place, p in series.items():
        found[place] = float(p)
    return found


@st.composite
def items(draw):
    """A law of one item, by weights, that begets less than 0.8, and what it wins."""
    shape = (draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 3)))
    weights = np.array(
        draw(
            st.lists(st.integers(0, 9), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))),
        ),
        dtype=float,
    ).reshape(shape)
    weights[0, -1, 0] += 1
    begets = weights.sum(axis=(1, 2)) @ np.arange(shape[0])
    weights[0, 0, -1] += max(0.0, np.ceil(begets / 0.8 - weights.sum()))
    return weights / weights.sum()


@settings(max_examples=25, deadline=None)
@given(items(), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_every_coefficient_keeps_its_digits(g, width, height, seed):
    w = g * np.random.default_rng(seed).random(g.shape)
    ends, exponents = (width, height), [1, 3]
    with localcontext() as context:
        context.prec = 60
        f, d = fixed_point([series_of(one, ends) for one in g], [series_of(one, ends) for one in w], ends)
        laws = [as_array(power(f, n, ends), ends) for n in exponents]
        wins = [
            as_array(scaled(product(power(f, n - 1, ends), d, ends), Decimal(n)), ends) for n in exponents
        ]
    np.testing.assert_allclose(saturated(g, width, height, exponents), laws, rtol=RELATIVE, atol=0)
    np.testing.assert_allclose(
        saturated_mean_win(g, w, width, height, exponents), wins, rtol=RELATIVE, atol=0
    )


@pytest.mark.parametrize("rare", [1e-6, 1e-9])
def test_the_end_keeps_its_digits_where_it_is_next_to_impossible(rare):
    # one item in 1 / rare marks 1 and none begets another: 3 of n marks have the binomial chance
    g = np.array([[[1 - rare], [rare]]])
    found = saturated(g, 3, 1, [5])[0, 3, 0]
    binomial = 10 * rare**3 * (1 - rare) ** 2 + 5 * rare**4 * (1 - rare) + rare**5
    assert found == pytest.approx(binomial, rel=1e-15)
