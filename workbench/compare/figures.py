"""Figures that move from one set to another, by their path in the table of :func:`workbench.value.evaluate.figures_of`.

Only numbers are compared. An exact figure moves where :func:`workbench.verify.differences` finds two values further
apart than both error bounds together; figures under ``estimates`` have intervals of their own, which that bound knows
nothing of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.value.evaluate import Figures
from workbench.verify import differences

Number = int | float | None

# The heads of the figures a reader wants first, in reading order; numbers in lists under them don't belong to these.
MAIN = (
    *("rtp", "components", "strategies", "hit_frequency", "line_hit_frequency", "features", "keys"),
    *("optimal_policy", "standard_deviation", "long_run_standard_deviation", "volatility_index_90"),
    *("top_prize", "max_win"),
)
# What a row of a list tells about what its other entries name.
OF_ROWS = ("hits", "rtp", "probability")
NOT_FIGURES = ("error_bound",)


@dataclass(frozen=True)
class Figure:
    """A figure that moves: its value in every set, the first set's first; None where a set has no such figure.

    ``moves`` says for each set but the first whether the figure moved.
    """

    path: str
    main: bool
    values: tuple[Number, ...]
    moves: tuple[bool, ...]

    @property
    def differences(self) -> tuple[Number, ...]:
        """Every other value minus the first."""
        first, *others = self.values
        return tuple(None if first is None or x is None else x - first for x in others)

    @property
    def relative(self) -> tuple[float | None, ...]:
        """The differences over the size of the first value; None where that is 0."""
        first = self.values[0]
        return tuple(None if not first or d is None else d / abs(first) for d in self.differences)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "figure": self.path,
            "main": self.main,
            "values": list(self.values),
            "differences": list(self.differences),
            "relative": list(self.relative),
            "moves": list(self.moves),
        }


def moved_figures(tables: Sequence[Figures]) -> tuple[Figure, ...]:
    """The figures that differ from those of the first table in some other one, main figures first."""
    flat = [dict(_numbers(table)) for table in tables]
    bounds = [table["error_bound"] for table in tables]
    found = []
    for path in dict.fromkeys(path for numbers in flat for path in numbers):
        values = tuple(numbers.get(path) for numbers in flat)
        pairs = zip(values[1:], bounds[1:], strict=True)
        moves = tuple(any(differences(values[0], x, bounds[0] + bound, path)) for x, bound in pairs)
        if any(moves):
            found.append(Figure(path, _is_main(path), values, moves))
    return tuple(sorted(found, key=_rank))


def head(path: str) -> str:
    """The first name of a path.

    >>> head("components.lines"), head("combinations[count 5, symbol A].hits"), head("rtp")
    ('components', 'combinations', 'rtp')
    """
    return path.replace("[", ".").split(".", 1)[0]


def _rank(figure: Figure) -> int:
    return MAIN.index(head(figure.path)) if figure.main else len(MAIN)


def _is_main(path: str) -> bool:
    return head(path) in MAIN and "[" not in path


def _numbers(value: object, place: str = "") -> Iterator[tuple[str, int | float]]:
    """Every number in a table by its path."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if place or key not in NOT_FIGURES:
                yield from _numbers(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for name, item in zip(_row_names(value), value, strict=True):
            figures = item
            if isinstance(item, Mapping):
                figures = {key: x for key, x in item.items() if key in OF_ROWS}
            yield from _numbers(figures, f"{place}[{name}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, value


def _row_names(rows: list[Any]) -> list[str]:
    """Rows that say what they are about go by that, so that one row more doesn't shift the others; else by number.

    >>> _row_names([{"symbol": "A", "count": 5, "wilds_only": True, "hits": 8}]), _row_names([0.5, 0.25])
    (['count 5, symbol A, wilds_only'], ['0', '1'])
    """
    names = [_row_name(row) if isinstance(row, Mapping) else "" for row in rows]
    distinct = all(names) and len(set(names)) == len(names)
    return names if distinct else [str(i) for i in range(len(rows))]


def _row_name(row: Mapping[str, Any]) -> str:
    said = {key: row[key] for key in sorted(row) if key not in OF_ROWS and row[key] is not False}
    return ", ".join(key if x is True else f"{key} {_text(x)}" for key, x in said.items())


def _text(value: object) -> str:
    return " ".join(map(_text, value)) if isinstance(value, list) else str(value)
