"""What the commands are given: a game, a strip set and a strategy, by name or by file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import FileError, UsageError
from workbench.game import GameDefinition, load_definition
from workbench.game.features import MoneyRespins
from workbench.game.load import definition_for
from workbench.reels.files import parse_strip_set, peek_game, read_file
from workbench.reels.strip_set import StripSet
from workbench.simulate.line_rule import is_line_game
from workbench.simulate.strategy import (
    StrategyTable,
    named_strategies,
    strategy_from_json,
    strategy_from_policy,
)

STRIPS_FOLDER = Path("strips")
SOLVER = "workbench.solve_strategy"
"""Key of ``click.Context.meta`` under which the command line may leave a function that solves a strategy."""

Solver = Callable[[GameDefinition, StripSet, str], StrategyTable]
"""Solves ``worst`` or ``optimal`` for a game and a strip set; the simulator itself knows no values."""

SOLVED = ("optimal", "worst")


@dataclass(frozen=True)
class Inputs:
    """A strip set with its game and the file it came from."""

    game: GameDefinition
    strips: StripSet
    path: Path


def read_inputs(strips: str, definition: Path | None) -> Inputs:
    """Read STRIPS, a path or GAME/NAME below ``strips/``, and its game's definition."""
    path = Path(strips)
    if not path.is_file() and (STRIPS_FOLDER / f"{strips}.json").is_file():
        path = STRIPS_FOLDER / f"{strips}.json"
    if not path.is_file():
        raise FileError(
            f"{strips}: must be a strip-set file or GAME/NAME below {STRIPS_FOLDER}/, but is neither"
        )
    data = read_file(path)
    game = load_definition(definition or definition_for(peek_game(data, str(path)), path))
    return Inputs(game, parse_strip_set(data, game, str(path)), path)


def definition_warning(inputs: Inputs) -> str | None:
    """One line if the set was made for another definition."""
    if inputs.strips.definition_sha256 == inputs.game.sha256:
        return None
    return (
        f"warning: {inputs.path}: definition_sha256 is {inputs.strips.definition_sha256[:12]}...,"
        f" but the definition in use has {inputs.game.sha256[:12]}..."
    )


def strategy_for(inputs: Inputs, name: str | None, solver: Solver | None) -> StrategyTable | None:
    """The table of a strategy: a named rule, a file, or a solved one (by ``solver``, else from the figures beside the set).

    None where the game leaves no choice. Without a name: ``optimal`` if there is a solver, else ``advertised``.
    """
    if inputs.game.banked_keys is None:
        if name is not None:
            raise UsageError(f"--strategy: {inputs.game.game} leaves the player no choice, but got {name!r}")
        chosen = inputs.game.only(MoneyRespins) is None and not is_line_game(inputs.game)
        return named_strategies(inputs.game)["never-save"] if chosen else None
    name = name or ("optimal" if solver else "advertised")
    named = named_strategies(inputs.game)
    if name in named:
        return named[name]
    if name in SOLVED and solver:
        return solver(inputs.game, inputs.strips, name)
    if name == "optimal":
        return _from_figures(inputs)
    if Path(name).is_file():
        return strategy_from_json(_json(Path(name)))
    raise UsageError(
        f"--strategy: must be one of {', '.join((*named, *SOLVED))} or the file of a table, but got {name!r}"
    )


def _from_figures(inputs: Inputs) -> StrategyTable:
    path = inputs.path.with_suffix("").with_suffix(".figures.json")
    if not path.is_file():
        raise UsageError(f"--strategy: optimal needs the figures of the strip set, but {path} is missing")
    figures = _json(path)
    policy = figures.get("optimal_policy") if isinstance(figures, dict) else None
    if not isinstance(policy, dict):
        raise UsageError(f"{path}: optimal_policy: must be a table, but got {policy!r}")
    return strategy_from_policy(inputs.game, "optimal", policy)


def _json(path: Path) -> Any:
    try:
        return json.loads(read_file(path))
    except ValueError as error:
        raise FileError(f"{path}: not a JSON file ({error})") from None
