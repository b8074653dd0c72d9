"""The exact law of a round and of sessions against play: right ones pass with any seed, planted errors don't."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.line_games import random_line_game
from simulate.sets import codex, realistic

from tests.vectors.slotvec import vector, write
from workbench.cli import run
from workbench.game import GameDefinition
from workbench.law_witness import Classes, Counted, LawVerdict, law_verdict
from workbench.library import load
from workbench.reels.strip_set import StripSet
from workbench.session_witness import session_verdict
from workbench.simulate.run import simulate
from workbench.simulate.sessions import PlayedSessions, SessionPlan, play_sessions
from workbench.simulate.strategy import named_strategies
from workbench.simulate.tally import Tally
from workbench.value.estimated import Estimated
from workbench.value.round_law import RoundLaw, law_of
from workbench.value.session import Session, session_figures

ROUNDS = 1_000_000
LEVEL = 1e-4


@functools.cache
def game() -> tuple[GameDefinition, StripSet, RoundLaw]:
    """A line game with free games whose law has some hundreds of wins."""
    played, strips = random_line_game(random.Random(303))
    return played, strips, law_of(played, strips)


@functools.cache
def tallies(seed: int) -> tuple[Tally, ...]:
    """Rounds of it, by session."""
    played, strips, _ = game()
    seen: list[Tally] = []
    simulate(played, strips, ROUNDS, seed, None, 1, None, seen.append)
    return tuple(seen)


def judged(law: RoundLaw, seed: int) -> LawVerdict:
    counted = Counted(law, game()[0], ROUNDS)
    for tally in tallies(seed):
        counted.add(tally)
    return law_verdict(counted, LEVEL)


def moved(law: RoundLaw, place: int, to: int, part: float) -> RoundLaw:
    """The law with a part of one win's chance moved to another win."""
    chances = law.chances.copy()
    chances[to] += part * chances[place]
    chances[place] *= 1 - part
    return dataclasses.replace(law, chances=chances)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_right_law_agrees(seed: int) -> None:
    found = judged(game()[2], seed)
    assert found.agrees, found.text
    assert found.degrees == 199 and found.counted.design_effect == 1
    table = found.to_json()
    assert sum(row["counted"] for row in table["classes"]) == ROUNDS
    assert sum(row["expected"] for row in table["classes"]) == pytest.approx(ROUNDS)
    assert table["least_expected"] >= 20


def common(law: RoundLaw) -> tuple[int, int]:
    """The places of the likeliest win but none, and of the tenth likeliest."""
    order = np.argsort(-law.chances)
    order = order[order > 0]
    return int(order[0]), int(order[9])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_percent_of_an_atom_moved_is_noticed(seed: int) -> None:
    law = game()[2]
    of, to = common(law)
    assert "chi_square" in judged(moved(law, 0, to, 0.01), seed).rejected
    assert not judged(moved(law, of, to, 0.2), seed).agrees


def test_chi_square_is_pearson_s() -> None:
    found = judged(game()[2], 1)
    counted = found.counted
    chances = np.add.reduceat(game()[2].chances, counted.classes.firsts)
    assert counted.classes.chances == pytest.approx(chances, abs=1e-12)
    expected = ROUNDS * chances
    assert found.statistic == pytest.approx(((counted.by_class - expected) ** 2 / expected).sum())
    wins = np.zeros(len(game()[2].chances), np.int64)
    for tally in tallies(1):
        for win, times in tally.wins.items():
            wins[int(Fraction(win, tally.identity.units) / game()[2].step)] += times
    wins[0] = ROUNDS - wins.sum()
    assert np.array_equal(wins, counted.atoms)
    assert np.array_equal(np.add.reduceat(wins, counted.classes.firsts), counted.by_class)


def test_p_values_are_spread_evenly() -> None:
    """Under the right law: counts drawn from it, not played."""
    law, rng = game()[2], np.random.default_rng(3)
    chances = np.maximum(law.chances, 0) / np.maximum(law.chances, 0).sum()
    found = []
    for _ in range(200):
        counted = Counted(law, game()[0], 100_000)
        counted.atoms[:] = rng.multinomial(100_000, chances)
        counted.by_class[:] = np.add.reduceat(counted.atoms, counted.classes.firsts)
        counted.rounds = 100_000
        found.append(law_verdict(counted))
    p = np.sort([v.chi_square for v in found])
    assert np.abs(p - np.arange(0.5, 200) / 200).max() < 1.95 / np.sqrt(200)
    assert sum(not v.agrees for v in found) <= 8


