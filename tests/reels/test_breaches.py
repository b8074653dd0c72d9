"""Breaches against brute force: strips unrolled over several turns, counted stop by stop."""

from __future__ import annotations

import dataclasses
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.games import shipped_game

from workbench.game.strip_rules import (
    CountRule,
    LengthRule,
    ShareRule,
    SpacingRule,
    StackRule,
    StripRule,
    SymbolsRule,
    TiersRule,
)
from workbench.reels.breaches import Breach, breaches, governs
from workbench.reels.strip_set import StripSet

GAME = shipped_game().model_copy(update={"strip_rules": ()})
PLAIN = ("A",) * 3

strips = st.lists(st.sampled_from(["A", "K", "Lion", "Scatter"]), min_size=1, max_size=12).map(tuple)
symbols = st.lists(st.sampled_from(["A", "K", "Lion", "Scatter"]), min_size=1, max_size=3, unique=True).map(
    tuple
)


def one_reel(strip: tuple[str, ...], name: str = "base") -> StripSet:
    return StripSet("codex-of-fortune", "", "test", {name: (strip,)}, {}, {})


def found_on(strip: tuple[str, ...], rule: StripRule) -> tuple[Breach, ...]:
    return breaches(one_reel(strip), GAME, (rule,))


@given(strips, symbols, st.integers(1, 14))
def test_spacing_is_that_of_the_strip_unrolled(strip, special, apart):
    rule = SpacingRule(kind="spacing", reels="base", symbols=special, apart=apart)
    turns = strip * (2 + apart)
    near = {}
    for stop in range(len(strip)):
        gaps = [d for d in range(1, apart) if turns[stop + d] in special]
        if strip[stop] in special and gaps:
            near[stop] = gaps[0]
    assert {b.stop: b.found for b in found_on(strip, rule)} == near
    assert all(b.symbol == strip[b.stop] for b in found_on(strip, rule))


@given(strips, symbols, st.integers(1, 6))
def test_stack_is_that_of_the_strip_unrolled(strip, stacked, most):
    rule = StackRule(kind="stack", reels="base", symbols=stacked, most=most)
    turns = strip * (3 + most)
    starts = {}
    for stop in range(len(strip)):
        at = len(strip) + stop
        high = next((n for n in range(len(turns) - at) if turns[at + n] != strip[stop]), None)
        begins = turns[at - 1] != strip[stop] or (high is None and stop == 0)
        if begins and strip[stop] in stacked and (high is None or high > most):
            starts[stop] = len(strip) if high is None else high
    assert {b.stop: b.found for b in found_on(strip, rule)} == starts


@given(strips, symbols, st.integers(0, 5), st.integers(0, 5))
def test_counts_shares_symbols_and_lengths(strip, chosen, least, most):
    have = Counter(strip)
    rule = CountRule(kind="count", reels="base", symbols=chosen, least=least, most=most)
    assert {b.symbol: b.found for b in found_on(strip, rule)} == {
        s: have[s] for s in chosen if have[s] < least or have[s] > most
    }
    share = ShareRule(kind="share", reels="base", symbols=chosen, most=(most + 1) / 10)
    assert {b.symbol for b in found_on(strip, share)} == {
        s for s in chosen if Decimal(have[s]) * 10 > Decimal(most + 1) * len(strip)
    }
    only = SymbolsRule(kind="symbols", reels="base", symbols=chosen)
    assert {b.symbol: (b.found, b.stop) for b in found_on(strip, only)} == {
        s: (have[s], strip.index(s)) for s in set(strip) - set(chosen)
    }
    length = LengthRule(kind="length", reels="base", least=least + 1, most=most + 1)
    assert [b.found for b in found_on(strip, length)] == (
        [] if least + 1 <= len(strip) <= most + 1 else [len(strip)]
    )


def test_a_share_is_compared_as_the_decimal_written():
    strip = ("A",) * 29 + ("K",) * 71
    assert 29 > 0.29 * 100, "the trap this guards against"
    assert found_on(strip, ShareRule(kind="share", reels="base", symbols=("A",), most=0.29)) == ()
    assert len(found_on(strip, ShareRule(kind="share", reels="base", symbols=("A",), most=0.28))) == 1


def test_wrapping_stack_starts_before_the_end():
    strip = ("Koi", "A", "K", "Koi", "Koi", "Koi")
    (breach,) = found_on(strip, StackRule(kind="stack", reels="base", symbols=("Koi",), most=3))
    assert (breach.stop, breach.found) == (3, 4)
    assert breach.text == (
        "stack: reels.base: reel 1: Koi is stacked 4 high from stop 3 (counted from 0) on; allowed: stacks of at most 3"
    )


