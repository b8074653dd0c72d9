"""Line games as a whole: figures against full enumeration, stop weights, games without end, the commands."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from oracles.games import built
from oracles.line_games import random_line_game, toml_of
from oracles.line_rule import line_award
from oracles.line_strips import expected_awards, weighted_screens

from simulate.line_sets import Table, strips_of, table
from workbench.errors import EndlessFeatureError, WorkbenchError
from workbench.game import GameDefinition, load_definition
from workbench.reels.files import canonical_bytes
from workbench.reels.strip_set import StripSet
from workbench.simulate.command import replay_command, simulate_command
from workbench.simulate.figures import estimates_of
from workbench.simulate.intervals import student_two_tails
from workbench.simulate.line_endless import refuse_endless_free_games
from workbench.simulate.line_machine import LineMachine
from workbench.simulate.machine import Buffers, CodexMachine, machine_for
from workbench.simulate.run import simulate
from workbench.simulate.source import stream
from workbench.simulate.tally import read_tallies, write_tallies
from workbench.witness import compare


def test_figures_of_the_paid_spin_against_enumeration() -> None:
    """Random games, each figure within the error it claims: z of all together is normal."""
    scores: list[float] = []
    for seed in range(16):
        game, strips = random_line_game(random.Random(seed))
        found = estimates_of(game, simulate(game, strips, 60_000, seed, None), False)
        for name, expected in _enumerated(game, strips):
            compared = compare(name, expected, found[name])
            assert compared.probability > 1e-6, (seed, name, expected, found[name])
            scores += [compared.z] if found[name].standard_error else []
    assert len(scores) > 50 and np.mean(np.square(scores)) < 1.6


def _enumerated(game: GameDefinition, strips: StripSet) -> Iterator[tuple[str, float]]:
    """Line figures of a paid spin, and awards of free games a free game, by the oracle's rule."""
    total, wins, squares, won_any, hits = 0, 0.0, 0.0, 0, {}
    for weight, screen in weighted_screens(game, strips, "base"):
        shown = [tuple(screen[reel][row] for reel, row in enumerate(line)) for line in game.lines]
        awards = [award for award in (line_award(game, line) for line in shown) if award]
        win = sum(award.coins for award in awards) / game.bet.coins
        total, wins, squares = total + weight, wins + weight * win, squares + weight * win**2
        won_any += weight * bool(awards)
        for award in awards:
            hits[award.name, award.length] = hits.get((award.name, award.length), 0) + weight
    yield "components.lines", wins / total
    yield "line_hit_frequency", won_any / total
    for (name, length), weight in hits.items():
        if weight / total > 2e-3:
            yield f"hits.base.{name}.{length}", weight / total
    if not any(f.kind in ("scatter_pays", "bonus") for f in game.features):
        yield "spins.base.standard_deviation", (squares / total - (wins / total) ** 2) ** 0.5


def test_free_games_played_are_those_of_a_branching_process() -> None:
    """E[played] = E[awarded by a paid spin] / (1 - E[awarded by a free game]), by enumeration."""
    game = built(table())
    strips = strips_of(game)
    free = game.free_games
    assert free and free.scatter
    awarded = total = 0
    for weight, screen in weighted_screens(game, strips, "base"):
        seen = sum(reel.count("Scatter") for reel in screen)
        awarded += weight * {2: 4, 3: 8}.get(min(seen, 3), 0)
        total += weight
    expected = awarded / total / (1 - float(expected_awards(game, strips)))
    found = estimates_of(game, simulate(game, strips, 300_000, 1, None), False)
    assert compare("played", expected, found["per_round.free_games.played"]).probability > 1e-4
    mean = found["features.free_games.spins"].mean * found["features.free_games.probability"].mean
    assert mean == pytest.approx(found["per_round.free_games.played"].mean)


