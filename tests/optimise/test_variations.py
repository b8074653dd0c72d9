"""Variations keep what must stay; a line game's RTP comes back by one step."""

import random

import pytest

from tests.oracles.line_games import random_line_game
from tests.vectors.instances import bingo_game, bingo_target
from workbench.game.load import load_definition
from workbench.library import find_definition, find_strips
from workbench.optimise.context import Run
from workbench.optimise.line_search import LineSearch
from workbench.optimise.study import StudySettings
from workbench.optimise.variations import varied
from workbench.optimise.weight_moves import places
from workbench.reels.files import load_strip_set
from workbench.reels.strip_set import StripSet
from workbench.value.line_round import line_round


def shipped(name):
    game = load_definition(find_definition(name.partition("/")[0]))
    return load_strip_set(find_strips(name), game)


@pytest.mark.parametrize("name", ["codex-of-fortune/strategy", "spellmaster/rtp-92"])
def test_lengths_symbols_and_totals_stay(name):
    strips, rng = shipped(name), random.Random(name)
    changed = [varied(strips, rng) for _ in range(60)]
    for one in changed:
        for reels in strips.reels:
            for before, after in zip(strips.reels[reels], one.reels[reels], strict=True):
                assert len(before) == len(after)
                assert set(after) <= set(before)
        for place in places(strips):
            before, after = place.weights(strips), place.weights(one)
            assert (before.values, before.total) == (after.values, after.total)
            assert min(after.weights) >= min(1, *before.weights)
    assert sum(one.reels != strips.reels for one in changed) > 10
    assert sum(one.wheels != strips.wheels for one in changed) > 3
    assert sum(one.position_reels != strips.position_reels for one in changed) > 3


def test_a_stream_gives_the_same_variation():
    _, strips = random_line_game(random.Random("varied"))
    assert varied(strips, random.Random(5)) == varied(strips, random.Random(5))


def test_where_nothing_can_change_nothing_does():
    strips = StripSet("g", "", "bare", {}, {}, {})
    assert varied(strips, random.Random(1)) == strips


def test_a_changed_line_game_comes_back_to_its_rtp():
    game, target = bingo_game(), bingo_target(94)
    search = LineSearch(Run(game, target, StudySettings("s", 1, 24, 1, None, False), lambda *_: None))
    wanted = target.figure("components.lines") or target.figure("rtp")
    strips, rng = search.run(None), random.Random("back")
    off = near = 0
    for _ in range(5):
        changed = varied(strips, rng)
        before, after = (
            abs(float(line_round(game, s).rtp) - wanted.value) for s in (changed, search.mended(changed))
        )
        assert after <= before
        off += before > wanted.tolerance
        near += before > wanted.tolerance >= after
    assert off >= 3 and near >= off - 1
