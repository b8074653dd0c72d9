"""What is wanted of a strip set, and how far a set is from it.

A target names figures of ``evaluate --json`` by their path, each with a value and a tolerance or a range, hard (must
hold) or soft (as near as can be), and strip rules that come on top of the game's own. The score of a set is the
sum of its misses in units of each figure's ``scale``; 0 means that everything holds.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from workbench.errors import TargetError
from workbench.game.frozen import Frozen
from workbench.game.load import GAMES_FOLDER, problems_of
from workbench.game.strip_rules import StripRule
from workbench.reels.files import read_file

FORMAT = "workbench.target/1"
SOFT_WEIGHT = 0.05


class FigureTarget(Frozen):
    """One wanted figure: ``value`` within ``tolerance``, or between ``least`` and ``most``."""

    figure: str
    value: float | None = None
    tolerance: float = Field(default=0.0, ge=0)
    least: float | None = None
    most: float | None = None
    importance: Literal["hard", "soft"] = "hard"

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.value is None) == (self.least is None and self.most is None):
            raise ValueError("a figure needs either 'value' with 'tolerance', or 'least' and/or 'most'")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"'least' must not be above 'most', but got {self.least} and {self.most}")
        return self

    @property
    def range(self) -> tuple[float, float]:
        """Least and most allowed."""
        if self.value is not None:
            return self.value - self.tolerance, self.value + self.tolerance
        return (
            float("-inf") if self.least is None else self.least,
            float("inf") if self.most is None else self.most,
        )

    @property
    def scale(self) -> float:
        """A change of the figure that counts as much as a scale's change of any other."""
        if self.value is not None:
            return max(abs(self.value) * 0.01, self.tolerance)
        low, high = self.range
        width = high - low
        return width if width < float("inf") and width > 0 else max(abs(low if low > -1e300 else high), 1e-9)

    def miss(self, found: float) -> float:
        """How far outside the allowed range; 0 inside. ``found`` None or NaN counts as far off."""
        low, high = self.range
        if math.isnan(found):
            return 100.0 * self.scale
        return max(low - found, found - high, 0.0)


class Target(Frozen):
    """Everything wanted of a strip set of a game."""

    format: Literal["workbench.target/1"]
    game: str
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,79}$")
    figures: tuple[FigureTarget, ...] = Field(min_length=1)
    strip_rules: tuple[StripRule, ...] = ()

    def figure(self, path: str) -> FigureTarget | None:
        """The target of a figure, or None."""
        return next((f for f in self.figures if f.figure == path), None)

    def with_value(self, path: str, value: float) -> Target:
        """The same target with another value for one figure; TargetError if it has no such figure."""
        if self.figure(path) is None:
            raise TargetError(f"--rtp: the target has no figure {path!r}")
        figures = tuple(
            f.model_copy(update={"value": value}) if f.figure == path else f for f in self.figures
        )
        return self.model_copy(update={"figures": figures})


@dataclass(frozen=True)
class Miss:
    """A figure outside its range: what was found, what is allowed, by how much it is missed."""

    figure: str
    found: float | None
    least: float
    most: float
    by: float
    importance: str

    @property
    def text(self) -> str:
        """One line for people."""
        low, high = f"{self.least:.9g}", f"{self.most:.9g}"
        allowed = (
            f"at most {high}"
            if self.least < -1e300
            else f"at least {low}"
            if self.most > 1e300
            else f"{low} to {high}"
        )
        found = "none" if self.found is None else f"{self.found:.9g}"
        return f"{self.figure}: {found}, allowed {allowed} ({self.importance})"


def look_up(figures: Mapping[str, Any], path: str) -> float | None:
    """The number at a dotted path; names may hold dots themselves. None if it isn't there.

    >>> look_up({"components": {"re_spins.lines": 0.1}}, "components.re_spins.lines")
    0.1
    """
    if path in figures:
        value = figures[path]
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    for end in range(len(path) - 1, 0, -1):
        if path[end] == "." and isinstance(figures.get(path[:end]), Mapping):
            found = look_up(figures[path[:end]], path[end + 1 :])
            if found is not None:
                return found
    return None


def misses(target: Target, figures: Mapping[str, Any], known_only: bool = False) -> list[Miss]:
    """Every figure out of its range; with ``known_only`` those that ``figures`` lacks are passed over."""
    found = []
    for wanted in target.figures:
        value = look_up(figures, wanted.figure)
        if value is None and known_only:
            continue
        by = wanted.miss(float("nan") if value is None else value)
        if by > 0:
            found.append(Miss(wanted.figure, value, *wanted.range, by, wanted.importance))
    return found


def score(target: Target, figures: Mapping[str, Any]) -> float:
    """Sum of the misses among the known figures, in scales; soft ones weigh 0.05."""
    total = 0.0
    for miss in misses(target, figures, known_only=True):
        wanted = target.figure(miss.figure)
        assert wanted is not None
        total += miss.by / wanted.scale * (1.0 if miss.importance == "hard" else SOFT_WEIGHT)
    return total


def read_target(path: Path) -> Target:
    """Read a target file; TargetError names file, place, what was found and what is allowed."""
    return parse_target(read_file(path), str(path))


def default_target(game: str) -> Target:
    """The target that comes with a game."""
    path = GAMES_FOLDER / f"{game}.target.toml"
    if not path.exists():
        raise TargetError(
            f"--target: the game {game!r} has no default target, so a target file must be named"
        )
    return read_target(path)


def family_target(game: str) -> Target:
    """The target of a game's families of RTPs: its own where the game has one (GAME.variant.target.toml), else the default."""
    path = GAMES_FOLDER / f"{game}.variant.target.toml"
    return read_target(path) if path.exists() else default_target(game)


def parse_target(data: bytes, where: str) -> Target:
    """A target from the bytes of its file."""
    try:
        table = tomllib.loads(data.decode())
        return Target.model_validate_json(json.dumps(table, default=str))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise TargetError(f"{where}: not a TOML file ({error})") from None
    except ValidationError as error:
        raise TargetError(f"{where}: {problems_of(error)[0]}") from None


def target_toml(target: Target) -> str:
    """The target as a TOML file."""
    lines = [f'format = "{FORMAT}"', f'game = "{target.game}"', f'name = "{target.name}"']
    for figure in target.figures:
        lines += ["", "[[figures]]", *_pairs(figure.model_dump(exclude_none=True, exclude_defaults=True))]
    for rule in target.strip_rules:
        lines += ["", "[[strip_rules]]", *_pairs(rule.model_dump(exclude_none=True, exclude_defaults=True))]
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, object]) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in table.items()]


def _toml(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return repr(value) if isinstance(value, float | int) else json.dumps(value, ensure_ascii=False)
