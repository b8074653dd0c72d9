"""What a strip set and its game must agree on: names, symbols, values, stages. Raises at the first misfit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.errors import EndlessFeatureError, StripSetError
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.reels.strip_set import MAX_STAGES, MAX_STOPS, Reels, Stage, StripSet, Weights

# With more respins to come than this at one filled count, the chain's rounding errors would pass its error bound.
MAX_MEAN_RESPINS = 10_000


def check_fit(strips: StripSet, game: GameDefinition) -> None:
    """Raise StripSetError where the set lacks something the game needs or holds what the game doesn't know."""
    if strips.game != game.game:
        raise StripSetError(f"game: must be {game.game!r}, but got {strips.game!r}")
    needed, allowed = _reel_names(game, strips.reels)
    _check_names("reels", strips.reels, needed, allowed)
    for name, reels in strips.reels.items():
        _check_reels(f"reels.{name}", reels, game)
    _check_stop_weights(strips, game)
    needed, allowed = _position_reel_names(game)
    _check_names("position_reels", strips.position_reels, needed, allowed)
    for name, stages in strips.position_reels.items():
        place = f"position_reels.{name}"
        if game.hold_and_spin and name == game.hold_and_spin.name:
            _check_position_reels(place, stages, game)
        else:
            _check_respins(place, stages, game, name.split(".", 1)[1])
    _check_wheels(strips, game)


def reel_set_names(game: GameDefinition) -> tuple[str, ...]:
    """Every name a reel set of the game may have, sorted."""
    return tuple(sorted(_reel_names(game, {})[1]))


def _reel_names(game: GameDefinition, have: Mapping[str, object]) -> tuple[set[str], set[str]]:
    needed = {"base"}
    allowed = set(needed)
    if game.hold_and_spin and game.hold_and_spin.spun == "strips":
        needed.add(game.hold_and_spin.name)
    if game.hold_and_spin:
        allowed.add(game.hold_and_spin.name)
    if game.free_spins:
        own = _own_free_names(game)
        allowed |= {game.free_spins.reels, *own}
        if not own <= set(have):
            needed.add(game.free_spins.reels)
    if game.free_games:
        needed.add(game.free_games.reels)
    return needed, allowed | needed


def _own_free_names(game: GameDefinition) -> set[str]:
    """Names of the free strips that serve one collectable each."""
    assert game.free_spins is not None
    values = game.wheel(game.free_spins.wheels.collectable).values
    return {f"{game.free_spins.reels}.{symbol}" for symbol in values}


def _position_reel_names(game: GameDefinition) -> tuple[set[str], set[str]]:
    needed, allowed = set(), set()
    if game.hold_and_spin:
        allowed.add(game.hold_and_spin.name)
        if game.hold_and_spin.spun == "position-reels":
            needed.add(game.hold_and_spin.name)
    for respins in game.features_of(MoneyRespins):
        needed |= {f"{respins.name}.{modifiers}" for modifiers in _modifier_trigger(game).modifier_sets}
    return needed, allowed | needed


def _modifier_trigger(game: GameDefinition) -> ModifierTrigger:
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    return trigger


def _check_names(place: str, have: Mapping[str, object], needed: set[str], allowed: set[str]) -> None:
    for name in sorted(needed):
        if name not in have:
            raise StripSetError(f"{place}.{name}: is missing")
    for name in have:
        if name not in allowed:
            raise StripSetError(f"{place}: must be among {', '.join(sorted(allowed))}, but got {name!r}")


def _check_reels(place: str, reels: Reels, game: GameDefinition) -> None:
    if len(reels) != game.reel_count:
        raise StripSetError(f"{place}: must have {game.reel_count} reels, but got {len(reels)}")
    for r, strip in enumerate(reels):
        if not 1 <= len(strip) <= MAX_STOPS:
            raise StripSetError(
                f"{place}: reel {r + 1} must have 1 to {MAX_STOPS} stops, but got {len(strip)}"
            )
        for i, symbol in enumerate(strip):
            if symbol not in game.symbol_index:
                raise StripSetError(
                    f"{place}: reel {r + 1}, stop {i} (counted from 0): must be one of"
                    f" {', '.join(game.symbols.all)}, but got {symbol!r}"
                )


def _check_stop_weights(strips: StripSet, game: GameDefinition) -> None:
    """One weight for each stop of each reel; only spins of plain line games are weighted."""
    others = [f.name for f in game.features if isinstance(f, FEATURE_ROUNDS)]
    for name, by_reel in strips.stop_weights.items():
        place = f"stop_weights.{name}"
        if others:
            raise StripSetError(
                f"stop_weights: must be left out in a game with {others[0]!r}, but got {name!r}"
            )
        if name not in strips.reels:
            known = ", ".join(sorted(strips.reels))
            raise StripSetError(f"stop_weights: must be among {known}, but got {name!r}")
        have = [len(weights) for weights in by_reel]
        stops = [len(strip) for strip in strips.reels[name]]
        if have != stops:
            raise StripSetError(f"{place}: must have a weight for each stop, {stops}, but has {have}")


