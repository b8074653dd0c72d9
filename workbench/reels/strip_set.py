"""Strips, position reels and wheels of a game as one frozen value: what is tuned and exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.errors import StripSetError
from workbench.game.definition import GameDefinition

MAX_STOPS = 512
MAX_TOTAL_WEIGHT = 1 << 24
MAX_STAGES = 64

Strip = tuple[str, ...]
Reels = tuple[Strip, ...]


@dataclass(frozen=True)
class Weights:
    """Integer weights over distinct values: a wheel, or one cell of a position reel.

    Raises StripSetError unless every weight is a whole number above 0 and their sum at most 2^24.

    >>> Weights("wheel", ("7", "8"), (1, 3)).probability("8")
    0.75
    """

    where: str
    values: tuple[str, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise StripSetError(f"{self.where}: must have at least one value, but is empty")
        for value, weight in zip(self.values, self.weights, strict=True):
            if type(weight) is not int or weight < 1:
                raise StripSetError(
                    f"{self.where}.{value}: a weight must be a whole number from 1 to {MAX_TOTAL_WEIGHT},"
                    f" but got {weight!r}"
                )
        if self.total > MAX_TOTAL_WEIGHT:
            raise StripSetError(
                f"{self.where}: weights must sum to at most {MAX_TOTAL_WEIGHT}, but sum to {self.total}"
            )

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(self.weights)

    def weight(self, value: str) -> int:
        """Weight of a value; 0 if it isn't listed."""
        return self.weights[self.values.index(value)] if value in self.values else 0

    def probability(self, value: str) -> float:
        """Weight of a value over the total."""
        return self.weight(value) / self.total

    def items(self) -> Iterator[tuple[str, int]]:
        """Pairs of value and weight, in the order of the file."""
        return zip(self.values, self.weights, strict=True)


@dataclass(frozen=True)
class Stage:
    """Position reels in force from the re-spin (or filled count) ``start`` on: one cell a reel, or one for all."""

    start: int
    cells: tuple[Weights, ...]

    def cell(self, reel: int) -> Weights:
        """The position reel of a reel."""
        return self.cells[0] if len(self.cells) == 1 else self.cells[reel]


@dataclass(frozen=True)
class StripSet:
    """Everything of a game that is tuned. Checked against its definition by :func:`check_fit`."""

    game: str
    definition_sha256: str
    name: str
    reels: Mapping[str, Reels]
    position_reels: Mapping[str, tuple[Stage, ...]]
    wheels: Mapping[str, Weights]

    def __post_init__(self) -> None:
        for field in ("reels", "position_reels", "wheels"):
            object.__setattr__(self, field, MappingProxyType(dict(getattr(self, field))))

    def __reduce__(self) -> tuple[object, ...]:
        parts = (dict(self.reels), dict(self.position_reels), dict(self.wheels))
        return (StripSet, (self.game, self.definition_sha256, self.name, *parts))

    def with_reels(self, name: str, reels: Reels) -> StripSet:
        """The same set with other strips under ``name``."""
        return replace(self, reels={**self.reels, name: reels})

    def with_position_reels(self, name: str, stages: tuple[Stage, ...]) -> StripSet:
        """The same set with other position reels under ``name``."""
        return replace(self, position_reels={**self.position_reels, name: stages})

    def with_wheel(self, name: str, wheel: Weights) -> StripSet:
        """The same set with another wheel under ``name``."""
        return replace(self, wheels={**self.wheels, name: wheel})


def check_fit(strips: StripSet, game: GameDefinition) -> None:
    """Raise StripSetError where the set lacks something the game needs or holds what the game doesn't know."""
    if strips.game != game.game:
        raise StripSetError(f"game: must be {game.game!r}, but got {strips.game!r}")
    needed, allowed = _reel_names(game)
    _check_names("reels", strips.reels, needed, allowed)
    for name, reels in strips.reels.items():
        _check_reels(f"reels.{name}", reels, game)
    needed, allowed = _position_reel_names(game)
    _check_names("position_reels", strips.position_reels, needed, allowed)
    for name, stages in strips.position_reels.items():
        _check_position_reels(f"position_reels.{name}", stages, game)
    wheels = {wheel.name: wheel.values for wheel in game.wheels}
    _check_names("wheels", strips.wheels, set(wheels), set(wheels))
    for name, wheel in strips.wheels.items():
        for value in wheel.values:
            if value not in wheels[name]:
                raise StripSetError(
                    f"wheels.{name}: values must be among {', '.join(wheels[name])}, but got {value!r}"
                )


def free_reels(strips: StripSet, game: GameDefinition, collectable: str) -> Reels:
    """The strips Free Spins run on when this symbol is collected."""
    feature = game.free_spins
    assert feature is not None
    own = f"{feature.reels}.{collectable}"
    return strips.reels[own] if own in strips.reels else strips.reels[feature.reels]


def _reel_names(game: GameDefinition) -> tuple[set[str], set[str]]:
    needed = {"base"}
    allowed = set(needed)
    if game.hold_and_spin and game.hold_and_spin.spun == "strips":
        needed.add(game.hold_and_spin.name)
    if game.hold_and_spin:
        allowed.add(game.hold_and_spin.name)
    if game.free_spins:
        allowed.add(game.free_spins.reels)
        allowed |= {
            f"{game.free_spins.reels}.{s}" for s in game.wheel(game.free_spins.wheels.collectable).values
        }
    return needed, allowed | needed


def _position_reel_names(game: GameDefinition) -> tuple[set[str], set[str]]:
    if not game.hold_and_spin:
        return set(), set()
    name = game.hold_and_spin.name
    return ({name} if game.hold_and_spin.spun == "position-reels" else set()), {name}


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


def _check_position_reels(place: str, stages: tuple[Stage, ...], game: GameDefinition) -> None:
    feature = game.hold_and_spin
    assert feature is not None
    starts = [stage.start for stage in stages]
    if not stages or starts[0] != 1 or starts != sorted(set(starts)) or starts[-1] > MAX_STAGES:
        raise StripSetError(
            f"{place}: 'from' must begin with 1 and rise to at most {MAX_STAGES}, but got {starts}"
        )
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
