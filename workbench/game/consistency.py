"""What the parts of a definition must agree on. Each check yields lines of the form "place: law, but got ..."."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from workbench.game.features import BankedKeys, FreeSpins, HoldAndSpin, Ladder, WheelValues

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition


def problems(game: GameDefinition) -> list[str]:
    """Every contradiction in a definition, in the order of the file."""
    checks = (_symbols, _lines, _paytable, _wild, _features, _strip_rules, _readings)
    return [line for check in checks for line in check(game)]


def _unknown(game: GameDefinition, place: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in game.symbols.all:
            yield f"{place}: must be a symbol of the game, but got {name!r}"


def _symbols(game: GameDefinition) -> Iterator[str]:
    names = game.symbols.all
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"symbols: every symbol must be listed once, but {name!r} is listed {names.count(name)} times"
    if len(names) > 60:
        yield f"symbols: at most 60 symbols, but got {len(names)}"
    for tier, members in game.symbols.tiers.items():
        yield from _unknown(game, f"symbols.tiers.{tier}", members)


def _lines(game: GameDefinition) -> Iterator[str]:
    rows = game.grid.rows
    for i, line in enumerate(game.lines):
        if len(line) != len(rows):
            yield f"lines[{i}]: must name a row for each of the {len(rows)} reels, but got {len(line)} rows"
        elif any(row >= rows[r] for r, row in enumerate(line)):
            yield f"lines[{i}]: rows must be below {list(rows)}, but got {list(line)}"
    if sum(rows) > 64:
        yield f"grid.rows: at most 64 cells, but got {sum(rows)}"


def _paytable(game: GameDefinition) -> Iterator[str]:
    paying = set(game.symbols.regular) | ({game.symbols.wild} if game.symbols.wild else set())
    for name, pays in game.paytable.items():
        if name not in paying:
            yield f"paytable.{name}: must be a regular symbol or the Wild, but got {name!r}"
        for count in pays:
            if count > game.reel_count:
                yield f"paytable.{name}: a run is at most {game.reel_count} long, but got {count}"
        ordered = [pays[count] for count in sorted(pays)]
        if ordered != sorted(ordered):
            yield f"paytable.{name}: a longer run must not pay less, but got {ordered}"


def _wild(game: GameDefinition) -> Iterator[str]:
    if (game.symbols.wild is None) != (game.wild is None):
        yield "wild: a game with a Wild symbol needs the table [wild], and only such a game"
    if game.wild and game.wild.counts_as not in game.symbols.regular:
        yield f"wild.counts_as: must be a regular symbol, but got {game.wild.counts_as!r}"


def _named(game: GameDefinition, place: str, name: str, kind: type) -> Iterator[str]:
    if not any(f.name == name and isinstance(f, kind) for f in game.features):
        have = [f.name for f in game.features if isinstance(f, kind)]
        yield f"{place}: must name a feature of kind {kind.__name__}, one of {have}, but got {name!r}"


def _reels(game: GameDefinition, place: str, reels: Iterable[int]) -> Iterator[str]:
    for reel in reels:
        if reel >= game.reel_count:
            yield f"{place}: reels must be below {game.reel_count}, but got {reel}"


def _features(game: GameDefinition) -> Iterator[str]:
    names = [f.name for f in game.features]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"features: a name must be given once, but {name!r} is given {names.count(name)} times"
    for kind in (HoldAndSpin, FreeSpins, BankedKeys):
        if len(game.features_of(kind)) > 1:
            yield f"features: at most one of kind {kind.__name__}, but got {len(game.features_of(kind))}"
    for feature in game.features:
        place = f"features.{feature.name}"
        match feature:
            case HoldAndSpin():
                yield from _hold_and_spin(game, place, feature)
            case FreeSpins():
                yield from _free_spins(game, place, feature)
            case BankedKeys():
                yield from _banked_keys(game, place, feature)
            case Ladder() | WheelValues():
                pass


def _hold_and_spin(game: GameDefinition, place: str, feature: HoldAndSpin) -> Iterator[str]:
    yield from _named(game, f"{place}.ladder", feature.ladder, Ladder)
    yield from _reels(game, f"{place}.trigger.reels", feature.trigger.reels)
    yield from _reels(game, f"{place}.key.reels", feature.key.reels)
    special = (feature.held_symbol, feature.blank_symbol, feature.key.symbol, feature.trigger.symbol)
    yield from _unknown(game, place, special)
    if feature.trigger.line_win != "required":
        yield f"{place}.trigger.line_win: must be 'required', as the start board is a winning line's"
    if len(game.lines) > 64:
        yield f"{place}: a hold-and-spin goes with at most 64 lines, but the game has {len(game.lines)}"


def _free_spins(game: GameDefinition, place: str, feature: FreeSpins) -> Iterator[str]:
    yield from _named(game, f"{place}.ladder", feature.ladder, Ladder)
    for tier in ("spins", "collectable", "keys"):
        yield from _named(game, f"{place}.wheels.{tier}", getattr(feature.wheels, tier), WheelValues)
    yield from _reels(game, f"{place}.trigger.reels", feature.trigger.reels)
    yield from _reels(game, f"{place}.retrigger.reels", feature.retrigger.reels)
    yield from _reels(game, f"{place}.key.reels", feature.key.reels)
    yield from _unknown(game, place, (feature.trigger.symbol, feature.retrigger.symbol, feature.key.symbol))
    if feature.meter.bonus:
        yield from _unknown(game, f"{place}.meter.bonus", (feature.meter.bonus.symbol,))
        yield from _reels(game, f"{place}.meter.bonus.reels", feature.meter.bonus.reels)
    for wheel in game.features_of(WheelValues):
        where = f"features.{wheel.name}.values"
        if wheel.name == feature.wheels.collectable:
            yield from _unknown(game, where, wheel.values)
            allowed = {s for tier in feature.collectable_tiers for s in game.symbols.tiers.get(tier, ())}
            for value in wheel.values:
                if value not in allowed:
                    tiers = list(feature.collectable_tiers)
                    yield f"{where}: must be of the tiers {tiers}, but got {value!r}"
        elif wheel.name in (feature.wheels.spins, feature.wheels.keys):
            least = 1 if wheel.name == feature.wheels.spins else 0
            for value in wheel.values:
                if not (value.isascii() and value.isdigit() and least <= int(value) <= 1000):
                    yield f"{where}: must be whole numbers from {least} to 1000, but got {value!r}"


def _banked_keys(game: GameDefinition, place: str, feature: BankedKeys) -> Iterator[str]:
    yield from _named(game, f"{place}.won_in", feature.won_in, HoldAndSpin)
    yield from _named(game, f"{place}.used_in", feature.used_in, FreeSpins)


def _strip_rules(game: GameDefinition) -> Iterator[str]:
    for i, rule in enumerate(game.strip_rules):
        yield from _unknown(game, f"strip_rules[{i}].symbols", getattr(rule, "symbols", ()))
        yield from _reels(game, f"strip_rules[{i}].on", rule.on or ())


def _readings(game: GameDefinition) -> Iterator[str]:
    for i, reading in enumerate(game.readings):
        for path in reading.settings:
            try:
                game.setting(path)
            except KeyError:
                yield f"readings[{i}].settings: must name a setting, but got {path!r}"
