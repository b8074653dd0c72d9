"""What changes do to figures: one row a change, one column a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.sensitivity.changes import Swap, Unit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sensitivities:
    """The exact changes of every figure.

    strategy
        the player's, None in a game without choices.
    figures, base
        names of the figures, as paths into the table of figures, and the set's own values.
    swap_changes, unit_changes
        (changes, figures): figure of the edited set less that of the set; NaN where the edited set has no figures.
    breaks
        (swaps,): whether a swap breaks a strip rule.
    refused
        why an edited set has no figures, by its change.
    """

    strategy: str | None
    figures: tuple[str, ...]
    base: Array
    swaps: tuple[Swap, ...]
    swap_changes: Array
    breaks: tuple[bool, ...]
    units: tuple[Unit, ...]
    unit_changes: Array
    refused: dict[Swap | Unit, str]

    def column(self, figure: str) -> int:
        """The place of a figure; UsageError names those there are."""
        if figure not in self.figures:
            raise UsageError(f"figure: must be one of {', '.join(self.figures)}, but got {figure!r}")
        return self.figures.index(figure)

    def largest(self, figure: str, most: int) -> Sequence[tuple[Swap, float, bool]]:
        """The swaps that move a figure most, largest change first, with whether they break a rule."""
        changes = self.swap_changes[:, self.column(figure)]
        places = _by_size(changes, most)
        return [(self.swaps[i], float(changes[i]), self.breaks[i]) for i in places]

    def largest_units(self, figure: str, most: int) -> Sequence[tuple[Unit, float]]:
        """The units of weight that move a figure most."""
        changes = self.unit_changes[:, self.column(figure)]
        return [(self.units[i], float(changes[i])) for i in _by_size(changes, most)]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, compact: rows of numbers in the order of ``figures``."""
        return {
            "figures": list(self.figures),
            "base": _numbers(self.base),
            "swaps": list(self._swap_rows()),
            "units": list(self._unit_rows()),
        }

    def _swap_rows(self) -> Iterator[dict[str, Any]]:
        for swap, row, breaks in zip(self.swaps, self.swap_changes, self.breaks, strict=True):
            found = {
                "reels": swap.reels,
                "reel": swap.reel,
                "stop": swap.stop,
                "from": swap.before,
                "to": swap.symbol,
                "changes": _numbers(row),
            }
            yield found | ({"breaks_rule": True} if breaks else {}) | self._reason(swap)

    def _unit_rows(self) -> Iterator[dict[str, Any]]:
        for unit, row in zip(self.units, self.unit_changes, strict=True):
            found: dict[str, Any] = {"name": unit.name, "value": unit.value, "more": unit.more}
            if unit.stage is not None:
                found |= {"stage": unit.stage, "cell": unit.cell}
            yield found | {"changes": _numbers(row)} | self._reason(unit)

    def _reason(self, change: Swap | Unit) -> dict[str, str]:
        return {"refused": self.refused[change]} if change in self.refused else {}


def _by_size(changes: Array, most: int) -> list[int]:
    size = np.where(np.isnan(changes), -1.0, np.abs(changes))
    order = np.argsort(-size, kind="stable")[:most]
    return [int(i) for i in order if size[i] > 0]


def _numbers(row: Array) -> list[float | None]:
    return [None if np.isnan(x) else float(x) for x in row]
