"""From a tally to figures: each with its standard error and 99 % interval.

``estimates_of`` gives a flat table by name; names are those of ``evaluate --json`` joined by dots, and below ``hits``,
``wheel``, ... the detailed counts. ``figures_json`` nests them.
"""

from __future__ import annotations

from typing import Any

from workbench.game import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.simulate.codex_figures import codex_estimates, codex_top_prize
from workbench.simulate.estimates import Estimate, Proportion, inverse
from workbench.simulate.line_figures import line_estimates, line_top_prize
from workbench.simulate.line_rule import is_line_game
from workbench.simulate.money_figures import money_estimates, money_top_prize
from workbench.simulate.tally import Tally

FORMAT = "workbench.simulation/1"
TABLES = (
    "components", "scatters", "collectables", "start_held", "final_held", "re_spins", "saves", "re_fortune", "free_fortune",
    "hits", "wheel", "trigger", "colours", "levels", "landed", "filled", "awards", "per_round", "free_used",
    "in_sight",
)  # fmt: skip
"""Groups of figures whose names keep their dots."""


def estimates_of(game: GameDefinition, tally: Tally, dependent: bool) -> dict[str, Estimate]:
    """Every figure by its name; ``dependent`` says whether rounds depend on each other."""
    if game.only(MoneyRespins):
        return money_estimates(game, tally, dependent)
    if is_line_game(game):
        return line_estimates(game, tally)
    return codex_estimates(game, tally, dependent)


def figures_json(
    game: GameDefinition, tally: Tally, dependent: bool, seconds: float | None
) -> dict[str, Any]:
    """The JSON of ``simulate --json``."""
    found = estimates_of(game, tally, dependent)
    identity = tally.identity
    nested: dict[str, Any] = {
        "format": FORMAT,
        "game": identity.game,
        "strip_set": identity.strip_set,
        "sha256": identity.sha256,
        "definition_sha256": identity.definition_sha256,
        "assumptions": [reading.id for reading in game.readings],
        "strategy": identity.strategy,
        "rounds": tally.rounds,
        "seed": tally.sessions[0].seed,
        "seeds": sorted({session.seed for session in tally.sessions}),
        "seconds": seconds,
        "largest_win": tally.largest / identity.units,
        "wins": win_table(tally),
    }
    for name, estimate in found.items():
        _place(nested, name, estimate.to_json())
        if isinstance(estimate, Proportion) and name.endswith(".probability"):
            _place(nested, name.replace(".probability", ".one_in"), inverse(estimate))
    if identity.strategy:
        nested["strategies"] = {identity.strategy: found["rtp"].to_json()}
    _place(nested, "top_prize.value", _top_prize(game, tally))
    return nested


def _top_prize(game: GameDefinition, tally: Tally) -> float | None:
    """The largest single prize, in bets."""
    if game.only(MoneyRespins):
        return money_top_prize(game)
    return line_top_prize(tally) if is_line_game(game) else codex_top_prize(game)


def _place(nested: dict[str, Any], name: str, value: Any) -> None:
    """Put a figure where its name says; ``components`` keep their dotted names."""
    head, _, rest = name.partition(".")
    if not rest:
        nested[head] = value
    elif head in TABLES:
        nested.setdefault(head, {})[rest] = value
    else:
        _place(nested.setdefault(head, {}), rest, value)


def win_table(tally: Tally) -> list[dict[str, Any]]:
    """Rounds by win in bets, in classes [from, to)."""
    units = tally.identity.units
    edges = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 40_000)
    counts = [0] * len(edges)
    for win, times in tally.wins.items():
        counts[max(i for i, edge in enumerate(edges) if win >= edge * units)] += times
    classes: list[dict[str, Any]] = [{"from": 0, "to": 0, "rounds": tally.rounds - sum(tally.wins.values())}]
    for i, edge in enumerate(edges):
        to = edges[i + 1] if i + 1 < len(edges) else None
        classes.append({"from": edge, "to": to, "rounds": counts[i]})
    return classes
