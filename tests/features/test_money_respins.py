"""The respins' chain against brute force on tiny grids, and against a plain-Python player on the real one."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from tests.oracles.spellmaster import Respins, Summary, enumerate_respins, play_respins
from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.errors import EndlessFeatureError
from workbench.features.money_chain import (
    JackpotChances,
    MoneyChain,
    binomial_table,
    money_chain,
    pick_chances,
)
from workbench.features.money_respins import RespinsValue, all_respins, respins_value
from workbench.game import GameDefinition, find_game, load_definition
from workbench.reels.strip_set import Stage, StripSet, Weights

SHOWN = ("blank", "money", "blue", "red", "gold")


def moments(wheel: Mapping[int, int]) -> np.ndarray:
    total = sum(wheel.values())
    return np.array([sum(value**j * w for value, w in wheel.items()) / total for j in range(3)])


def chain_of(rules: Respins) -> MoneyChain:
    """The chain's arrays for an oracle's rules."""
    totals = [sum(reel.values()) for reel in rules.reel]
    changes = [0, *(int(a != b) for a, b in zip(rules.reel, rules.reel[1:], strict=False))]
    counts = (
        Weights("counts", tuple(map(str, rules.counts)), tuple(rules.counts.values()))
        if rules.counts
        else None
    )
    pick, pick2 = pick_chances(counts, rules.cells)
    names = tuple(rules.names)
    p = np.array([rules.names[name] for name in names]) / max(1, sum(rules.names.values()))
    worth = np.array([float(rules.prizes[name]) for name in names])
    return MoneyChain(
        modifiers="all",
        landing=("blue", "red", "gold"),
        cells=rules.cells,
        respins=rules.respins,
        land=np.array([[r.get(s, 0) / t for s in SHOWN] for r, t in zip(rules.reel, totals, strict=True)]),
        stage=np.cumsum(changes),
        binomial=binomial_table(rules.cells),
        pick=pick,
        pick2=pick2,
        money=moments(rules.money)[1:],
        charge=moments(rules.charge)[1:] if rules.charge else np.zeros(2),
        mu=moments(rules.multiplier) if rules.multiplier else np.ones(3),
        classes=rules.times + 1 if rules.multiplier else 1,
        shared=rules.shared,
        persist=rules.persist,
        jackpots=JackpotChances(names, p, worth, rules.of_a_name) if names else None,
        full_grid_pays=float(rules.full_grid_pays),
    )


def reel(**weights: int) -> dict[str, int]:
    return weights


RED = reel(blank=6, money=8, red=1)
CASES = {
    "charge": (
        Respins(
            cells=3, reel=(reel(blank=12, money=10, blue=1),) * 3, money={1: 1, 3: 2}, charge={1: 1, 2: 1}
        ),
        1e-22,
    ),
    "multiplied more than four times, fewer in sight than drawn": (
        Respins(
            cells=3,
            reel=(reel(blank=5, money=4, red=2),) * 3,
            money={1: 1, 3: 2},
            multiplier={2: 2, 3: 1},
            counts={1: 1, 2: 1},
        ),
        1e-20,
    ),
    "four cells, a position reel by filled cells, one multiplier for all, a count of none": (
        Respins(
            cells=4,
            reel=(RED, RED, reel(blank=5, money=5, red=2), reel(blank=9, money=1, red=1)),
            money={1: 1},
            multiplier={2: 2, 3: 1},
            counts={0: 1, 2: 1},
            shared=True,
        ),
        1e-20,
    ),
    "four cells, at most two multiplications, three of up to three": (
        Respins(
            cells=4,
            reel=(RED,) * 4,
            money={1: 1, 2: 1},
            multiplier={2: 1, 5: 1},
            counts={1: 1, 3: 1},
            times=2,
        ),
        1e-20,
    ),
    "jackpots": (
        Respins(
            cells=3,
            reel=(reel(blank=24, money=60, gold=3),) * 3,
            money={1: 1, 3: 2},
            names={"a": 2, "b": 1},
            prizes={"a": 5, "b": 11},
        ),
        1e-20,
    ),
    "charge and jackpots, pairs of a name": (
        Respins(
            cells=2,
            reel=(reel(blank=30, money=68, gold=3, blue=1),) * 2,
            money={1: 1, 3: 2},
            charge={1: 1, 2: 1},
            names={"a": 2, "b": 1},
            prizes={"a": 5, "b": 11},
            of_a_name=2,
        ),
        1e-22,
    ),
    "Orbs that go on acting": (
        Respins(
            cells=3,
            reel=(reel(blank=69, money=230, blue=1),) * 3,
            money={1: 1, 2: 1},
            charge={1: 1},
            persist=True,
            respins=2,
        ),
        1e-20,
    ),
    "Orbs that go on acting, and Multiply": (
        Respins(
            cells=2,
            reel=(reel(blank=40, money=150, blue=1, red=1),) * 2,
            money={1: 1},
            charge={1: 1},
            multiplier={2: 1, 3: 1},
            counts={1: 1, 2: 1},
            times=2,
            persist=True,
            respins=1,
        ),
        1e-22,
    ),
    "charge and multiply": (
        Respins(
            cells=3,
            reel=(reel(blank=60, money=400, blue=1, red=2),) * 3,
            money={1: 1, 2: 1},
            charge={1: 1},
            multiplier={2: 1},
            counts={1: 1, 2: 1},
            times=2,
            respins=1,
        ),
        1e-21,
    ),
    "all three": (
        Respins(
            cells=2,
            reel=(reel(blank=60, money=400, gold=2, blue=1, red=2),) * 2,
            money={1: 1, 2: 1},
            charge={1: 1},
            multiplier={2: 1, 3: 1},
            counts={1: 1, 2: 1},
            names={"a": 2, "b": 1},
            prizes={"a": 5, "b": 11},
            of_a_name=2,
            respins=2,
        ),
        1e-22,
    ),
}


@pytest.fixture(scope="module", params=CASES.items(), ids=lambda case: case[0])
def case(request: pytest.FixtureRequest) -> tuple[Respins, Summary, RespinsValue]:
    _, (rules, negligible) = request.param
    return rules, enumerate_respins(rules, negligible), respins_value(chain_of(rules))


def test_the_law_equals_brute_force(case: tuple[Respins, Summary, RespinsValue]) -> None:
    rules, found, value = case
    partial = found.total + found.jackpots
    second = found.second - found.full_grid * rules.full_grid_pays**2
    assert value.full_grid == pytest.approx(float(found.full_grid), rel=1e-12)
    assert value.partial_mean == pytest.approx(float(partial), rel=1e-12)
    assert value.jackpots == pytest.approx(float(found.jackpots), rel=1e-12)
    assert value.second_moment == pytest.approx(float(second), rel=1e-12)
    assert value.respins == pytest.approx(float(found.respins), rel=1e-12)
    for n, chance in enumerate(value.filled):
        assert chance == pytest.approx(float(found.filled.get(n, 0)), rel=1e-12)
    variance = float(found.second - found.mean**2)
    assert value.variance == pytest.approx(variance, rel=1e-12)


def test_the_limits_of_multiply_are_reached() -> None:
    """The cases above would not notice a missing limit if nothing ever met it."""
    rules, negligible = CASES["multiplied more than four times, fewer in sight than drawn"]
    assert enumerate_respins(rules, negligible).times[rules.times] > 1e-3
    free = respins_value(replace(chain_of(rules), classes=rules.times + 2))
    assert free.partial_mean > respins_value(chain_of(rules)).partial_mean * 1.001
    fewer = {k: w for k, w in rules.counts.items() if k == 1}
    assert (
        respins_value(chain_of(replace(rules, counts=fewer))).multiply
        < respins_value(chain_of(rules)).multiply
    )


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


def as_rules(game: GameDefinition, strips: StripSet, modifiers: str) -> Respins:
    """The oracle's rules from a strip set: S-3 and S-10, spelt out."""
    names = {"Blank": "blank", "Money": "money", "Blue": "blue", "Red": "red", "Golden": "gold"}
    cells = 30 if "jackpots" in modifiers else 15
    stages = strips.position_reels[f"respins.{modifiers}"]
    in_force = [max((s for s in stages if s.start <= n), key=lambda s: s.start) for n in range(cells)]

    def wheel(name: str) -> dict[float, int]:
        return {float(v): w for v, w in strips.wheels[name].items()}

    return Respins(
        cells=cells,
        reel=tuple({names[v]: w for v, w in s.cells[0].items()} for s in in_force),
        money=wheel("money"),  # type: ignore[arg-type]
        charge=wheel("charge"),  # type: ignore[arg-type]
        multiplier=wheel("multiplier"),  # type: ignore[arg-type]
        counts={int(v): w for v, w in strips.wheels["multiplied_symbols"].items()},
        names=dict(strips.wheels["jackpot"].items()),
        prizes={"Mini": 12.5, "Minor": 30, "Major": 125, "Mega": 1000, "Grand": 1875},  # type: ignore[dict-item]
    )


