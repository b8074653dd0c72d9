"""The law of the respins against enumeration on tiny grids, against their own moments, and fair plays inside intervals."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd

import numpy as np
import pytest

from tests.features.test_money_respins import chain_of, reel
from tests.oracles.money_rounds import FULL, Law, respins_law
from tests.oracles.spellmaster import Respins
from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.errors import UsageError
from workbench.features import money_law as module
from workbench.features.money_chain import MoneyWheels, money_chain, money_wheels
from workbench.features.money_law import has_exact_law, money_law, money_step
from workbench.features.money_plays import played
from workbench.features.money_respins import respins_value
from workbench.game import find_game, load_definition
from workbench.prob.set_worth import set_worth
from workbench.value.estimated import clopper_pearson

NOISE = 4e-16
CASES = {
    "charge": Respins(
        cells=3, reel=(reel(blank=12, money=10, blue=1),) * 3, money={1: 1, 3: 2}, charge={1: 1, 2: 1}
    ),
    "charge that comes before any Money": Respins(
        cells=2,
        reel=(reel(blank=8, money=4, blue=4), reel(blank=20, money=1, blue=1)),
        money={2: 1},
        charge={1: 1, 3: 1},
        respins=2,
    ),
    "jackpots, three of a name": Respins(
        cells=3,
        reel=(reel(blank=24, money=60, gold=3),) * 3,
        money={1: 1, 3: 2},
        names={"a": 2, "b": 1},
        prizes={"a": 5, "b": 11},
    ),
    "every Orb pays, a position reel by filled cells": Respins(
        cells=2,
        reel=(reel(blank=24, money=60, gold=6), reel(blank=60, money=20, gold=1)),
        money={2: 1, 6: 2},
        names={"a": 2, "b": 1, "c": 1},
        prizes={"a": 4, "b": 10, "c": 0},
        of_a_name=1,
        respins=1,
    ),
    "charge and jackpots, pairs of a name": Respins(
        cells=2,
        reel=(reel(blank=30, money=68, gold=3, blue=1),) * 2,
        money={1: 1, 3: 2},
        charge={1: 1, 2: 1},
        names={"a": 2, "b": 1},
        prizes={"a": 5, "b": 11},
        of_a_name=2,
    ),
    "Orbs that go on acting": Respins(
        cells=3,
        reel=(reel(blank=69, money=230, blue=1),) * 3,
        money={1: 1},
        charge={1: 1},
        persist=True,
        respins=2,
    ),
    "Orbs that go on acting for long": Respins(
        cells=2,
        reel=(reel(blank=30, money=60, blue=5), reel(blank=90, money=5, blue=2)),
        money={1: 1, 2: 1},
        charge={1: 1},
        persist=True,
        respins=1,
    ),
}
MULTIPLIED = {
    "one each, a count of none": Respins(
        cells=3,
        reel=(reel(blank=5, money=7, red=2),) * 3,
        money={1: 1, 3: 2},
        multiplier={2: 2, 3: 1},
        counts={0: 1, 1: 1, 2: 1},
        times=2,
        respins=1,
    ),
    "one for all, charge that goes on, jackpots": Respins(
        cells=2,
        reel=(reel(blank=60, money=400, gold=4, blue=4, red=9),) * 2,
        money={1: 1, 2: 1},
        charge={1: 1},
        multiplier={2: 1, 3: 1},
        counts={1: 1, 2: 1},
        names={"a": 2, "b": 1},
        prizes={"a": 5, "b": 11},
        of_a_name=2,
        times=1,
        shared=True,
        persist=True,
        respins=1,
    ),
}


def wheels_of(rules: Respins) -> MoneyWheels:
    def wheel(weights):
        values = np.array(sorted(weights), dtype=float)
        return values, np.array([weights[int(v)] for v in values]) / max(1, sum(weights.values()))

    counts, chance = wheel(rules.counts)
    return MoneyWheels(
        *wheel(rules.money), *wheel(rules.charge), *wheel(rules.multiplier), counts.astype(np.int64), chance
    )


@cache
def by_enumeration(name: str) -> Law:
    return respins_law((MULTIPLIED | CASES)[name], 1e-17 if name in CASES else 1e-14)


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as made:
        yield made


@pytest.mark.parametrize("cap", [None, 7])
@pytest.mark.parametrize("name", CASES)
def test_every_chance_is_that_of_enumeration(name, cap, pool):
    rules = CASES[name]
    expected = by_enumeration(name)
    chain = chain_of(rules)
    law = money_law(chain, wheels_of(rules), Fraction(1), cap, pool)
    sums = Counter()
    for win, p in expected.wins.items():
        if win != FULL:
            sums[win if cap is None else min(win, cap)] += p
    bound = NOISE + float(expected.dropped)
    for win, p in enumerate(law.chances):
        assert p == pytest.approx(float(sums.pop(win, 0)), abs=bound, rel=1e-13)
    assert sum(sums.values()) <= bound
    assert law.left_out <= 1e-16 and law.error < 1e-12
    assert float(law.chances.sum()) == pytest.approx(1 - float(expected.wins[FULL]), abs=bound + 1e-15)


@pytest.mark.parametrize("name", ["charge", "charge and jackpots, pairs of a name"])
def test_small_chances_have_digits_of_their_own(name, pool, monkeypatch):
    """Where the law is far below the rounding of one transform, it still has some digits; with one transform it hasn't."""
    rules = CASES[name]
    expected = respins_law(rules, 1e-27)
    law = money_law(chain_of(rules), wheels_of(rules), Fraction(1), None, pool)
    small = {w: float(p) for w, p in expected.wins.items() if w != FULL and 1e-19 < p < 1e-17}
    assert len(small) >= 2
    errs = [abs(law.chances[win] / p - 1) for win, p in small.items()]
    monkeypatch.setattr(module, "PLACES", ())
    plain = money_law(chain_of(rules), wheels_of(rules), Fraction(1), None, pool)
    worse = [abs(plain.chances[win] / p - 1) for win, p in small.items()]
    assert max(errs) < 0.05 and max(worse) > 3 * max(errs)


