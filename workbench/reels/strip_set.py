"""Strips, position reels and wheels of a game as one frozen value: what is tuned and exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from workbench.errors import StripSetError
from workbench.game.definition import GameDefinition

MAX_STOPS = 512
MAX_TOTAL_WEIGHT = 1 << 24
MAX_STAGES = 64

Strip = tuple[str, ...]
Reels = tuple[Strip, ...]
StopWeights = tuple[tuple[int, ...], ...]


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


def _check_stops(place: str, weights: tuple[int, ...]) -> None:
    for i, weight in enumerate(weights):
        if type(weight) is not int or not 1 <= weight <= MAX_TOTAL_WEIGHT:
            raise StripSetError(
                f"{place}, stop {i} (counted from 0): a weight must be a whole number from 1 to"
                f" {MAX_TOTAL_WEIGHT}, but got {weight!r}"
            )
    if sum(weights) > MAX_TOTAL_WEIGHT:
        raise StripSetError(
            f"{place}: weights must sum to at most {MAX_TOTAL_WEIGHT}, but sum to {sum(weights)}"
        )


@dataclass(frozen=True)
class StripSet:
    """Everything of a game that is tuned. Checked against its definition by :func:`workbench.reels.fit.check_fit`.

    ``stop_weights`` says how likely the stops of a reel set are; sets not named there have equally likely stops. Raises
    StripSetError unless every stop weight is a whole number from 1 and a reel's sum to at most 2^24.
    """

    game: str
    definition_sha256: str
    name: str
    reels: Mapping[str, Reels]
    position_reels: Mapping[str, tuple[Stage, ...]]
    wheels: Mapping[str, Weights]
    stop_weights: Mapping[str, StopWeights] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for part in ("reels", "position_reels", "wheels", "stop_weights"):
            object.__setattr__(self, part, MappingProxyType(dict(getattr(self, part))))
        for name, by_reel in self.stop_weights.items():
            for r, weights in enumerate(by_reel):
                _check_stops(f"stop_weights.{name}: reel {r + 1}", weights)

    def __reduce__(self) -> tuple[object, ...]:
        parts = (dict(self.reels), dict(self.position_reels), dict(self.wheels), dict(self.stop_weights))
        return (StripSet, (self.game, self.definition_sha256, self.name, *parts))

    def weights_of(self, name: str) -> StopWeights | None:
        """The stop weights of a reel set; None where its stops are equally likely."""
        return self.stop_weights.get(name)

    def with_reels(self, name: str, reels: Reels) -> StripSet:
        """The same set with other strips under ``name``."""
        return replace(self, reels={**self.reels, name: reels})

    def with_position_reels(self, name: str, stages: tuple[Stage, ...]) -> StripSet:
        """The same set with other position reels under ``name``."""
        return replace(self, position_reels={**self.position_reels, name: stages})

    def with_wheel(self, name: str, wheel: Weights) -> StripSet:
        """The same set with another wheel under ``name``."""
        return replace(self, wheels={**self.wheels, name: wheel})


def free_reels(strips: StripSet, game: GameDefinition, collectable: str) -> Reels:
    """The strips Free Spins run on when this symbol is collected."""
    feature = game.free_spins
    assert feature is not None
    own = f"{feature.reels}.{collectable}"
    return strips.reels[own] if own in strips.reels else strips.reels[feature.reels]
