"""The rule of a line game in plain words: what a row of symbols from the left wins, what is counted in sight.

A *family* is what may run from the left: a regular symbol, a special symbol whose runs trigger a bonus, or a mixed
combination. It accepts its symbols, and the Wild too if the Wild stands for one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.game import GameDefinition
from workbench.game.line_consistency import FEATURE_ROUNDS, counted_in_sight
from workbench.game.line_features import Bonus, ScatterPays

BASE, FREE = 0, 1
"""Kinds of spin: paid, and free game."""


def is_line_game(game: GameDefinition) -> bool:
    """Whether a round is a paid spin of lines and what is in sight, with free games of the same kind."""
    return not any(isinstance(feature, FEATURE_ROUNDS) for feature in game.features)


@dataclass(frozen=True)
class LineWon:
    """A line won: its number (from 0), combination, length, coins as multiplied in that spin, and bonuses given."""

    line: int
    combination: str
    length: int
    coins: int
    bonuses: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """A family's name, the symbols it accepts, its pays by length, and the bonuses it triggers with their least length."""

    name: str
    accepts: frozenset[str]
    pays: Mapping[int, int]
    triggers: tuple[tuple[str, int], ...]

    def bonuses(self, length: int) -> tuple[str, ...]:
        """The bonuses a run of that length triggers."""
        return tuple(name for name, least in self.triggers if length >= least)


def line_families(game: GameDefinition) -> tuple[Family, ...]:
    """All families, in the order that decides between equal wins."""
    triggers: dict[str, list[tuple[str, int]]] = {}
    for bonus in game.features_of(Bonus):
        if bonus.line:
            triggers.setdefault(bonus.line.symbol, []).append((bonus.name, bonus.line.least))
    special = [symbol for symbol in game.symbols.special if symbol in triggers]
    parts: list[tuple[str, tuple[str, ...], Mapping[int, int]]] = [
        (symbol, (symbol,), game.paytable.get(symbol, {})) for symbol in (*game.symbols.regular, *special)
    ]
    parts += [(mixed.name, mixed.symbols, mixed.pays) for mixed in game.mixed]
    return tuple(
        Family(name, _accepted(game, symbols), pays, tuple(triggers.get(name, ())))
        for name, symbols, pays in parts
    )


def _accepted(game: GameDefinition, symbols: Sequence[str]) -> frozenset[str]:
    wild = game.symbols.wild
    if wild is None or game.wild is None:
        return frozenset(symbols)
    replaced = game.symbols.regular if game.wild.replaces is None else game.wild.replaces
    return frozenset(symbols) | ({wild} if set(symbols) & set(replaced) else set())


def free_factor(game: GameDefinition, combination: str, length: int) -> int:
    """What the coins of a combination are multiplied by in free games."""
    free = game.free_games
    if free is None:
        return 1
    exempt = {(e.symbol, e.count): e.multiplier for e in reversed(free.exempt)}
    return exempt.get((combination, length), free.multiplier)


class LineRule:
    """Reads lines of one game."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self.families = line_families(game)
        self.never = {b.name for b in game.features_of(Bonus) if b.in_free_games == "never"}

    def won(self, line: int, symbols: Sequence[str], kind: int) -> LineWon | None:
        """What a line wins that shows ``symbols`` in this kind of spin, or None.

        Of all candidates those that trigger a bonus come first, then the most coins, then the order of
        :meth:`_candidates`. A run whose bonus isn't given in free games still takes the line, and awards what it awards.
        """
        best: LineWon | None = None
        for name, length, coins, bonuses in self._candidates(symbols):
            coins *= free_factor(self.game, name, length) if kind == FREE else 1
            if best is None or (bool(bonuses), coins) > (bool(best.bonuses), best.coins):
                best = LineWon(line, name, length, coins, bonuses)
        if best is None or not (best.coins or best.bonuses):
            return None
        given = tuple(bonus for bonus in best.bonuses if kind == BASE or bonus not in self.never)
        return replace(best, bonuses=given)

    def _candidates(self, symbols: Sequence[str]) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
        """(combination, length, coins, bonuses): the Wilds' own run, families, symbols that pay anywhere."""
        wild, rule = self.game.symbols.wild, self.game.wild
        wilds = _run(symbols, {wild} if wild else set())
        if wild and wilds and not self._taken(symbols[wilds:]):
            yield wild, wilds, self.game.paytable.get(wild, {}).get(wilds, 0), ()
        shortest = 1 if rule and rule.leading_run == "best-symbol" else wilds + 1
        for family in self.families:
            length = _run(symbols, family.accepts)
            if length >= shortest:
                factor = self._wild_factor(symbols[:length])
                yield family.name, length, family.pays.get(length, 0) * factor, family.bonuses(length)
        for anywhere in self.game.anywhere:
            shown = symbols.count(anywhere.symbol)
            yield anywhere.symbol, shown, anywhere.pays.get(shown, 0), ()

    def _taken(self, rest: Sequence[str]) -> bool:
        """Whether the leading Wilds can't pay as themselves because they stand for the symbol after them."""
        if self.game.wild is None or self.game.wild.leading_run != "next-symbol" or not rest:
            return False
        return any({self.game.symbols.wild, rest[0]} <= family.accepts for family in self.families)

    def _wild_factor(self, run: Sequence[str]) -> int:
        rule, wild = self.game.wild, self.game.symbols.wild
        wilds = run.count(wild) if wild else 0
        if rule is None or not wilds:
            return 1
        return int(rule.multiplier ** (wilds if rule.multiplies == "each" else 1))


def _run(symbols: Sequence[str], accepted: set[str] | frozenset[str]) -> int:
    """How many symbols from the left are accepted."""
    length = 0
    while length < len(symbols) and symbols[length] in accepted:
        length += 1
    return length


def mark_names(game: GameDefinition) -> dict[tuple[str, tuple[int, ...]], str]:
    """The name of each (symbol, reels) that is counted in sight: the symbol, with its reels where it has several sets."""
    marks = counted_in_sight(game)
    symbols = [symbol for symbol, _ in marks]
    return {
        (symbol, reels): symbol
        if symbols.count(symbol) == 1
        else f"{symbol} on {','.join(str(r + 1) for r in reels)}"
        for symbol, reels in marks
    }


def component_names(game: GameDefinition) -> tuple[str, ...]:
    """Where the win of one spin may come from: lines, Scatter pays, bonuses, in the definition's order of each."""
    return (
        "lines",
        *(f.name for f in game.features_of(ScatterPays)),
        *(f.name for f in game.features_of(Bonus)),
    )
