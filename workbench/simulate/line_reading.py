"""Lines read cell by cell from the left, as a machine of few states: the tables the kernel reads lines by.

What has been read of a line is summed up in a :class:`Reading`: the families whose run is still going on, the Wilds in it
as far as they multiply, whether all cells so far were Wilds, the best candidate of the runs that have ended, and how
often each symbol that pays anywhere was shown. Two beginnings of a line with the same reading win alike whatever
follows, so the readings that a set of reels can reach, reel by reel, are the states; after the last reel each is an award.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from workbench.errors import DefinitionError
from workbench.game import GameDefinition
from workbench.game.line_features import Bonus
from workbench.reels.strip_set import Reels
from workbench.simulate._shapes_kernels import Words
from workbench.simulate.line_rule import FREE, free_factor, line_families

MOST_READINGS = 5_000


class Candidate(NamedTuple):
    """A run that has ended, ordered as the line prefers them: bonus first, then coins, then the earlier ``place`` (negated)."""

    triggers: bool
    coins: int
    place: int
    combination: str
    length: int
    bonuses: tuple[str, ...]


class Reading(NamedTuple):
    """What has been read of a line; all that matters for what it will win."""

    alive: tuple[int, ...]
    wilds: int
    leading: bool
    best: Candidate | None
    seen: tuple[int, ...]


class Award(NamedTuple):
    """What a line wins: coins as multiplied in that kind of spin, and the bonuses given; neither if a bonus took the line
    that isn't given in free games."""

    combination: str
    length: int
    coins: int
    bonuses: tuple[str, ...]


class LineReader:
    """Reads the lines of a game in one kind of spin."""

    def __init__(self, game: GameDefinition, kind: int) -> None:
        self.game, self.kind = game, kind
        self.families = line_families(game)
        rule = game.wild
        self._each = rule is not None and rule.multiplies == "each"
        self._factor = rule.multiplier if rule else 1
        self._leading_run = rule.leading_run if rule else "own-pay"
        never = (b.name for b in game.features_of(Bonus) if b.in_free_games == "never")
        self._never = set(never) if kind == FREE else set()

    def start(self) -> Reading:
        """Nothing read yet."""
        wild = self.game.symbols.wild is not None
        return Reading(tuple(range(len(self.families))), 0, wild, None, (0,) * len(self.game.anywhere))

    def step(self, reading: Reading, depth: int, symbol: str) -> Reading:
        """The reading after one more cell, when ``depth`` cells were read before it."""
        is_wild = symbol == self.game.symbols.wild
        alive = tuple(f for f in reading.alive if symbol in self.families[f].accepts)
        ended = [self._ended(reading, f, depth) for f in reading.alive if f not in alive]
        leading = reading.leading and is_wild
        if reading.leading and not leading and not self._followed(reading, symbol):
            ended.append(self._wilds_alone(depth))
        seen = (n + (a.symbol == symbol) for n, a in zip(reading.seen, self.game.anywhere, strict=True))
        wilds = self._counted_wilds(reading.wilds + is_wild) if alive else 0
        return Reading(alive, wilds, leading, _best(reading.best, ended), tuple(seen))

    def end(self, reading: Reading) -> Award | None:
        """What a line read to its end wins."""
        length = self.game.reel_count
        ended = [self._ended(reading, f, length) for f in reading.alive]
        if reading.leading:
            ended.append(self._wilds_alone(length))
        first = 1 + len(self.families)
        for i, (anywhere, shown) in enumerate(zip(self.game.anywhere, reading.seen, strict=True)):
            coins = anywhere.pays.get(shown, 0)
            ended.append(self._candidate(first + i, anywhere.symbol, shown, coins, ()))
        best = _best(reading.best, ended)
        if best is None:
            return None
        given = tuple(bonus for bonus in best.bonuses if bonus not in self._never)
        return Award(best.combination, best.length, best.coins, given)

    def _counted_wilds(self, wilds: int) -> int:
        """Wilds of a run as far as they matter for its factor."""
        if self._factor == 1:
            return 0
        return wilds if self._each else min(wilds, 1)

    def _ended(self, reading: Reading, family: int, length: int) -> Candidate | None:
        """The run of a family that ends after ``length`` cells, if it may win by itself."""
        if not length or (reading.leading and self._leading_run != "best-symbol"):
            return None
        its = self.families[family]
        coins = its.pays.get(length, 0) * self._factor**reading.wilds
        return self._candidate(1 + family, its.name, length, coins, its.bonuses(length))

    def _wilds_alone(self, length: int) -> Candidate | None:
        wild = self.game.symbols.wild
        assert wild is not None
        coins = self.game.paytable.get(wild, {}).get(length, 0)
        return self._candidate(0, wild, length, coins, ())

    def _followed(self, reading: Reading, symbol: str) -> bool:
        """Whether a family goes on from the leading Wilds with this symbol, so that they don't pay as themselves."""
        if self._leading_run != "next-symbol":
            return False
        return any({self.game.symbols.wild, symbol} <= its.accepts for its in self.families)

    def _candidate(
        self, place: int, combination: str, length: int, coins: int, bonuses: tuple[str, ...]
    ) -> Candidate | None:
        """A candidate, None if it can't win the line."""
        if not coins and not bonuses:
            return None
        factor = free_factor(self.game, combination, length) if self.kind == FREE else 1
        return Candidate(bool(bonuses), coins * factor, -place, combination, length, bonuses)