def test_strip_of_one_symbol_breaks_both():
    spacing = found_on(
        ("Scatter",) * 5, SpacingRule(kind="spacing", reels="base", symbols=("Scatter",), apart=4)
    )
    assert [b.found for b in spacing] == [1] * 5
    stack = found_on(("Scatter",) * 2, StackRule(kind="stack", reels="base", symbols=("Scatter",), most=3))
    assert "without end" in stack[0].text
    lone = found_on(
        ("Scatter", "A", "K"), SpacingRule(kind="spacing", reels="base", symbols=("Scatter",), apart=4)
    )
    assert [b.found for b in lone] == [3] and "comes round again" in lone[0].text


def test_rules_together_keep_special_symbols_apart_from_each_other():
    rule = SpacingRule(kind="spacing", reels="base", symbols=("Scatter", "Key"), apart=4)
    (breach,) = found_on(("Scatter", "A", "Key", "A", "A", "A", "A"), rule)
    assert "Scatter on stop 0 and Key on stop 2" in breach.text


def tier_strip(high: int, medium: int, low: int) -> tuple[str, ...]:
    return ("Lion",) * high + ("Koi",) * medium + ("J",) * low


@pytest.mark.parametrize(
    ("counts", "better"),
    [
        ((2, 3, 4), []),
        ((4, 3, 4), ["high"]),  # 4 / 2 > 3 / 3
        ((2, 3, 3), ["medium"]),  # 3 / 3 > 3 / 4
        ((4, 3, 3), ["high", "medium"]),
    ],
)
def test_tiers_compare_stops_a_symbol_over_all_strips(counts, better):
    rule = TiersRule(kind="tiers", reels="base", tiers=("high", "medium", "low"))
    whole = StripSet("codex-of-fortune", "", "test", {"base": (tier_strip(*counts),)}, {}, {})
    split = StripSet(
        "codex-of-fortune",
        "",
        "test",
        {
            "base": tuple(
                tier_strip(*(n if i == reel else 0 for i, n in enumerate(counts))) for reel in range(3)
            )
        },
        {},
        {},
    )
    for strips_of in (whole, split):
        lines = [b.text for b in breaches(strips_of, GAME, (rule,))]
        assert [line.split("tier ")[1].split()[0] for line in lines] == better


def test_a_rule_on_free_governs_the_sets_by_collectable():
    rule = LengthRule(kind="length", reels="free", least=4, most=9)
    sets = StripSet(
        "codex-of-fortune",
        "",
        "test",
        dict.fromkeys(("base", "free", "free.Koi", "freedom"), (PLAIN,)),
        {},
        {},
    )
    assert [b.reels for b in breaches(sets, GAME, (rule,))] == ["free", "free.Koi"]
    assert not governs(rule, "base")


def test_on_limits_a_rule_and_text_counts_reels_from_1():
    rule = LengthRule(kind="length", reels="base", on=(0, 2, 7), least=4, most=9)
    sets = StripSet("codex-of-fortune", "", "test", {"base": (PLAIN,) * 4}, {}, {})
    found = breaches(sets, GAME, (rule,))
    assert [b.reel for b in found] == [0, 2]
    assert "reel 3: has 3 stops" in found[1].text
    with pytest.raises(dataclasses.FrozenInstanceError):
        found[0].found = 5  # type: ignore[misc]


def test_definition_rules_come_first_and_all_are_listed():
    game = shipped_game()
    strip = ("Scatter", "Key", "A", "Scatter")
    sets = StripSet("codex-of-fortune", "", "test", {"base": (strip,) * 5}, {}, {})
    extra = LengthRule(kind="length", reels="base", least=40, most=120)
    kinds = Counter(b.rule for b in breaches(sets, game, (extra,)))
    # Key on all five, Scatter on reels 2 and 4; two gaps (3 and 1) a strip; every strip too short.
    assert kinds == {"symbols": 7, "spacing": 10, "length": 5}
    assert list(kinds) == ["symbols", "spacing", "length"]


def test_what_makes_no_sense_is_no_breach_and_raises_nothing():
    nonsense = (
        TiersRule(kind="tiers", reels="base", tiers=("no-such-tier", "high")),
        LengthRule(kind="length", reels="nowhere", least=4, most=9),
        CountRule(kind="count", reels="base", on=(7,), symbols=("A",), least=9),
    )
    empty = StripSet("codex-of-fortune", "", "test", {"base": ((), PLAIN)}, {}, {})
    assert breaches(empty, GAME, nonsense) == ()
