"""The kernel plays the plain player's rounds of line games, from the same random numbers, event by event."""

from __future__ import annotations

import itertools
import random
from functools import cache

import numpy as np
import pytest
from oracles.line_games import random_line_game
from oracles.line_rule import line_award

from simulate.line_counting import LineCount
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate import _line_game_shapes_kernels as line_at
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.line_machine import LineMachine
from workbench.simulate.line_player import LinePlayer
from workbench.simulate.line_rule import LineRule
from workbench.simulate.machine import Buffers, machine_for
from workbench.simulate.source import Xoshiro, stream

GAMES = 60
MOST_PLAYED = 800
"""Free games after which a comparison has seen enough."""


def agree(game: GameDefinition, strips: StripSet, seed: int, rounds: int) -> LineCount:
    """Play rounds one by one both ways and compare everything after each."""
    machine = LineMachine(game, strips)
    state, buffers = stream(seed, 3), Buffers.empty(machine)
    source = Xoshiro.of(state)
    player, count = (
        LinePlayer(game, strips, machine.units, source),
        LineCount(game, machine.units, top(game, strips)),
    )
    for i in range(rounds):
        machine.play(buffers, state, machine.carry(), 1)
        count.round(player.round())
        assert tuple(map(int, state)) == source.state, f"round {i}: another number of draws"
        for name, part in machine.layout.parts(buffers.counts).items():
            assert part.tolist() == count.part[name].tolist(), f"round {i}: {name}"
        if count.part["sums"][line_at.PLAYED] > MOST_PLAYED:
            break
    assert [int(low) + (int(high) << 32) for low, high in buffers.squares] == list(count.squares.values())
    for counted, wins in zip((buffers.wins, *buffers.spins), (count.wins, *count.spins), strict=False):
        expected = np.zeros(at.WIN_CELLS, np.int64)
        for win, times in wins.items():
            expected[min(win, at.WIN_CELLS - 1)] += times
        assert np.array_equal(counted, expected)
    assert buffers.peak.tolist() == [count.largest, 0]
    return count


def top(game: GameDefinition, strips: StripSet) -> int:
    """Most coins of a line of the base strips' symbols, by the oracle's rule."""
    symbols = [sorted(set(strip)) for strip in strips.reels["base"]]
    awards = (line_award(game, line) for line in itertools.product(*symbols))
    return max((award.coins for award in awards if award), default=0)


@pytest.mark.parametrize("seed", range(GAMES))
def test_kernel_plays_the_player_s_rounds(seed: int) -> None:
    agree(*random_line_game(random.Random(seed)), seed, 60)


def test_random_games_reach_every_count() -> None:
    """Otherwise the comparison above would show nothing."""
    sums, parts = dict.fromkeys(line_at.SUMS, 0), [0, 0]
    for seed in range(45):
        count = agree(*random_line_game(random.Random(seed)), seed + 100, 20)
        for name, value in zip(line_at.SUMS, count.part["sums"], strict=True):
            sums[name] += int(value)
        for kind in (0, 1):
            parts[kind] += int(count.part["parts"][kind, 1:].sum())
    assert all(sums.values()) and all(parts), (sums, parts)


@pytest.mark.parametrize("seed", range(300))
def test_line_rule_against_the_oracle_s(seed: int) -> None:
    """Two statements of the rule agree on every line that the strips can show."""
    game, strips = random_line_game(random.Random(seed))
    rule = LineRule(game)
    never = {f.name for f in rule.game.features if f.name in rule.never}
    symbols = sorted({symbol for strip in strips.reels["base"] for symbol in strip})
    lines = list(itertools.product(symbols, repeat=game.reel_count))
    for line in random.Random(seed).sample(lines, min(len(lines), 200)):
        for kind, free in ((0, False), (1, True)):
            won, expected = rule.won(0, line, kind), line_award(game, line, free)
            if expected and free:
                given = tuple(bonus for bonus in expected.bonuses if bonus not in never)
                expected = expected._replace(bonuses=given)
            found = (won.combination, won.length, won.coins, won.bonuses) if won else None
            assert found == (tuple(expected) if expected else None), line


@cache
def played_alike(first: int, second: int) -> bool:
    game, strips = random_line_game(random.Random(4))
    machine = machine_for(game, strips, None)
    assert isinstance(machine, LineMachine)
    one, two = Buffers.empty(machine), Buffers.empty(machine)
    machine.play(one, (state := stream(1, 0)), machine.carry(), first)
    machine.play(one, state, machine.carry(), second)
    machine.play(two, stream(1, 0), machine.carry(), first + second)
    return bool(np.array_equal(one.counts, two.counts) and np.array_equal(one.squares, two.squares))


def test_rounds_may_be_played_in_parts() -> None:
    assert played_alike(30, 70)
