"""What the parts of a line game must agree on: Wilds, mixed combinations, Scatters, free games, bonuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from workbench.game.features import (
    BankedKeys,
    FreeSpins,
    HoldAndSpin,
    ModifierTrigger,
    MoneyRespins,
    WheelValues,
)
from workbench.game.line_features import Bonus, FreeGames, ScatterAwards, ScatterPays, SightTrigger
from workbench.game.named import shortest_decimal, unknown_symbols

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition

FEATURE_ROUNDS = (HoldAndSpin, FreeSpins, BankedKeys, ModifierTrigger, MoneyRespins)
LINE_FEATURES = (ScatterPays, FreeGames, Bonus)
MOST_MARKS = 3


def line_problems(game: GameDefinition) -> Iterator[str]:
    """Every contradiction of a line game's own parts."""
    for check in (_wild, _mixed, _anywhere, _features, _marks, _one_kind_of_round):
        yield from check(game)


def combination_names(game: GameDefinition) -> tuple[str, ...]:
    """What a line may win: symbols that pay, mixed combinations, symbols that pay anywhere."""
    return (*game.paytable, *(m.name for m in game.mixed), *(a.symbol for a in game.anywhere))


def _wild(game: GameDefinition) -> Iterator[str]:
    wild = game.wild
    if wild is None:
        return
    yield from unknown_symbols(game, "wild.replaces", wild.replaces or ())
    if wild.replaces and game.symbols.wild in wild.replaces:
        yield f"wild.replaces: must be other symbols than the Wild, but got {game.symbols.wild!r}"
    if wild.multiplies == "each" and wild.multiplier**game.reel_count > 10**9:
        most = f"{wild.multiplier}^{game.reel_count}"
        yield f"wild.multiplier: all Wilds of a line together may multiply by at most 10^9, but got {most}"


def _pays(game: GameDefinition, place: str, pays: Mapping[int, int]) -> Iterator[str]:
    for count in pays:
        if count > game.reel_count:
            yield f"{place}: a line has {game.reel_count} cells, but got {count}"
    ordered = [pays[count] for count in sorted(pays)]
    if ordered != sorted(ordered):
        yield f"{place}: more symbols must not pay less, but got {ordered}"


def _mixed(game: GameDefinition) -> Iterator[str]:
    taken = list(game.symbols.all)
    for i, mixed in enumerate(game.mixed):
        place = f"mixed[{i}]"
        if mixed.name in taken:
            yield f"{place}.name: must be no other combination's or symbol's, but got {mixed.name!r}"
        taken.append(mixed.name)
        yield from unknown_symbols(game, f"{place}.symbols", mixed.symbols)
        if game.symbols.wild in mixed.symbols:
            yield f"{place}.symbols: must be other symbols than the Wild, but got {game.symbols.wild!r}"
        yield from _pays(game, f"{place}.pays", mixed.pays)


def _anywhere(game: GameDefinition) -> Iterator[str]:
    for i, rule in enumerate(game.anywhere):
        yield from unknown_symbols(game, f"anywhere[{i}].symbol", (rule.symbol,))
        yield from _pays(game, f"anywhere[{i}].pays", rule.pays)
    symbols = [rule.symbol for rule in game.anywhere]
    for symbol in sorted({s for s in symbols if symbols.count(s) > 1}):
        yield f"anywhere: a symbol must be given once, but {symbol!r} is given {symbols.count(symbol)} times"


def _in_sight(
    game: GameDefinition, place: str, symbol: str, reels: tuple[int, ...], counts: Mapping[str, Iterable[int]]
) -> Iterator[str]:
    """What counts symbols in sight; ``counts`` are the numbers asked for, by the key that asks."""
    yield from unknown_symbols(game, f"{place}.symbol", (symbol,))
    if len(set(reels)) < len(reels) or any(r >= game.reel_count for r in reels):
        yield f"{place}.reels: must be different reels below {game.reel_count}, but got {list(reels)}"
        return
    cells = sum(game.grid.rows[r] for r in reels)
    for key, asked in counts.items():
        for count in asked:
            if count > cells:
                yield f"{place}.{key}: at most {cells} cells are in sight on these reels, but got {count}"


def _features(game: GameDefinition) -> Iterator[str]:
    if len(game.features_of(FreeGames)) > 1:
        yield f"features: at most one of kind free_games, but got {len(game.features_of(FreeGames))}"
    for feature in game.features:
        place = f"features.{feature.name}"
        match feature:
            case ScatterPays():
                yield from _in_sight(game, place, feature.symbol, feature.reels, {"pays": feature.pays})
            case FreeGames():
                yield from _free_games(game, place, feature)
            case Bonus():
                yield from _bonus(game, place, feature)
            case _:
                pass