@pytest.mark.parametrize("modifiers", ["charge", "jackpots", "charge+jackpots"])
@pytest.mark.parametrize("seed", [1, 2])
def test_moments_are_those_of_the_chain(modifiers, seed, pool):
    game = load_definition(find_game("spellmaster"))
    strips = spellmaster_set(game, seed)
    chain, wheels = money_chain(game, strips, modifiers), money_wheels(game, strips, modifiers)
    value = respins_value(chain)
    step = money_step(chain, wheels)
    law = money_law(chain, wheels, step, None, pool)
    wins = np.arange(len(law.chances)) * float(step)
    assert law.chances.sum() == pytest.approx(1 - value.full_grid, abs=1e-12)
    assert law.chances @ wins == pytest.approx(value.partial_mean, rel=1e-12)
    assert law.chances @ wins**2 == pytest.approx(value.second_moment, rel=4e-12)


def test_the_cap_only_gathers(pool):
    game = load_definition(find_game("spellmaster"))
    strips = spellmaster_set(game)
    chain, wheels = (
        money_chain(game, strips, "charge+jackpots"),
        money_wheels(game, strips, "charge+jackpots"),
    )
    free, cut = (money_law(chain, wheels, Fraction(1, 10), cap, pool).chances for cap in (None, 300))
    assert len(cut) == 301
    assert cut[:300] == pytest.approx(free[:300], abs=1e-17)
    assert cut[300] == pytest.approx(free[300:].sum(), rel=1e-12)


