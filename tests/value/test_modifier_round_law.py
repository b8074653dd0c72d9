"""The law of a whole round with modifiers: against enumerated rounds, against the round's own moments, and as printed."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from tests.oracles.money_rounds import UNIT, Law, round_law, small_game
from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.cli import cli
from workbench.errors import UsageError
from workbench.game import find_game, load_definition
from workbench.game.load import parse_definition
from workbench.reels.files import canonical_bytes
from workbench.reels.strip_set import Weights
from workbench.value.estimated import clopper_pearson
from workbench.value.law_figures import chance_interval, law_figures, percentile_interval
from workbench.value.modifier_round import evaluate
from workbench.value.modifier_round_law import law_of_round
from workbench.value.round_law import RoundLaw, law_of

DRAWS = 60_000


@cache
def case(seed: int, multiply: bool) -> tuple[Law, RoundLaw]:
    game, strips = small_game(random.Random(f"round {seed} {multiply}"), multiply)
    return round_law(game, strips, 1e-16), law_of_round(evaluate(game, strips), DRAWS)


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 8])
def test_every_chance_is_that_of_enumerated_rounds(seed):
    expected, law = case(seed, False)
    assert law.estimated is None
    wins = dict(expected.wins)
    bound = 1e-15 + float(expected.dropped)
    for k, p in enumerate(law.chances):
        assert p == pytest.approx(float(wins.pop(k * law.step / UNIT, 0)), abs=bound, rel=1e-13)
    assert sum(wins.values()) <= bound
    assert law.left_out < 1e-16


@pytest.mark.parametrize(("seed", "multiply"), [(0, True), (1, True), (2, True), (0, False), (3, False)])
def test_enumerated_rounds_with_a_drawn_part_are_inside_the_intervals(seed, multiply):
    """All chances at once inside intervals that hold together with 99.9 %, each interval of 99 % within its own."""
    expected, law = case(seed, multiply)
    part = law.estimated
    assert part is not None and 0 < part.share < 1
    size = len(law.chances)
    assert size > 15
    for k in range(size):
        tail = sum(float(p) for win, p in expected.wins.items() if win * UNIT >= k * law.step)
        count = int(part.counts[k:].sum())
        low, high = (
            part.share * (end - count / part.draws)
            for end in clopper_pearson(count, part.draws, 1 - 0.001 / size)
        )
        found = law.at_least(k * law.step)
        assert low - 1e-12 <= tail - found <= high + 1e-12
        least, most = chance_interval(law, k, size)
        assert found + low - 1e-12 <= least <= found + 1e-12
        assert found - 1e-12 <= most <= found + high + 1e-12
    for share in (0.5, 0.75, 0.9, 0.99, 0.999):
        total, place = 0.0, -1
        for place, p in sorted(expected.wins.items()):  # noqa: B007
            total += float(p)
            if total >= share - 1e-14:
                break
        low, high = percentile_interval(law, share)
        assert low <= float(place * UNIT) <= high


def test_what_is_exact_beside_an_estimated_part():
    """Full grids, and all that no drawn set wins, have exact chances: a step no draw can reach errs by rounding alone."""
    expected, law = case(0, True)
    known = law.chances - law.estimated.chances
    assert known.sum() == pytest.approx(1 - law.estimated.share, abs=1e-13)
    assert float(sum(expected.wins.values())) == pytest.approx(float(law.chances.sum()), abs=1e-12)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_moments_are_those_of_the_round(seed):
    """No set with Multiply, no cap that bites."""
    game, strips = small_game(random.Random(f"moments {seed}"))
    game = game.model_copy(update={"win_cap": "none"})
    value = evaluate(game, strips)
    law = law_of_round(value)
    assert law.estimated is None and "mean_interval_99" not in law_figures(law)
    assert law.mean == pytest.approx(value.rtp, rel=1e-12)
    assert law.central_moment(2) == pytest.approx(value.variance, rel=1e-12)


def never(strips, modifier):
    """The same set, no award with a modifier."""
    for name, wheel in strips.wheels.items():
        if name.startswith("trigger."):
            rows = [(v, w) for v, w in wheel.items() if modifier not in v]
            values, weights = zip(*rows, strict=True)
            strips = strips.with_wheel(name, Weights(name, values, weights))
    return strips


@pytest.fixture(scope="module")
def spellmaster():
    return load_definition(find_game("spellmaster"))


def test_a_whole_game_without_multiply_is_exact(spellmaster):
    """But for the cut at the cap, which is beyond what these sets win."""
    value = evaluate(spellmaster, never(spellmaster_set(spellmaster), "multiply"))
    law = law_of_round(value)
    assert law.estimated is None and law.step == Fraction(1, 10)
    assert law.mean == pytest.approx(value.rtp, rel=1e-12)
    assert law.central_moment(2) == pytest.approx(value.variance, rel=1e-12)
    assert float(law.chances[-1]) == pytest.approx(value.full_grid, rel=1e-9)


def test_estimated_moments_hold_the_exact_ones(spellmaster):
    value = evaluate(spellmaster, spellmaster_set(spellmaster))
    figures = law_figures(law_of_round(value, 200_000))
    low, high = figures["mean_interval_99"]
    assert low <= value.rtp <= high and high - low < 0.1 * value.rtp
    assert figures["estimated"]["exact_without_cap"]["mean"] == value.rtp


def test_the_number_of_workers_changes_nothing(spellmaster):
    value = evaluate(spellmaster, spellmaster_set(spellmaster))
    one, three = (law_of_round(value, 150_000, workers=n) for n in (1, 3))
    assert np.array_equal(one.chances, three.chances)
    other = law_of_round(value, 150_000, seed=3)
    assert not np.array_equal(other.chances, one.chances)


def test_levels_of_the_stashes(spellmaster):
    """The law at the stationary levels has the moments of the round there; rounds depend on each other."""
    text = find_game("spellmaster").read_text().replace('stash_levels = "shows-only"', "stash_levels = 2")
    game = parse_definition(text.encode(), "with levels")
    strips = never(spellmaster_set(game), "multiply")
    for name, none in (("trigger.blue@2", 3), ("trigger.golden@2", 2)):
        wheel = strips.wheels[name.partition("@")[0]]
        strips = strips.with_wheel(name, Weights(name, wheel.values, (none, *wheel.weights[1:])))
    value = evaluate(game, strips)
    law = law_of_round(value)
    assert law.dependent and law_figures(law)["rounds"] == "dependent"
    assert law.mean == pytest.approx(value.rtp, rel=1e-12)
    assert law.central_moment(2) == pytest.approx(value.variance, rel=1e-12)


def test_the_command(tmp_path, spellmaster, capsys):
    path = tmp_path / "by-hand.json"
    path.write_bytes(canonical_bytes(spellmaster_set(spellmaster)))
    arguments = ["law", str(path), "--quick"]
    table = json.loads(CliRunner().invoke(cli, [*arguments, "--json"]).stdout)
    for x, p in table["at_least"].items():
        low, high = table["at_least_interval_99"][x]
        assert 0 < low <= p <= high < 1
    assert table["estimated"]["draws"] <= 400_000
    assert len(table["likeliest"]) == len(table["likeliest_interval_99"])
    plain = CliRunner().invoke(cli, arguments).output
    assert "What is estimated" in plain and "99 % from" in plain
    quick = law_of(spellmaster, spellmaster_set(spellmaster), quick=True)
    assert table["mean"] == quick.mean


def test_a_lattice_too_fine_is_refused(spellmaster):
    strips = spellmaster_set(spellmaster)
    text = find_game("spellmaster").read_text().replace('"25"]', '"25", "0.00001"]')
    game = parse_definition(text.encode(), "fine")
    for name in ("money", "charge"):
        wheel = strips.wheels[name]
        strips = strips.with_wheel(name, Weights(name, (*wheel.values, "0.00001"), (*wheel.weights, 1)))
    with pytest.raises(
        UsageError, match=r"^law: with steps of 1e-05 bets a round wins 16777216 of them or more$"
    ):
        law_of(game, strips)
