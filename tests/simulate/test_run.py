"""Runs: the same result whoever plays which part, whole sessions kept, resumed and merged."""

from __future__ import annotations

import dataclasses
import threading
from functools import reduce
from pathlib import Path

import pytest

from simulate.sets import codex, realistic
from workbench.errors import EndlessFeatureError, FileError, UsageError
from workbench.simulate import run
from workbench.simulate.machine import machine_for
from workbench.simulate.run import Interrupted, Plan, identity_of, play_session, simulate, simulate_sessions
from workbench.simulate.strategy import named_strategies
from workbench.simulate.tally import Session, Tally, read_tallies, write_tallies

ADVERTISED = named_strategies(codex())["advertised"]


@pytest.fixture(autouse=True)
def short_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of 20,000 rounds, so that a small run has several."""
    monkeypatch.setattr(run, "SESSION_ROUNDS", 20_000)


def played(rounds: int = 90_000, seed: int = 3, workers: int = 1) -> Tally:
    return simulate(codex(), realistic(), rounds, seed, ADVERTISED, workers)


def test_result_does_not_depend_on_workers() -> None:
    assert played(workers=1) == played(workers=4)


def test_result_does_not_depend_on_the_order_of_sessions() -> None:
    game, strips = codex(), realistic()
    machine = machine_for(game, strips, ADVERTISED)
    identity = identity_of(game, strips, ADVERTISED, machine.units)
    plan = Plan(90_000, 3)
    parts = [
        play_session(machine, identity, s, plan.batch_rounds, machine.burn_in(), threading.Event())
        for s in reversed(list(plan.sessions()))
    ]
    assert reduce(Tally.plus, parts) == played()


def test_rounds_are_exactly_those_asked_for() -> None:
    tally = played(45_001)
    assert tally.rounds == 45_001 == tally.counts[0]
    assert [s.rounds for s in tally.sessions] == [20_000, 20_000, 5_001]
    assert tally.batches.number >= 32


def test_another_seed_is_another_run() -> None:
    assert played(seed=3).counts != played(seed=4).counts


def test_tallies_of_two_seeds_add_up() -> None:
    a, b = played(seed=3), played(seed=4)
    both = a.plus(b)
    assert both.rounds == 180_000
    assert both.counts == tuple(x + y for x, y in zip(a.counts, b.counts, strict=True))
    assert sum(both.wins.values()) == sum(a.wins.values()) + sum(b.wins.values())


def test_a_session_cannot_be_counted_twice() -> None:
    with pytest.raises(UsageError, match="session 0 of seed 3 is counted already"):
        played().plus(played(20_000))


def test_other_strategies_do_not_add_up() -> None:
    other = simulate(codex(), realistic(), 20_000, 9, named_strategies(codex())["never-save"])
    with pytest.raises(UsageError, match="must be of the same game, strip set and strategy"):
        played().plus(other)


def test_continued_run_equals_the_unbroken_one() -> None:
    game, strips = codex(), realistic()
    first = simulate_sessions(game, strips, Plan(45_000, 3), ADVERTISED)
    whole = [tally for tally in first if tally.sessions[0].rounds == 20_000]
    held = frozenset(s for tally in whole for s in tally.sessions)
    rest = simulate_sessions(game, strips, Plan(90_000, 3, held), ADVERTISED)
    unbroken = played()
    continued = reduce(Tally.plus, [*whole, *rest])
    assert dataclasses.replace(continued, batches=unbroken.batches) == unbroken


def test_file_keeps_everything(tmp_path: Path) -> None:
    tally = played()
    write_tallies(tmp_path / "t.json", [tally])
    assert read_tallies(tmp_path / "t.json") == [tally]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "workbench.tally/1"}', '{"format": "x"}', "\xff"]
)
def test_files_that_are_no_tally(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(FileError, match=r"t\.json"):
        read_tallies(path)


def test_interruption_keeps_what_was_finished() -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        simulate_sessions(codex(), realistic(), Plan(90_000, 3), ADVERTISED, 1, stop)
    (tally,) = caught.value.tallies
    assert tally.sessions == (Session(3, 0, 20_000),)
    assert tally == played(20_000).__class__(**vars(tally))
    assert tally.counts == played(20_000).counts


@pytest.mark.parametrize(
    ("rounds", "seed", "workers", "said"),
    [
        (0, 1, 1, "--rounds: must be 1 to"),
        (10**14, 1, 1, "--rounds: must be 1 to"),
        (10, -1, 1, "--seed: must be 0 to"),
        (10, 1, 0, "--workers: must be at least 1, but got 0"),
    ],
)
def test_requests_out_of_range(rounds: int, seed: int, workers: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        simulate(codex(), realistic(), rounds, seed, ADVERTISED, workers)


def test_endless_free_spins_are_refused() -> None:
    strips = realistic()
    reels = tuple(
        ("Scatter", "J", "A", "K") if r in (0, 2) else strip for r, strip in enumerate(strips.reels["free"])
    )
    with pytest.raises(EndlessFeatureError, match=r"reels\.free: a free spin must add less than one"):
        simulate(codex(), strips.with_reels("free", reels), 10, 1, ADVERTISED)


def test_endless_re_spins_are_refused() -> None:
    from workbench.reels.strip_set import Stage, Weights

    strips = realistic()
    cells = (*[Weights("w", ("Blank",), (1,))] * 4, Weights("w", ("Key",), (1,)))
    endless = strips.with_position_reels("re_spins", (Stage(1, cells),))
    with pytest.raises(EndlessFeatureError, match="re_spins: a feature was still going"):
        simulate(codex(), endless, 20_000, 1, named_strategies(codex())["never-save"])


def test_first_rounds_are_those_of_a_long_time_player() -> None:
    """Without a burn-in the mean bank of a short session would lie far below the stationary one."""
    game, strips = codex(), realistic()
    machine = machine_for(game, strips, ADVERTISED)
    assert machine.burn_in() >= 1 << 14
    banked = machine.layout.parts
    short = [simulate(game, strips, 500, seed, ADVERTISED) for seed in range(12)]
    mean = sum(int(t.counts[t.places["sums"][20]]) for t in short) / (12 * 500)
    assert banked and mean > 1


def test_no_burn_in_where_rounds_are_independent() -> None:
    for name in ("never-save", "save-never-use"):
        assert machine_for(codex(), realistic(), named_strategies(codex())[name]).burn_in() == 0
