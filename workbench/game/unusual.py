"""What a definition may say but seldom means. Each check yields lines of the form "place: what is odd"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins, HoldAndSpin
from workbench.game.line_features import Bonus
from workbench.game.line_unusual import line_remarks, texts


def remarks(game: GameDefinition) -> list[str]:
    """Everything unusual in a definition, in the order of the file; none of it keeps the game from being evaluated."""
    checks = (_symbols, _tiers, _lines, _paytable, _order, _triggers, line_remarks, _readings)
    return [line for check in checks for line in check(game)]


def _symbols(game: GameDefinition) -> Iterator[str]:
    replaced = game.wild.replaces if game.wild and game.wild.replaces else ()
    named = set(texts((game.features, game.mixed, game.anywhere, replaced)))
    for symbol in game.symbols.special:
        if symbol not in named:
            yield f"symbols.special: no feature names {symbol!r}, so it only takes up room on the strips"
    elsewhere = {s for m in game.mixed for s in m.symbols} | {a.symbol for a in game.anywhere}
    elsewhere |= {bonus.line.symbol for bonus in game.features_of(Bonus) if bonus.line}
    for symbol in game.symbols.regular:
        if symbol not in elsewhere and not any(game.paytable.get(symbol, {}).values()):
            yield f"paytable.{symbol}: the regular symbol {symbol!r} pays nothing"


def _tiers(game: GameDefinition) -> Iterator[str]:
    tiers = game.symbols.tiers
    for symbol in game.symbols.regular if tiers else ():
        held = [name for name, members in tiers.items() if symbol in members]
        if len(held) != 1:
            yield f"symbols.tiers: {symbol!r} stands in {' and '.join(held) or 'no tier'}"


def _lines(game: GameDefinition) -> Iterator[str]:
    first: dict[tuple[int, ...], int] = {}
    for i, line in enumerate(game.lines):
        if line in first:
            yield f"lines[{i}]: is lines[{first[line]}] again"
        first.setdefault(line, i)


def _paytable(game: GameDefinition) -> Iterator[str]:
    for symbol, pays in game.paytable.items():
        paid = [count for count in sorted(pays) if pays[count]]
        gaps = [count for count in range(min(paid, default=0), game.reel_count) if count + 1 not in paid]
        if paid and gaps:
            yield f"paytable.{symbol}: runs of {paid[0]} pay, but runs of {gaps[0] + 1} don't"


def _order(game: GameDefinition) -> Iterator[str]:
    """Symbols are listed best first, and the order decides who is collected."""
    ranked = game.symbols.regular
    for better, worse in pairwise(ranked):
        ours, theirs = game.paytable.get(better, {}), game.paytable.get(worse, {})
        if ours and theirs and all(ours.get(n, 0) < pay for n, pay in theirs.items()):
            yield f"symbols.regular: {better!r} stands before {worse!r}, but pays less"


def _triggers(game: GameDefinition) -> Iterator[str]:
    for feature in game.features:
        if isinstance(feature, HoldAndSpin | FreeSpins):
            cells = sum(game.grid.rows[reel] for reel in feature.trigger.reels)
            if feature.trigger.least > cells:
                yield (
                    f"features.{feature.name}.trigger: asks for {feature.trigger.least} {feature.trigger.symbol}"
                    f" on {cells} cells, so it is never met"
                )


def _readings(game: GameDefinition) -> Iterator[str]:
    names = [reading.id for reading in game.readings]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"readings: {name} is given {names.count(name)} times"