def test_stops_come_in_proportion_to_their_weights() -> None:
    """Every weight from 1 to more than the guide has places, by the windows that show in sight what only they show."""
    game = built(table(lines=[[0, 0, 0]], grid={"rows": [1, 1, 1]}))
    weights = (1, 70_000, 3, 5_000, 20_000)
    strip = ("Scatter", "Bar", "Scatter", "Cherry", "Scatter")
    strips = replace(
        strips_of(game, base=(strip,) * 3),
        stop_weights={"base": (weights, (1,) * 5, tuple(reversed(weights)))},
    )
    machine, rounds = LineMachine(game, strips), 400_000
    buffers = Buffers.empty(machine)
    machine.play(buffers, stream(2, 0), machine.carry(), rounds)
    seen = machine.layout.parts(buffers.counts)["in_sight"][0, 0]
    shares = [sum(w for w, s in zip(own, strip, strict=True) if s == "Scatter") / sum(own)
              for own in (weights, (1,) * 5, weights[::-1])]  # fmt: skip
    law = np.array([1.0])
    for share in shares:
        law = np.convolve(law, [1 - share, share])
    for number, chance in enumerate(law):
        score = (seen[number] - rounds * chance) / (rounds * chance * (1 - chance)) ** 0.5
        assert student_two_tails(float(score), float("inf")) > 1e-5


def test_guide_leads_every_number_to_its_stop() -> None:
    """Each number below the total means the stop whose weights it lies in."""
    from workbench.simulate.line_reels import spin_reels
    from workbench.simulate.line_tables import set_names

    game = built(table(lines=[[0, 0, 0]], grid={"rows": [1, 1, 1]}))
    weights = (1, 9000, 3, 5000, 1, 1, 1, 4096, 1, 2)
    strips = replace(strips_of(game), stop_weights={"base": (weights,) * 3})
    reels = spin_reels(game, strips, set_names(game))
    expected = np.repeat(np.arange(len(weights)), weights)
    for reel in range(3):
        first = int(reels.first[0, reel])
        for drawn in range(sum(weights)):
            row = int(reels.guide[int(reels.guide_at[0, reel]) + (drawn >> int(reels.shift[0, reel]))])
            while drawn >= reels.cumulative[row]:
                row += 1
            assert row - first == expected[drawn]


def _with_retrigger(spins: int) -> Table:
    changed = table()
    changed["features"][2]["scatter"]["spins_in_free_games"] = {"1": spins}
    return changed


def test_endless_free_games_are_refused_at_one_and_not_below() -> None:
    """One Scatter on each of 3 strips of 9 stops is in sight 1 time in 3 a reel: 3 x 1/3 x 1 would be 1 if it counted each."""
    game = built(_with_retrigger(1))
    strip = ("Scatter", "Bar", "Bar")
    always = strips_of(game, free=(strip, ("Bar",), ("Bar",)))
    with pytest.raises(
        EndlessFeatureError, match=r"reels\.free: a free game must award less than 1 .* awards 1$"
    ):
        machine_for(game, always, None)
    below = strips_of(game, free=((*strip, "Bar"), ("Bar",), ("Bar",)))
    machine = machine_for(game, below, None)
    machine.play(Buffers.empty(machine), stream(1, 0), machine.carry(), 1000)


@pytest.mark.parametrize("seed", range(40))
def test_awards_of_a_free_game_are_counted_exactly(seed: int) -> None:
    """Strips scaled so that the mean is a bit below or above 1 are let through and refused accordingly."""
    from workbench.simulate import line_endless

    game, strips = random_line_game(random.Random(seed))
    free = game.free_games
    if free is None:
        refuse_endless_free_games(game, strips)
        return
    counted = line_endless._by_scatter(game, free, strips) + line_endless._by_lines(game, free, strips)
    assert counted == expected_awards(game, strips)


def test_free_games_without_end_that_were_let_through_stop_the_run() -> None:
    """The cap while playing: tables of a game that never awards less than one are played by force."""
    game = built(_with_retrigger(1))
    mild = strips_of(game, free=(("Scatter", "Bar", "Bar", "Bar"), ("Bar",), ("Bar",)))
    machine = LineMachine(game, mild)
    machine._tables.sight.free_spins[1, :] = 1
    with pytest.raises(EndlessFeatureError, match="free_games: a feature was still going after"):
        machine.play(Buffers.empty(machine), stream(1, 0), machine.carry(), 10_000)


@pytest.mark.parametrize("reels", [1, 2, 8])
def test_one_to_eight_reels(reels: int) -> None:
    from simulate.test_line_kernels import agree

    rng = random.Random(reels)
    small = table(
        lines=[[rng.randrange(2) for _ in range(reels)] for _ in range(130)],
        grid={"rows": [2] * reels},
        paytable={s: {str(min(reels, 3)): 2, str(reels): 50} for s in ("Seven", "Bar", "Cherry", "Wild")},
    )
    small["features"] = []
    game = built(small)
    symbols = game.symbols.all
    strips = replace(
        strips_of(game),
        reels={"base": tuple(tuple(rng.choices(symbols, k=6)) for _ in range(reels))},
        wheels={},
    )
    agree(game, strips, reels, 60)


