"""The whole law of spins and rounds of line games: against enumeration, and against the round's own moments."""

import json
import random
from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from click.testing import CliRunner

from tests.oracles.line_games import random_line_game
from tests.oracles.line_rounds import bonus_moments, spin_sums
from tests.oracles.line_rule import line_award
from tests.oracles.line_strips import weighted_screens
from tests.oracles.spin import visible
from tests.vectors.slotvec import line_vectors, vector, write
from workbench.cli import cli, run
from workbench.exact.marks import marks_on
from workbench.exact.win_law import win_law
from workbench.game.line_features import Bonus, ScatterPays, at_count
from workbench.game.load import load_definition
from workbench.reels.files import load_strip_set
from workbench.value.line_round import line_round
from workbench.value.round_law import ENTRY_ERROR, RoundLaw, round_law

NOISE = 2e-14


@pytest.mark.parametrize("seed", range(15))
def test_the_joint_law_of_a_spin(seed):
    game, strips = random_line_game(random.Random(f"win law {seed}"))
    spin = line_round(game, strips).base.spin
    marks = marks_on(game, spin.reels, list(spin.marks), [2] * len(spin.marks))
    law = win_law(game, spin.reels, spin.ways, spin.gains(lambda award: award.coins, spin.spins), marks)
    expected = Counter()
    awards = game.free_games.lines.spins if game.free_games and game.free_games.lines else {}
    for weight, screen in weighted_screens(game, strips, "base"):
        won = [line_award(game, tuple(screen[r][row] for r, row in enumerate(line))) for line in game.lines]
        coins = sum(award.coins for award in won if award)
        spins = sum(awards.get(award.name, {}).get(award.length, 0) for award in won if award)
        seen = tuple(
            min(visible(screen, *mark), cap) for mark, cap in zip(spin.marks, marks.caps, strict=True)
        )
        expected[(coins, spins, seen)] += weight
    found = {
        (*map(int, values), tuple(map(int, marks.numbers[code]))): int(count)
        for values, code, count in zip(law.values, law.marks, law.counts, strict=True)
    }
    assert found == dict(expected)


def screen_wins(game, strips, screen, free):
    """(win in bets without bonuses, starts of each bonus, free games awarded) of a screen, by the rules."""
    feature = game.free_games
    won = [line_award(game, tuple(screen[r][row] for r, row in enumerate(line)), free) for line in game.lines]
    won = [award for award in won if award]
    win = Fraction(sum(award.coins for award in won), game.bet.coins)
    for part in game.features_of(ScatterPays):
        paid = Fraction(str(at_count(part.pays, visible(screen, part.symbol, part.reels), part.beyond)))
        win += (
            paid
            / (1 if part.per == "total-bet" else game.bet.coins)
            * (feature.scatter_factor if free else 1)
        )
    starts = []
    for bonus in game.features_of(Bonus):
        number = sum(bonus.name in award.bonuses for award in won)
        if bonus.in_sight:
            number = int(visible(screen, bonus.in_sight.symbol, bonus.in_sight.reels) >= bonus.in_sight.least)
        starts.append(number if bonus_moments(game, strips, bonus, free) else 0)
    spins = 0
    if feature and feature.scatter:
        table = feature.scatter.spins_in_free_games if free else feature.scatter.spins
        spins += at_count(
            table, visible(screen, feature.scatter.symbol, feature.scatter.reels), feature.scatter.beyond
        )
    if feature and feature.lines:
        table = feature.lines.spins_in_free_games if free else feature.lines.spins
        spins += sum(table.get(award.name, {}).get(award.length, 0) for award in won)
    return win, tuple(starts), spins


def bonus_law(game, strips, bonus, free):
    """The law of one bonus in bets, draw by draw."""
    factor = Fraction(1) if bonus.per == "total-bet" else Fraction(1, game.bet.coins)
    if free and bonus.in_free_games == "multiplied":
        factor *= game.free_games.multiplier
    wheel = strips.wheels[bonus.prizes]
    one = {Fraction(v) * factor: Fraction(w, wheel.total) for v, w in wheel.items()}
    draws = {1: Fraction(1)}
    if bonus.draws:
        counted = strips.wheels[bonus.draws]
        draws = {int(v): Fraction(w, counted.total) for v, w in counted.items()}
    found, power = Counter(), {Fraction(0): Fraction(1)}
    for number in range(max(draws) + 1):
        for win, chance in power.items():
            found[win] += draws.get(number, 0) * chance
        power = added(power, one)
    return found


def added(one, two):
    found = Counter()
    for a, p in one.items():
        for b, q in two.items():
            found[a + b] += p * q
    return found


def spin_law(game, strips, free):
    """{(win in bets, free games): chance} of one kind of spin, in fractions."""
    total, found = 0, Counter()
    bonuses = game.features_of(Bonus)
    for weight, screen in weighted_screens(game, strips, game.free_games.reels if free else "base"):
        total += weight
        found[screen_wins(game, strips, screen, free)] += weight
    law = Counter()
    for (win, starts, spins), weight in found.items():
        here = {win: Fraction(weight, total)}
        for bonus, number in zip(bonuses, starts, strict=True):
            for _ in range(number):
                here = added(here, bonus_law(game, strips, bonus, free))
        for amount, chance in here.items():
            law[(amount, spins)] += chance
    return law


