"""Spellmaster's respins by brute force, written from the rules (S-3 to S-9); shares no code with the workbench.

``enumerate_respins`` carries the whole law of the state, respin by respin, cell by cell, draw by draw.
A state is everything a player sees: the Money symbols (value, times multiplied), respins left, the Orbs that go on
acting, the jackpot names collected and what they paid. The chances of one respin are Fractions; the law itself is
kept in units of 2^-UNIT_BITS, rounded down (plain Fractions grow to thousands of digits). States that can no
longer matter (mass below ``negligible``) are dropped and counted. For tiny grids only.

``play_respins`` plays the same rules once with a random generator: the plain-Python player.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

Symbol = tuple[int, int]  # value, times multiplied
Board = tuple[Symbol, ...]


@dataclass(frozen=True)
class Respins:
    """The rules' numbers for one modifier set; values in whole units of any size.

    ``reel[n]`` are the weights of blank, money, blue, red, gold on an open cell with n filled cells.
    """

    cells: int
    reel: tuple[Mapping[str, int], ...]
    money: Mapping[int, int]
    charge: Mapping[int, int] = field(default_factory=dict)
    multiplier: Mapping[int, int] = field(default_factory=dict)
    counts: Mapping[int, int] = field(default_factory=dict)
    names: Mapping[str, int] = field(default_factory=dict)
    prizes: Mapping[str, int] = field(default_factory=dict)
    of_a_name: int = 3
    respins: int = 3
    times: int = 4
    shared: bool = False
    persist: bool = False
    full_grid_pays: int = 40000

    @cached_property
    def cache(self) -> dict[object, object]:
        return {}


@dataclass
class Summary:
    """What the enumeration found; means over all plays, wins in total bets."""

    full_grid: Fraction
    total: Fraction
    jackpots: Fraction
    mean: Fraction
    second: Fraction
    respins: Fraction
    filled: dict[int, Fraction]
    times: dict[int, Fraction]
    dropped: Fraction


def draws(wheel: Mapping[object, int]) -> Iterator[tuple[object, Fraction]]:
    total = sum(wheel.values())
    for value, weight in wheel.items():
        yield value, Fraction(weight, total)


def cells_shown(rules: Respins, filled: int) -> list[tuple[tuple[int, int, int, int], Fraction]]:
    """Every way the open cells can stop, as (money, blue, red, gold) with its chance."""
    key = ("cells", filled)
    if key not in rules.cache:
        law: dict[tuple[int, int, int, int], Fraction] = defaultdict(Fraction)
        reel = list(draws(rules.reel[filled]))
        for shown in product(reel, repeat=rules.cells - filled):
            seen = Counter(symbol for symbol, _ in shown)
            chance = Fraction(1)
            for _, p in shown:
                chance *= p
            law[seen["money"], seen["blue"], seen["red"], seen["gold"]] += chance
        rules.cache[key] = list(law.items())
    return rules.cache[key]


def money_lands(rules: Respins, board: Board) -> Iterator[tuple[Board, Fraction]]:
    for value, p in draws(rules.money):
        yield tuple(sorted((*board, (value, 0)))), p


def blue_orb(rules: Respins, board: Board) -> Iterator[tuple[Board, Fraction]]:
    if not board:
        yield board, Fraction(1)
    for i, (value, times) in enumerate(board):
        for added, p in draws(rules.charge):
            rest = board[:i] + board[i + 1 :]
            yield tuple(sorted((*rest, (value + added, times)))), p / len(board)


def red_orb(rules: Respins, board: Board) -> Iterator[tuple[Board, Fraction]]:
    for wanted, p_count in draws(rules.counts):
        picked = list(combinations(range(len(board)), min(wanted, len(board))))
        for cells in picked:
            p = p_count / len(picked)
            if rules.shared:
                for factor, p_factor in draws(rules.multiplier):
                    yield multiplied(rules, board, dict.fromkeys(cells, factor)), p * p_factor
            else:
                for factors in product(draws(rules.multiplier), repeat=len(cells)):
                    chance = p
                    for _, p_factor in factors:
                        chance *= p_factor
                    yield (
                        multiplied(rules, board, dict(zip(cells, (f for f, _ in factors), strict=True))),
                        chance,
                    )


def multiplied(rules: Respins, board: Board, factors: Mapping[int, int]) -> Board:
    after = list(board)
    for i, factor in factors.items():
        value, times = board[i]
        if times < rules.times:
            after[i] = (value * factor, times + 1)
    return tuple(sorted(after))


def repeated(rules: Respins, orb: object, board: Board, orbs: int) -> list[tuple[Board, Fraction]]:
    """The law of the board after ``orbs`` Orbs of a kind, one after the other."""
    key = (orb, board, orbs)
    if key not in rules.cache:
        law: dict[Board, Fraction] = {board: Fraction(1)}
        if orbs:
            law = defaultdict(Fraction)
            for before, p in repeated(rules, orb, board, orbs - 1):
                for after, q in orb(rules, before):
                    law[after] += p * q
        rules.cache[key] = list(law.items())
    return rules.cache[key]


Names = tuple[tuple[str, int], ...]


def gold_orbs(rules: Respins, names: Names, orbs: int) -> list[tuple[tuple[Names, int], Fraction]]:
    """The law of (names collected, what they paid) after ``orbs`` golden Orbs."""
    key = ("gold", names, orbs)
    if key not in rules.cache:
        law: dict[tuple[Names, int], Fraction] = {(names, 0): Fraction(1)}
        if orbs:
            law = defaultdict(Fraction)
            for (held, paid), p in gold_orbs(rules, names, orbs - 1):
                for name, q in draws(rules.names):
                    count = dict(held)
                    count[name] = count.get(name, 0) + 1
                    extra = 0
                    if count[name] == rules.of_a_name:
                        del count[name]
                        extra = rules.prizes[name]
                    law[tuple(sorted(count.items())), paid + extra] += p * q
        rules.cache[key] = list(law.items())
    return rules.cache[key]


UNIT_BITS = 160
State = tuple[Board, int, int, Names, int]


def enumerate_respins(rules: Respins, negligible: float = 1e-24) -> Summary:
    """The figures of one play of the respins, but for the mass in ``dropped``."""
    unit = 1 << UNIT_BITS
    least = int(negligible * unit)
    ends: dict[tuple[Board, int], int] = defaultdict(int)
    respins = dropped = 0
    law: dict[State, int] = {((), rules.respins, 0, (), 0): unit}
    while law:
        after: dict[State, int] = defaultdict(int)
        for state, p in law.items():
            if p < least:
                dropped += p
                continue
            respins += p
            for follower, q in one_respin(rules, state):
                after[follower] += p * q >> UNIT_BITS
        law = {}
        for state, p in after.items():
            if len(state[0]) == rules.cells or state[1] == 0:
                ends[state[0], state[4]] += p
            else:
                law[state] = p
    return summed(rules, ends, respins, dropped)


def summed(rules: Respins, ends: Mapping[tuple[Board, int], int], respins: int, dropped: int) -> Summary:
    sums: Counter[str] = Counter()
    filled: Counter[int] = Counter()
    times: Counter[int] = Counter()
    for (board, won), p in ends.items():
        filled[len(board)] += p
        total = sum(value for value, _ in board)
        full = len(board) == rules.cells
        win = rules.full_grid_pays if full else total + won
        sums.update(mean=p * win, second=p * win * win)
        if not full:
            sums.update(total=p * total, jackpots=p * won)
            for _, multiplied_times in board:
                times[multiplied_times] += p

    def part(count: int) -> Fraction:
        return Fraction(count, 1 << UNIT_BITS)

    return Summary(
        full_grid=part(filled[rules.cells]),
        total=part(sums["total"]),
        jackpots=part(sums["jackpots"]),
        mean=part(sums["mean"]),
        second=part(sums["second"]),
        respins=part(respins),
        filled={n: part(p) for n, p in filled.items()},
        times={n: part(p) for n, p in times.items()},
        dropped=part(dropped),
    )


def one_respin(rules: Respins, state: State) -> Iterator[tuple[State, int]]:
    """Where a state leads, with chances in units of 2^-UNIT_BITS, rounded down."""
    board, left, acting, names, won = state
    for (after, landed, now_acting, gold), p in respin_of_board(rules, board, acting):
        if len(after) == rules.cells:
            yield (after, rules.respins, 0, names, won), p
            continue
        kept = now_acting if rules.persist else 0
        left_after = rules.respins if landed else left - 1
        if not gold:
            yield (after, left_after, kept, names, won), p
            continue
        for (held, paid), q in gold_orbs(rules, names, gold):
            yield (after, left_after, kept, held, won + paid), p * q.numerator // q.denominator


def respin_of_board(
    rules: Respins, board: Board, acting: int
) -> list[tuple[tuple[Board, bool, int, int], Fraction]]:
    """The law of (board, whether anything landed, Orbs that acted, golden Orbs) after one respin, in units."""
    key = ("respin", board, acting)
    if key not in rules.cache:
        law: dict[tuple[Board, bool, int, int], Fraction] = defaultdict(Fraction)
        for (money, blue, red, gold), p in cells_shown(rules, len(board)):
            landed = money + blue + red + gold > 0
            now_acting = acting + blue if rules.persist else blue
            for b1, p1 in repeated(rules, money_lands, board, money):
                if len(b1) == rules.cells:
                    law[b1, True, 0, 0] += p * p1
                    continue
                for b2, p2 in repeated(rules, blue_orb, b1, now_acting):
                    for b3, p3 in repeated(rules, red_orb, b2, red):
                        law[b3, landed, now_acting, gold] += p * p1 * p2 * p3
        unit = 1 << UNIT_BITS
        rules.cache[key] = [(end, p.numerator * unit // p.denominator) for end, p in law.items()]
    return rules.cache[key]


@dataclass
class Play:
    """One play of the respins: wins in total bets, parts as the reports name them."""

    money: float = 0.0
    charge: float = 0.0
    multiply: float = 0.0
    jackpots: float = 0.0
    full_grid: bool = False
    respins: int = 0
    filled: int = 0
    awards: Counter[str] = field(default_factory=Counter)
    orbs: Counter[str] = field(default_factory=Counter)


class Token:
    """A Money symbol on the grid."""

    def __init__(self, value: float) -> None:
        self.money = value
        self.charge = 0.0
        self.value = value
        self.times = 0


def play_respins(rules: Respins, rng: random.Random) -> Play:
    """Play the respins once, by the rules."""

    def spin(wheel: Mapping[object, int]) -> object:
        return rng.choices(list(wheel), list(wheel.values()))[0]

    play, tokens, left, acting = Play(), [], rules.respins, 0
    collected: Counter[str] = Counter()
    while left and len(tokens) < rules.cells:
        play.respins += 1
        left -= 1
        shown = Counter(spin(rules.reel[len(tokens)]) for _ in range(rules.cells - len(tokens)))
        if shown["blank"] < rules.cells - len(tokens):
            left = rules.respins
        play.orbs.update({orb: shown[orb] for orb in ("blue", "red", "gold")})
        tokens += [Token(float(spin(rules.money))) for _ in range(shown["money"])]
        acting = acting + shown["blue"] if rules.persist else shown["blue"]
        for _ in range(acting if tokens else 0):
            token, added = rng.choice(tokens), float(spin(rules.charge))
            token.charge += added
            token.value += added
        for _ in range(shown["red"]):
            shared = float(spin(rules.multiplier))
            for token in rng.sample(tokens, min(spin(rules.counts), len(tokens))):
                if token.times < rules.times:
                    token.value *= shared if rules.shared else float(spin(rules.multiplier))
                    token.times += 1
        for _ in range(shown["gold"]):
            name = spin(rules.names)
            collected[name] += 1
            if collected[name] % rules.of_a_name == 0:
                play.awards[name] += 1
                play.jackpots += float(rules.prizes[name])
    play.filled = len(tokens)
    play.full_grid = play.filled == rules.cells
    if play.full_grid:
        play.jackpots = 0.0
        return play
    play.money = sum(t.money for t in tokens)
    play.charge = sum(t.charge for t in tokens)
    play.multiply = sum(t.value for t in tokens) - play.money - play.charge
    return play