def test_a_win_that_cannot_be_is_noticed() -> None:
    """One that the law doesn't have, far too rare for any class to show it; and one off its lattice."""
    law = game()[2]
    place = max(int(k) for k in np.flatnonzero(judged(law, 1).counted.atoms == 2))
    without = moved(law, place, place + 1, 1.0)
    assert judged(without, 1).rejected == ("atoms",)
    coarser = dataclasses.replace(law, step=law.step * 2)
    assert "lattice" in judged(coarser, 1).rejected
    cut = dataclasses.replace(law, chances=law.chances[:place])
    assert "lattice" in judged(cut, 1).rejected


def test_what_is_an_estimate_is_not_held_to_its_error() -> None:
    """A law whose winning part is drawn, from fewer rounds than are played: right as an estimate, wrong as an exact one."""
    law, rng = game()[2], np.random.default_rng(5)
    wins = np.maximum(law.chances, 0)
    wins[0] = 0
    share, found = float(wins.sum()), []
    for seed in (1, 2, 3):
        counts = rng.multinomial(100_000, wins / share)
        part = Estimated(share, counts, 5, law.mean, law.standard_deviation)
        chances = part.chances
        chances[0] = law.chances[0]
        drawn = dataclasses.replace(law, chances=chances, estimated=part)
        assert not judged(dataclasses.replace(drawn, estimated=None), seed).agrees
        found.append(judged(drawn, seed))
        assert found[-1].agrees and found[-1].atoms is None, found[-1].text
        shifted = moved(drawn, 0, common(law)[1], 0.05)
        assert not judged(dataclasses.replace(shifted, estimated=part), seed).agrees
    assert min(v.chi_square for v in found) < 0.999


def test_a_part_that_is_hardly_drawn_changes_nothing() -> None:
    law = game()[2]
    counts = np.zeros(len(law.chances), np.int64)
    counts[5:50] = 1000
    part = Estimated(1e-9, counts, 1, law.mean, law.standard_deviation)
    with_part = judged(dataclasses.replace(law, estimated=part), 1)
    assert with_part.statistic == pytest.approx(judged(law, 1).statistic, rel=1e-9)


@pytest.mark.parametrize("rounds", [1000, 10**5, 10**9])
def test_classes_expect_enough_and_nearly_as_much(rounds: int) -> None:
    law = game()[2]
    classes = Classes.of(law.chances, rounds)
    assert classes.firsts[0] == 0 and (np.diff(classes.firsts) > 0).all()
    assert classes.chances.sum() == pytest.approx(1)
    assert classes.chances.min() * rounds >= 20 - 1e-6
    assert len(classes.firsts) <= 200
    if rounds == 10**9:
        assert len(classes.firsts) == 200
        largest = np.maximum.reduceat(law.chances, classes.firsts)
        inner = classes.chances[largest < classes.chances / 2]
        assert inner.max() < 2 * np.median(inner) and inner.min() > np.median(inner) / 2


