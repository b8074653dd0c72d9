"""What a line game's definition may say but seldom means, as lines of the form "place: what is odd"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pydantic import BaseModel

from workbench.game.definition import GameDefinition, Mixed
from workbench.game.features import MoneyRespins, WheelValues
from workbench.game.line_features import Bonus, FreeGames, ScatterPays


def line_remarks(game: GameDefinition) -> Iterator[str]:
    """Everything unusual in the parts a line game is made of."""
    for check in (_win_cap, _wild, _mixed, _anywhere, _scatter_pays, _free_games, _bonuses, _wheels):
        yield from check(game)


def texts(value: object) -> Iterator[str]:
    """Every text in nested tables and settings, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts(tuple(value.items()))
    elif isinstance(value, BaseModel):
        yield from texts(tuple(setting for _, setting in value))
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)


def _win_cap(game: GameDefinition) -> Iterator[str]:
    if game.win_cap != "none" and not game.features_of(MoneyRespins):
        yield f"win_cap: is {game.win_cap:g}, but wins are only cut in games with money_respins"


def _wild(game: GameDefinition) -> Iterator[str]:
    wild = game.wild
    if wild is None:
        return
    if wild.replaces == ():
        yield "wild.replaces: the Wild replaces no symbol"
    if wild.multiplies == "each" and wild.multiplier == 1:
        yield "wild.multiplies: 'each' changes nothing, as the multiplier is 1"


def _mixed(game: GameDefinition) -> Iterator[str]:
    exempted = {exempt.symbol for free in game.features_of(FreeGames) for exempt in free.exempt}
    for i, mixed in enumerate(game.mixed):
        paid = [length for length, pay in mixed.pays.items() if pay]
        if not paid:
            yield f"mixed[{i}].pays: {mixed.name!r} pays nothing"
            continue
        for rival, accepts, pays, wins_ties in _families(game, i):
            covers = set(mixed.symbols) <= set(accepts) and not {rival, mixed.name} & exempted
            if covers and all(_beaten(game, n, mixed, pays, wins_ties) for n in paid):
                yield f"mixed[{i}]: {mixed.name!r} never wins, as {rival!r} pays as much or more for the same lines"
                break


def _families(game: GameDefinition, i: int) -> Iterator[tuple[str, tuple[str, ...], Mapping[int, int], bool]]:
    """All but the i-th mixed combination: the name, the symbols accepted, the pays, and whether equals beat it."""
    for symbol in game.symbols.regular:
        yield symbol, (symbol,), game.paytable.get(symbol, {}), True
    for other, mixed in enumerate(game.mixed):
        if other != i:
            yield mixed.name, mixed.symbols, mixed.pays, other < i


def _beaten(
    game: GameDefinition, length: int, mixed: Mixed, pays: Mapping[int, int], wins_ties: bool
) -> bool:
    """Whether a family with these pays wins wherever ``mixed`` has a run so long: its own run is as long or longer."""
    least = min(pays.get(n, 0) for n in range(length, game.reel_count + 1))
    return least > mixed.pays[length] or (wins_ties and least == mixed.pays[length])


def _anywhere(game: GameDefinition) -> Iterator[str]:
    """A line full of one symbol is the only one on which its run is sure to compete."""
    full = game.reel_count
    for i, rule in enumerate(game.anywhere):
        pay = rule.pays.get(full, 0)
        if not any(rule.pays.values()):
            yield f"anywhere[{i}].pays: {rule.symbol!r} pays nothing"
        elif pay and rule.symbol in game.symbols.regular:
            run = game.paytable.get(rule.symbol, {}).get(full, 0)
            if run >= pay:
                yield f"anywhere[{i}].pays: {full} {rule.symbol!r} never win {pay}, as their run pays {run}"


def _falls(table: Mapping[int, float], verb: str) -> Iterator[str]:
    for fewer, more in pairwise(sorted(table)):
        if table[more] < table[fewer]:
            yield f"{fewer} {verb} {table[fewer]:g}, but {more} {verb} {table[more]:g}"


def _scatter_pays(game: GameDefinition) -> Iterator[str]:
    for feature in game.features_of(ScatterPays):
        place = f"features.{feature.name}.pays"
        yield from (f"{place}: {line}" for line in _falls(feature.pays, "pay"))
        if not any(feature.pays.values()):
            yield f"{place}: {feature.symbol!r} pays nothing"


def _free_games(game: GameDefinition) -> Iterator[str]:
    for feature in game.features_of(FreeGames):
        place = f"features.{feature.name}"
        if feature.scatter:
            for key in ("spins", "spins_in_free_games"):
                for line in _falls(getattr(feature.scatter, key), "award"):
                    yield f"{place}.scatter.{key}: {line}"
        by_line = feature.lines.spins.values() if feature.lines else ()
        awards = [*(feature.scatter.spins.values() if feature.scatter else ())]
        awards += [spins for table in by_line for spins in table.values()]
        if not any(awards):
            yield f"{place}: no paid spin awards free games"
        plain = feature.multiplier == feature.scatter_factor == 1 and not feature.exempt
        if feature.reels == "base" and plain:
            yield f"{place}: free games on the strips of paid spins with multiplier 1"
        for i, exempt in enumerate(feature.exempt):
            if exempt.multiplier == feature.multiplier:
                yield f"{place}.exempt[{i}]: multiplies by {exempt.multiplier} like every other win"
        for key in ("spins", "spins_in_free_games"):
            for name, table in (getattr(feature.lines, key) if feature.lines else {}).items():
                for length in sorted(n for n, spins in table.items() if spins and not _won(game, name, n)):
                    yield f"{place}.lines.{key}.{name}: {length} award nothing, as a line of 0 coins isn't won"


def _won(game: GameDefinition, name: str, length: int) -> bool:
    """Whether a combination of this name and length has coins or triggers a bonus."""
    tables = [game.paytable.get(name, {})]
    tables += [part.pays for part in game.mixed if part.name == name]
    tables += [part.pays for part in game.anywhere if part.symbol == name]
    lines = [bonus.line for bonus in game.features_of(Bonus) if bonus.line]
    return any(table.get(length) for table in tables) or any(
        line.symbol == name and line.least <= length for line in lines
    )


def _bonuses(game: GameDefinition) -> Iterator[str]:
    for bonus in game.features_of(Bonus):
        place = f"features.{bonus.name}"
        for key, name in (("prizes", bonus.prizes), ("draws", bonus.draws)):
            if name and not any(float(value) for value in game.wheel(name).values):
                yield f"{place}.{key}: every value of {name!r} is 0"
        if bonus.in_free_games != "same" and not game.free_games:
            yield f"{place}.in_free_games: is {bonus.in_free_games!r}, but the game has no free games"


def _wheels(game: GameDefinition) -> Iterator[str]:
    for wheel in game.features_of(WheelValues):
        others = tuple(feature for feature in game.features if feature is not wheel)
        if wheel.name not in set(texts(others)):
            yield f"features.{wheel.name}: no feature draws from this wheel"
