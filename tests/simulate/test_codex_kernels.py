"""The kernels play what the plain player plays, from the same random numbers, event by event."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simulate.counting import Count
from simulate.sets import changed, codex, realistic, wild_set
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.machine import Buffers, CodexMachine
from workbench.simulate.player import Player
from workbench.simulate.source import Xoshiro, stream
from workbench.simulate.strategy import StrategyTable, named_strategies


def mixed_strategy(seed: int) -> StrategyTable:
    """A strategy without rhyme or reason, so that a wrong index shows."""
    rng = np.random.default_rng(seed)
    return StrategyTable(
        "mixed", rng.integers(0, 2, (2, 5, 4, 6)).astype(np.uint8), rng.integers(0, 2, 7).astype(np.uint8)
    )


def agree(game: GameDefinition, strips: StripSet, strategy: StrategyTable, seed: int, rounds: int) -> Count:
    """Play rounds one by one both ways and compare everything after each."""
    machine = CodexMachine(game, strips, strategy)
    state, carry, buffers = stream(seed, 3), machine.carry(), Buffers.empty(machine)
    source, count, banked, largest = Xoshiro.of(state), Count(game), 0, 0
    player = Player(game, strips, strategy, source)
    for i in range(rounds):
        machine.play(buffers, state, carry, 1)
        played = player.round(banked)
        banked, largest = played.banked, max(largest, played.win)
        count.round(played)
        assert tuple(map(int, state)) == source.state, f"round {i}: another number of draws"
        assert carry[0] == banked, f"round {i}"
        for name, part in machine.layout.parts(buffers.counts).items():
            assert part.tolist() == count.part[name].tolist(), f"round {i}: {name}"
    assert [int(low) + (int(high) << 32) for low, high in buffers.squares] == list(count.squares.values())
    expected = np.zeros(at.WIN_CELLS, np.int64)
    for win, times in count.wins.items():
        expected[min(win, at.WIN_CELLS - 1)] += times
    assert np.array_equal(buffers.wins, expected)
    assert buffers.peak.tolist() == [largest, 0]
    return count


@pytest.mark.parametrize("seed", range(12))
def test_kernel_plays_the_player_s_rounds_on_lawless_sets(seed: int) -> None:
    agree(codex(), wild_set(seed), mixed_strategy(seed), seed, 120)


def test_lawless_sets_reach_every_count() -> None:
    totals: dict[str, int] = dict.fromkeys(at.SUMS, 0)
    for seed in range(8):
        count = agree(codex(), wild_set(seed), named_strategies(codex())["advertised"], seed + 50, 40)
        for name, value in zip(at.SUMS, count.part["sums"], strict=True):
            totals[name] += int(value)
    assert all(totals.values()), totals


POOR_WILD = {**codex().paytable, "Wild": {4: 3, 5: 1000}}
SETTINGS: dict[str, tuple[str | None, dict[str, Any]]] = {
    "C-3 own pay": (None, {"leading_run": "own-pay"}),
    "C-3 another symbol": (None, {"counts_as": "Koi"}),
    "C-6 last resort": ("re_spins", {"wild_only_lines": "last-resort"}),
    "C-7 strips": ("re_spins", {"spun": "strips"}),
    "C-8 two Keys": ("re_spins", {"at_most": 2}),
    "Free Spins, one Key": ("free_spins", {"at_most": 1}),
}


def with_setting(game: GameDefinition, feature: str | None, settings: dict[str, Any]) -> GameDefinition:
    if feature is None:
        assert game.wild
        return game.model_copy(update={"wild": game.wild.model_copy(update=settings)})
    if "at_most" in settings:
        settings = {"key": game.feature(feature).key.model_copy(update=settings)}
    return changed(game, feature, **settings)


@pytest.mark.parametrize("name", SETTINGS)
def test_other_readings(name: str) -> None:
    base = ("Wild", "Wild", "Scatter", "Lion", "Koi", "J")
    game = codex().model_copy(update={"paytable": POOR_WILD}) if name == "C-3 own pay" else codex()
    other = with_setting(game, *SETTINGS[name])
    differ = False
    for seed in range(4):
        strips, strategy = wild_set(seed + 100, base), mixed_strategy(seed)
        counts = [agree(g, strips, strategy, seed, 30).flat.tolist() for g in (game, other)]
        differ = differ or counts[0] != counts[1]
    assert differ, "the setting changes nothing here"


def test_realistic_set_with_keys_banked() -> None:
    count = agree(codex(), realistic(), named_strategies(codex())["always-save-use-at-1"], 1, 1500)
    assert count.part["sums"][at.RE_COUNT] > 0


def test_games_without_some_feature() -> None:
    game, strips = codex(), realistic()
    machine = CodexMachine(
        game.model_copy(
            update={"features": tuple(f for f in game.features if f.name not in ("re_spins", "keys"))}
        ),
        strips,
        named_strategies(game)["never-save"],
    )
    buffers = Buffers.empty(machine)
    machine.play(buffers, stream(1, 1), machine.carry(), 20_000)
    sums = machine.layout.parts(buffers.counts)["sums"]
    assert sums[at.RE_COUNT] == 0 < sums[at.FREE_COUNT]


def test_lines_beyond_one_word_and_short_runs() -> None:
    """A game of 130 lines without a hold-and-spin, where two of a kind pay."""
    rng = np.random.default_rng(2)
    game = codex().model_copy(
        update={
            "lines": tuple(tuple(map(int, line)) for line in rng.integers(0, 4, (130, 5))),
            "paytable": {**codex().paytable, "Lion": {2: 2, 3: 40, 4: 100, 5: 200}},
            "features": tuple(f for f in codex().features if f.name not in ("re_spins", "keys")),
        }
    )
    for seed in range(3):
        strips, strategy = wild_set(seed + 40), named_strategies(codex())["never-save"]
        machine = CodexMachine(game, strips, strategy)
        state, buffers = stream(seed, 0), Buffers.empty(machine)
        player = Player(game, strips, strategy, Xoshiro.of(state))
        wins, hits = 0, 0
        for _ in range(60):
            machine.play(buffers, state, machine.carry(), 1)
            played = player.round(0)
            wins += played.win
            hits += sum(len(getattr(event, "lines", ())) for event in played.events)
            assert tuple(map(int, state)) == player.source.state
        parts = machine.layout.parts(buffers.counts)
        assert parts["sums"][at.WIN] == wins > 0
        assert parts["base_hits"].sum() + parts["free_hits"].sum() == hits


def test_runs_of_four_may_be_the_shortest() -> None:
    paytable = {symbol: {4: 10, 5: 30} for symbol in ("Wild", "Lion", "J", "A")}
    game = codex().model_copy(update={"paytable": paytable})
    for seed in range(3):
        agree(game, wild_set(seed + 60, ("Wild", "J", "J", "A", "Scatter")), mixed_strategy(seed), seed, 40)