def _best(first: Candidate | None, others: Iterable[Candidate | None]) -> Candidate | None:
    return max((c for c in (first, *others) if c), default=None)


def symbol_classes(game: GameDefinition) -> dict[str, int]:
    """A number for each symbol; symbols that lines can't tell apart share one."""
    families, anywhere = line_families(game), [a.symbol for a in game.anywhere]
    kinds: dict[tuple[object, ...], int] = {}
    classes = {}
    for symbol in game.symbols.all:
        kind = (
            tuple(symbol in family.accepts for family in families),
            symbol == game.symbols.wild,
            anywhere.index(symbol) if symbol in anywhere else None,
        )
        classes[symbol] = kinds.setdefault(kind, len(kinds))
    return classes


@dataclass(frozen=True)
class StateTable:
    """``next`` is [state][class of the symbol read]; state 0 wins nothing, after the last reel stands the number of the award.

    ``starts`` are the states before the first reel and ``most`` the most coins of a line, by kind of spin; ``awards`` count
    from 1.
    """

    next: Words
    starts: tuple[int, ...]
    most: tuple[int, ...]
    awards: tuple[Award, ...]


class StateTableBuilder:
    """Collects the states of one kind of spin after the other."""

    def __init__(self, classes: dict[str, int]) -> None:
        self._classes = classes
        self._rows: list[list[int]] = [[0] * (max(classes.values()) + 1)]
        self._starts: list[int] = []
        self._most: list[int] = []
        self._awards: dict[Award, int] = {}

    def add(self, reader: LineReader, reels: Reels) -> None:
        """Add the states that lines on these reels can reach."""
        layer = {reader.start(): len(self._rows)}
        self._starts.append(len(self._rows))
        self._most.append(0)
        self._rows.append([0] * len(self._rows[0]))
        award = cache(lambda reading: self._award(reader.end(reading)))
        for depth, strip in enumerate(reels):
            following: dict[Reading, int] = {}
            for symbol in sorted({self._classes[s]: s for s in sorted(set(strip))}.values()):
                for reading, state in layer.items():
                    read = reader.step(reading, depth, symbol)
                    number = self._state(following, read) if depth + 1 < len(reels) else award(read)
                    self._rows[state][self._classes[symbol]] = number
            layer = following

    def _state(self, layer: dict[Reading, int], reading: Reading) -> int:
        if not reading.alive and not reading.leading and not reading.best and not reading.seen:
            return 0
        if reading not in layer:
            if len(layer) >= MOST_READINGS:
                raise DefinitionError(
                    f"lines: what is read of a line must be one of at most {MOST_READINGS} readings a reel;"
                    " fewer mixed combinations or symbols that pay anywhere make fewer"
                )
            layer[reading] = len(self._rows)
            self._rows.append([0] * len(self._rows[0]))
        return layer[reading]

    def _award(self, award: Award | None) -> int:
        if award is None:
            return 0
        self._most[-1] = max(self._most[-1], award.coins)
        return self._awards.setdefault(award, 1 + len(self._awards))

    def table(self) -> StateTable:
        """All that was added."""
        return StateTable(
            np.array(self._rows, np.uint64), tuple(self._starts), tuple(self._most), tuple(self._awards)
        )
