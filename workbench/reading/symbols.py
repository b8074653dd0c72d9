"""What the cells of a stranger's table stand for: symbols under their own names, mapped names, other cases of letters."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.reels.files import read_file


@dataclass(frozen=True)
class Names:
    """The symbols of a game and other names for them; a mapped name goes before a symbol's own."""

    symbols: tuple[str, ...]
    mapped: Mapping[str, str]

    @cached_property
    def folded(self) -> Mapping[str, str | None]:
        """Symbols by their letters whatever the case; None where two differ in nothing else."""
        found: dict[str, str | None] = {}
        for symbol in self.symbols:
            found[symbol.casefold()] = None if symbol.casefold() in found else symbol
        return found

    def symbol(self, cell: str) -> str | None:
        """The symbol a cell stands for; None if that can't be told.

        >>> Names(("Lion", "A"), {"L1": "Lion"}).symbol("lion"), Names(("Lion",), {}).symbol("L1")
        ('Lion', None)
        """
        if cell in self.mapped:
            return self.mapped[cell]
        return cell if cell in self.symbols else self.folded.get(cell.casefold())


def names_of(game: GameDefinition, options: Iterable[str]) -> Names:
    """The names of a game's symbols with the mappings of ``--map``: NAME=SYMBOL, or a CSV or TOML file of such pairs."""
    mapped: dict[str, str] = {}
    for option in options:
        for name, symbol in _pairs(option, game):
            if symbol not in game.symbols.all:
                known = ", ".join(game.symbols.all)
                raise UsageError(f"--map: {name!r} must stand for one of {known}, but got {symbol!r}")
            if mapped.get(name, symbol) != symbol:
                raise UsageError(
                    f"--map: {name!r} must stand for one symbol, but got {mapped[name]!r} and {symbol!r}"
                )
            mapped[name] = symbol
    return Names(game.symbols.all, mapped)


def _pairs(option: str, game: GameDefinition) -> list[tuple[str, str]]:
    if Path(option).suffix.lower() in (".csv", ".toml"):
        return _pairs_of_file(Path(option))
    cuts = [i for i, character in enumerate(option) if character == "=" and i > 0]
    found = [(option[:i], option[i + 1 :]) for i in cuts]
    known = [pair for pair in found if pair[1] in game.symbols.all]
    if len(known) > 1:
        raise UsageError(f"--map: {option!r} can be cut at more than one '='; give a CSV file of pairs")
    if not found:
        raise UsageError(
            f"--map: must be NAME=SYMBOL or a .csv or .toml file of such pairs, but got {option!r}"
        )
    return known or found[:1]


def _pairs_of_file(path: Path) -> list[tuple[str, str]]:
    try:
        text = read_file(path).decode("utf-8-sig")
        if path.suffix.lower() == ".toml":
            pairs = list(tomllib.loads(text).items())
        else:
            rows = csv.reader(io.StringIO(text, newline=""), strict=True)
            pairs = [tuple(cell.strip() for cell in row) for row in rows if any(row)]  # type: ignore[misc]
    except (UnicodeDecodeError, csv.Error, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not a file of names and symbols ({error})") from None
    for i, pair in enumerate(pairs):
        if len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
            raise UsageError(f"{path}: entry {i + 1}: must be a name and a symbol, but got {pair!r}")
    return pairs