def _check_starts(place: str, stages: Sequence[Stage], first: int, last: int) -> None:
    starts = [stage.start for stage in stages]
    if not stages or starts[0] != first or starts != sorted(set(starts)) or starts[-1] > last:
        raise StripSetError(
            f"{place}: 'from' must begin with {first} and rise to at most {last}, but got {starts}"
        )


def _check_position_reels(place: str, stages: tuple[Stage, ...], game: GameDefinition) -> None:
    feature = game.hold_and_spin
    assert feature is not None
    _check_starts(place, stages, 1, MAX_STAGES)
    for i, stage in enumerate(stages):
        if len(stage.cells) not in (1, game.reel_count):
            raise StripSetError(
                f"{place}[{i}].cells: must have 1 or {game.reel_count} entries, but got {len(stage.cells)}"
            )
        for reel in range(game.reel_count):
            allowed = [feature.held_symbol, feature.blank_symbol]
            if reel in feature.key.reels:
                allowed.append(feature.key.symbol)
            for value in stage.cell(reel).values:
                if value not in allowed:
                    raise StripSetError(
                        f"{place}[{i}]: reel {reel + 1} may land {', '.join(allowed)}, but got {value!r}"
                    )


def _check_respins(place: str, stages: tuple[Stage, ...], game: GameDefinition, modifiers: str) -> None:
    """Stages by filled cells from 0, one cell for all reels, that land what the modifiers allow and end some time."""
    respins, trigger = game.only(MoneyRespins), _modifier_trigger(game)
    assert respins is not None
    cells = respins.cells(modifiers)
    _check_starts(place, stages, 0, cells - 1)
    orbs = [trigger.colours[trigger.modifiers[m]] for m in modifiers.split("+")]
    allowed = [respins.money_symbol, respins.blank_symbol, *orbs]
    for i, stage in enumerate(stages):
        if len(stage.cells) != 1:
            raise StripSetError(f"{place}[{i}].cells: must have 1 entry, but got {len(stage.cells)}")
        for value in stage.cells[0].values:
            if value not in allowed:
                raise StripSetError(f"{place}[{i}]: may land {', '.join(allowed)}, but got {value!r}")
    for filled in range(cells):
        stage = next(s for s in reversed(stages) if s.start <= filled)
        mean = _respins_at(stage.cells[0], respins, cells - filled)
        if not mean <= MAX_MEAN_RESPINS:
            raise EndlessFeatureError(
                f"{place}: respins must end, but with {filled} cells filled {mean:.3g} more are expected"
                f" (at most {MAX_MEAN_RESPINS}); give {respins.blank_symbol} or {respins.money_symbol} more weight"
            )


def _respins_at(cell: Weights, respins: MoneyRespins, open_cells: int) -> float:
    """Expected respins played while the filled count stays as it is.

    A respin lands nothing with u, no Money with v; r in a row that land nothing end it. Of the 1 + u + ... + u^(r-1)
    respins played from a reset on, a Money or the end leaves the count.
    """
    nothing = cell.probability(respins.blank_symbol) ** open_cells
    no_money = (1 - cell.probability(respins.money_symbol)) ** open_cells
    played = sum(nothing**i for i in range(respins.respins))
    leaves = played * (1 - no_money) + nothing**respins.respins
    return played / leaves if leaves > 0 else float("inf")


def _check_wheels(strips: StripSet, game: GameDefinition) -> None:
    """Every wheel the game draws from is there, lists only values it knows, and all it must list."""
    needed, allowed = _wheel_values(game, strips.wheels)
    _check_names("wheels", strips.wheels, set(needed), set(allowed))
    complete = {wheel.name for wheel in game.wheels if wheel.every_value == "required"}
    for name, wheel in strips.wheels.items():
        values = allowed[name]
        for value in wheel.values:
            if value not in values:
                raise StripSetError(
                    f"wheels.{name}: values must be among {', '.join(values)}, but got {value!r}"
                )
        for value in values:
            if name.split(".")[0] in complete and value not in wheel.values:
                raise StripSetError(
                    f"wheels.{name}: must list every value, but {value!r} is missing; listed are {', '.join(wheel.values)}"
                )


def _wheel_values(
    game: GameDefinition, have: Mapping[str, object]
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Values of the wheels that must be there, and of those that may be."""
    needed = {wheel.name: wheel.values for wheel in game.wheels}
    trigger, respins = game.only(ModifierTrigger), game.only(MoneyRespins)
    if trigger is None or respins is None:
        return needed, needed
    for wheel in respins.wheels_per_set:
        values = needed.pop(wheel)
        needed |= {f"{wheel}.{modifiers}": values for modifiers in trigger.modifier_sets}
    needed |= {f"{trigger.wheel}.{colours}": trigger.awards(colours) for colours in trigger.colour_sets}
    allowed = dict(needed)
    if trigger.stash_levels != "shows-only":
        levels = {str(level) for level in range(1, trigger.stash_levels + 1)}
        for name in have:
            base, _, at = name.partition("@")
            if base in needed and base.startswith(f"{trigger.wheel}.") and at:
                parts = at.split("+")
                if len(parts) == len(base.split("+")) and set(parts) <= levels:
                    allowed[name] = needed[base]
    return needed, allowed
