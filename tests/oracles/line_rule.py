"""What a line of a line game wins, by listing every candidate as the rules name it. Nothing of the simulator is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.game.definition import GameDefinition
from workbench.game.line_features import Bonus


class LineAward(NamedTuple):
    """One candidate of a line, coins as multiplied in this kind of spin, and the bonuses its run triggers."""

    name: str
    length: int
    coins: int
    bonuses: tuple[str, ...]


class Family(NamedTuple):
    """What runs from the left: the symbols it accepts without the Wild, whether the Wild stands for one, its pays."""

    name: str
    symbols: frozenset[str]
    takes_wild: bool
    pays: dict[int, int]


def families(game: GameDefinition) -> list[Family]:
    """Regular symbols, special symbols that trigger by line, mixed combinations: the order of preference."""
    regular, wild = game.symbols.regular, game.symbols.wild
    replaced = set(regular if game.wild is None or game.wild.replaces is None else game.wild.replaces)
    triggering = {bonus.line.symbol for bonus in game.features_of(Bonus) if bonus.line}
    singles = [*regular, *(s for s in game.symbols.special if s in triggering)]
    parts = [(s, {s}, dict(game.paytable.get(s, {}))) for s in singles]
    parts += [(m.name, set(m.symbols), dict(m.pays)) for m in game.mixed]
    return [
        Family(name, frozenset(symbols), wild is not None and bool(symbols & replaced), pays)
        for name, symbols, pays in parts
    ]


def candidates(game: GameDefinition, line: Sequence[str]) -> Iterator[LineAward]:
    """Everything a line could win in a paid spin, in the order of preference among equals; 0 coins included."""
    wild, rule, reels = game.symbols.wild, game.wild, len(line)
    leading = next((i for i, s in enumerate(line) if s != wild), reels)
    every = families(game)
    if wild and rule and leading:
        follows = line[leading] if leading < reels else None
        taken = any(f.takes_wild and follows in f.symbols for f in every)
        if rule.leading_run != "next-symbol" or not taken:
            yield LineAward(wild, leading, game.paytable.get(wild, {}).get(leading, 0), ())
    for family in every:
        accepted = family.symbols | ({wild} if family.takes_wild else set())
        run = list(line)
        while run and not set(run) <= accepted:
            run.pop()
        wilds = run.count(wild) if wild else 0
        if not run or (wilds == len(run) and rule and rule.leading_run != "best-symbol"):
            continue
        factor = 1
        if wilds and rule:
            factor = rule.multiplier ** (wilds if rule.multiplies == "each" else 1)
        bonuses = tuple(
            b.name
            for b in game.features_of(Bonus)
            if b.line and b.line.symbol == family.name and len(run) >= b.line.least
        )
        yield LineAward(family.name, len(run), family.pays.get(len(run), 0) * factor, bonuses)
    for rule_anywhere in game.anywhere:
        number = list(line).count(rule_anywhere.symbol)
        yield LineAward(rule_anywhere.symbol, number, rule_anywhere.pays.get(number, 0), ())


def line_award(game: GameDefinition, line: Sequence[str], free: bool = False) -> LineAward | None:
    """What the line wins in a paid spin or a free game; None if its best candidate has 0 coins and triggers nothing."""
    listed = list(candidates(game, line))
    if free and game.free_games:
        listed = [c._replace(coins=c.coins * free_factor(game, c.name, c.length)) for c in listed]
    if any(c.bonuses for c in listed):
        listed = [c for c in listed if c.bonuses]
    most = max((c.coins for c in listed), default=0)
    best = next((c for c in listed if c.coins == most), None)
    return best if best and (best.coins or best.bonuses) else None


def free_factor(game: GameDefinition, name: str, length: int) -> int:
    """What a combination's coins are multiplied by in free games."""
    free = game.free_games
    assert free
    for exempt in free.exempt:
        if (exempt.symbol, exempt.count) == (name, length):
            return exempt.multiplier
    return free.multiplier
