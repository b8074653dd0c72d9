"""Intervals of sessions with a partly estimated law, against the spread under laws drawn anew."""

import dataclasses
import json
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from tests.vectors.slotvec import vector, write
from workbench.cli import run
from workbench.errors import UsageError
from workbench.prob.sessions import chance_to_last
from workbench.session_witness import session_errors, session_verdict
from workbench.simulate.estimates import Estimate, Proportion
from workbench.simulate.sessions import PlayedSessions, SessionPlan
from workbench.value.estimated import NORMAL_99, Estimated
from workbench.value.round_law import RoundLaw
from workbench.value.session import Session, session_figures
from workbench.value.session_error import SessionError, _on_lattice, redrawn, rounds_followed
from workbench.witness import compare

KNOWN = np.array([0.6, 0.1, 0.1, 0.05, 0.03] + [0.0] * 36)
PART = np.array([0.1, 0.0, 0.3] + [0.0] * 5 + [0.3] + [0.0] * 11 + [0.2] + [0.0] * 19 + [0.1])
SHARE = 0.12
ROUNDS = 30


def as_law(counts, share=SHARE, step=Fraction(1, 2), known=KNOWN):
    part = Estimated(share, np.asarray(counts), 7, 0.9, 3.0)
    return RoundLaw(step, known + part.chances, 0.0, 1e-16, part)


def drawn(draws, seed=1):
    return as_law(np.random.default_rng(seed).multinomial(draws, PART))


def true_law():
    return RoundLaw(Fraction(1, 2), KNOWN + SHARE * PART, 0.0, 1e-16)


def numbers(figures):
    """Every figure that has an interval, by name: (value, interval)."""
    for name in ("mean", "standard_deviation", "ahead", "even_or_ahead"):
        yield name, figures[name], figures[f"{name}_interval_99"]
    for table in ("loses_more_than", "wins_at_least", "percentiles", "dry_spell"):
        for level, value in figures[table].items():
            yield f"{table}.{level}", value, figures[f"{table}_interval_99"][level]
    for level, ends in figures["rtp_intervals"].items():
        for i in (0, 1):
            yield f"rtp.{level}.{i}", ends[i], figures["rtp_intervals_interval_99"][level][i]
    yield "lasts", figures["bankroll"]["lasts"], figures["bankroll"]["lasts_interval_99"]


def test_half_widths_are_the_spread_under_laws_drawn_anew():
    """2.576 deviations over 200 laws, to three of the 5 % that such a deviation is uncertain by; and wins no draw showed."""
    law, rng = drawn(20_000), np.random.default_rng(2)
    figures = session_figures(Session(law, ROUNDS), Fraction(10))
    rows = {name: (value, ends) for name, value, ends in numbers(figures)}
    found = {name: [] for name in rows}
    for _ in range(200):
        again = dataclasses.replace(redrawn(law, rng), estimated=None)
        for name, value in plain(session_figures(Session(again, ROUNDS), Fraction(10))):
            found[name].append(value)
    smooth = [n for n in rows if not n.startswith(("percentiles", "rtp", "lasts"))]
    for name in smooth:
        value, (low, high) = rows[name]
        spread = NORMAL_99 * np.std(found[name], ddof=1)
        unseen = 0 if name in ("mean", "standard_deviation") else ROUNDS * SHARE * (1 - 0.005 ** (1 / 20_000))
        if spread > 1e-9:
            assert 0.85 * spread < (high - low) / 2 < 1.15 * spread + unseen / 2, name
        assert low <= value <= high
    low, high = rows["lasts"][1]
    spread = np.std(found["lasts"], ddof=1)
    assert 0.5 * 3.1 * spread < (high - low) / 2 < 1.7 * 3.1 * spread
    for name in rows.keys() - set(smooth):
        low, high = rows[name][1]
        inside = np.mean([low - 1e-9 <= x <= high + 1e-9 for x in found[name]])
        assert inside >= 0.96, name