def test_rounds_that_depend_on_each_other_are_allowed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams whose rounds come in pairs: X^2 is twice too large, and the design effect says so."""
    import workbench.law_witness as module

    monkeypatch.setattr(module, "SESSION_ROUNDS", 2000)
    law, rng = dataclasses.replace(game()[2], dependent=True), np.random.default_rng(4)
    chances = np.maximum(law.chances, 0) / np.maximum(law.chances, 0).sum()
    units = tallies(1)[0].identity.units
    steps = int(law.step * units)
    counted = Counted(law, game()[0], 600_000)
    for _ in range(300):
        wins = 2 * rng.multinomial(1000, chances)
        table = {int(k) * steps: int(wins[k]) for k in np.flatnonzero(wins) if k}
        sessions = (dataclasses.replace(tallies(1)[0].sessions[0], rounds=2000),)
        counted.add(dataclasses.replace(tallies(1)[0], wins=table, sessions=sessions))
    assert counted.design_effect == pytest.approx(2, abs=0.1)
    found = law_verdict(counted, level=LEVEL)
    assert found.agrees
    assert found.statistic > 300


def test_rounds_with_keys_hardly_depend_on_each_other() -> None:
    """Any law gives the design effect: here one with the wins of the play itself."""
    seen: list[Tally] = []
    tally = simulate(
        codex(), realistic(), 1 << 21, 3, named_strategies(codex())["advertised"], 1, None, seen.append
    )
    chances = np.zeros(tally.largest + 1)
    for win, times in tally.wins.items():
        chances[win] = times / tally.rounds
    chances[0] = 1 - chances.sum()
    law = RoundLaw(Fraction(1, tally.identity.units), chances, 0.0, 0.0, None, True)
    counted = Counted(law, codex(), tally.rounds)
    for part in seen:
        counted.add(part)
    assert counted.streams == 2
    assert law_verdict(counted).statistic == pytest.approx(0, abs=1e-9)
    assert counted.design_effect == pytest.approx(1, abs=0.5)


@functools.cache
def small() -> tuple[GameDefinition, StripSet, RoundLaw]:
    """A line game with a chance to win or lose within fifty rounds."""
    with tempfile.TemporaryDirectory() as folder:
        definition, path = write(vector("slotopol_gems50_95_145463"), Path(folder))
        loaded = load(str(path), str(definition))
    return loaded.game, loaded.strips, law_of(loaded.game, loaded.strips)


@functools.cache
def sessions(seed: int) -> PlayedSessions:
    played, strips, _ = small()
    return play_sessions(played, strips, None, SessionPlan(20_000, 50, seed))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_right_figures_of_sessions_agree(seed: int) -> None:
    figures = session_figures(Session(small()[2], 50), Fraction(20))
    found = session_verdict(figures, sessions(seed), LEVEL)
    assert found.agrees, found.text
    assert {"ahead", "bankroll.lasts", "percentiles.50", "dry_spell.10"} <= {
        c.name for c in found.verdict.comparisons
    }
    low, high = found.percentiles["50"]["interval_99"]
    assert low <= figures["percentiles"]["50"] <= high


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ahead", lambda f: f["ahead"] + 0.04),
        ("loses_more_than.20", lambda f: f["loses_more_than"]["20"] * 0.9),
        ("percentiles.75", lambda f: f["percentiles"]["75"] + 3),
        ("dry_spell.10", lambda f: f["dry_spell"]["10"] * 0.9),
        ("bankroll.lasts", lambda f: f["bankroll"]["lasts"] + 0.02),
    ],
)
def test_wrong_figures_of_sessions_are_noticed(name: str, value: Any) -> None:
    figures = session_figures(Session(small()[2], 50), Fraction(20))
    head, _, level = name.partition(".")
    table = figures[head] if level else figures
    table[level or head] = value(figures)
    found = session_verdict(figures, sessions(1), LEVEL)
    assert found.verdict.rejected == (name,)


@pytest.mark.parametrize(
    ("mean", "deviation", "rejected"),
    [(-20, 15, ()), (-19, 15, ("mean_win",)), (-20, 15.6, ("standard_deviation",))],
)
def test_mean_and_deviation_of_sessions(mean: float, deviation: float, rejected: tuple[str, ...]) -> None:
    net = np.random.default_rng(6).normal(-400, 300, 10_000).astype(np.int64)
    played = PlayedSessions(SessionPlan(10_000, 50, 1), 20, False, net, net, net)
    ahead = float((net > 0).mean())
    chances = {"ahead": ahead, "even_or_ahead": float((net >= 0).mean())}
    figures = {"rounds": 50, "mean": mean, "standard_deviation": deviation, **chances}
    assert session_verdict(figures, played, LEVEL).verdict.rejected == rejected


def test_sessions_of_another_law_are_noticed() -> None:
    law = small()[2]
    of, to = common(law)
    figures = session_figures(Session(moved(law, of, to, 0.5), 50), Fraction(20))
    assert not session_verdict(figures, sessions(1), LEVEL).agrees


@pytest.fixture
def files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """A published line game with its figures beside it."""
    from workbench.reels.files import canonical_json
    from workbench.value.evaluate import figures_of

    monkeypatch.chdir(tmp_path)
    _, path = write(vector("slotopol_gems50_95_145463"), tmp_path)
    loaded = load(str(path))
    loaded.beside("figures.json").write_bytes(
        canonical_json(figures_of(loaded.game, loaded.strips, None, loaded.sha256))
    )
    return str(path)


def test_the_commands(files: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", files, "--witness", "300000", "--law", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["law"]["agrees"] and table["law"]["rounds"] == 300_000
    assert [check["name"] for check in table["checks"]][-2:] == ["witness", "law"]
    assert run(["verify", files, "--law"]) == 2
    assert "--law: needs --witness" in capsys.readouterr().err
    assert (
        run(["session", files, "--rounds", "50", "--bankroll", "20", "--witness", "2000", "--seed", "3"]) == 0
    )
    assert "ok   witness: 2000 sessions of a new-player, seed 3" in capsys.readouterr().out
