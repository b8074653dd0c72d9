"""Linear forms of games with Keys: every swap and every unit of small games against a whole evaluation of the edited set."""

from __future__ import annotations

import copy
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from oracles import games as small

from workbench.game.definition import GameDefinition
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.brute import brute_changes
from workbench.sensitivity.changes import Change
from workbench.sensitivity.gauges import KeyGauge, gauge_of
from workbench.sensitivity.key_swaps import has_linear_forms, key_swaps
from workbench.sensitivity.key_units import key_units
from workbench.sensitivity.sensitivity import sensitivities

EXACT = 1e-12
FREE = ("free", "free_spins", "free_spins.spins", "free_spins.collectable", "free_spins.keys")


def tiny(seed: int, without: tuple[str, ...] = ()) -> tuple[GameDefinition, StripSet]:
    """A small random game on position reels and its strips, some features left out."""
    tables: list[dict[str, Any]] = []
    build = small.built

    def kept(table: dict[str, Any]) -> GameDefinition:
        tables.append(copy.deepcopy(table))
        return build(table)

    with patch.object(small, "built", kept):
        game, strips = small.random_game_and_strips(seed, small.TINY_STRIPS, **small.TINY_GAME)
    if not without:
        return game, strips
    table = tables[0]
    table["features"] = [f for f in table["features"] if f["name"] not in without]
    table["readings"] = []
    game = build(table)

    def left(parts: Any) -> dict[str, Any]:
        return {name: part for name, part in parts.items() if name.split(".")[0] not in without}

    parts = left(strips.reels), left(strips.position_reels), left(strips.wheels)
    strips = StripSet(game.game, game.sha256, strips.name, *parts)
    check_fit(strips, game)
    return game, strips


def differs(base: np.ndarray, one: np.ndarray, two: np.ndarray, figures: tuple[str, ...]) -> np.ndarray:
    """By figure the largest difference of two tables of changes, as a part of the figure where it is above 1.

    A deviation is the root of a difference of moments: near 0 what is compared is its square.
    """
    assert (np.isnan(one) == np.isnan(two)).all()
    apart = np.abs(one - two)
    for j, name in enumerate(figures):
        if name.endswith("standard_deviation"):
            squares = np.abs((base[j] + one[:, j]) ** 2 - (base[j] + two[:, j]) ** 2)
            apart[:, j] = np.minimum(apart[:, j], squares / max(1.0, base[j]))
    return np.nanmax(apart, axis=0, initial=0.0) / np.maximum(1.0, np.abs(base))


def both(
    game: GameDefinition, strips: StripSet, strategy: str | None = None
) -> tuple[Any, np.ndarray, np.ndarray, dict[Change, str]]:
    """All sensitivities, the table of their changes, the same by brute force, and what that refused."""
    found = sensitivities(game, strips, strategy)
    refused: dict[Change, str] = {}
    brute = brute_changes(gauge_of(game, found.strategy), strips, [*found.swaps, *found.units], refused)
    return found, np.concatenate([found.swap_changes, found.unit_changes]), brute, refused


# 47, 192: a reel set of Free Spins for each symbol; 5: Free Spins that would not end after some changes
CASES = [(5, ()), (47, ()), (192, ()), (107, ("keys",)), (175, ("keys", *FREE)), (192, ("keys", "re_spins"))]


@pytest.mark.parametrize(("seed", "without"), CASES)
def test_all_changes_against_brute_force(seed: int, without: tuple[str, ...]) -> None:
    game, strips = tiny(seed, without)
    assert has_linear_forms(game)
    found, linear, brute, refused = both(game, strips)
    assert (differs(found.base, linear, brute, found.figures) <= EXACT).all()
    assert np.nanmax(np.abs(brute[:, found.column("rtp")])) > 1e-4
    assert found.refused == refused


def test_endless_free_spins_are_refused_by_name() -> None:
    game, strips = tiny(5)
    found = sensitivities(game, strips)
    assert found.refused
    assert all("must add less than 1 spin on average" in reason for reason in found.refused.values())
    places = [i for i, swap in enumerate(found.swaps) if swap in found.refused]
    assert np.isnan(found.swap_changes[places]).all()


def test_own_reel_sets_of_free_spins_are_swapped() -> None:
    game, strips = tiny(47)
    found = sensitivities(game, strips)
    own = {swap.reels for swap in found.swaps if "." in swap.reels}
    assert own
    moved = [row for swap, row in zip(found.swaps, found.swap_changes, strict=True) if swap.reels in own]
    assert np.nanmax(np.abs(np.array(moved)[:, found.column("rtp")])) > 0


@pytest.mark.parametrize("strategy", ["worst", "never-save", "always-save-use-at-2", "advertised"])
def test_every_strategy(strategy: str) -> None:
    game, strips = tiny(175)
    gauge = KeyGauge(game, strategy)
    found = sensitivities(game, strips, strategy)
    some = [*found.swaps[::7], *found.units[::3]]
    brute = brute_changes(gauge, strips, some, {})
    linear = np.concatenate([found.swap_changes[::7], found.unit_changes[::3]])
    assert (differs(found.base, linear, brute, found.figures) <= EXACT).all()


def test_alike_reels_keep_their_places() -> None:
    """Edits of alike reels share a chain, but not their boards."""
    game, strips = tiny(47)
    found = sensitivities(game, strips)
    cells = [i for i, unit in enumerate(found.units) if unit.cell is not None]
    assert len({found.units[i].cell for i in cells}) > 1
    brute = brute_changes(gauge_of(game), strips, [found.units[i] for i in cells], {})
    assert (differs(found.base, found.unit_changes[cells], brute, found.figures) <= EXACT).all()


def test_brute_force_and_linear_forms_are_different_ways() -> None:
    """What is compared above doesn't fall back on brute force: its own evaluations are never asked for."""
    game, strips = tiny(107)
    found = sensitivities(game, strips)
    gauge = KeyGauge(game)
    gauge(strips)
    with patch("workbench.sensitivity.brute.brute_changes", side_effect=AssertionError):
        swaps = key_swaps(gauge, strips, found.swaps, {}, lambda done: None)
        units = key_units(gauge, strips, found.units, {}, lambda done: None)
    assert (swaps == found.swap_changes)[~np.isnan(swaps)].all()
    assert (units == found.unit_changes)[~np.isnan(units)].all()
