"""A whole round against explicit chains on cells and spins: nothing shared but the rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from oracles import games as small
from oracles import rounds as oracle

from workbench.errors import EndlessFeatureError
from workbench.value.round import evaluate

NEAR = {"rel": 1e-11, "abs": 1e-13}
MOST_KEYS = 3


def _lumped(ladder):
    """(f, step from 1, Keys up to MOST_KEYS) to probability, as the oracle gives it."""
    found = {}
    for (f, step, keys), chance in np.ndenumerate(ladder):
        key = (bool(f), step + 1, min(keys, MOST_KEYS))
        found[key] = found.get(key, 0.0) + chance
    return found


@given(small.games_and_strips())
@settings(max_examples=60, deadline=None)
def test_every_part_of_the_round(pair):
    game, strips = pair
    cap = game.hold_and_spin.key.at_most
    parts = oracle.round_parts(game, strips, MOST_KEYS if cap == "no-limit" else None)
    value = evaluate(game, strips)
    assert value.lines.rtp == parts.lines
    assert (
        value.spins.hits * parts.hit_frequency.denominator
        == value.spins.cycle * parts.hit_frequency.numerator
    )
    assert value.free_probability == pytest.approx(float(parts.free_spins), **NEAR)
    assert value.hold.line_win == pytest.approx(float(parts.re_spins_lines), **NEAR)
    assert value.hold.re_spins == pytest.approx(float(parts.mean_re_spins), **NEAR)
    assert value.free_probability * value.free.line_win == pytest.approx(parts.free_spins_lines, **NEAR)
    assert list(value.free.fortune_wins) == pytest.approx(list(parts.fv), **NEAR)
    assert value.key_game.keys_won == pytest.approx(float(parts.mean_keys), **NEAR)
    expected = {}
    for (follows, step, keys), chance in parts.re_spins.items():
        key = (follows, step, min(keys, MOST_KEYS))
        expected[key] = expected.get(key, 0.0) + float(chance)
    found = _lumped(value.hold.ladder)
    for key in found.keys() | expected.keys():
        assert found.get(key, 0.0) == pytest.approx(expected.get(key, 0.0), **NEAR), key


@given(small.games_and_strips())
@settings(max_examples=25, deadline=None)
def test_rotating_a_strip_changes_nothing_and_shuffling_keeps_the_lines(pair):
    game, strips = pair
    value = evaluate(game, strips)
    base = strips.reels["base"]
    turned = tuple(strip[1 + r :] + strip[: 1 + r] for r, strip in enumerate(base))
    rotated = evaluate(game, strips.with_reels("base", turned))
    assert rotated.spins.counts.tolist() == value.spins.counts.tolist()
    assert rotated.fixed == pytest.approx(value.fixed, **NEAR)
    assert rotated.key_game.law == pytest.approx(value.key_game.law, **NEAR)
    shuffled = tuple(tuple(sorted(strip)) for strip in base)
    assert evaluate(game, strips.with_reels("base", shuffled)).lines.rtp == value.lines.rtp


def test_free_spins_that_need_never_end_are_refused():
    game, strips = small.random_game_and_strips(1)
    symbol = game.free_spins.retrigger.symbol
    endless = tuple((symbol,) for _ in game.grid.rows)
    with pytest.raises(EndlessFeatureError, match="less than 1 spin on average"):
        evaluate(game, strips.with_reels(game.free_spins.reels, endless))