def _free_games(game: GameDefinition, place: str, feature: FreeGames) -> Iterator[str]:
    if feature.scatter:
        seen = feature.scatter
        counts = {key: getattr(seen, key) for key in ("spins", "spins_in_free_games")}
        yield from _in_sight(game, f"{place}.scatter", seen.symbol, seen.reels, counts)
    awards = feature.lines
    for key in ("spins", "spins_in_free_games") if awards else ():
        for symbol, by_length in getattr(awards, key).items():
            for length in by_length:
                yield from _combination(game, f"{place}.lines.{key}", symbol, length)
    for i, exempt in enumerate(feature.exempt):
        yield from _combination(game, f"{place}.exempt[{i}]", exempt.symbol, exempt.count)
    listed = [(exempt.count, exempt.symbol) for exempt in feature.exempt]
    for count, symbol in sorted({c for c in listed if listed.count(c) > 1}):
        yield f"{place}.exempt: a combination must be given once, but got {count} {symbol!r} again"


def _combination(game: GameDefinition, place: str, symbol: str, length: int) -> Iterator[str]:
    pays = dict(game.paytable) | {m.name: m.pays for m in game.mixed}
    listed = [pays.get(symbol, {}), *(a.pays for a in game.anywhere if a.symbol == symbol)]
    lengths = sorted({length for table in listed for length in table})
    if not lengths:
        known = ", ".join(dict.fromkeys(combination_names(game)))
        yield f"{place}: must name a combination that pays, one of {known}, but got {symbol!r}"
    elif length not in lengths:
        yield f"{place}: must be a length that {symbol!r} pays for, one of {lengths}, but got {length}"


def _bonus(game: GameDefinition, place: str, feature: Bonus) -> Iterator[str]:
    if feature.line:
        yield from unknown_symbols(game, f"{place}.line.symbol", (feature.line.symbol,))
        if feature.line.symbol == game.symbols.wild:
            yield f"{place}.line.symbol: must be another symbol than the Wild, but got {feature.line.symbol!r}"
        if feature.line.least > game.reel_count:
            yield f"{place}.line.least: a line has {game.reel_count} cells, but got {feature.line.least}"
    if feature.in_sight:
        seen = feature.in_sight
        yield from _in_sight(game, f"{place}.in_sight", seen.symbol, seen.reels, {"least": (seen.least,)})
    for key, name in (("prizes", feature.prizes), ("draws", feature.draws)):
        wheels = {wheel.name: wheel for wheel in game.features_of(WheelValues)}
        if name is None:
            continue
        if name not in wheels:
            yield f"{place}.{key}: must name a feature of kind wheel, one of {list(wheels)}, but got {name!r}"
        else:
            yield from _wheel(wheels[name], key)


def _wheel(wheel: WheelValues, key: str) -> Iterator[str]:
    for value in wheel.values:
        if key == "prizes" and not shortest_decimal(value):
            yield f"features.{wheel.name}.values: must be numbers from 0 to 1000000 in shortest decimal form, but got {value!r}"
        if key == "draws" and not (shortest_decimal(value) and value.isdigit() and int(value) <= 1000):
            yield f"features.{wheel.name}.values: must be whole numbers from 0 to 1000, but got {value!r}"


def _marks(game: GameDefinition) -> Iterator[str]:
    names = counted_in_sight(game)
    if len(names) > MOST_MARKS:
        kinds = ", ".join(f"{symbol!r} on {list(reels)}" for symbol, reels in names)
        yield f"features: at most {MOST_MARKS} different symbols or sets of reels may be counted in sight, but got {kinds}"


def counted_in_sight(game: GameDefinition) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """What is counted in sight: each symbol with its reels, once, in the order of the definition."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for feature in game.features:
        part: ScatterPays | ScatterAwards | SightTrigger | None = None
        match feature:
            case ScatterPays():
                part = feature
            case FreeGames():
                part = feature.scatter
            case Bonus():
                part = feature.in_sight
            case _:
                pass
        if part is not None:
            found.append((part.symbol, tuple(sorted(part.reels))))
    return tuple(dict.fromkeys(found))


def _one_kind_of_round(game: GameDefinition) -> Iterator[str]:
    """Line features and rules don't go with rounds that hold cells, bank Keys or award modifiers."""
    others = [f.name for f in game.features if isinstance(f, FEATURE_ROUNDS)]
    if not others:
        return
    own = [f"features.{f.name}" for f in game.features if isinstance(f, LINE_FEATURES)]
    own += ["mixed"] if game.mixed else []
    own += ["anywhere"] if game.anywhere else []
    if game.wild:
        own += ["wild.replaces"] if game.wild.replaces is not None else []
        own += ["wild.multiplier"] if game.wild.multiplier > 1 else []
        own += ["wild.leading_run = 'next-symbol'"] if game.wild.leading_run == "next-symbol" else []
        if game.wild.counts_as is None:
            yield f"wild.counts_as: must be a regular symbol in a game with {others[0]!r}, but is missing"
    for place in own:
        yield f"{place}: doesn't go with features of another kind of round, but the game has {others}"
