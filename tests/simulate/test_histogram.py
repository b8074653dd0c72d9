"""Rounds by win, one by one: the log, the counts by win and the tally tell the same, whoever plays."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from oracles.line_games import random_line_game

from simulate.money_sets import lively_set, spellmaster
from simulate.sets import codex, realistic, wild_set
from workbench.game import GameDefinition
from workbench.game.line_features import Bonus
from workbench.reels.strip_set import StripSet
from workbench.simulate import _shapes_kernels as at
from workbench.simulate import run
from workbench.simulate._line_game_shapes_kernels import HITS
from workbench.simulate.line_player import LinePlayer
from workbench.simulate.machine import Buffers, machine_for
from workbench.simulate.money_player import MoneyPlayer
from workbench.simulate.player import Player
from workbench.simulate.run import simulate
from workbench.simulate.source import Xoshiro, stream
from workbench.simulate.strategy import StrategyTable, named_strategies
from workbench.simulate.tally import Tally

KINDS = ("keys", "money", "lines")


def game_of(kind: str, seed: int = 1) -> tuple[GameDefinition, StripSet, StrategyTable | None]:
    """A lively game of each kind."""
    if kind == "keys":
        return codex(), wild_set(seed), named_strategies(codex())["always-save-use-at-1"]
    if kind == "money":
        return spellmaster(), lively_set(seed), None
    return *random_line_game(random.Random((303, 311)[seed - 1])), None


def by_player(kind: str, seed: int, rounds: int, session: int) -> list[int]:
    """Wins of rounds as the plain player plays them; every ``session`` rounds a new player begins."""
    game, strips, strategy = game_of(kind, seed)
    source, won = Xoshiro.of(stream(seed, 0)), []
    banked, levels = 0, tuple(int(n) for n in machine_for(game, strips, strategy).carry())
    fresh = levels
    for i in range(rounds):
        if session and i % session == 0:
            banked, levels = 0, fresh
        if kind == "keys":
            assert strategy
            keys_round = Player(game, strips, strategy, source).round(banked)
            banked = keys_round.banked
            won.append(keys_round.win)
        elif kind == "money":
            money_round = MoneyPlayer(game, strips, source).round(levels)
            levels = money_round.levels
            won.append(money_round.win)
        else:
            units = machine_for(game, strips, None).units
            won.append(LinePlayer(game, strips, units, source).round().win)
    return won


def logged(kind: str, seed: int, rounds: int, session: int) -> tuple[list[int], Buffers]:
    game, strips, strategy = game_of(kind, seed)
    machine = machine_for(game, strips, strategy)
    buffers, won = Buffers.empty(machine), np.full(rounds, -1, np.int64)
    machine.play(buffers, stream(seed, 0), machine.carry(), rounds, at.RoundLog(won, session))
    return won.tolist(), buffers


@pytest.mark.parametrize("session", [0, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_the_log_is_what_the_player_wins(kind: str, session: int) -> None:
    for seed in (1, 2):
        won, buffers = logged(kind, seed, 150, session)
        assert won == by_player(kind, seed, 150, session)
        assert any(won)
        counts = Counter(min(win, at.WIN_CELLS - 1) for win in won if win)
        assert counts == {int(w): int(buffers.wins[w]) for w in np.flatnonzero(buffers.wins)}


def test_a_new_player_s_bank_is_empty() -> None:
    assert logged("keys", 2, 4000, 5)[0] != logged("keys", 2, 4000, 0)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_log_changes_nothing_else(kind: str) -> None:
    game, strips, strategy = game_of(kind)
    machine = machine_for(game, strips, strategy)
    plain, state = Buffers.empty(machine), stream(1, 0)
    machine.play(plain, state, machine.carry(), 500)
    _, with_log = logged(kind, 1, 500, 0)
    for name in ("counts", "squares", "wins", "peak", "spins"):
        assert np.array_equal(getattr(plain, name), getattr(with_log, name)), name


@pytest.mark.parametrize("kind", KINDS)
def test_counts_by_win_add_up_to_the_tally(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "SESSION_ROUNDS", 3000)
    game, strips, strategy = game_of(kind)
    seen: list[Tally] = []
    one = simulate(game, strips, 10_000, 5, strategy, 1, None, seen.append)
    assert one == simulate(game, strips, 10_000, 5, strategy, 2)
    assert sorted(t.sessions[0].number for t in seen) == [0, 1, 2, 3]
    assert sum(t.rounds for t in seen) == one.rounds
    if one.largest < at.WIN_CELLS - 1:
        assert sum(win * times for win, times in one.wins.items()) == one.counts[at.WIN]
        assert sum(win**2 * times for win, times in one.wins.items()) == one.squares[at.SQ_WIN]


def test_rounds_that_win_are_those_that_count_as_hits() -> None:
    """Where nothing but the paid spin's lines and Scatters pays."""
    for seed in range(300, 330):
        game, strips = random_line_game(random.Random(seed))
        if game.free_games or game.features_of(Bonus):
            continue
        tally = simulate(game, strips, 5000, 1, None)
        assert sum(tally.wins.values()) == int(tally.counts[tally.places["sums"][HITS]])
        return
    raise AssertionError("no such game")


def test_realistic_rounds() -> None:
    """The stationary rounds of a long-time player, counted twice."""
    strategy = named_strategies(codex())["advertised"]
    tally = simulate(codex(), realistic(), 50_000, 1, strategy)
    assert sum(w * n for w, n in tally.wins.items()) == tally.counts[at.WIN]
