"""The law of whole rounds: by hand, against the older oracles' means, against itself, and against plain play."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import Stage, StripSet, Weights

from . import free_spins, games, keys, re_spins, rounds, spin
from .key_rounds import NAMED, Decide, KeyRounds, always, by_tables

PLAIN_SEEDS = (1, 5, 10)
MIXED = Decide(
    lambda bank, follow, step, won: (bank + follow + step + won) % 2 == 0, lambda bank: bank % 3 != 1
)


@cache
def tiny(seed: int) -> tuple[GameDefinition, StripSet, KeyRounds]:
    game, strips = games.random_game_and_strips(seed, games.TINY_STRIPS, **games.TINY_GAME)
    return game, strips, KeyRounds(game, strips)


def wheel(**weights: int) -> Weights:
    return Weights("wheel", tuple(weights), tuple(weights.values()))


def by_hand(first_prize: float = 1) -> tuple[GameDefinition, StripSet]:
    """Three cells in a row. A paid spin shows A A A or A A Scatter or begins with a Scatter, Free Spins being one spin.

    After A A Scatter one cell re-spins: Collectable 1/4, Key 1/4 (one at most), else nothing.
    """
    table = games.game_table()
    table["grid"]["rows"], table["lines"], table["bet"]["coins"] = [1, 1, 1], [[0, 0, 0]], 4
    table["paytable"] = {"A": {"2": 4, "3": 8}}
    games.feature(table, "fortune_wins")["table"] = [[first_prize, 2], [3, 5], [7, 10]]
    for name in ("re_spins", "free_spins"):
        part = games.feature(table, name)
        part["trigger"].update(reels=[0, 1, 2], least=1)
        part["key"].update(reels=[2])
        part["meter"]["per_step"] = 3
    games.feature(table, "re_spins")["key"]["at_most"] = 1
    games.feature(table, "free_spins")["retrigger"]["reels"] = [0, 1, 2]
    games.feature(table, "free_spins.spins")["values"] = ["1"]
    game = games.built(table)
    end = ("A", "Scatter")
    reels = {"base": (end, ("A",), end), "free": (("A",), ("A",), ("A", "Key"))}
    wheels = {
        "free_spins.spins": wheel(**{"1": 1}),
        "free_spins.collectable": wheel(A=1),
        "free_spins.keys": wheel(**{"0": 1}),
    }
    stages = (Stage(1, (wheel(Collectable=1, Key=1, Blank=2),)),)
    return game, StripSet(game.game, game.sha256, "t", reels, {"re_spins": stages}, wheels)


# A Scatter first: Free Spins alone, 8 + 4 * 5 coins at level 2, step 2, or 4 + 4 * 7 at level 3, step 1; with one
# Key used 8 + 4 * 10 or, at the last level already, 4 + 4 * 7. A A Scatter: 4 coins, then Re-Spins end with
# (cells, Keys) = (2, 0) 1/2, (3, 0) 1/4, (2, 1) 3/16, (3, 1) 1/16, of lines 4 or 8, and Free Spins follow.
ALONE = {8: 1 / 4, 28: 1 / 4, 32: 1 / 4}
NO_KEYS = {40: 1 / 16, 44: 1 / 16, 48: 1 / 32, 52: 1 / 32}


@pytest.mark.parametrize(
    ("decide", "bank", "expected"),
    [
        (always(False, 1), 0, {(48, 0): 3 / 128, (52, 0): 3 / 128, (60, 0): 1 / 128, (64, 0): 1 / 128}),
        (always(True, 1), 0, {(60, 0): 3 / 128, (44, 0): 3 / 128, (68, 0): 1 / 128, (52, 0): 1 / 128}),
        (always(True, None), 0, {(40, 1): 3 / 128, (44, 1): 3 / 128, (48, 1): 1 / 128, (52, 1): 1 / 128}),
        (always(True, 3), 1, {(40, 2): 3 / 128, (44, 2): 3 / 128, (48, 2): 1 / 128, (52, 2): 1 / 128}),
    ],
)
def test_by_hand(decide: Decide, bank: int, expected: dict) -> None:
    found = KeyRounds(*by_hand()).law_of_bank(decide, bank)
    law: Counter = Counter(expected)
    for win, chance in [*ALONE.items(), *NO_KEYS.items()]:
        law[win, bank] += chance
    assert found.lost <= 1e-15
    assert found.law == pytest.approx(dict(law), abs=1e-15)


def test_half_coins_by_hand() -> None:
    """1.125 bets are four and a half coins: wins are counted in halves."""
    whole = KeyRounds(*by_hand(1.125))
    assert (whole.per_coin, whole.bet) == (2, 8)
    law = whole.law_of_bank(always(False, 1), 0).law
    assert law[2 * 40 + 1, 0] == pytest.approx(1 / 16)
    assert law[2 * 48, 0] == pytest.approx(3 / 128 + 1 / 32)


def test_using_two_keys_by_hand() -> None:
    """Saved with one in the bank: two are used; without a Key won the one in the bank is."""
    law = KeyRounds(*by_hand()).law_of_bank(always(True, 1), 1).law
    # Level 2 + 2 is the last: 48 and 32 as with one Key. (2, 1): 12; (3, 1): 20.
    assert {after for _, after in law} == {0, 1}
    assert {win for win, after in law if after == 1} == {8}
    assert law[68, 0] == pytest.approx(1 / 128 + 1 / 32)  # (3, 1), and (3, 0): 20 + 48


@pytest.mark.parametrize("seed", games.KEY_SEEDS + PLAIN_SEEDS)
@pytest.mark.parametrize("bank", [0, 4])
def test_nothing_gets_lost_unseen(seed: int, bank: int) -> None:
    found = tiny(seed)[2].law_of_bank(MIXED, bank)
    assert 0 <= found.lost < 1e-13
    assert math.fsum(found.law.values()) == pytest.approx(1 - found.lost, abs=1e-14)
    assert min(found.law.values()) > 0


@pytest.mark.parametrize("seed", games.KEY_SEEDS + PLAIN_SEEDS)
def test_mean_is_the_rtp(seed: int) -> None:
    game, strips, whole = tiny(seed)
    parts, most = rounds.round_parts(game, strips, most_keys=14), 60
    case = rounds.case_of(game, parts, most)
    for name, decide in NAMED.items():
        found = whole.stationary(decide, most)
        expected = rounds.components(parts, keys.evaluate(case, keys.named_policy(case, name)))
        # the sibling lumps Keys from 14 on and cuts the bank before Free Spins
        lumped = sum(float(p) for (_, _, k), p in parts.re_spins.items() if k == 14)
        slack = 0.0 if name == "save-never-use" else 200 * found.beyond
        assert found.mean == pytest.approx(
            sum(expected.values()), abs=1e-12 + slack + 1e3 * lumped, rel=1e-13
        )


def test_tables_are_read_as_choices() -> None:
    """[bank, follow, step, Keys]; the last row holds beyond it."""
    save = [[[[False, True]], [[False, False]]], [[[False, False]], [[False, True]]]]
    decide = by_tables(np.array(save), [False, True])
    assert [decide.save(b, f, 1, 1) for b in (0, 1, 5) for f in (False, True)] == [1, 0, 0, 1, 0, 1]
    assert decide.save(0, False, 1, 9)
    assert (decide.use(0), decide.use(7)) == (False, True)


@pytest.mark.parametrize("seed", [80, 131])
def test_session_of_two_rounds_pair_by_pair(seed: int) -> None:
    whole = tiny(seed)[2]
    start = {0: 0.25, 2: 0.75}
    expected: dict[int, float] = defaultdict(float)
    for bank, chance in start.items():
        for (win, after), p in whole.law_of_bank(MIXED, bank).law.items():
            for (more, _), q in whole.law_of_bank(MIXED, after).law.items():
                expected[win + more - 2 * whole.bet] += chance * p * q
    found, lost = whole.session(MIXED, 2, start)
    assert abs(lost) < 1e-13
    assert {n: p for n, p in found.items() if p > 1e-15} == pytest.approx(
        {n: p for n, p in expected.items() if p > 1e-15}, abs=1e-15
    )


@pytest.mark.parametrize("seed", [8, 54, 131, 173])
def test_variance_of_sessions_from_the_long_run(seed: int) -> None:
    """Var(N wins) = N c_0 + 2 sum (N - n) c_n: the law of sessions knows the covariances."""
    whole = tiny(seed)[2]
    decide, played = NAMED["advertised"], 3
    found = whole.stationary(decide, 40)
    net, _ = whole.session(decide, played, dict(enumerate(found.bank.tolist())))
    mean = sum(n * p for n, p in net.items()) / whole.bet
    variance = sum((n / whole.bet - mean) ** 2 * p for n, p in net.items())
    covariances = [*found.covariances, *([0.0] * played)]
    expected = played * covariances[0] + 2 * sum((played - n) * covariances[n] for n in range(1, played))
    assert mean == pytest.approx(played * (found.mean - 1), rel=1e-9)
    assert variance == pytest.approx(expected, rel=1e-9)


class Player:
    """Rounds played by the rules with dice, no law anywhere."""

    def __init__(self, game: GameDefinition, strips: StripSet, seed: int) -> None:
        self.game, self.strips, self.rng = game, strips, random.Random(seed)
        self.chain, self.reader = re_spins.ReSpins(game, strips), spin.LineReader(game)

    def screen(self, reels: tuple[tuple[str, ...], ...]) -> spin.Screen:
        rows = self.game.grid.rows
        return tuple(spin.window(s, self.rng.randrange(len(s)), n) for s, n in zip(reels, rows, strict=True))

    def turned(self, wheel: str) -> str:
        weights = self.strips.wheels[wheel]
        return self.rng.choices(weights.values, weights.weights)[0]

    def cell(self, number: int, reel: int) -> str:
        weights = self.chain.stages[self.chain.stage(number)].cell(reel)
        return self.rng.choices(weights.values, weights.weights)[0]

    def held(self, board: set[spin.Cell]) -> int:
        """Re-Spins from a board, which grows; the Keys won."""
        hold, won, number = self.game.hold_and_spin, 0, 0
        while len(board) < len(self.chain.cells):
            number += 1
            if self.chain.on_strips:
                shown = self.screen(self.strips.reels[hold.name])
            else:
                shown = [
                    [self.cell(number, reel) for _ in range(rows)]
                    for reel, rows in enumerate(self.game.grid.rows)
                ]
            landed = {(r, row): shown[r][row] for r, row in self.chain.cells - board}
            keys_seen = sum(s == hold.key.symbol and r in hold.key.reels for (r, _), s in landed.items())
            awarded = keys_seen if self.chain.cap is None else min(keys_seen, self.chain.cap - won)
            fresh = {cell for cell, symbol in landed.items() if symbol == hold.held_symbol}
            board |= fresh
            won += awarded
            if not fresh and not awarded:
                break
        return won

    def free(self, used: int) -> int:
        """Coins of Free Spins with so many Keys used."""
        feature, game = self.game.free_spins, self.game
        left, collectable = int(self.turned(feature.wheels.spins)), self.turned(feature.wheels.collectable)
        level = feature.start_level + used + int(self.turned(feature.wheels.keys))
        meter = coins = 0
        while left:
            screen = self.screen(free_spins.free_strips(game, self.strips, collectable))
            more, landed, again = free_spins.outcome(game, screen, collectable)
            meter, level, left = meter + more, level + landed, left - 1 + again
            coins += self.reader.coins(screen)
        ladder = game.ladder(feature.ladder)
        prize = ladder.table[min(level, ladder.levels) - 1][free_spins.step_of(game, meter) - 1]
        return coins + int(prize * game.bet.coins)

    def round(self, decide: Decide, bank: int) -> tuple[int, int]:
        """(coins, bank after) of a round."""
        game, hold, free = self.game, self.game.hold_and_spin, self.game.free_spins
        screen = self.screen(self.strips.reels["base"])
        paid = self.reader.awards(screen)
        coins = sum(award.coins for _, award in paid)
        seen = [spin.visible(screen, t.symbol, t.reels) for t in (hold.trigger, free.trigger)]
        follow = seen[1] >= free.trigger.least
        if paid and seen[0] >= hold.trigger.least:
            collectable, start = spin.start_of_hold(game, screen, paid)
            board = set(start)
            won = self.held(board)
            step, level = re_spins.step_of(game, len(board)), re_spins.level_of(game, won)
            if won and decide.save(bank, follow, step, won):
                bank, level = bank + won, game.banked_keys.saved_level
            coins += re_spins.board_coins(game, frozenset(board), collectable)
            coins += int(game.ladder(hold.ladder).table[level - 1][step - 1] * game.bet.coins)
        if follow:
            used = min(bank, game.banked_keys.use_at_most) if bank and decide.use(bank) else 0
            return coins + self.free(used), bank - used
        return coins, bank


@pytest.mark.parametrize(("seed", "bank"), [(8, 0), (8, 2), (54, 1), (80, 2), (126, 3), (165, 0), (173, 2)])
def test_against_play(seed: int, bank: int) -> None:
    game, strips, whole = tiny(seed)
    player, plays = Player(game, strips, seed), 6000
    law = whole.law_of_bank(MIXED, bank).law
    seen = Counter(player.round(MIXED, bank) for _ in range(plays))
    assert whole.per_coin == 1
    assert set(seen) <= set(law)
    common = [pair for pair, p in law.items() if p * plays >= 8]
    rest = 1 - sum(law[pair] for pair in common)
    cells = [(seen[pair], law[pair] * plays) for pair in common]
    cells.append((plays - sum(n for n, _ in cells), max(rest * plays, 8)))
    square = sum((n - expected) ** 2 / expected for n, expected in cells)
    assert square <= len(cells) + 5 * math.sqrt(2 * len(cells)) + 5
    assert len(common) > 5
