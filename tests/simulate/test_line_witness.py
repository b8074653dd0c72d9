"""The exact way and the simulator on random line games: they name the same figures, agree on them, and notice errors."""

from __future__ import annotations

import random

import pytest
from oracles.line_games import random_line_game

from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate.figures import estimates_of
from workbench.simulate.run import simulate
from workbench.value.evaluate import figures_of
from workbench.witness import Verdict, exact_table, rare_wins, verdict

GAMES = range(300, 324)
ROUNDS = 60_000
LEVEL = 1e-4
"""A right game is accused falsely once in 10^4, one of these once in 400."""


def judged(played: GameDefinition, strips: StripSet, evaluated: GameDefinition, seed: int) -> Verdict:
    """The verdict on the exact figures of one definition by what was played by another."""
    figures = figures_of(evaluated, strips)
    estimates = estimates_of(played, simulate(played, strips, ROUNDS, seed, None), False)
    return verdict(exact_table(evaluated, figures), estimates, LEVEL, rare_wins(figures))


@pytest.mark.parametrize("seed", GAMES)
def test_exact_figures_are_what_is_played(seed: int) -> None:
    game, strips = random_line_game(random.Random(seed))
    assert judged(game, strips, game, seed).rejected == ()


COMPARED = (
    "rtp",
    "components",
    "hit_frequency",
    "line_hit_frequency",
    "in_sight",
    "features",
    "hits",
    "spins",
    "per_round",
)
EXACT_ONLY = (
    "hits",
    "one_in",
    "cycle",
    "awarded_per_round",
    "awarded_per_free_game",
    "mean_win_with_retriggers",
)


@pytest.mark.parametrize("seed", GAMES)
def test_every_exact_figure_is_estimated(seed: int) -> None:
    """But for inverses and means of things of which the run saw none."""
    game, strips = random_line_game(random.Random(seed))
    exact = exact_table(game, figures_of(game, strips))
    found = estimates_of(game, simulate(game, strips, ROUNDS, seed, None), False)
    for name, value in exact.items():
        head, last = name.split(".")[0], name.split(".")[-1]
        if head not in COMPARED or last in EXACT_ONLY or name in found:
            continue
        assert head in ("features", "spins") and not found[_chance(name)].mean, (name, value)


def _chance(name: str) -> str:
    """The name of the probability of the feature that a figure is of."""
    return f"features.{name.split('.')[1]}.probability"


def _changed(game: GameDefinition, kind: str) -> GameDefinition | None:
    """The game with one rule changed, None where it has no such rule."""
    free, wild = game.free_games, game.wild
    if kind == "wild" and wild:
        return game.model_copy(update={"wild": wild.model_copy(update={"multiplier": wild.multiplier + 1})})
    if kind == "free" and free:
        other = free.model_copy(update={"multiplier": free.multiplier + 1})
        features = tuple(other if f is free else f for f in game.features)
        return game.model_copy(update={"features": features})
    if kind == "anywhere" and game.anywhere:
        return game.model_copy(update={"anywhere": game.anywhere[1:]})
    if kind == "mixed" and game.mixed:
        doubled = {length: 2 * coins + 1 for length, coins in game.mixed[0].pays.items()}
        first = game.mixed[0].model_copy(update={"pays": doubled})
        return game.model_copy(update={"mixed": (first, *game.mixed[1:])})
    return None


@pytest.mark.parametrize("kind", ["wild", "free", "anywhere", "mixed"])
def test_another_rule_is_noticed(kind: str) -> None:
    """In most games that have it; where the strips don't show it there is nothing to notice."""
    noticed = tried = 0
    for seed in GAMES:
        game, strips = random_line_game(random.Random(seed))
        other = _changed(game, kind)
        if other and exact_table(game, figures_of(game, strips))["rtp"] != pytest.approx(
            exact_table(other, figures_of(other, strips))["rtp"], rel=0.02
        ):
            tried += 1
            noticed += not judged(game, strips, other, seed).agrees
    assert tried >= 2 and noticed >= 0.7 * tried, (noticed, tried)