def test_games_of_lines_alone_are_won_alike_by_the_machine_of_hold_and_spin_games() -> None:
    """Two kernels that share no line rule count the same lines from the same stops."""
    from workbench.simulate.strategy import named_strategies

    plain = table(features=[], wild={"leading_run": "own-pay"})
    game = built(plain)
    strips = replace(strips_of(game), wheels={})
    ours, others = LineMachine(game, strips), CodexMachine(game, strips, named_strategies(game)["never-save"])
    mine, theirs = Buffers.empty(ours), Buffers.empty(others)
    ours.play(mine, stream(3, 0), ours.carry(), 20_000)
    others.play(theirs, stream(3, 0), others.carry(), 20_000)
    assert ours.units == others.units and mine.counts[1] == theirs.counts[1] > 0
    assert np.array_equal(mine.wins, theirs.wins)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A strip-set file and the option that names its definition."""
    definition, path = tmp_path / "game.toml", tmp_path / "set.json"
    definition.write_text(toml_of(built(table())))
    path.write_bytes(canonical_bytes(strips_of(load_definition(definition))))
    return [str(path), "--game", str(definition)]


def test_simulate_names_every_figure(files: list[str]) -> None:
    result = CliRunner().invoke(simulate_command, [*files, "--rounds", "50000", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["strategy"] is None and "strategies" not in figures
    assert set(figures["components"]) == {
        "lines", "scatters", "coins", "free_games.lines", "free_games.scatters", "free_games.coins",
    }  # fmt: skip
    assert set(figures["features"]["free_games"]) == {"probability", "one_in", "mean_win", "spins"}
    assert set(figures["features"]["coins"]) == {"probability", "one_in", "mean_win"}
    assert set(figures["spins"]["free_games"]) == {
        "standard_deviation", "mean_win", "hit_frequency", "retrigger_probability", "in_sight",
    }  # fmt: skip
    assert figures["top_prize"]["value"] == 160 and "probability" in figures["top_prize"]
    assert {"hits", "in_sight", "per_round", "line_hit_frequency", "volatility_index_90"} <= set(figures)
    parts = sum(part["mean"] for part in figures["components"].values())
    assert parts == pytest.approx(figures["rtp"]["mean"], rel=1e-12)
    people = CliRunner().invoke(simulate_command, [*files, "--rounds", "50000"]).stdout
    assert "components.free_games.coins" in people and "line_hit_frequency" in people


def test_replayed_rounds_win_what_the_run_won(files: list[str]) -> None:
    result = CliRunner().invoke(simulate_command, [*files, "--rounds", "40", "--seed", "4", "--json"])
    total, words = 0.0, ""
    for number in range(40):
        arguments = [*files, "--round", str(number), "--seed", "4"]
        total += json.loads(CliRunner().invoke(replay_command, [*arguments, "--json"]).stdout)["win"]
        words += CliRunner().invoke(replay_command, arguments).stdout
    assert total == pytest.approx(json.loads(result.stdout)["rtp"]["mean"] * 40, rel=1e-12)
    for word in (
        "paid spin, stops",
        "free game 2, stops",
        "in sight: ",
        "free games awarded",
        "coins: ",
        " bets",
    ):
        assert word in words, word


def test_kept_tally_of_a_line_game_goes_on(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "tally.json"
    kept = [*files, "--out", str(out), "--json"]
    CliRunner().invoke(simulate_command, [*kept, "--rounds", "30000"])
    again = json.loads(CliRunner().invoke(simulate_command, [*kept, "--rounds", "50000", "--resume"]).stdout)
    whole = json.loads(CliRunner().invoke(simulate_command, [*files, "--rounds", "50000", "--json"]).stdout)
    for figures in (again, whole):
        figures.pop("seconds")
    assert again == whole
    tallies = read_tallies(out)
    write_tallies(out, tallies)
    assert read_tallies(out) == tallies and set(tallies[0].spins) == {"base", "free_games"}


def test_no_strategy_is_taken(files: list[str]) -> None:
    error = CliRunner().invoke(simulate_command, [*files, "--strategy", "advertised"]).exception
    assert isinstance(error, WorkbenchError) and "no choice" in str(error)
