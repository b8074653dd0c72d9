"""Played sessions: what each came to is what its rounds say, the plan alone decides, and estimates tell their spread."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from simulate.sets import codex, realistic
from simulate.test_histogram import KINDS, by_player, game_of
from workbench.errors import UsageError
from workbench.simulate import sessions as module
from workbench.simulate.estimates import Proportion
from workbench.simulate.machine import machine_for
from workbench.simulate.session_figures import SessionFigures
from workbench.simulate.sessions import PlayedSessions, SessionPlan, Start, play_sessions
from workbench.simulate.strategy import named_strategies

NEW, LONG = Start.NEW_PLAYER, Start.LONG_TIME


def lasts(won: list[int], bet: int, bankroll: int) -> bool:
    """Whether a bankroll pays for every round."""
    for win in won:
        if bankroll < bet:
            return False
        bankroll += win - bet
    return True


def longest(won: list[int]) -> int:
    """The longest run of rounds that win nothing."""
    return max(map(len, "".join("x" if not win else " " for win in won).split()), default=0)


@pytest.mark.parametrize("kind", KINDS)
def test_sessions_are_those_of_their_rounds(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_BLOCKS", 1)
    monkeypatch.setattr(module, "CHUNK_ROUNDS", 50)
    game, strips, strategy = game_of(kind, 2)
    plan = SessionPlan(12, 20, 2)
    played = play_sessions(game, strips, strategy, plan)
    won, bet = by_player(kind, 2, 240, 20), played.units
    for i in range(12):
        mine = won[20 * i : 20 * i + 20]
        assert played.net[i] == sum(mine) - 20 * bet
        assert played.dry[i] == longest(mine)
        need = int(played.need[i])
        assert lasts(mine, bet, need) and not lasts(mine, bet, need - 1)


@pytest.mark.parametrize("start", list(Start))
def test_result_does_not_depend_on_workers_or_chunks(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = named_strategies(codex())["always-save-use-at-1"]
    plan = SessionPlan(3001, 20, 4, start)

    def played(workers: int) -> list[list[int]]:
        found = play_sessions(codex(), realistic(), strategy, plan, workers)
        return [found.net.tolist(), found.need.tolist(), found.dry.tolist()]

    monkeypatch.setattr(type(machine_for(codex(), realistic(), strategy)), "burn_in", lambda _: 1 << 14)
    one = played(1)
    assert one == played(2)
    monkeypatch.setattr(module, "CHUNK_ROUNDS", 100)
    assert one == played(2)


def test_a_long_time_player_s_bank_helps() -> None:
    strategy = named_strategies(codex())["advertised"]
    new, long = (
        SessionFigures(play_sessions(codex(), realistic(), strategy, SessionPlan(3000, 200, 1, start)))
        for start in (NEW, LONG)
    )
    assert long.played.dependent and not new.played.dependent
    away = long.mean_win().mean - new.mean_win().mean
    assert away > 4 * math.hypot(long.mean_win().standard_error, new.mean_win().standard_error)
    assert isinstance(new.at_least(Fraction(0)), Proportion)


def of(net: list[int], block: int, monkeypatch: pytest.MonkeyPatch) -> SessionFigures:
    """Sessions with results as given that lean on each other in blocks."""
    monkeypatch.setattr(module, "LEAST_BLOCKS", len(net) // block)
    zero = np.zeros(len(net), np.int64)
    plan = SessionPlan(len(net), 10, 1, LONG)
    assert plan.block == block
    return SessionFigures(PlayedSessions(plan, 20, True, np.array(net, np.int64), zero, zero))


def test_errors_of_dependent_sessions_are_those_of_block_means(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    blocks = rng.normal(0, 1000, (40, 25)) + rng.normal(0, 1000, (40, 1))
    net = blocks.astype(np.int64)
    estimate = of(net.ravel().tolist(), 25, monkeypatch).mean_win()
    means = net.mean(axis=1) / 20 + 10
    assert estimate.mean == pytest.approx(means.mean())
    assert estimate.standard_error == pytest.approx(means.std(ddof=1) / math.sqrt(40))
    assert estimate.degrees == 39


def test_shares_at_the_ends_of_amounts() -> None:
    net = np.array([-40, -20, -20, 0, 0, 0, 20, 41, 60, 100], np.int64)
    figures = SessionFigures(PlayedSessions(SessionPlan(10, 5, 1), 20, False, net, net + 50, net // 20 + 2))
    assert figures.more_than(Fraction(0)).mean == 0.4
    assert figures.at_least(Fraction(0)).mean == 0.7
    assert figures.less_than(Fraction(-1)).mean == 0.1
    assert figures.at_least(Fraction(2)).mean == 0.3
    assert figures.at_least(Fraction(41, 20)).mean == 0.3
    assert figures.lasts(Fraction(3, 2)).mean == 0.3
    assert figures.dry_spell(3).mean == 0.4
    assert figures.percentile(0.5).value == 0.0
    assert figures.up_to(0.5, Fraction(0)).mean == 0.5
    assert figures.up_to(0.9, Fraction(0)).mean == 0.6
    assert figures.up_to(0.1, Fraction(0)).mean == 0.3
    assert figures.standard_deviation().mean == pytest.approx(np.std(net / 20))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ((0, 10, 1), "sessions: must be 1 to"),
        ((10, 0, 1), "rounds: must be 1 to"),
        ((10, 10, -1), "--seed: must be 0 to"),
    ],
)
def test_plans_out_of_range(plan: tuple[int, int, int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        SessionPlan(*plan)
