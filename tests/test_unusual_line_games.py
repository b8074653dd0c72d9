"""What ``check`` remarks on in a line game: allowed, but seldom meant."""

from __future__ import annotations

import pytest
from new_game import FULL, TEXT, definition

from workbench.game.unusual import remarks

GEMS = 'symbols = ["Ruby", "Pearl"]\npays = { 4 = 20, 5 = 60 }'
WHEEL = '[[features]]\nkind = "wheel"\nname = "spare"\nvalues = ["1"]\n\n'
ALSO = '[[mixed]]\nname = "Other"\n{}\n\n[[mixed]]\n'

ODD = {
    "a cap": ('win_cap = "none"', "win_cap = 5000", "win_cap: is 5000, but wins are only cut in games with money_respins"),
    "a Wild that replaces nothing": ('replaces = ["Crown", "Ring", "Ruby", "Pearl", "A", "K", "Q", "J", "10"]', "replaces = []", "wild.replaces: the Wild replaces no symbol"),
    "each of multiplier 1": ("multiplier = 2 ", "multiplier = 1 ", "wild.multiplies: 'each' changes nothing, as the multiplier is 1"),
    "a special symbol nothing names": ('"Scatter", "Chest"]', '"Scatter", "Chest", "Bell"]', "symbols.special: no feature names 'Bell', so it only takes up room on the strips"),
    "a regular symbol without pays": ("10 = { 3 = 5, 4 = 15, 5 = 75 }", "", "paytable.10: the regular symbol '10' pays nothing"),
    "a mixed combination of one symbol": (GEMS, 'symbols = ["Ruby"]\npays = { 4 = 50, 5 = 60 }', "mixed[0]: 'Any gem' never wins, as 'Ruby' pays as much or more for the same lines"),
    "a mixed combination within another": ("[[mixed]]\n", ALSO.format('symbols = ["Ruby", "Pearl", "A"]\npays = { 4 = 20, 5 = 60 }'), "mixed[1]: 'Any gem' never wins, as 'Other' pays as much or more for the same lines"),
    "a mixed combination without pays": (GEMS, 'symbols = ["Ruby", "Pearl"]\npays = { 4 = 0 }', "mixed[0].pays: 'Any gem' pays nothing"),
    "anywhere without pays": ("pays = { 1 = 1, 2 = 2 }", "pays = { 1 = 0 }", "anywhere[0].pays: 'Scatter' pays nothing"),
    "anywhere less than the run": ('symbol = "Scatter"\npays = { 1 = 1, 2 = 2 }', 'symbol = "Q"\npays = { 1 = 1, 5 = 75 }', "anywhere[0].pays: 5 'Q' never win 75, as their run pays 75"),
    "Scatter pays that fall": ("pays = { 3 = 3, 4 = 20, 5 = 100 }", "pays = { 3 = 3, 4 = 2.5, 5 = 100 }", "features.scatter.pays: 3 pay 3, but 4 pay 2.5"),
    "Scatter pays of nothing": ("pays = { 3 = 3, 4 = 20, 5 = 100 }", "pays = { 3 = 0 }", "features.scatter.pays: 'Scatter' pays nothing"),
    "awards that fall": ("spins = { 3 = 15 },", "spins = { 3 = 15, 4 = 10 },", "features.free_games.scatter.spins: 3 award 15, but 4 award 10"),
    "an exemption of no effect": ("count = 5, multiplier = 1", "count = 5, multiplier = 3", "features.free_games.exempt[0]: multiplies by 3 like every other win"),
    "a bonus of nothing": ('values = ["1", "2", "3"]', 'values = ["0"]', "features.chest.draws: every value of 'chest.draws' is 0"),
    "a wheel for nothing": ('[[features]]\nkind = "wheel"\n', WHEEL + '[[features]]\nkind = "wheel"\n', "features.spare: no feature draws from this wheel"),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_it_is_said_and_nothing_else_is(case):
    old, new, line = ODD[case]
    assert old in FULL
    assert remarks(definition(FULL.replace(old, new, 1))) == [line]


def edited(*edits, text=TEXT):
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return remarks(definition(text))


def test_free_games_that_are_just_more_spins():
    odd = "features.free_games: free games on the strips of paid spins with multiplier 1"
    assert edited(("multiplier = 3 ", "multiplier = 1 ")) == [odd]
    assert edited(("multiplier = 3 ", "multiplier = 1 "), ('reels = "base"  ', 'reels = "free"  ')) == []


def test_free_games_for_lines_that_are_not_won():
    lines = "lines = { spins = { Crown = { 3 = 10, 5 = 10 } } }\n"
    pays = ("Crown = { 3 = 25,", "Crown = { 3 = 0,")
    odd = "features.free_games.lines.spins.Crown: 3 award nothing, as a line of 0 coins isn't won"
    assert edited(pays, ("scatter = { symbol", lines + "scatter = { symbol")) == [odd]
    assert edited(("scatter = { symbol", lines + "scatter = { symbol")) == []


def test_free_games_no_paid_spin_awards():
    odd = "features.free_games: no paid spin awards free games"
    assert edited((" spins = { 3 = 15 },", "")) == [odd]


def test_a_bonus_that_speaks_of_free_games_there_are_not():
    text = (
        TEXT[: TEXT.index('[[features]]\nkind = "free_games"')]
        + TEXT[TEXT.index('[[features]]\nkind = "bonus"') :]
    )
    odd = "features.chest.in_free_games: is 'never', but the game has no free games"
    assert edited(("#in_free_games", "in_free_games"), text=text) == [odd]


@pytest.mark.parametrize(
    "mixed",
    [
        'symbols = ["Ruby"]\npays = { 4 = 51, 5 = 60 }',
        'symbols = ["Ruby"]\npays = { 2 = 1, 4 = 50, 5 = 60 }',
        'symbols = ["Ruby", "Pearl"]\npays = { 4 = 1, 5 = 1 }',
    ],
)
def test_a_mixed_combination_that_can_win_is_not_remarked_on(mixed):
    assert not [line for line in edited((GEMS, mixed), text=FULL) if "never wins" in line]


def test_a_later_combination_beats_only_by_paying_more():
    equal = ALSO.format('symbols = ["Ruby"]\npays = { 4 = 60, 5 = 160 }')
    text = FULL.replace("[[mixed]]\n", equal, 1)
    wide = 'symbols = ["Ruby", "Pearl"]\npays = {{ 4 = {}, 5 = 160 }}'
    assert not edited((GEMS, wide.format(60)), text=text)
    assert edited((GEMS, wide.format(161).replace("160", "161")), text=text) == [
        "mixed[0]: 'Other' never wins, as 'Any gem' pays as much or more for the same lines"
    ]


def test_a_symbol_of_a_mixed_combination_needs_no_pays_of_its_own():
    edits = (("Ruby = { 3 = 15, 4 = 50, 5 = 150 }", ""), ('"Ruby", "Pearl"]\npays', '"Ruby", "A"]\npays'))
    assert not [line for line in edited(*edits, text=FULL) if "paytable.Ruby" in line]