def mean_of(values: list[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return mean, math.sqrt(variance / len(values))


PARTS = (
    "money",
    "charge",
    "multiply",
    "jackpots",
    "full_grid",
    "respins",
    "filled",
    "Mini",
    "blue",
    "red",
    "gold",
)


@pytest.mark.parametrize(
    "modifiers",
    [
        "charge",
        "jackpots",
        "multiply",
        "charge+jackpots",
        "charge+multiply",
        "jackpots+multiply",
        "charge+jackpots+multiply",
    ],
)
def test_the_player_agrees(game: GameDefinition, modifiers: str) -> None:
    """Every part of every modifier set inside intervals that hold together with 99.9 %, with grids that fill."""
    bound = norm.isf(0.0005 / (7 * len(PARTS)))
    strips = spellmaster_set(game)
    value = all_respins(game, strips)[modifiers]
    rng = random.Random(f"spellmaster {modifiers}")
    rules = as_rules(game, strips, modifiers)
    plays = [play_respins(rules, rng) for _ in range(2500)]
    exact = {
        "money": value.money,
        "charge": value.charge,
        "multiply": value.multiply,
        "jackpots": value.jackpots,
        "full_grid": value.full_grid,
        "respins": value.respins,
        "filled": math.fsum(n * chance for n, chance in enumerate(value.filled)),
        "Mini": value.awards.get("Mini", 0.0),
        "blue": value.orbs.get("charge", 0.0),
        "red": value.orbs.get("multiply", 0.0),
        "gold": value.orbs.get("jackpots", 0.0),
    }
    for part in PARTS:
        drawn = [
            float(
                p.awards["Mini"] if part == "Mini" else p.orbs[part] if part in p.orbs else getattr(p, part)
            )
            for p in plays
        ]
        mean, error = mean_of(drawn)
        rounding = 1e-12  # of the player's sums; a part that is always 0 has no other spread
        assert abs(mean - exact[part]) <= bound * error + rounding, (part, mean, error, exact[part])


def test_second_moment_against_the_player(game: GameDefinition) -> None:
    """On wheels whose tails 4,000 plays can see: an interval needs the fourth moment."""
    modifiers = "charge+jackpots+multiply"
    strips = spellmaster_set(game)
    mild = strips.with_wheel(
        "jackpot", Weights("jackpot", strips.wheels["jackpot"].values, (10**5, 1, 1, 1, 1))
    )
    mild = mild.with_wheel(
        "multiplier", Weights("m", strips.wheels["multiplier"].values, (10**5, 1, 1, 1, 1))
    )
    value = respins_value(money_chain(game, mild, modifiers))
    rules, rng = as_rules(game, mild, modifiers), random.Random(7)
    plays = [play_respins(rules, rng) for _ in range(4000)]
    squares = [0.0 if p.full_grid else (p.money + p.charge + p.multiply + p.jackpots) ** 2 for p in plays]
    mean, error = mean_of(squares)
    assert abs(mean - value.second_moment) <= 3.2905 * error


def test_parts_sum_to_the_mean(game: GameDefinition) -> None:
    for value in all_respins(game, spellmaster_set(game)).values():
        parts = value.money + value.charge + value.multiply + value.jackpots
        assert value.mean == pytest.approx(parts + 40000 * value.full_grid, rel=1e-15)
        assert math.fsum(value.filled) == pytest.approx(1, rel=1e-13)
        assert value.full_grid == value.filled[-1]


def test_a_cell_of_its_own_stage_changes_nothing_when_alike(game: GameDefinition) -> None:
    """The same position reel listed once or once per filled count: the same figures."""
    strips = spellmaster_set(game)
    (first, *_) = strips.position_reels["respins.charge+multiply"]
    once = strips.with_position_reels("respins.charge+multiply", (first,))
    often = once.with_position_reels(
        "respins.charge+multiply", tuple(Stage(n, first.cells) for n in range(15))
    )
    a, b = (respins_value(money_chain(game, s, "charge+multiply")) for s in (once, often))
    assert a.mean == pytest.approx(b.mean, rel=1e-13)
    assert a.second_moment == pytest.approx(b.second_moment, rel=1e-13)


def test_golden_orbs_without_end_are_refused(game: GameDefinition) -> None:
    cell = Weights("cell", ("Blank", "Money", "Golden"), (1, 1, 40000))
    strips = spellmaster_set(game).with_position_reels("respins.jackpots", (Stage(0, (cell,)),))
    with pytest.raises(EndlessFeatureError, match=r"golden Orbs must end"):
        respins_value(money_chain(game, strips, "jackpots"))
