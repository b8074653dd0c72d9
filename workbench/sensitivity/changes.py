"""The smallest changes of a strip set: another symbol on one stop, one unit more or less of one weight.

A swap puts on one stop a symbol that may stand on that reel: one that the rules on symbols allow there, or where there is
no such rule one that occurs in the reel set. A unit is a weight of a wheel, or of a cell of a position reel, that is in
force; a value whose last unit is taken is left out. Reels, stops, stages and cells count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.errors import WorkbenchError
from workbench.game.definition import GameDefinition
from workbench.game.strip_rules import InSightRule, SymbolsRule, TiersRule
from workbench.reels.breaches import breaches, governs
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Reels, Stage, StripSet, Weights


@dataclass(frozen=True)
class Swap:
    """Another symbol on one stop of a reel; ``before`` is the one that stands there."""

    reels: str
    reel: int
    stop: int
    symbol: str
    before: str

    def edited(self, strips: StripSet) -> StripSet:
        """The set with the other symbol."""
        old = strips.reels[self.reels]
        strip = (*old[self.reel][: self.stop], self.symbol, *old[self.reel][self.stop + 1 :])
        return strips.with_reels(self.reels, (*old[: self.reel], strip, *old[self.reel + 1 :]))


@dataclass(frozen=True)
class Unit:
    """One unit more (1) or less (-1) of the weight of ``value`` on a wheel, or on a cell of a position reel."""

    name: str
    value: str
    more: int
    stage: int | None = None
    cell: int | None = None

    def edited(self, strips: StripSet) -> StripSet:
        """The set with the other weight; raises StripSetError where no value is left or the total is too large."""
        if self.stage is None or self.cell is None:
            return strips.with_wheel(self.name, self._changed(strips.wheels[self.name]))
        stages = strips.position_reels[self.name]
        cells = list(stages[self.stage].cells)
        cells[self.cell] = self._changed(cells[self.cell])
        stage = Stage(stages[self.stage].start, tuple(cells))
        return strips.with_position_reels(
            self.name, (*stages[: self.stage], stage, *stages[self.stage + 1 :])
        )

    def _changed(self, old: Weights) -> Weights:
        pairs = [(v, w + self.more * (v == self.value)) for v, w in old.items()]
        kept = [(v, w) for v, w in pairs if w]
        return Weights(old.where, tuple(v for v, _ in kept), tuple(w for _, w in kept))


Change = Swap | Unit


def reel_sets(game: GameDefinition, strips: StripSet, only: Sequence[str] = ()) -> list[str]:
    """The reel sets that are played, in the order of the file; ``only`` narrows them."""
    hold, free = game.hold_and_spin, game.free_spins
    idle = {hold.name} if hold and hold.spun == "position-reels" else set()
    if free:
        own = {f"{free.reels}.{c}" for c in game.wheel(free.wheels.collectable).values}
        idle |= {free.reels} if own <= set(strips.reels) else set()
    return [name for name in strips.reels if name not in idle and (not only or name in only)]


def allowed_symbols(game: GameDefinition, name: str, reels: Reels, reel: int) -> tuple[str, ...]:
    """The symbols that may stand on a reel, in the order of the definition."""
    rules = [
        set(rule.symbols)
        for rule in game.strip_rules
        if isinstance(rule, SymbolsRule) and governs(rule, name) and (rule.on is None or reel in rule.on)
    ]
    found = set.intersection(*rules) if rules else {symbol for strip in reels for symbol in strip}
    return tuple(symbol for symbol in game.symbols.all if symbol in found)


def swaps(game: GameDefinition, strips: StripSet, only: Sequence[str] = ()) -> tuple[Swap, ...]:
    """Every swap, by reel set, reel, stop and symbol."""
    return tuple(
        Swap(name, r, stop, symbol, before)
        for name in reel_sets(game, strips, only)
        for r, strip in enumerate(strips.reels[name])
        for stop, before in enumerate(strip)
        for symbol in allowed_symbols(game, name, strips.reels[name], r)
        if symbol != before
    )


def units(game: GameDefinition, strips: StripSet) -> tuple[Unit, ...]:
    """Every unit of weight that can be put on or taken off: the set must fit the game afterwards."""
    return tuple(unit for unit in _all_units(game, strips) if _fits(game, strips, unit))


def _all_units(game: GameDefinition, strips: StripSet) -> Iterator[Unit]:
    for name, wheel in strips.wheels.items():
        yield from (Unit(name, value, more) for value in wheel.values for more in (1, -1))
    hold = game.hold_and_spin
    for name, stages in strips.position_reels.items():
        if hold and hold.name == name and hold.spun == "strips":
            continue
        for s, stage in enumerate(stages):
            for c, cell in enumerate(stage.cells):
                yield from (Unit(name, value, more, s, c) for value in cell.values for more in (1, -1))


def _fits(game: GameDefinition, strips: StripSet, unit: Unit) -> bool:
    try:
        check_fit(unit.edited(strips), game)
    except WorkbenchError:
        return False
    return True


def rule_breakers(game: GameDefinition, strips: StripSet, changes: Sequence[Swap]) -> list[bool]:
    """Whether each swap breaks a strip rule where the set doesn't break it already."""
    joint = any(isinstance(rule, InSightRule | TiersRule) for rule in game.strip_rules)

    def found(edited: StripSet, swap: Swap) -> set[tuple[object, ...]]:
        reels = edited.reels[swap.reels]
        seen = reels if joint else tuple(s if r == swap.reel else () for r, s in enumerate(reels))
        return {
            (b.rule, b.reel, b.stop, b.symbol, b.found, b.allowed)
            for b in breaches(replace(edited, reels={swap.reels: seen}, stop_weights={}), game)
        }

    known: dict[tuple[str, int], set[tuple[object, ...]]] = {}
    answers = []
    for swap in changes:
        place = (swap.reels, swap.reel)
        if place not in known:
            known[place] = found(strips, swap)
        answers.append(bool(found(swap.edited(strips), swap) - known[place]))
    return answers
