"""Every breach of strip rules, listed and never raised: a set that breaks one is read and evaluated all the same.

A strip is read as the player sees it, turning for ever: the gap after its last special stop goes on to the first, a
lone stop meets itself after a full turn, and a strip of one symbol is a stack without end.

A rule on reel set ``free`` governs ``free.<symbol>`` too, each of them by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from workbench.game.definition import GameDefinition
from workbench.game.strip_rules import (
    CountRule,
    InSightRule,
    LengthRule,
    ShareRule,
    SpacingRule,
    StackRule,
    StripRule,
    SymbolsRule,
    TiersRule,
)
from workbench.reels.strip_set import Reels, Strip, StripSet


@dataclass(frozen=True)
class Breach:
    """One place where a strip breaks a rule.

    ``reel`` and ``stop`` count from 0 and are None where the rule is about more than one; ``symbol`` likewise.
    ``found`` is what was measured, ``allowed`` the law in words, ``text`` the line for people: reels from 1 there.
    """

    rule: str
    reels: str
    reel: int | None
    stop: int | None
    symbol: str | None
    found: int | float
    allowed: str
    text: str


def breaches(strips: StripSet, game: GameDefinition, extra: Sequence[StripRule] = ()) -> tuple[Breach, ...]:
    """Every breach of the definition's strip rules and of ``extra`` ones (a target's), rule by rule."""
    found: list[Breach] = []
    for rule in (*game.strip_rules, *extra):
        for name, reels in strips.reels.items():
            if governs(rule, name):
                found += _of_set(rule, name, reels, game)
    return tuple(found)


def governs(rule: StripRule, name: str) -> bool:
    """Whether a rule is about the reel set of that name: its own, or one of those by collectable."""
    return name == rule.reels or name.startswith(f"{rule.reels}.")


def _of_set(rule: StripRule, name: str, reels: Reels, game: GameDefinition) -> Iterator[Breach]:
    on = [r for r in range(len(reels)) if (rule.on is None or r in rule.on) and reels[r]]
    if isinstance(rule, TiersRule):
        yield from _tiers(rule, name, [reels[r] for r in on], game)
        return
    if isinstance(rule, InSightRule):
        yield from _in_sight(rule, name, [(reels[r], game.grid.rows[r]) for r in on])
        return
    for reel in on:
        place = _Place(rule.kind, name, reel)
        match rule:
            case SymbolsRule():
                yield from _symbols(rule, place, reels[reel])
            case SpacingRule():
                yield from _spacing(rule, place, reels[reel])
            case CountRule():
                yield from _count(rule, place, reels[reel])
            case ShareRule():
                yield from _share(rule, place, reels[reel])
            case StackRule():
                yield from _stack(rule, place, reels[reel])
            case LengthRule():
                yield from _length(rule, place, reels[reel])


@dataclass(frozen=True)
class _Place:
    """The strip a rule looks at."""

    rule: str
    reels: str
    reel: int

    def breach(
        self, symbol: str | None, found: int | float, allowed: str, text: str, stop: int | None = None
    ) -> Breach:
        head = f"{self.rule}: reels.{self.reels}: reel {self.reel + 1}"
        return Breach(
            self.rule,
            self.reels,
            self.reel,
            stop,
            symbol,
            found,
            allowed,
            f"{head}: {text}; allowed: {allowed}",
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _symbols(rule: SymbolsRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    allowed = "only " + ", ".join(rule.symbols)
    for symbol in dict.fromkeys(strip):
        if symbol not in rule.symbols:
            count, first = strip.count(symbol), strip.index(symbol)
            text = f"holds {symbol} {_times(count)}, first on stop {first} (counted from 0)"
            yield place.breach(symbol, count, allowed, text, first)


def _spacing(rule: SpacingRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    """One breach for every stop whose next special stop, turning on, is too near."""
    stops = [i for i, symbol in enumerate(strip) if symbol in rule.symbols]
    allowed = f"at least {rule.apart} apart"
    for here, beyond in pairwise([*stops, *(i + len(strip) for i in stops[:1])]):
        there, gap = beyond % len(strip), beyond - here
        if gap < rule.apart:
            first, second = strip[here], strip[there]
            text = f"{first} on stop {here} and {second} on stop {there} (counted from 0) stand {gap} apart"
            if here == there:
                text = f"{first} on stop {here} (counted from 0) comes round again after {gap} stops"
            yield place.breach(first, gap, allowed, text, here)


def _count(rule: CountRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    allowed = _range(rule.least, rule.most)
    for symbol in dict.fromkeys(rule.symbols):
        count = strip.count(symbol)
        if not rule.least <= count <= rule.most:
            yield place.breach(symbol, count, allowed, f"holds {symbol} {_times(count)}")


def _range(least: int, most: int) -> str:
    if most >= 2**31:
        return f"at least {least}"
    return f"at most {most}" if least == 0 else f"{least} to {most}"


def _share(rule: ShareRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    """Compared as fractions, ``most`` as its decimal is written: 6 of 30 stops are 0.2 and no more."""
    most = Fraction(repr(rule.most))
    for symbol in dict.fromkeys(rule.symbols):
        share = Fraction(strip.count(symbol), len(strip))
        if share > most:
            text = f"{symbol} takes {strip.count(symbol)} of {len(strip)} stops, {float(share):.4g}"
            yield place.breach(symbol, float(share), f"at most {rule.most:g}", text)


def _stack(rule: StackRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    allowed = f"stacks of at most {rule.most}"
    if len(set(strip)) == 1:
        if strip[0] in rule.symbols:
            text = f"holds nothing but {strip[0]}, a stack without end"
            yield place.breach(strip[0], len(strip), allowed, text, 0)
        return
    for start, length in _runs(strip):
        if strip[start] in rule.symbols and length > rule.most:
            text = f"{strip[start]} is stacked {length} high from stop {start} (counted from 0) on"
            yield place.breach(strip[start], length, allowed, text, start)


def _runs(strip: Strip) -> list[tuple[int, int]]:
    """Start and length of every run of equal neighbours of a strip of two symbols or more; one may wrap round."""
    found, at = [], 0
    for _, stops in groupby(strip):
        length = len(list(stops))
        found.append((at, length))
        at += length
    if strip[0] == strip[-1]:
        first, last = found.pop(0), found.pop()
        found.append((last[0], last[1] + first[1]))
    return found


def _length(rule: LengthRule, place: _Place, strip: Strip) -> Iterator[Breach]:
    if not rule.least <= len(strip) <= rule.most:
        yield place.breach(None, len(strip), f"{rule.least} to {rule.most} stops", f"has {len(strip)} stops")


def _in_sight(rule: InSightRule, name: str, strips: Sequence[tuple[Strip, int]]) -> Iterator[Breach]:
    """The reels are independent, so the fullest window shows the most each of them can show."""
    for symbol in rule.symbols:
        shown = sum(_most_in_window(strip, rows, symbol) for strip, rows in strips)
        if shown > rule.most:
            allowed = f"at most {rule.most}"
            line = (
                f"{rule.kind}: reels.{name}: a window can show {symbol} {_times(shown)}; allowed: {allowed}"
            )
            yield Breach(rule.kind, name, None, None, symbol, shown, allowed, line)


def _most_in_window(strip: Strip, rows: int, symbol: str) -> int:
    return max(
        sum(strip[(stop + row) % len(strip)] == symbol for row in range(rows)) for stop in range(len(strip))
    )


def _tiers(rule: TiersRule, name: str, strips: Sequence[Strip], game: GameDefinition) -> Iterator[Breach]:
    """Stops a symbol, over all strips together; from one tier to the next it must not fall."""
    means = []
    for tier in rule.tiers:
        symbols = game.symbols.tiers.get(tier, ())
        if symbols:
            stops = sum(strip.count(symbol) for strip in strips for symbol in symbols)
            means.append((tier, Fraction(stops, len(symbols))))
    for (better, more), (worse, fewer) in pairwise(means):
        if more > fewer:
            allowed = f"at most {float(fewer):.4g}, the mean of {worse}"
            text = f"a symbol of tier {better} stands {float(more):.4g} times on average"
            line = f"{rule.kind}: reels.{name}: {text}; allowed: {allowed}"
            yield Breach(rule.kind, name, None, None, None, float(more), allowed, line)
