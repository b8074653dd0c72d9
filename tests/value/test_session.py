"""Sessions: sums of rounds, bankrolls and dry spells against sums over every course of play."""

import itertools
import json
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.oracles.line_games import random_line_game
from tests.vectors.slotvec import vector, write
from workbench.cli import run
from workbench.errors import UsageError
from workbench.prob.sessions import chance_to_last, longest_dry_spell, power_law
from workbench.value.line_round import line_round
from workbench.value.round_law import RoundLaw, round_law
from workbench.value.session import Session, session_figures

LAWS = (
    (Fraction(1, 2), {0: Fraction(5, 8), 1: Fraction(1, 4), 3: Fraction(1, 16), 9: Fraction(1, 16)}),
    (Fraction(2, 3), {0: Fraction(3, 4), 2: Fraction(1, 8), 5: Fraction(1, 8)}),
    (Fraction(3), {0: Fraction(9, 10), 1: Fraction(1, 20), 4: Fraction(1, 20)}),
    (Fraction(7, 20), {0: Fraction(1, 3), 1: Fraction(1, 3), 20: Fraction(1, 3)}),
)


def as_law(step, chances):
    table = np.zeros(max(chances) + 1)
    for k, p in chances.items():
        table[k] = float(p)
    return RoundLaw(step, table, 0.0, 1e-16)


def courses(step, chances, rounds):
    """Every course of play: (wins in bets, chance)."""
    for course in itertools.product(chances.items(), repeat=rounds):
        chance = Fraction(1)
        for _, p in course:
            chance *= p
        yield [k * step for k, _ in course], chance


@pytest.mark.parametrize(("step", "chances"), LAWS)
@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_against_every_course(step, chances, rounds):
    session = Session(as_law(step, chances), rounds)
    every = list(courses(step, chances, rounds))
    nets = {}
    for wins, p in every:
        nets[sum(wins) - rounds] = nets.get(sum(wins) - rounds, 0) + p
    for net in {*nets, 0, Fraction(1, 3), -rounds}:
        at_least = sum(p for result, p in nets.items() if result >= net)
        more = sum(p for result, p in nets.items() if result > net)
        assert session.at_least(net) == pytest.approx(float(at_least), abs=1e-13)
        assert session.more_than(net) == pytest.approx(float(more), abs=1e-13)
        assert session.less_than(net) == pytest.approx(float(1 - at_least), abs=1e-13)
    for bankroll in (0, 1, 2, Fraction(7, 2), rounds):
        lasting = Fraction(0)
        for wins, p in every:
            held, paid = Fraction(bankroll), True
            for win in wins:
                paid = paid and held >= 1
                held += win - 1
            lasting += p if paid else 0
        assert session.lasts(bankroll) == pytest.approx(float(lasting), abs=1e-12)
    dry = session.dry_spells(range(rounds + 1))
    for k in range(rounds + 1):
        some = sum(p for wins, p in every if any(not any(wins[i : i + k]) for i in range(rounds - k + 1)))
        assert dry[k] == pytest.approx(float(some), abs=1e-12)


def test_small_chances_far_out_have_digits():
    """100 plays that win with 1/1000: P(20 wins) is 1e-40, and right to many digits."""
    law, beyond = power_law(np.array([0.999, 0.001]), 100, 1e-13, 1 << 20)
    exact = Fraction(1, 1000) ** 20 * Fraction(999, 1000) ** 80
    ways = 535983370403809682970
    assert beyond == 0.0
    assert law[20] == pytest.approx(float(exact * ways), rel=1e-9)


def test_a_bankroll_for_all_rounds_lasts():
    law = np.array([0.9, 0.0, 0.1])
    assert chance_to_last(law, 1, 50, 50) == pytest.approx(1.0, abs=1e-12)
    assert chance_to_last(law, 1, 0, 1) == 0.0


def test_dry_spells_by_their_complement():
    chances = longest_dry_spell(0.5, 10, 10)
    short = [
        sum(1 for bits in itertools.product((0, 1), repeat=10) if "0" * k not in "".join(map(str, bits)))
        for k in range(1, 11)
    ]
    assert chances[1:].tolist() == pytest.approx([1 - n / 1024 for n in short], abs=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_moments_of_random_games(seed):
    value = line_round(*random_line_game(random.Random(f"session {seed}")))
    session = Session(round_law(value), 7)
    sums, _ = session.total
    net = np.arange(len(sums)) * float(session.step) - 7
    mean = float(sums @ net)
    size = max(1.0, float(value.rtp)) * 7
    assert mean == pytest.approx(7 * float(value.rtp - 1), abs=1e-10 * size)
    assert float(sums @ (net - mean) ** 2) == pytest.approx(
        7 * float(value.variance), rel=1e-8, abs=1e-9 * size**2
    )


@pytest.mark.parametrize("rounds", [1, 7, 21, 101, 999])
def test_a_share_that_sessions_meet_is_met(rounds):
    """Of an odd number of fair double-or-nothings exactly half end behind, so the median is the least loss."""
    session = Session(as_law(Fraction(2), {0: Fraction(1, 2), 1: Fraction(1, 2)}), rounds)
    assert session.percentile(0.5) == -1


@pytest.mark.parametrize("law", [{0: 1}, {1: 1}, {0: Fraction(3, 4), 1: Fraction(1, 4)}])
def test_rounding_makes_no_chance_of_less_than_0_or_more_than_1(law):
    figures = session_figures(Session(as_law(Fraction(2), law), 10_000), Fraction(9000))
    chances = [figures["ahead"], figures["even_or_ahead"], figures["bankroll"]["lasts"]]
    for table in ("loses_more_than", "wins_at_least", "dry_spell"):
        chances += figures[table].values()
    assert all(0 <= chance <= 1 for chance in chances)


def test_too_many_rounds_are_refused():
    with pytest.raises(UsageError, match=r"^--rounds: must be 1 to 10000, but got 10001$"):
        Session(as_law(*LAWS[0]), 10_001)


def test_the_command(tmp_path, capsys):
    _, strips = write(vector("slotopol_sizzlinghot_95_655629"), tmp_path)
    assert run(["session", str(strips), "--rounds", "50", "--bankroll", "20", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["rounds"] == 50 and 0 < table["bankroll"]["lasts"] < 1
    assert table["loses_more_than"]["10"] + table["ahead"] < 1
    assert run(["session", str(strips), "--rounds", "50"]) == 0
    assert "P(ahead)" in capsys.readouterr().out
    assert run(["session", str(strips), "--rounds", "0"]) == 2
    assert capsys.readouterr().err == "workbench: error: --rounds: must be 1 to 10000, but got 0\n"
    figures = session_figures(Session(as_law(*LAWS[1]), 20))
    assert figures["ahead"] <= figures["even_or_ahead"]
