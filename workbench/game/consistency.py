"""What the parts of a definition must agree on. Each check yields lines of the form "place: law, but got ..."."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from workbench.game.features import (
    BankedKeys,
    FreeSpins,
    HoldAndSpin,
    Ladder,
    ModifierTrigger,
    MoneyRespins,
    WheelValues,
)
from workbench.game.line_consistency import line_problems
from workbench.game.line_features import Bonus, FreeGames, ScatterPays
from workbench.game.named import shortest_decimal, unknown_symbols

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.game.strip_rules import StripRule


def problems(game: GameDefinition) -> list[str]:
    """Every contradiction in a definition, in the order of the file."""
    checks = (
        _symbols,
        _lines,
        _paytable,
        _wild,
        _features,
        _triggers,
        line_problems,
        _strip_rules,
        _readings,
    )
    return [line for check in checks for line in check(game)]


def _symbols(game: GameDefinition) -> Iterator[str]:
    names = game.symbols.all
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"symbols: every symbol must be listed once, but {name!r} is listed {names.count(name)} times"
    if len(names) > 60:
        yield f"symbols: at most 60 symbols, but got {len(names)}"
    for tier, members in game.symbols.tiers.items():
        yield from unknown_symbols(game, f"symbols.tiers.{tier}", members)


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
        have = "missing" if game.wild is None else "there"
        yield (
            "wild: the table must be there if symbols.wild names a Wild, and only then, but symbols.wild is"
            f" {game.symbols.wild!r} and the table is {have}"
        )
    if game.wild and game.wild.counts_as not in (None, *game.symbols.regular):
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
    for kind in (HoldAndSpin, FreeSpins, BankedKeys, ModifierTrigger, MoneyRespins):
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
            case ModifierTrigger():
                yield from _modifier_trigger(game, place, feature)
            case MoneyRespins():
                yield from _money_respins(game, place, feature)
            case Ladder() | WheelValues() | ScatterPays() | FreeGames() | Bonus():
                pass


def _triggers(game: GameDefinition) -> Iterator[str]:
    hold, free = game.hold_and_spin, game.free_spins
    if hold and free:
        ours, theirs = (free.trigger.symbol, free.trigger.reels), (hold.trigger.symbol, hold.trigger.reels)
        if ours != theirs:
            yield (
                f"features.{free.name}.trigger: must count the same symbol on the same reels as"
                f" {hold.name}, {theirs[0]!r} on {list(theirs[1])}, but counts {ours[0]!r} on {list(ours[1])}"
            )


def _hold_and_spin(game: GameDefinition, place: str, feature: HoldAndSpin) -> Iterator[str]:
    yield from _named(game, f"{place}.ladder", feature.ladder, Ladder)
    yield from _reels(game, f"{place}.trigger.reels", feature.trigger.reels)
    yield from _reels(game, f"{place}.key.reels", feature.key.reels)
    special = (feature.held_symbol, feature.blank_symbol, feature.key.symbol, feature.trigger.symbol)
    yield from unknown_symbols(game, place, special)
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
    yield from unknown_symbols(
        game, place, (feature.trigger.symbol, feature.retrigger.symbol, feature.key.symbol)
    )
    if feature.meter.bonus:
        yield from unknown_symbols(game, f"{place}.meter.bonus", (feature.meter.bonus.symbol,))
        yield from _reels(game, f"{place}.meter.bonus.reels", feature.meter.bonus.reels)
    for wheel in game.features_of(WheelValues):
        where = f"features.{wheel.name}.values"
        if wheel.name == feature.wheels.collectable:
            yield from unknown_symbols(game, where, wheel.values)
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


def _modifier_trigger(game: GameDefinition, place: str, feature: ModifierTrigger) -> Iterator[str]:
    yield from unknown_symbols(game, f"{place}.colours", feature.colours.values())
    orbs = list(feature.colours.values())
    if len(set(orbs)) < len(orbs):
        yield f"{place}.colours: every colour must have an Orb of its own, but got {orbs}"
    for modifier, colour in feature.modifiers.items():
        if colour not in feature.colours:
            yield f"{place}.modifiers.{modifier}: must be a colour of {sorted(feature.colours)}, but got {colour!r}"
    if not game.features_of(MoneyRespins):
        yield f"{place}: must have a feature of kind MoneyRespins to start, but the game has none"


def _money_respins(game: GameDefinition, place: str, feature: MoneyRespins) -> Iterator[str]:
    yield from _named(game, f"{place}.trigger", feature.trigger, ModifierTrigger)
    yield from unknown_symbols(game, place, (feature.money_symbol, feature.blank_symbol))
    modifiers = {m for t in game.features_of(ModifierTrigger) for m in t.modifiers}
    have = {rule.modifier for rule in feature.rules}
    if have != modifiers or len(have) < len(feature.rules):
        yield f"{place}: must have one rule for each modifier of {sorted(modifiers)}, but has {sorted(have)}"
    for modifier in feature.rows_with:
        if modifier not in modifiers:
            yield f"{place}.rows_with: must be a modifier of {sorted(modifiers)}, but got {modifier!r}"
    for rows in (feature.rows, *feature.rows_with.values()):
        if len(rows) != game.reel_count or not 2 <= sum(rows) <= 60:
            yield f"{place}.rows: must be {game.reel_count} reels of 2 to 60 cells in all, but got {list(rows)}"
    for wheel in feature.wheels_per_set:
        if wheel not in feature.wheels:
            yield f"{place}.wheels_per_set: must be among {list(feature.wheels)}, but got {wheel!r}"
    if game.win_cap != "none" and feature.full_grid.pays > game.win_cap:
        yield f"{place}.full_grid.pays: must be at most the win cap {game.win_cap}, but got {feature.full_grid.pays}"
    yield from _respin_wheels(game, place, feature)


def _respin_wheels(game: GameDefinition, place: str, feature: MoneyRespins) -> Iterator[str]:
    for name in feature.wheels:
        yield from _named(game, f"{place}: wheel", name, WheelValues)
    for wheel in game.features_of(WheelValues):
        where = f"features.{wheel.name}.values"
        if feature.jackpots and wheel.name == feature.jackpots.wheel:
            if set(wheel.values) != set(feature.jackpots.prizes):
                yield f"{where}: must be the names with a prize, {list(feature.jackpots.prizes)}, but got {list(wheel.values)}"
        elif feature.multiply and wheel.name == feature.multiply.count_wheel:
            for value in wheel.values:
                if not (
                    value.isascii() and value.isdigit() and int(value) <= 60 and str(int(value)) == value
                ):
                    yield f"{where}: must be whole numbers from 0 to 60, but got {value!r}"
        elif wheel.name in feature.wheels:
            for value in wheel.values:
                if not shortest_decimal(value):
                    yield f"{where}: must be numbers from 0 to 1000000 in shortest decimal form, but got {value!r}"


def _strip_rules(game: GameDefinition) -> Iterator[str]:
    return strip_rule_problems(game, game.strip_rules)


def strip_rule_problems(game: GameDefinition, rules: Iterable[StripRule]) -> Iterator[str]:
    """What strip rules name that the game lacks: reel sets, reels, symbols, tiers."""
    named = (
        *(f.reels for f in game.features_of(FreeSpins)),
        *(f.name for f in game.features_of(HoldAndSpin)),
        *(f.reels for f in game.features_of(FreeGames)),
    )
    sets = list(dict.fromkeys(("base", *named)))
    for i, rule in enumerate(rules):
        place = f"strip_rules[{i}]"
        if rule.reels.split(".")[0] not in sets:
            yield f"{place}.reels: must be one of {', '.join(sets)}, but got {rule.reels!r}"
        yield from unknown_symbols(game, f"{place}.symbols", getattr(rule, "symbols", ()))
        yield from _reels(game, f"{place}.on", rule.on or ())
        least, most = getattr(rule, "least", 0), getattr(rule, "most", 2**31)
        if least > most:
            yield f"{place}.least: must be at most {most}, but got {least}"
        for tier in getattr(rule, "tiers", ()):
            if tier not in game.symbols.tiers:
                yield f"{place}.tiers: must be one of {', '.join(game.symbols.tiers)}, but got {tier!r}"


def _readings(game: GameDefinition) -> Iterator[str]:
    for i, reading in enumerate(game.readings):
        for path in reading.settings:
            try:
                game.setting(path)
            except KeyError:
                yield f"readings[{i}].settings: must name a setting, but got {path!r}"
