"""An error planted in the exact side alone is named, in both games and by the command itself.

Each error is so large that its own figure stands 8 standard errors off at the rounds played.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine

import workbench.verify
from simulate.money_sets import spellmaster
from simulate.sets import codex, realistic
from workbench.game import GameDefinition
from workbench.reels.files import canonical_json, load_strip_set, sha256_of
from workbench.reels.strip_set import StripSet, Weights
from workbench.simulate.figures import estimates_of
from workbench.simulate.run import simulate
from workbench.simulate.strategy import named_strategies
from workbench.simulate.tally import Tally
from workbench.value.evaluate import figures_of
from workbench.witness import Verdict, exact_table, rare_wins, verdict

Pair = tuple[GameDefinition, StripSet]
LEAST_Z = 8
SHIPPED = Path(__file__).parents[2] / "strips/spellmaster/rtp-92.json"


def shipped() -> StripSet:
    return load_strip_set(SHIPPED, spellmaster())


def reweighed(strips: StripSet, wheel: str, place: int, by: int) -> StripSet:
    """The set with one weight of a wheel multiplied."""
    old = strips.wheels[wheel]
    weights = tuple(w * by if i == place else w for i, w in enumerate(old.weights))
    return strips.with_wheel(wheel, Weights(wheel, old.values, weights))


def repaid(game: GameDefinition, symbol: str, pays: dict[int, int]) -> GameDefinition:
    """The game with other pays of a symbol."""
    return game.model_copy(update={"paytable": {**game.paytable, symbol: pays}})


def redrawn(game: GameDefinition, kept: int, copies: int) -> GameDefinition:
    """The game with some lines after the first ``kept`` replaced by copies of the first."""
    lines = (*game.lines[:kept], *[game.lines[0]] * copies, *game.lines[kept + copies :])
    return game.model_copy(update={"lines": lines})


CODEX = {
    "pay": (lambda g, s: (repaid(g, "J", {3: 5, 4: 10, 5: 90}), s), "components.lines"),
    "wheel weight": (
        lambda g, s: (g, reweighed(s, "free_spins.spins", 6, 40)),
        "features.free_spins.mean_win",
    ),
    "line": (lambda g, s: (redrawn(g, 5, 25), s), "hit_frequency"),
}
SPELLMASTER = {
    "pay": (lambda g, s: (repaid(g, "9", {3: 5, 4: 10, 5: 900}), s), "components.lines"),
    "wheel weight": (lambda g, s: (g, reweighed(s, "money", 0, 4)), "components.respins.money"),
    "trigger weight": (
        lambda g, s: (g, reweighed(s, "trigger.blue", 0, 3)),
        "modifier_sets.charge.probability",
    ),
    "line": (lambda g, s: (redrawn(g, 5, 25), s), "hit_frequency"),
}


@pytest.fixture(scope="module")
def codex_tally() -> Tally:
    return simulate(codex(), realistic(), 1_500_000, 5, named_strategies(codex())["advertised"], 2)


@pytest.fixture(scope="module")
def spellmaster_tally() -> Tally:
    return simulate(spellmaster(), shipped(), 3_000_000, 5, None, 2)


def judged(exact: Pair, played: GameDefinition, tally: Tally, strategy: str | None) -> Verdict:
    figures = figures_of(*exact, strategy)
    dependent = strategy is not None
    return verdict(
        exact_table(played, figures), estimates_of(played, tally, dependent), rare=rare_wins(figures)
    )


def named(found: Verdict, figure: str) -> None:
    scores = {c.name: c.z for c in found.comparisons}
    assert abs(scores[figure]) >= LEAST_Z, scores[figure]
    assert figure in found.rejected and abs(found.worst.z) >= LEAST_Z


def test_without_an_error_codex_agrees(codex_tally: Tally) -> None:
    found = judged((codex(), realistic()), codex(), codex_tally, "advertised")
    assert found.agrees, found.to_json()["worst"]
    assert len(found.comparisons) > 80


def test_without_an_error_spellmaster_agrees(spellmaster_tally: Tally) -> None:
    found = judged((spellmaster(), shipped()), spellmaster(), spellmaster_tally, None)
    assert found.agrees, found.to_json()["worst"]
    assert len(found.comparisons) > 250


@pytest.mark.parametrize("kind", CODEX)
def test_an_error_in_codex_is_named(codex_tally: Tally, kind: str) -> None:
    plant, figure = CODEX[kind]
    named(judged(plant(codex(), realistic()), codex(), codex_tally, "advertised"), figure)


@pytest.mark.parametrize("kind", SPELLMASTER)
def test_an_error_in_spellmaster_is_named(spellmaster_tally: Tally, kind: str) -> None:
    plant, figure = SPELLMASTER[kind]
    named(judged(plant(spellmaster(), shipped()), spellmaster(), spellmaster_tally, None), figure)


@pytest.mark.parametrize("kind", [None, *SPELLMASTER])
def test_the_command_exits_with_1_and_names_the_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any, kind: str | None
) -> None:
    """All else is well: the figures beside the set are those that the wrong evaluation gives."""
    monkeypatch.chdir(tmp_path)
    plant, figure = SPELLMASTER[kind] if kind else (lambda g, s: (g, s), None)

    def evaluate(game: GameDefinition, strips: StripSet, *rest: Any) -> dict[str, Any]:
        return figures_of(*plant(game, strips), *rest) | {"definition_sha256": game.sha256}

    monkeypatch.setattr(workbench.verify, "figures_of", evaluate)
    data = SHIPPED.read_bytes()
    (tmp_path / "set.json").write_bytes(data)
    figures = evaluate(spellmaster(), shipped(), None, sha256_of(data))
    (tmp_path / "set.figures.json").write_bytes(canonical_json(figures))
    done = CommandLine(tmp_path, capfdbinary)(
        "verify", "set.json", "--witness", "3000000", "--seed", "5", "--workers", "2", "--json"
    )
    checks = {check["name"]: check for check in json.loads(done.out)["checks"]}
    assert [name for name, check in checks.items() if not check["ok"]] == (["witness"] if figure else [])
    assert done.code == (1 if figure else 0)
    if figure:
        assert figure in checks["witness"]["wrong"]