def test_what_a_small_transform_leaves_out_is_bounded(pool, monkeypatch):
    """With fewer points the law errs by no more than it says, and by enough to be seen."""
    rules = CASES["charge"]
    chain, wheels = chain_of(rules), wheels_of(rules)
    law = money_law(chain, wheels, Fraction(1), None, pool).chances
    monkeypatch.setattr(module, "MOST_POINTS", 24)
    monkeypatch.setattr(module, "MOST_LEFT_OUT", 1.0)
    short = money_law(chain, wheels, Fraction(1), None, pool)
    assert len(short.chances) == 24
    gone = float(law[24:].sum())
    assert 1e-12 < gone <= short.left_out < 1e3 * gone
    assert float(np.abs(short.chances - law[:24]).sum()) <= short.left_out
    monkeypatch.setattr(module, "MOST_LEFT_OUT", 1e-14)
    with pytest.raises(
        UsageError, match=r"^law: with steps of 1 bets the law of respins\.all needs more than 24"
    ):
        money_law(chain, wheels, Fraction(1), None, pool)


def test_which_sets_are_exact():
    assert all(has_exact_law(chain_of(rules)) for rules in CASES.values())
    assert not any(has_exact_law(chain_of(rules)) for rules in MULTIPLIED.values())


@pytest.mark.parametrize("seed", range(8))
def test_the_step_divides_every_win(seed):
    """Against the wins there can be, multiplied one by one, in tenths."""
    rng = random.Random(f"step {seed}")
    scale = rng.choice([1, 2, 3])
    values = [scale * rng.randint(1, 12) * 6 for _ in range(2)]
    factors = [Fraction(rng.randint(1, 9), 2) for _ in range(2)] if seed % 2 else []
    prizes = [scale * 12 * rng.randint(1, 9)]
    rules = Respins(
        cells=2,
        reel=(reel(blank=1, money=1),) * 2,
        money=dict.fromkeys(values, 1),
        multiplier={2: 1} if factors else {},
        times=2,
        names={"a": 1},
        prizes={"a": prizes[0]},
    )
    wheels = wheels_of(rules)
    if factors:
        halves = np.array([float(f) for f in factors])
        wheels = replace(wheels, multiplier=halves, multiplier_chance=np.full(2, 0.5))
    wins = [Fraction(p) for p in prizes]
    for k in range(3 if factors else 1):
        wins += [v * np.prod([Fraction(1), *some]) for v in values for some in product(factors, repeat=k)]
    whole = 1000
    expected = Fraction(gcd(*(int(w * whole) for w in wins)), whole)
    assert money_step(chain_of(rules), wheels) == expected


@pytest.mark.parametrize("seed", range(6))
def test_worth_of_complete_sets(seed):
    """Draw by draw, in fractions."""
    rng = random.Random(f"sets {seed}")
    kinds, size, top = rng.randint(1, 3), rng.randint(1, 3), rng.choice([5, 60])
    weights = [rng.randint(1, 5) for _ in range(kinds)]
    worth = [rng.randint(0, 7) for _ in range(kinds)]
    law = {(0,) * kinds: Fraction(1)}
    found = set_worth(np.array(weights) / sum(weights), np.array(worth, dtype=np.int64), size, 7, top)
    for drawn in range(8):
        sums = Counter()
        for counts, p in law.items():
            sums[min(top, sum(c // size * w for c, w in zip(counts, worth, strict=True)))] += p
        assert found[drawn] == pytest.approx([float(sums[k]) for k in range(top + 1)], rel=1e-14)
        after = Counter()
        for counts, p in law.items():
            for i, weight in enumerate(weights):
                more = tuple(c + (i == j) for j, c in enumerate(counts))
                after[more] += p * Fraction(weight, sum(weights))
        law = after


@pytest.mark.parametrize("name", [*MULTIPLIED, *CASES])
def test_fair_plays_are_of_the_law(name):
    """Every chance inside intervals that hold together with 99.9 %."""
    rules = (MULTIPLIED | CASES)[name]
    expected = by_enumeration(name)
    plays = 60_000
    wins = played(chain_of(rules), wheels_of(rules), Fraction(1), plays, np.random.default_rng(5))
    counts = Counter(wins.tolist())
    level = 1 - 0.001 / (len(expected.wins) + 1)
    for win, p in expected.wins.items():
        low, high = clopper_pearson(counts.pop(-1 if win == FULL else win, 0), plays, level)
        assert low <= float(p) + 1e-12 and float(p) <= high
    assert not counts
