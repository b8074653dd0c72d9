"""Line hits, hit frequency and the trigger law equal full enumeration, in integers."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import games as small
from oracles import spin as oracle

from workbench.exact.line_hits import line_hits
from workbench.exact.line_law import line_law
from workbench.exact.spin import count_spins, spin_model, trigger_law


def _board(game, bits):
    cells, offset = set(), 0
    for reel, rows in enumerate(game.grid.rows):
        cells |= {(reel, row) for row in range(rows) if int(bits) >> (offset + row) & 1}
        offset += rows
    return frozenset(cells)


def _triggers(game, law):
    return {
        (game.symbols.all[s], _board(game, b), int(k)): int(w)
        for s, b, k, w in zip(law.symbol, law.board, law.scatters, law.weight, strict=True)
    }


@given(small.games_and_strips())
@settings(max_examples=150, deadline=None)
def test_hits_of_every_combination(pair):
    game, strips = pair
    reels = strips.reels["base"]
    expected = oracle.count_spins(game, reels)
    found = line_hits(game, reels)
    by_award = {
        (game.symbols.all[a.symbol], a.length, a.wild_only, a.coins): n * len(game.lines)
        for a, n in found.hits.items()
    }
    assert by_award == expected.hits_by_run
    assert found.rtp == Fraction(expected.total_coins, expected.cycle * game.bet.coins)


@given(small.games_and_strips())
@settings(max_examples=150, deadline=None)
def test_paid_spins_and_scatters(pair):
    game, strips = pair
    trigger = game.hold_and_spin.trigger
    windows = spin_model(game).windows(strips.reels["base"])
    most = 50
    counts = count_spins(windows, windows.scatters(trigger.symbol, trigger.reels), most).counts
    expected = oracle.count_spins(game, strips.reels["base"])
    found = {(bool(h), k): int(counts[h, k]) for h in (0, 1) for k in range(most + 1) if counts[h, k]}
    assert found == {key: n for key, n in expected.scatters.items() if n}
    assert int(counts[1].sum()) == expected.winning_spins


@given(small.games_and_strips())
@settings(max_examples=150, deadline=None)
def test_trigger_law(pair):
    game, strips = pair
    hold = game.hold_and_spin
    windows = spin_model(game).windows(strips.reels["base"])
    scatters = windows.scatters(hold.trigger.symbol, hold.trigger.reels)
    law = trigger_law(windows, scatters, hold.trigger, 50, hold.wild_only_lines == "last-resort")
    assert _triggers(game, law) == oracle.count_spins(game, strips.reels["base"]).triggers


@given(small.games(), st.data())
@settings(max_examples=100, deadline=None)
def test_line_law_of_any_line(game, data):
    from oracles.lines import line_award

    law = line_law(game)
    line = data.draw(small.symbol_lines(game))
    state = 0
    for symbol in line:
        state = law.step[state, game.symbol_index[symbol]]
    found, expected = law.award[state], line_award(game, line)
    if expected.winner is None:
        assert found is None
    else:
        assert (game.symbols.all[found.symbol], found.length, found.coins, found.wild_only) == expected
