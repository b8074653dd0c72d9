"""What a line may win: a game's combinations as data, and the candidate that wins.

A *family* is a set of symbols whose run from the left pays: a symbol of the paytable, one that starts a bonus, or a
mixed combination. With w leading Wilds, k the length of a family's run and m the Wilds in it, the candidates are

    the Wilds' own run of w,    each family's run of k, times the Wild's factor of m,    each count anywhere on the line,

and the line wins the first of them in this order: those that start a bonus, more coins, the Wilds' own run, families
(symbols as listed, then mixed), counts. In free games every candidate is multiplied before they are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from workbench.game.definition import GameDefinition
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.game.line_features import Bonus

Mode = Literal["base", "free"]


@dataclass(frozen=True, order=True)
class Award:
    """What a line wins: the combination (an index into ``combination names``), its length, coins.

    ``wild_only`` says that every cell of the run is Wild; ``bonus`` that the run starts a bonus.
    """

    symbol: int
    length: int
    coins: int
    wild_only: bool
    bonus: bool = False


@dataclass(frozen=True)
class Family:
    """Symbols (indices) whose run pays ``pays[length]`` coins; ``wild`` says whether Wilds stand for them."""

    name: int
    accepts: frozenset[int]
    wild: bool
    pays: Mapping[int, int]
    bonus_from: int | None


@dataclass(frozen=True)
class LineRules:
    """All that decides a line in one kind of spin; ``wild_pays`` is the Wilds' own run."""

    families: tuple[Family, ...]
    wild: int | None
    wild_pays: Mapping[int, int]
    wild_name: int
    leading_run: str
    factor: int
    each: bool
    anywhere: tuple[tuple[int, Mapping[int, int]], ...]
    multiplier: int
    exempt: Mapping[tuple[int, int], int]
    reels: int
    symbols: int

    def run(self, family: int, length: int, wilds: int) -> tuple[tuple[int, ...], Award] | None:
        """The candidate of a family's run with so many Wilds in it, with its rank; None if it wins nothing."""
        f = self.families[family]
        power = (wilds if self.each else min(wilds, 1)) if f.wild else 0
        coins = f.pays.get(length, 0) * self.factor**power * self._times(f.name, length)
        bonus = f.bonus_from is not None and length >= f.bonus_from
        return self._ranked(Award(f.name, length, coins, wilds == length, bonus), 1 + family)

    def own(self, wilds: int) -> tuple[tuple[int, ...], Award] | None:
        """The candidate of the Wilds' own run."""
        assert self.wild is not None
        coins = self.wild_pays.get(wilds, 0) * self._times(self.wild, wilds)
        return self._ranked(Award(self.wild_name, wilds, coins, True), 0)

    def count(self, rule: int, number: int) -> tuple[tuple[int, ...], Award] | None:
        """The candidate of a number of symbols anywhere on the line."""
        symbol, pays = self.anywhere[rule]
        coins = pays.get(number, 0) * self._times(symbol, number)
        return self._ranked(Award(symbol, number, coins, symbol == self.wild), 1 + len(self.families) + rule)

    def _times(self, name: int, length: int) -> int:
        return self.exempt.get((name, length), self.multiplier)

    def _ranked(self, award: Award, order: int) -> tuple[tuple[int, ...], Award] | None:
        if not award.coins and not award.bonus:
            return None
        return (int(award.bonus), award.coins, -order), award


def combination_index(game: GameDefinition) -> dict[str, int]:
    """Index of each combination's name: symbols as in ``symbols.all``, then the mixed ones."""
    names = (*game.symbols.all, *(mixed.name for mixed in game.mixed))
    return {name: i for i, name in enumerate(names)}


def line_rules(game: GameDefinition, mode: Mode = "base") -> LineRules:
    """The rules of a game's lines in a paid spin ("base") or a free game ("free").

    >>> from workbench.game import find_game, load_definition
    >>> rules = line_rules(load_definition(find_game("codex-of-fortune")))
    >>> rules.run(4, 5, 3)[1].coins
    60
    """
    index, wild, free = combination_index(game), game.wild, game.free_games
    replaced = {index[s] for s in _replaced(game)}
    multiplied = mode == "free" and free is not None
    own = index[game.symbols.wild] if game.symbols.wild else None
    return LineRules(
        families=tuple(_families(game, index, replaced)),
        wild=own,
        wild_pays=game.paytable.get(game.symbols.wild or "", {}),
        wild_name=index[counted] if (counted := _counts_as(game)) else (own or 0),
        leading_run=wild.leading_run if wild else "own-pay",
        factor=wild.multiplier if wild else 1,
        each=wild is not None and wild.multiplies == "each",
        anywhere=tuple((index[rule.symbol], rule.pays) for rule in game.anywhere),
        multiplier=free.multiplier if multiplied and free else 1,
        exempt={(index[e.symbol], e.count): e.multiplier for e in free.exempt} if multiplied and free else {},
        reels=game.reel_count,
        symbols=len(game.symbols.all),
    )


def _counts_as(game: GameDefinition) -> str | None:
    """Whose win the Wilds' own is where winning symbols are collected; elsewhere it is named by the Wild."""
    collected = any(isinstance(feature, FEATURE_ROUNDS) for feature in game.features)
    return game.wild.counts_as if game.wild and collected else None


def _replaced(game: GameDefinition) -> tuple[str, ...]:
    if game.wild is None:
        return ()
    return game.symbols.regular if game.wild.replaces is None else game.wild.replaces


def line_bonus(game: GameDefinition, symbol: str) -> int | None:
    """The shortest run of a symbol that starts a bonus; None if none does."""
    bonuses = [b.line for b in game.features_of(Bonus) if b.line and b.line.symbol == symbol]
    return min((line.least for line in bonuses), default=None)


def _families(game: GameDefinition, index: dict[str, int], replaced: set[int]) -> list[Family]:
    found = []
    for symbol in game.symbols.all:
        bonus = line_bonus(game, symbol)
        if symbol != game.symbols.wild and (symbol in game.symbols.regular or bonus is not None):
            pays = game.paytable.get(symbol, {})
            found.append(
                Family(index[symbol], frozenset({index[symbol]}), index[symbol] in replaced, pays, bonus)
            )
    for mixed in game.mixed:
        accepts = frozenset(index[s] for s in mixed.symbols)
        found.append(Family(index[mixed.name], accepts, bool(accepts & replaced), mixed.pays, None))
    return found
