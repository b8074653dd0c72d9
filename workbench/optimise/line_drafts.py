"""From a study's proposal to the strips of a line game: symbols by rank, marks where a target wants them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from workbench.game.definition import GameDefinition
from workbench.game.line_consistency import counted_in_sight
from workbench.game.line_features import Bonus, FreeGames, ScatterPays, at_count
from workbench.game.strip_rules import CountRule, InSightRule, LengthRule, StackRule, StripRule, SymbolsRule
from workbench.optimise.arrange import lay
from workbench.optimise.placement import Place, Wish, place
from workbench.optimise.study import Parameter, Values
from workbench.optimise.target import Target
from workbench.reels.breaches import governs
from workbench.reels.strip_set import Reels, Strip, StripSet, Weights

DEFAULT_STOPS = (40, 64)
MOST_STACK = 3
MOST_WILDS = 3
RARE, COMMON = 1 / 250, 1 / 80
WEDGE = 10
TURNED = 40

Held = Mapping[int, Mapping[int, str]]
"""[reel][stop] the counted symbol that stands there."""


@dataclass(frozen=True)
class LineDrafts:
    """Proposals for a line game under a target's strip rules and its own."""

    game: GameDefinition
    target: Target

    @cached_property
    def sets(self) -> tuple[str, ...]:
        """The reel sets there are."""
        free = self.game.free_games
        return ("base",) if free is None or free.reels == "base" else ("base", free.reels)

    def rules(self, name: str) -> list[StripRule]:
        """The strip rules of a reel set."""
        return [r for r in (*self.game.strip_rules, *self.target.strip_rules) if governs(r, name)]

    def stops(self, name: str) -> tuple[int, int]:
        """Least and most stops of a strip."""
        low, high = DEFAULT_STOPS
        lengths = [r for r in self.rules(name) if isinstance(r, LengthRule)]
        if lengths:
            low, high = max(r.least for r in lengths), min(r.most for r in lengths)
        return low, min(high, max(low, DEFAULT_STOPS[1]))

    def allowed(self, name: str, reel: int) -> set[str]:
        """The symbols that may stand on a reel; all but the blank kind where no rule says."""
        found = {*self.game.symbols.all}
        for rule in self.rules(name):
            if isinstance(rule, SymbolsRule) and (rule.on is None or reel in rule.on):
                found &= set(rule.symbols)
        return found

    @cached_property
    def marks(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The symbols counted in sight."""
        return counted_in_sight(self.game)

    @cached_property
    def movable(self) -> tuple[str, ...]:
        """The symbols that make line wins and aren't counted in sight."""
        counted = {symbol for symbol, _ in self.marks}
        own = [bonus.line.symbol for bonus in self.game.features_of(Bonus) if bonus.line]
        own += [self.game.symbols.wild] if self.game.symbols.wild else []
        listed = dict.fromkeys((*self.game.symbols.regular, *own))
        return tuple(s for s in listed if s not in counted)

    def space(self) -> list[Parameter]:
        """How much rarer better symbols are, how many Wilds, how stacked, how long."""
        space = [Parameter("stacked", 0.0, 0.9, whole=False)]
        for name in self.sets:
            low, high = self.stops(name)
            space.append(Parameter(f"{name}.stops", low, high))
            space.append(Parameter(f"{name}.tilt", 0.0, 3.0, whole=False))
            if self.game.symbols.wild:
                space.append(Parameter(f"{name}.wilds", 0, MOST_WILDS))
        return space

    def strip_set(self, values: Values, rng: random.Random, held: Mapping[tuple[str, int], Held]) -> StripSet:
        """The strip set of a proposal; ``held`` by (reel set, stops), as from :meth:`held`."""
        reels = {}
        for name in self.sets:
            stops = int(values[f"{name}.stops"])
            reels[name] = self._reels(name, stops, values, rng, held[(name, stops)])
        wheels = {w.name: Weights(w.name, w.values, (WEDGE,) * len(w.values)) for w in self.game.wheels}
        return StripSet(self.game.game, self.game.sha256, self.target.name, reels, {}, wheels)

    def _reels(self, name: str, stops: int, values: Values, rng: random.Random, held: Held) -> Reels:
        stack = min((r.most for r in self.rules(name) if isinstance(r, StackRule)), default=MOST_STACK)
        strips = []
        for r in range(self.game.reel_count):
            taken = held.get(r, {})
            counts = self._counts(name, r, stops - len(taken), values, rng)
            others = iter(lay(counts, {}, values["stacked"], stack, rng))
            strips.append(tuple(taken[i] if i in taken else next(others) for i in range(stops)))
        return tuple(strips)

    def _counts(self, name: str, reel: int, cells: int, values: Values, rng: random.Random) -> dict[str, int]:
        """Counts that sum to the cells: Wilds as proposed, the others by rank, varied at random within the count rules."""
        allowed = [s for s in self.movable if s in self.allowed(name, reel)]
        wild = self.game.symbols.wild
        counts = {wild: min(int(values[f"{name}.wilds"]), cells)} if wild in allowed and wild else {}
        ranked = [s for s in allowed if s != wild]
        tilt = values[f"{name}.tilt"]
        shares = {
            s: math.exp(tilt * i / max(len(ranked) - 1, 1) + rng.gauss(0.0, 0.25))
            for i, s in enumerate(ranked)
        }
        left = cells - sum(counts.values())
        limits = {s: self._limits(name, reel, s) for s in ranked}
        counts |= {s: min(max(low, 1), high) for s, (low, high) in limits.items()}
        while ranked and sum(counts.values()) < cells:
            open_ones = [s for s in ranked if counts[s] < limits[s][1]] or ranked
            poorest = min(open_ones, key=lambda s: counts[s] / shares[s])
            counts[poorest] += 1
        while sum(counts.values()) > cells:
            richest = max((s for s in counts if counts[s]), key=lambda s: counts[s] / shares.get(s, 1e9))
            counts[richest] -= 1
        assert left >= 0
        return counts

    def _limits(self, name: str, reel: int, symbol: str) -> tuple[int, int]:
        low, high = 0, 10**6
        for rule in self.rules(name):
            if (
                isinstance(rule, CountRule)
                and symbol in rule.symbols
                and (rule.on is None or reel in rule.on)
            ):
                low, high = max(low, rule.least), min(high, rule.most)
        return low, high

    def held(self, name: str, stops: int, rng: random.Random) -> Held:
        """Where the counted symbols of a reel set stand: as the target wishes, else seldom enough to be a feature."""
        taken: dict[int, dict[int, str]] = {r: {} for r in range(self.game.reel_count)}
        for symbol, reels in self.marks:
            on = [r for r in reels if symbol in self.allowed(name, r)]
            on.sort(key=lambda r: (len(taken[r]), rng.random()))
            places = [Place(r, stops, self.game.grid.rows[r]) for r in on]
            most = min(
                (r.most for r in self.rules(name) if isinstance(r, InSightRule) and symbol in r.symbols),
                default=None,
            )
            found = place(places, self._wishes(name, symbol, reels), most, rng)
            for r in found.laws:
                strips = (found.strip(r, rng) for _ in range(TURNED if taken[r] else 1))
                stops_of = min((_turned(s, taken[r], rng) for s in strips), key=lambda one: one[0])[1]
                taken[r] |= dict.fromkeys(stops_of, symbol)
        return taken

    def _wishes(self, name: str, symbol: str, reels: tuple[int, ...]) -> list[Wish]:
        cells = sum(self.game.grid.rows[r] for r in reels)
        asked = list(self._asked(symbol, reels, cells)) if name == "base" else []
        return asked or [Wish(self._features(symbol, reels, cells), RARE, COMMON, 1e-3)]

    def _features(self, symbol: str, reels: tuple[int, ...], cells: int) -> tuple[float, ...]:
        """1 for the numbers in sight from which on most happens: three or more, or what starts a bonus."""
        least = [
            b.in_sight.least
            for b in self.game.features_of(Bonus)
            if b.in_sight and b.in_sight.symbol == symbol
        ]
        first = min(least, default=min(3, len(reels)))
        return tuple(float(k >= first) for k in range(cells + 1))

    def _asked(self, symbol: str, reels: tuple[int, ...], cells: int) -> Iterator[Wish]:
        """What the target's figures ask of the law of a mark."""
        for figure in self.target.figures:
            low, high = figure.range
            head = f"in_sight.{symbol}."
            if figure.figure.startswith(head) and figure.figure.removeprefix(head).isdigit():
                wanted = int(figure.figure.removeprefix(head))
                yield Wish(
                    tuple(float(k == wanted) for k in range(cells + 1)), low, high, max(figure.scale, 1e-12)
                )
        for feature in self.game.features:
            happens = _happens(feature, symbol, reels, cells)
            for figure in self.target.figures if happens else ():
                assert happens is not None
                low, high = figure.range
                if figure.figure == f"features.{feature.name}.probability":
                    yield Wish(happens, low, high, max(figure.scale, 1e-12))
                elif figure.figure == f"features.{feature.name}.one_in" and high > 0:
                    least = 0.0 if math.isinf(high) else 1 / high
                    yield Wish(happens, least, 1 / low if low > 0 else 1.0, max(least, 1e-9) * 0.01)


def _happens(feature: object, symbol: str, reels: tuple[int, ...], cells: int) -> tuple[float, ...] | None:
    """For each number in sight whether a feature happens by it; None if it goes by something else."""
    numbers = range(cells + 1)
    mark = (symbol, reels)
    match feature:
        case ScatterPays() if (feature.symbol, tuple(sorted(feature.reels))) == mark:
            return tuple(float(at_count(feature.pays, k, feature.beyond) > 0) for k in numbers)
        case Bonus() if (
            feature.in_sight and (feature.in_sight.symbol, tuple(sorted(feature.in_sight.reels))) == mark
        ):
            least = feature.in_sight.least
            return tuple(float(k >= least) for k in numbers)
        case FreeGames() if feature.lines is None and feature.scatter:
            awards = feature.scatter
            if (awards.symbol, tuple(sorted(awards.reels))) == mark:
                return tuple(float(at_count(awards.spins, k, awards.beyond) > 0) for k in numbers)
    return None


def _turned(strip: list[bool], taken: Mapping[int, str], rng: random.Random) -> tuple[int, list[int]]:
    """The stops a mark takes, the strip turned so that as few as can be are taken already; how many are, and are left out."""
    size = len(strip)
    first = rng.randrange(size)
    turns = [[(i + first + t) % size for i, holds in enumerate(strip) if holds] for t in range(size)]
    best = min(turns, key=lambda stops: sum(i in taken for i in stops))
    free = [i for i in best if i not in taken]
    return len(best) - len(free), free


def replaced(strip: Strip, stop: int, symbol: str) -> Strip:
    """The strip with another symbol at a stop."""
    return (*strip[:stop], symbol, *strip[stop + 1 :])