def small_game(seed, free):
    """A random game whose laws stay small enough for dictionaries."""
    for attempt in range(200):
        game, strips = random_line_game(random.Random(f"round law {seed} {attempt}"))
        starts = [b for b in game.features_of(Bonus) if b.line and len(game.lines) > 5]
        if bool(game.free_games) == free and not starts and len(game.lines) <= 9:
            return game, strips
    raise AssertionError("no such game")


@pytest.mark.parametrize("seed", range(10))
def test_a_round_without_free_games_is_its_spin(seed):
    game, strips = small_game(seed, free=False)
    expected = Counter()
    for (win, _), chance in spin_law(game, strips, free=False).items():
        expected[win] += chance
    law = round_law(line_round(game, strips))
    found = {k * law.step: p for k, p in enumerate(law.chances) if p > NOISE}
    assert set(found) == {win for win, p in expected.items() if p}
    for win, chance in found.items():
        assert chance == pytest.approx(float(expected[win]), rel=1e-12, abs=NOISE)


@pytest.mark.parametrize("seed", range(6))
def test_a_round_with_free_games_up_to_a_depth(seed):
    """P(win, at most D free games played): the law can only be more, by no more than P(more than D are played)."""
    game, strips = small_game(seed, free=True)
    law, depth = round_law(line_round(game, strips)), 4
    free, base = spin_law(game, strips, free=True), spin_law(game, strips, free=False)
    within = Counter()
    waiting = {(win, spins): float(p) for (win, spins), p in base.items()}
    for _ in range(depth + 1):
        after = Counter()
        for (win, left), chance in waiting.items():
            if left == 0:
                within[win] += chance
                continue
            for (more, spins), p in free.items():
                after[(win + more, left - 1 + spins)] += chance * float(p)
        waiting = {key: p for key, p in after.items() if p > 1e-12}
        if len(waiting) > 20_000:
            break
    beyond = 1.0 - sum(within.values())
    for win, chance in within.items():
        found = float(law.chances[int(win / law.step)])
        assert chance - 1e-10 <= found <= chance + beyond + 1e-10
    assert sum(law.chances) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(15))
def test_moments_are_those_of_the_round(seed):
    value = line_round(*random_line_game(random.Random(f"law moments {seed}")))
    law = round_law(value)
    size = max(1.0, float(value.rtp))
    assert law.mean == pytest.approx(float(value.rtp), rel=1e-11)
    assert law.central_moment(2) == pytest.approx(float(value.variance), rel=1e-9, abs=1e-10 * size**2)
    assert law.left_out <= 1e-12


def test_what_the_steepest_tilts_lift_stays_a_double():
    """In this game sixteen lines may start a bonus of three prizes each: E[e^(t win)] passes 10^308 before its slope ends."""
    value = line_round(*random_line_game(random.Random(18)))
    law = round_law(value)
    assert law.mean == pytest.approx(float(value.rtp), rel=1e-11)
    assert law.standard_deviation == pytest.approx(value.standard_deviation, rel=1e-9)


def test_a_certain_win_has_neither_deviation_nor_skewness():
    noise = np.full(4096, 1e-22)
    law = RoundLaw(Fraction(1, 4), noise + np.eye(1, 4096, 240)[0], 0.0, ENTRY_ERROR)
    assert (law.standard_deviation, law.skewness) == (0.0, 0.0)


@pytest.mark.parametrize("name", line_vectors())
def test_published_deviations_through_the_law(name, tmp_path):
    v = vector(name)
    definition, strips = write(v, tmp_path)
    game = load_definition(definition)
    value = line_round(game, load_strip_set(strips, game))
    law = round_law(value)
    assert law.mean == pytest.approx(v["computed"]["rtp_total"], abs=1e-12)
    if "sd_total_round" in v["computed"]:
        assert law.standard_deviation == pytest.approx(v["computed"]["sd_total_round"], abs=1e-9)
    assert law.at_least(Fraction(1, 10**9)) == pytest.approx(1 - float(law.chances[0]), abs=1e-13)


def test_the_command(tmp_path):
    _, strips = write(vector("slotopol_cleopatra_95_007187"), tmp_path)
    result = CliRunner().invoke(cli, ["law", str(strips), "--json", "--full"])
    assert result.exit_code == 0, result.output
    table = json.loads(result.stdout)
    wins = [(win, chance) for win, chance in table["law"]]
    assert sum(p for _, p in wins) == pytest.approx(1.0, abs=1e-12)
    mean = sum(win * p for win, p in wins)
    assert mean == pytest.approx(table["mean"], rel=1e-12)
    assert sqrt(sum((w - mean) ** 2 * p for w, p in wins)) == pytest.approx(
        table["standard_deviation"], rel=1e-9
    )
    assert sum(p for w, p in wins if w >= 100) == pytest.approx(table["at_least"]["100"], rel=1e-9)
    plain = CliRunner().invoke(cli, ["law", str(strips)])
    assert plain.exit_code == 0 and "Likeliest wins" in plain.output


def test_an_unknown_strategy_is_refused(capsys):
    assert run(["law", "codex-of-fortune/strategy", "--strategy", "nobody"]) == 2
    assert "strategy: must be one of worst, optimal" in capsys.readouterr().err


def test_the_oracles_agree_with_each_other():
    game, strips = small_game(3, free=True)
    law, sums = spin_law(game, strips, free=False), spin_sums(game, strips, free=False)
    assert sum(win * p for (win, _), p in law.items()) == sums.expected(lambda w, x, n: w)
    assert sum(win**2 * p for (win, _), p in law.items()) == sums.expected(lambda w, x, n: w**2 + x)
