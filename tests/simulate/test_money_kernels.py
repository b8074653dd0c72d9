"""The kernel of Spellmaster plays what the plain player plays, from the same random numbers, event by event."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulate.money_counting import MoneyCount
from simulate.money_sets import changed_respins, likely_set, lively_set, spellmaster, with_levels
from workbench.game import GameDefinition
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Stage, StripSet, Weights
from workbench.simulate import _money_shapes_kernels as at
from workbench.simulate._shapes_kernels import WIN_CELLS
from workbench.simulate.machine import Buffers, MoneyMachine
from workbench.simulate.money_events import Multiplied, RespinsEnd
from workbench.simulate.money_player import MoneyPlayer
from workbench.simulate.source import Xoshiro, stream


def agree(game: GameDefinition, strips: StripSet, seed: int, rounds: int) -> MoneyCount:
    """Play rounds one by one both ways and compare everything after each."""
    machine = MoneyMachine(game, strips)
    state, carry, buffers = stream(seed, 3), machine.carry(), Buffers.empty(machine)
    source, count, levels, largest = Xoshiro.of(state), MoneyCount(game), (0, 0, 0), 0
    player = MoneyPlayer(game, strips, source)
    for i in range(rounds):
        machine.play(buffers, state, carry, 1)
        played = player.round(levels)
        levels, largest = played.levels, max(largest, played.win)
        count.round(played)
        assert tuple(map(int, state)) == source.state, f"round {i}: another number of draws"
        assert tuple(carry) == levels, f"round {i}"
        for name, part in machine.layout.parts(buffers.counts).items():
            assert part.tolist() == count.part[name].tolist(), f"round {i}: {name}"
    assert [int(low) + (int(high) << 32) for low, high in buffers.squares] == list(count.squares.values())
    expected = np.zeros(WIN_CELLS, np.int64)
    for win, times in count.wins.items():
        expected[min(win, WIN_CELLS - 1)] += times
    assert np.array_equal(buffers.wins, expected)
    assert buffers.peak.tolist() == [largest, 0]
    return count


def test_kernel_plays_the_player_s_rounds() -> None:
    totals = np.zeros(len(at.SUMS), np.int64)
    for seed in range(5):
        totals += agree(spellmaster(), lively_set(seed), seed, 80).part["sums"]
    assert all(totals), dict(zip(at.SUMS, totals.tolist(), strict=True))


def test_likely_set() -> None:
    assert agree(spellmaster(), likely_set(), 2, 600).part["sums"][at.RESPINS] > 0


SETTINGS: dict[str, dict[str, Any]] = {
    "S-3 two respins": {"respins": 2},
    "S-6 every respin": {"charge": {"acts": "every-respin"}},
    "S-7 one for all": {"multiply": {"multipliers": "one-for-all"}},
    "S-7 once": {"multiply": {"times": 1}},
    "S-3 other grid": {"rows_with": {"charge": (6, 6, 6, 6, 6)}},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_other_readings(name: str) -> None:
    other = changed_respins(**SETTINGS[name])
    differ = False
    for seed in range(2):
        strips = lively_set(seed + 10)
        counts = [agree(game, strips, seed, 50).flat.tolist() for game in (spellmaster(), other)]
        differ = differ or counts[0] != counts[1]
    assert differ, "the setting changes nothing here"


def test_wheels_of_each_set() -> None:
    game = changed_respins(wheels_per_set=("money", "multiplied_symbols"))
    agree(game, lively_set(3, game), 3, 60)


def test_stashes_with_levels_live_on() -> None:
    game = with_levels(3)
    strips = lively_set(4, often=0.1)
    for name, sure in (("trigger.blue@3", "charge"), ("trigger.blue+red@1+2", "multiply")):
        strips = strips.with_wheel(name, Weights("test", (sure,), (1,)))
    check_fit(strips, game)
    count = agree(game, strips, 4, 150)
    assert (count.part["levels"].sum(axis=0) > 0).all()
    assert MoneyMachine(game, strips).dependent and not MoneyMachine(spellmaster(), lively_set(4)).dependent


def test_full_grid_pays_in_place_of_the_round() -> None:
    strips = lively_set(5, often=0.9)
    for modifiers in ("charge", "multiply"):
        cell = Weights("test", ("Blank", "Money"), (1, 9))
        strips = strips.with_position_reels(f"respins.{modifiers}", (Stage(0, (cell,)),))
    game = spellmaster()
    player, full = MoneyPlayer(game, strips, Xoshiro.of(stream(6, 3))), 0
    for _ in range(40):
        played = player.round((0, 0, 0))
        ends = [event for event in played.events if isinstance(event, RespinsEnd)]
        if ends and ends[0].filled == ends[0].cells:
            full += 1
            assert {name: win for name, win in played.components.items() if win} == {
                "respins.full_grid": 400_000
            }
    assert full
    assert agree(game, strips, 6, 40).part["sums"][at.FULL_GRID] == full * 400_000


def test_multipliers_that_are_no_whole_numbers_stay_exact() -> None:
    game = spellmaster()
    wheel = game.wheel("multiplier")
    features = tuple(
        f.model_copy(update={"values": ("1.5", "2")}) if f is wheel else f for f in game.features
    )
    game = game.model_copy(update={"features": features})
    strips = lively_set(7).with_wheel("multiplier", Weights("test", ("2", "1.5"), (1, 3)))
    assert MoneyMachine(game, strips).units == 10 * 2**4
    agree(game, strips, 7, 60)


def test_a_symbol_multiplied_often_enough_stays_as_it_is() -> None:
    game = changed_respins(multiply={"times": 1})
    player = MoneyPlayer(game, lively_set(8, often=0.9), Xoshiro.of(stream(8, 0)))
    picks = [
        pick
        for _ in range(60)
        for event in player.round((0, 0, 0)).events
        if isinstance(event, Multiplied)
        for pick in event.picks
    ]
    assert {took for _, _, took in picks} == {True, False}