def plain(figures):
    """The figures alone, by the same names."""
    for name in ("mean", "standard_deviation", "ahead", "even_or_ahead"):
        yield name, figures[name]
    for table in ("loses_more_than", "wins_at_least", "percentiles", "dry_spell"):
        yield from ((f"{table}.{level}", value) for level, value in figures[table].items())
    for level, ends in figures["rtp_intervals"].items():
        yield from ((f"rtp.{level}.{i}", ends[i]) for i in (0, 1))
    yield "lasts", figures["bankroll"]["lasts"]


@pytest.mark.parametrize("draws", [60, 1000])
def test_intervals_hold_the_true_figures(draws):
    """At least about 99 % of them, few draws included (for moments the normal interval of few draws holds fewer)."""
    true = dict(plain(session_figures(Session(true_law(), ROUNDS), Fraction(10))))
    missed = dict.fromkeys(true, 0)
    for seed in range(80):
        session = Session(drawn(draws, seed), ROUNDS)
        for name, _, (low, high) in numbers(session_figures(session, Fraction(10))):
            missed[name] += not low - 1e-9 <= true[name] <= high + 1e-9
    for name, number in missed.items():
        assert number <= (8 if name in ("mean", "standard_deviation") else 4), name


def test_the_influence_is_a_derivative():
    """A part that is one win for certain: its half-width is nothing, and a little of another win moves the chance by I."""
    session = Session(drawn(10_000), ROUNDS)
    error, tiny, place = SessionError(session), 1e-6, 70
    for win in (0, 8, 40):
        moved = session.law.chances.copy() * (1 - tiny)
        moved[win] += tiny
        other = Session(RoundLaw(session.law.step, moved, 0.0, 1e-16), ROUNDS)
        change = (other.total[0][place:].sum() - session.total[0][place:].sum()) / tiny
        tail = error._one_less[max(place - win, 0)]
        assert change == pytest.approx(ROUNDS * (tail - session.total[0][place:].sum()), rel=1e-3)


@pytest.mark.parametrize("step", [Fraction(1, 2), Fraction(2, 3), Fraction(3)])
def test_one_round_has_the_interval_of_a_binomial(step):
    counts = np.random.default_rng(3).multinomial(5000, PART)
    session = Session(as_law(counts, step=step), 1)
    for k in (1, 3, 20, 40):
        low, high = SessionError(session).at_least(session.steps_each * k)
        q = counts[k:].sum() / 5000
        half = NORMAL_99 * SHARE * sqrt(q * (1 - q) / 5000)
        unseen = SHARE * (1 - 0.005 ** (1 / 5000))
        chance = session.law.chances[k:].sum()
        assert low == pytest.approx(chance - half - unseen * q, abs=1e-12)
        assert high == pytest.approx(chance + half + unseen * (1 - q), abs=1e-12)


def test_what_no_draw_showed_is_not_excluded():
    law = as_law([500, 0, 500, 0, 0], known=KNOWN[:5])
    law = dataclasses.replace(law, chances=np.append(law.chances, np.zeros(500)))
    low, high = SessionError(Session(law, 10)).at_least(300)
    assert low == 0 and high == pytest.approx(10 * SHARE * (1 - 0.005**0.001), rel=1e-3)


def test_figures_of_exact_laws_have_no_intervals():
    figures = session_figures(Session(true_law(), ROUNDS), Fraction(10))
    assert not [key for key in figures if "interval_99" in key or key == "estimated"]
    assert figures["bankroll"].keys() == {"bets", "lasts"}
    assert session_errors(figures) == {}
    assert rounds_followed(Session(true_law(), ROUNDS)) == ROUNDS
    assert rounds_followed(Session(drawn(100), 10_000)) == 70_000
    with pytest.raises(ValueError, match="must be partly estimated"):
        SessionError(Session(true_law(), ROUNDS))


def test_rounds_that_depend_on_each_other_are_refused():
    with pytest.raises(
        UsageError, match=r"^session: known for independent rounds, but these depend on each other$"
    ):
        Session(dataclasses.replace(drawn(100), dependent=True), ROUNDS)


