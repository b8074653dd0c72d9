"""The comparison of a strip set with others of its game, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench import __version__
from workbench.compare.figures import Figure, moved_figures
from workbench.compare.strips import StripDifference, WeightDifference, differences_of
from workbench.errors import UsageError
from workbench.library import Loaded, located
from workbench.value.evaluate import Figures, figures_of

FORMAT = "workbench.comparison/1"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Evaluate = Callable[[Loaded, str | None], Figures]


@dataclass(frozen=True)
class Against:
    """What of the strips and weights of a set differs from the first set's; every reel is listed."""

    letter: str
    strips: tuple[StripDifference, ...]
    weights: tuple[WeightDifference, ...]

    @property
    def same(self) -> bool:
        """Whether every stop and every weight is the same."""
        return not self.weights and all(strip.same for strip in self.strips)


@dataclass(frozen=True)
class Comparison:
    """Sets by letter, A first; what differs from A in each of the others; the figures that move in some of them."""

    sets: tuple[Loaded, ...]
    strategy: str | None
    others: tuple[Against, ...]
    figures: tuple[Figure, ...]
    bounds: tuple[float, ...]

    @property
    def equal(self) -> bool:
        """Whether no stop and no weight differs, and no figure moves."""
        return not self.figures and all(other.same for other in self.others)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; reels and stops count from 0."""
        game = self.sets[0].game
        return {
            "format": FORMAT,
            "workbench_version": __version__,
            "game": game.game,
            "definition_sha256": game.sha256,
            "strategy": self.strategy,
            "equal": self.equal,
            "sets": [
                {
                    "set": letter,
                    "strip_set": loaded.strips.name,
                    "sha256": loaded.sha256,
                    "error_bound": bound,
                }
                for letter, loaded, bound in zip(LETTERS, self.sets, self.bounds, strict=False)
            ],
            "others": [
                {
                    "set": other.letter,
                    "same": other.same,
                    "strips": [strip.to_json() for strip in other.strips],
                    "weights": [weight.to_json() for weight in other.weights],
                }
                for other in self.others
            ],
            "figures": [figure.to_json() for figure in self.figures],
        }


def compare(
    sets: Sequence[Loaded], strategy: str | None = None, evaluate: Evaluate | None = None
) -> Comparison:
    """Hold the first set against each of the others. ``evaluate`` replaces the evaluation in tests.

    Raises UsageError unless there are 2 to 26 sets read with one definition, and what the evaluation raises.
    """
    if not 2 <= len(sets) <= len(LETTERS):
        raise UsageError(f"strip sets: must be 2 to {len(LETTERS)}, but got {len(sets)}")
    first, *others = sets
    for other in others:
        _check_same_game(first, other)
    tables = [(evaluate or _figures)(loaded, strategy) for loaded in sets]
    return Comparison(
        tuple(sets),
        tables[0]["strategy"],
        tuple(
            Against(letter, *differences_of(first.strips, other.strips))
            for letter, other in zip(LETTERS[1:], others, strict=False)
        ),
        moved_figures(tables),
        tuple(table["error_bound"] for table in tables),
    )


def _check_same_game(first: Loaded, other: Loaded) -> None:
    if other.game.game != first.game.game:
        raise UsageError(
            f"{other.path}: game: must be {first.game.game!r}, that of {first.path}, but got {other.game.game!r}"
        )
    if other.game.sha256 != first.game.sha256:
        raise UsageError(
            f"{other.path}: must be read with the definition of {first.path}, {first.game.sha256[:16]}, but got"
            f" {other.game.sha256[:16]}; --game FILE reads all sets with one"
        )


def _figures(loaded: Loaded, strategy: str | None) -> Figures:
    with located(loaded.path):
        return figures_of(loaded.game, loaded.strips, strategy, loaded.sha256)
