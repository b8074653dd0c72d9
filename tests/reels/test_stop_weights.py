"""Stop weights: read, written and read again; what is wrong with them is one line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from command_line import realistic_table
from hypothesis import given
from hypothesis import strategies as st
from new_game import FILES, definition, starter

from workbench.errors import StripSetError
from workbench.game.load import find_game, load_definition
from workbench.reels.files import canonical_bytes, parse_strip_set
from workbench.reels.strip_set import MAX_TOTAL_WEIGHT

GAME = definition()
STARTER = starter()
STOPS = [len(strip) for strip in STARTER.reels["base"]]
ONES = [[1] * stops for stops in STOPS]


def table(weights):
    return {**json.loads(FILES["starter.json"]), "stop_weights": weights}


def read(weights):
    return parse_strip_set(json.dumps(table(weights)).encode(), GAME, "set.json")


weights = st.tuples(*(st.lists(st.integers(1, 30_000), min_size=n, max_size=n).map(tuple) for n in STOPS))


@given(weights)
def test_what_is_written_is_what_is_read(by_reel):
    strips = replace(STARTER, stop_weights={"base": by_reel})
    data = canonical_bytes(strips)
    again = parse_strip_set(data, GAME, "set.json")
    assert again == strips and again.weights_of("base") == by_reel
    assert canonical_bytes(again) == data


def test_a_set_without_weights_is_as_it_was():
    assert STARTER.weights_of("base") is None
    assert b"stop_weights" not in canonical_bytes(STARTER)
    assert read({}) == STARTER
    assert read({"base": ONES}).weights_of("base") == tuple(map(tuple, ONES))


def test_a_reel_may_have_the_most_there_is():
    full = [[MAX_TOTAL_WEIGHT - (STOPS[0] - 1), *ONES[0][1:]], *ONES[1:]]
    assert sum(read({"base": full}).weights_of("base")[0]) == MAX_TOTAL_WEIGHT


def one(value):
    """All 1 but the fourth weight of the second reel."""
    return {"base": [ONES[0], [1, 1, 1, value, *ONES[1][4:]], *ONES[2:]]}


STOP = "stop_weights.base: reel 2, stop 3 (counted from 0): a weight must be a whole number from 1 to 16777216, but got"

BAD = {
    "zero": (one(0), f"{STOP} 0"),
    "negative": (one(-1), f"{STOP} -1"),
    "a fraction": (one(0.5), f"{STOP} 0.5"),
    "whole but a fraction": (one(2.0), f"{STOP} 2.0"),
    "a boolean": (one(True), f"{STOP} True"),
    "a text": (one("2"), f"{STOP} '2'"),
    "null": (one(None), f"{STOP} None"),
    "a list": (one([1]), f"{STOP} [1]"),
    "huge": (one(10**40), f"{STOP} 1{'0' * 40}"),
    "in sum too much": (
        one(1 << 24),
        f"stop_weights.base: reel 2: weights must sum to at most 16777216, but sum to {(1 << 24) + STOPS[1] - 1}",
    ),
    "one too few": (
        {"base": [ONES[0][1:], *ONES[1:]]},
        f"stop_weights.base: must have a weight for each stop, {STOPS}, but has {[STOPS[0] - 1, *STOPS[1:]]}",
    ),
    "a reel too few": (
        {"base": ONES[1:]},
        f"stop_weights.base: must have a weight for each stop, {STOPS}, but has {STOPS[1:]}",
    ),
    "of a set there isn't": ({"free": ONES}, "stop_weights: must be among base, but got 'free'"),
    "empty": ({"base": [[], *ONES[1:]]}, "stop_weights.base: reel 1 must have 1 to 512 weights, but got 0"),
    "a million": (
        {"base": [[1] * 10**6]},
        "stop_weights.base: reel 1 must have 1 to 512 weights, but got 1000000",
    ),
    "no lists": ({"base": [1, 2]}, "stop_weights.base: reel 1: must be a list, but got 1"),
    "no list": ({"base": 1}, "stop_weights.base: must be a list, but got 1"),
    "no table": ([], "stop_weights: must be a table, but got []"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_weights_get_one_line(case):
    found, line = BAD[case]
    with pytest.raises(StripSetError) as caught:
        read(found)
    assert str(caught.value) == f"set.json: {line}"


def test_not_in_a_game_that_holds_cells():
    codex = realistic_table()
    codex["stop_weights"] = {"base": [[1] * len(strip) for strip in codex["reels"]["base"]]}
    game = load_definition(find_game("codex-of-fortune"))
    with pytest.raises(StripSetError) as caught:
        parse_strip_set(json.dumps(codex).encode(), game, "set.json")
    line = "set.json: stop_weights: must be left out in a game with 're_spins', but got 'base'"
    assert str(caught.value) == line