def test_a_coarser_lattice_keeps_the_mean_and_hardly_moves_a_bankroll():
    law = drawn(1000)
    for stake in (1, 2, 3):
        coarse = _on_lattice(law, stake)
        assert coarse.sum() == pytest.approx(1)
        assert coarse @ np.arange(len(coarse)) / stake == pytest.approx(law.mean)
    assert np.array_equal(_on_lattice(law, 2), law.chances)
    fine = chance_to_last(law.chances, 2, 40, 200)
    assert chance_to_last(_on_lattice(law, 1), 1, 20, 200) == pytest.approx(fine, abs=0.02)


def played(law, sessions, seed=5):
    """Sessions played by drawing wins from a law."""
    rng, rounds = np.random.default_rng(seed), ROUNDS
    wins = rng.choice(len(law.chances), (sessions, rounds), p=law.chances / law.chances.sum())
    paid = 2 * np.arange(1, rounds + 1)
    before = np.cumsum(wins, axis=1) - wins
    dry = np.zeros(sessions, np.int64)
    longest = dry.copy()
    for k in range(rounds):
        dry = np.where(wins[:, k] == 0, dry + 1, 0)
        longest = np.maximum(longest, dry)
    return PlayedSessions(
        SessionPlan(sessions, rounds, seed),
        2,
        False,
        wins.sum(axis=1) - 2 * rounds,
        (paid - before).max(axis=1),
        longest,
    )


def test_the_witness_knows_what_is_estimated():
    """Few draws held against many sessions: right as estimates, wrong if they were exact; a planted error is still seen."""
    figures = session_figures(Session(drawn(1000, 4), ROUNDS), Fraction(10))
    sessions = played(true_law(), 100_000)
    found = session_verdict(figures, sessions)
    assert found.agrees, found.text
    assert found.verdict.comparisons[0].to_json().keys() == {"estimated", "simulated", "z"}
    assert "(estimated " in found.text
    called_exact = {key: value for key, value in figures.items() if key != "estimated"}
    assert not session_verdict(called_exact, sessions).agrees
    half = figures["ahead_interval_99"][1] - figures["ahead"]
    figures["ahead"] += 3 * half
    figures["ahead_interval_99"] = [end + 3 * half for end in figures["ahead_interval_99"]]
    assert "ahead" in session_verdict(figures, sessions).verdict.rejected


def test_errors_of_both_sides_add():
    exact = compare("x", 0.3, Proportion.of(3050, 10_000))
    assert compare("x", 0.3, Proportion.of(3050, 10_000), None, 1e-9).z == pytest.approx(exact.z, abs=1e-4)
    assert compare("x", 0.3, Proportion.of(3050, 10_000), None, 0.01).z == pytest.approx(
        0.005 / sqrt(0.01**2 + 0.3 * 0.7 / 10_000), abs=0.01
    )
    assert compare("x", 0.3, Proportion.of(305_000, 1_000_000), None, 0.01).z == pytest.approx(
        0.4995, abs=1e-3
    )
    assert compare("x", 1.0, Estimate(2.0, 0.3), None, 0.4).z == pytest.approx(2.0)
    assert compare("x", 0.0, Proportion.of(3, 10_000), None, 1e-4).probability > 0.05
    assert compare("x", 0.0, Proportion.of(3, 10_000)).probability == 0


def test_the_command(tmp_path, capsys, monkeypatch):
    _, strips = write(vector("slotopol_sizzlinghot_95_655629"), tmp_path)
    monkeypatch.setattr("workbench.value.session_of.law_of", lambda *_, **__: drawn(5000))
    arguments = ["session", str(strips), "--rounds", "40", "--bankroll", "20"]
    assert run([*arguments, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["estimated"]["draws"] == 5000 and table["estimated"]["share"] == SHARE
    for name, value, (low, high) in numbers(table):
        assert low <= value <= high, name
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "What is estimated" in text and text.count("99 % from") == 5
