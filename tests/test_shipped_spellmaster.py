"""The shipped Spellmaster set: what issue 3 asks of it, from the file on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.game import GameDefinition, find_game, load_definition
from workbench.optimise.target import misses, read_target
from workbench.reels.breaches import breaches
from workbench.reels.files import load_strip_set
from workbench.reels.strip_set import StripSet
from workbench.value.evaluate import Figures, figures_of

FOLDER = Path(__file__).parents[1] / "strips/spellmaster"


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


@pytest.fixture(scope="module")
def strips(game: GameDefinition) -> StripSet:
    return load_strip_set(FOLDER / "rtp-92.json", game)


@pytest.fixture(scope="module")
def figures(game: GameDefinition, strips: StripSet) -> Figures:
    return figures_of(game, strips)


def test_figures(figures: Figures) -> None:
    assert figures["rtp"] == pytest.approx(0.92, abs=1e-6)
    assert 0.20 <= figures["hit_frequency"] <= 0.35
    assert 100 <= figures["features"]["respins"]["one_in"] <= 250
    assert 1e7 <= figures["top_prize"]["one_in"] <= 1e9
    assert 5 <= figures["standard_deviation"] <= 15
    assert figures["standard_deviation"] ** 2 >= 40000**2 * figures["top_prize"]["probability"]
    assert figures["error_bound"] <= 1e-12


def test_all_seven_sets_and_all_jackpots_occur(figures: Figures) -> None:
    assert len(figures["modifier_sets"]) == 7
    assert min(found["probability"] for found in figures["modifier_sets"].values()) > 0
    assert min(found["per_round"] for found in figures["jackpots"].values()) > 0


def test_the_rtp_holds_at_both_ends_of_the_cap(figures: Figures) -> None:
    low, high = figures["estimates"]["cap"]["interval_99"]
    assert 0 <= low < high
    assert figures["rtp"] - high == pytest.approx(0.92, abs=1e-6)


def test_strips_look_like_strips(game: GameDefinition, strips: StripSet) -> None:
    target = read_target(FOLDER / "rtp-92.target.toml")
    assert not breaches(strips, game, target.strip_rules)
    assert all(40 <= len(strip) <= 120 for strip in strips.reels["base"])
    assert "Wild" not in strips.reels["base"][0]


def test_the_target_is_met(figures: Figures) -> None:
    assert misses(read_target(FOLDER / "rtp-92.target.toml"), figures) == []
