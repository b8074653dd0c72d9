"""The search for games like Spellmaster: what is solved is solved, a start is brought to another RTP, reach is checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.errors import TargetError
from workbench.game import GameDefinition, find_game, load_definition
from workbench.optimise.context import Run
from workbench.optimise.modifier_drafts import Filling, base_reels, base_space, falling_to, trigger_wheels
from workbench.optimise.modifier_search import ModifierSearch
from workbench.optimise.money_wheel import mean_of, tilted_to, unit_move
from workbench.optimise.study import StudySettings
from workbench.optimise.target import Target, default_target
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes, load_strip_set
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import StripSet, Weights
from workbench.value.modifier_round import evaluate

SHIPPED = Path(__file__).parents[2] / "strips/spellmaster/rtp-92.json"
VALUES = np.array([1.0, 2.0, 5.0])


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


def search(game: GameDefinition, target: Target, trials: int = 4) -> ModifierSearch:
    settings = StudySettings("test", 1, trials, 1, None, False)
    return ModifierSearch(Run(game, target, settings, lambda *told: None))


def test_a_wheel_is_tilted_with_the_least_change() -> None:
    """The tilt is weight * exp(t value): the logarithms of the ratios lie on a line in the value."""
    wheel = Weights("w", ("1", "2", "5"), (5, 3, 2))
    found = tilted_to(wheel, VALUES, 2.5)
    assert mean_of(found, VALUES) == pytest.approx(2.5, abs=1e-5)
    logs = np.log(np.array(found.weights) / found.total / (np.array(wheel.weights) / wheel.total))
    slopes = np.diff(logs) / np.diff(VALUES)
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-4)


@pytest.mark.parametrize("rise", [1e-6, -3e-4, 0.02])
def test_units_move_the_mean_as_wished(rise: float) -> None:
    wheel = Weights("w", ("1", "2", "5"), (500_000, 300_000, 200_000))
    moved = unit_move(wheel, VALUES, rise)
    assert moved.total == wheel.total
    assert mean_of(moved, VALUES) - mean_of(wheel, VALUES) == pytest.approx(
        rise, abs=0.5 / wheel.total + 1e-12
    )


def test_a_falling_wheel_has_its_mean_and_falls() -> None:
    wheel = falling_to("money", ("0.3", "0.6", "3", "25"), 2.0)
    assert mean_of(wheel, np.array([0.3, 0.6, 3.0, 25.0])) == pytest.approx(2.0, rel=1e-3)
    assert list(wheel.weights) == sorted(wheel.weights, reverse=True)


def test_grids_fill_as_wished() -> None:
    filling = Filling(cells=15, respins=3, orbs={"Red": 0.1}, filled=6.0, full=1e-6)
    money, late = filling.solved()
    filled, full = filling.outcome(money, float(np.exp(late)))
    assert filled == pytest.approx(6.0, rel=0.05)
    assert full == pytest.approx(1e-6, rel=0.02)


def test_trigger_wheels_give_the_rate(game: GameDefinition) -> None:
    colours = {"none": 0.5, "blue": 0.2, "red": 0.1, "golden": 0.1, "blue+red": 0.1}
    wheels = trigger_wheels(game, {"several": 0.5}, colours, 1 / 150)
    rate = sum(
        p * (1 - wheels[f"trigger.{c}"].probability("none")) for c, p in colours.items() if c != "none"
    )
    assert rate == pytest.approx(1 / 150, rel=0.01)


def test_base_proposals_keep_the_games_rules(game: GameDefinition) -> None:
    space = base_space(game)
    run = search(game, default_target("spellmaster")).run_of
    for number, end in enumerate(("low", "high")):
        values = {p.name: getattr(p, end) for p in space}
        base = base_reels(game, values, run.rng("base", number))
        assert not breaches(StripSet(game.game, "", "draft", {"base": base}, {}, {}), game)


def test_a_start_is_brought_to_another_rtp(game: GameDefinition) -> None:
    """Only the Money wheel changes, and to the last ppm."""
    start = load_strip_set(SHIPPED, game)
    target = default_target("spellmaster").with_value("rtp", 0.905)
    found = search(game, target).run(start)
    check_fit(found, game)
    assert evaluate(game, found).rtp == pytest.approx(0.905, abs=2e-7)
    assert found.reels == start.reels and found.position_reels == start.position_reels
    changed = [name for name in start.wheels if found.wheels[name] != start.wheels[name]]
    assert changed == ["money"]


def test_a_run_is_the_same_twice_and_hits_the_rtp(game: GameDefinition) -> None:
    """Few trials: the rest of the target may be missed, the RTP is solved and the bytes are the same."""
    target = default_target("spellmaster")
    kept = tuple(f for f in target.figures if f.figure in ("rtp", "components.lines", "hit_frequency"))
    target = target.model_copy(update={"figures": kept})
    first, second = (search(game, target, trials=12).run(None) for _ in range(2))
    assert canonical_bytes(first) == canonical_bytes(second)
    check_fit(first, game)
    assert evaluate(game, first).rtp == pytest.approx(0.92, abs=2e-7)


@pytest.mark.parametrize(("figure", "value"), [("rtp", 9.0), ("rtp", 0.0)])
def test_an_rtp_out_of_reach_is_refused(game: GameDefinition, figure: str, value: float) -> None:
    with pytest.raises(TargetError, match=r"rtp: .* is out of reach; the search proposes sets from"):
        search(game, default_target("spellmaster").with_value(figure, value)).check_reach()
    search(game, default_target("spellmaster")).check_reach()
