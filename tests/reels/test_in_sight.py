"""The strip rule ``in_sight`` against every window there is, and as verify and evaluate say it."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from new_game import TEXT, definition, starter

from workbench.game.strip_rules import InSightRule
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import StripSet

GAME = definition().model_copy(update={"strip_rules": ()})
ROWS = 3

strips = st.lists(st.sampled_from(["A", "Chest", "Scatter"]), min_size=1, max_size=6).map(tuple)


def windows(reels):
    """What is in sight for every combination of stops."""
    for stops in product(*(range(len(strip)) for strip in reels)):
        yield [
            strip[(stop + row) % len(strip)]
            for strip, stop in zip(reels, stops, strict=True)
            for row in range(ROWS)
        ]


@given(st.lists(strips, min_size=1, max_size=3).map(tuple), st.integers(1, 9))
def test_the_fullest_window_is_that_of_all_windows(reels, most):
    rule = InSightRule(kind="in_sight", reels="base", symbols=("Scatter", "Chest"), most=most)
    fullest = {s: max(window.count(s) for window in windows(reels)) for s in rule.symbols}
    found = breaches(StripSet("my-game", "", "test", {"base": reels}, {}, {}), GAME, (rule,))
    assert {b.symbol: b.found for b in found} == {s: n for s, n in fullest.items() if n > most}


def test_on_limits_the_reels_counted():
    reels = (("Scatter",), ("A",), ("Scatter", "A", "A", "A"))
    strips = StripSet("my-game", "", "test", {"base": reels}, {}, {})
    for on, shown in ((None, 4), ((0,), 3), ((2,), 1), ((1,), 0), ((0, 2), 4)):
        rules = [
            InSightRule(kind="in_sight", reels="base", on=on, symbols=("Scatter",), most=n) for n in (1, 4)
        ]
        found = breaches(strips, GAME, rules)
        assert [(b.found, b.reel, b.stop) for b in found] == ([(shown, None, None)] if shown > 1 else [])


def test_a_definition_s_rule_is_said_with_what_is_allowed():
    rule = '[[strip_rules]]\nkind = "in_sight"\nreels = "base"\nsymbols = ["Scatter", "Chest"]\nmost = 5\n\n[[strip_rules]]\n'
    text = TEXT.replace("[[strip_rules]]\n", rule, 1)
    assert not breaches(starter(text), definition(text))
    tight = text.replace("most = 5", "most = 4")
    line = "in_sight: reels.base: a window can show Scatter 5 times; allowed: at most 4"
    assert [b.text for b in breaches(starter(tight), definition(tight))] == [line]
