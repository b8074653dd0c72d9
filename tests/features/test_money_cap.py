"""What the cut takes: weighted plays against the exact mean and against fair plays, the bound against brute force."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.features.test_money_respins import as_rules, mean_of
from tests.oracles.spellmaster import play_respins
from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.features.money_cap import NORMAL_99, TILT, Tilt, cut_bound, cut_estimate, weighted
from workbench.features.money_chain import money_chain, money_wheels
from workbench.features.money_respins import respins_value
from workbench.game import GameDefinition, find_game, load_definition

MODIFIERS = "charge+jackpots+multiply"


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


@pytest.mark.parametrize(
    "tilt", [Tilt(0.0, 0.0, 1.0, 1.0), Tilt(0.5, 0.05, 0.8, 1.2)], ids=["fair", "tilted"]
)
def test_weighted_plays_have_the_exact_mean(game: GameDefinition, tilt: Tilt) -> None:
    strips = spellmaster_set(game)
    chain, wheels = money_chain(game, strips, MODIFIERS), money_wheels(game, strips, MODIFIERS)
    win, weight = weighted(chain, wheels, tilt, 60_000, np.random.default_rng(4))
    mean, error = mean_of(list(win * weight))
    assert abs(mean - respins_value(chain).partial_mean) <= 3.2905 * error
    assert error < 0.1 * mean


def test_the_cut_at_a_low_cap_is_that_of_the_player(game: GameDefinition) -> None:
    """At 60 bets fair plays see the cut too."""
    strips, cap = spellmaster_set(game), 60.0
    chain, wheels = money_chain(game, strips, MODIFIERS), money_wheels(game, strips, MODIFIERS)
    value = respins_value(chain)
    cut = cut_estimate(chain, wheels, cap, 0.0, value.second_moment, 60_000, np.random.default_rng(1))
    rules, rng = as_rules(game, strips, MODIFIERS), random.Random(8)
    plays = [play_respins(rules, rng) for _ in range(4000)]
    wins = [0.0 if p.full_grid else p.money + p.charge + p.multiply + p.jackpots for p in plays]
    mean, error = mean_of([max(w - cap, 0.0) for w in wins])
    spread = (cut.mean[2] - cut.mean[1]) / 2 / NORMAL_99
    assert abs(mean - cut.mean[0]) <= 3.2905 * (error**2 + spread**2) ** 0.5


def test_few_plays_above_the_cap_end_at_the_rigorous_bound(game: GameDefinition) -> None:
    strips = spellmaster_set(game)
    chain, wheels = money_chain(game, strips, "multiply"), money_wheels(game, strips, "multiply")
    cut = cut_estimate(chain, wheels, 40000.0, 0.0, 400.0, 10, np.random.default_rng(1))
    assert cut.mean[1:] == (0.0, 400.0 / 160000)
    assert TILT.orbs > 1


@pytest.mark.parametrize("modifiers", ["charge", "jackpots", "charge+jackpots"])
def test_the_bound_holds_where_the_player_sees_the_cut(game: GameDefinition, modifiers: str) -> None:
    strips, cap = spellmaster_set(game), 20.0
    chain, wheels = money_chain(game, strips, modifiers), money_wheels(game, strips, modifiers)
    bound = cut_bound(chain, wheels, cap, 0.0)
    assert bound is not None
    rules, rng = as_rules(game, strips, modifiers), random.Random(2)
    plays = [play_respins(rules, rng) for _ in range(2000)]
    wins = [0.0 if p.full_grid else p.money + p.charge + p.jackpots for p in plays]
    cut, error = mean_of([max(w - cap, 0.0) for w in wins])
    assert cut > 3.2905 * error
    assert cut - 3.2905 * error < bound.mean[2]
    squares, _ = mean_of([max(w * w - cap * cap, 0.0) for w in wins])
    assert squares < bound.square[2]
    assert cut_bound(chain, wheels, 40000.0, 200.0).mean[2] < 1e-9  # type: ignore[union-attr]


def test_no_bound_with_multiply(game: GameDefinition) -> None:
    strips = spellmaster_set(game)
    chain, wheels = money_chain(game, strips, "multiply"), money_wheels(game, strips, "multiply")
    assert cut_bound(chain, wheels, 40000.0, 0.0) is None
