"""The commands as functions, for people at a prompt: they take and return frozen values and never print.

    import workbench
    strips = workbench.load("codex-of-fortune/strategy")
    workbench.evaluate(strips.swap("base", 0, 3, "Ace"))

STRIPS is a path, GAME/NAME, or what ``load`` returned. Errors are those of :mod:`workbench.errors`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TYPE_CHECKING, Any

from workbench.display.objects import (
    Compared,
    Figures,
    Law,
    Optimised,
    Played,
    Sensitivity,
    Session,
    Strips,
    Verified,
)
from workbench.library import Loaded
from workbench.library import load as load_file

if TYPE_CHECKING:
    from workbench.optimise.target import Target

Given = str | Path | Strips
Step = Callable[[int], None]
Told = Callable[[str, int, int, float], None]


def load(strips: Given, game: str | Path | None = None) -> Strips:
    """A strip set by its path or as GAME/NAME; ``game`` is a definition file or the id of a game."""
    if isinstance(strips, Strips):
        return strips
    return Strips(load_file(str(strips), None if game is None else str(game)))


def save(strips: Strips, path: str | Path) -> Strips:
    """Write a strip set; its name becomes that of the file."""
    return strips.save(path)


def evaluate(strips: Given, strategy: str | None = None) -> Figures:
    """The exact figures, wins in total bets; ``strategy`` None is the game's default."""
    from workbench.value.evaluate import figures_of

    one = load(strips)
    return Figures(one.game.title, figures_of(one.game, one.set, strategy, one.sha256))


def simulate(
    strips: Given,
    rounds: int = 1_000_000,
    seed: int = 1,
    strategy: str | None = None,
    workers: int | None = None,
    progress: Step | None = None,
) -> Played:
    """Figures of so many paid rounds played by the rules; ``progress`` is told of rounds as they are played."""
    from workbench.simulate.figures import figures_json
    from workbench.simulate.machine import machine_for
    from workbench.simulate.run import simulate as play
    from workbench.solved import played_strategy

    one = load(strips)
    table = played_strategy(one.game, one.set, strategy)
    tally = play(one.game, one.set, rounds, seed, table, workers or os.cpu_count() or 1, progress)
    dependent = machine_for(one.game, one.set, table).dependent
    return Played(one.game.title, figures_json(one.game, tally, dependent, None))


def law(strips: Given, strategy: str | None = None, quick: bool = False) -> Law:
    """The law of the win of a round; ``quick`` draws less often what has to be drawn."""
    from workbench.value.evaluate import figures_of
    from workbench.value.law_figures import law_figures
    from workbench.value.round_law import law_of

    one = load(strips)
    found = law_of(one.game, one.set, quick, strategy)
    prize = figures_of(one.game, one.set, found.strategy, one.sha256).get("top_prize")
    top = {"top_prize": prize} if prize else {}
    return Law(
        one.game.title, {**_head(one.loaded, "workbench.law/1"), **law_figures(found), **top}, law=found
    )


def session(
    strips: Given,
    rounds: int = 1000,
    bankroll: float | None = None,
    strategy: str | None = None,
    start: str | None = None,
) -> Session:
    """What so many rounds in a row come to; ``bankroll`` in bets, ``start`` who plays a game with banked Keys."""
    from workbench.value.evaluate import figures_of
    from workbench.value.session import session_figures
    from workbench.value.session_of import session_of

    one = load(strips)
    found = session_of(one.game, one.set, rounds, strategy, start)
    features = figures_of(one.game, one.set, strategy, one.sha256).get("features", {})
    chances = {name: row["probability"] for name, row in features.items() if "probability" in row}
    money = None if bankroll is None else Fraction(str(bankroll))
    figures = session_figures(found, money, lambda _: None, chances)
    return Session(one.game.title, {**_head(one.loaded, "workbench.session/1"), **figures})


def sensitivity(
    strips: Given, strategy: str | None = None, reels: Sequence[str] = (), progress: Step | None = None
) -> Sensitivity:
    """What each single-stop swap and each unit of weight does to every figure; ``progress`` counts changes."""
    from workbench.sensitivity.sensitivity import quiet, sensitivities

    one = load(strips)
    return Sensitivity(one, sensitivities(one.game, one.set, strategy, reels, progress or quiet))


def compare(first: Given, *others: Given, strategy: str | None = None) -> Compared:
    """What differs between strip sets of one game, and which figures move."""
    from workbench.compare.comparison import compare as hold_against

    return Compared(hold_against([load(one).loaded for one in (first, *others)], strategy))


def verify(strips: Given) -> Verified:
    """Whether a strip set is what its papers say: checksum, definition, strip rules, stored figures."""
    from workbench.optimise.target import read_target
    from workbench.verify import verify as check

    one = load(strips)
    target = one.loaded.beside("target.toml")
    rules = read_target(target).strip_rules if target.exists() else ()
    return Verified(one.name, tuple(check(one.loaded, rules)))


def optimise(
    start: Given,
    rtp: float | None = None,
    target: str | Path | None = None,
    trials: int = 240,
    timeout: float | None = None,
    seed: int = 1,
    workers: int = 1,
    out: str | Path | None = None,
    progress: Told | None = None,
    stop: Event | None = None,
) -> Optimised:
    """Search strips, position reels and wheels from a strip set on, for a target file or the game's own target.

    ``rtp`` replaces the target's RTP. ``progress(stage, done, of, best score)`` is told of trials; ``stop`` ends the
    search with the best so far. Files are kept only with ``out``.
    """
    from workbench.optimise.run import Options
    from workbench.optimise.run import optimise as search

    one = load(start)
    wanted = _target(one, target)
    if rtp is not None:
        wanted = wanted.with_value("rtp", rtp)
    folder = nullcontext(str(out)) if out is not None else TemporaryDirectory(prefix="workbench-")
    with folder as place:
        options = Options(Path(place), seed, trials, timeout, workers)
        found = search(one.game, wanted, options, one.set, progress or (lambda *_: None), stop)
    return Optimised(one.edited(found.strips), found)


def _target(one: Strips, named: str | Path | None) -> Target:
    """The target that is named, else the one beside the set, else that of the game."""
    from workbench.optimise.target import default_target, read_target

    beside = one.loaded.beside("target.toml")
    for path in [Path(named)] if named is not None else [beside, _beside_game(one)]:
        if named is not None or path.is_file():
            return read_target(path)
    return default_target(one.game.game)


def _beside_game(one: Strips) -> Path:
    return one.loaded.path.with_name(f"{one.game.game}.target.toml")


def _head(loaded: Loaded, kind: str) -> dict[str, Any]:
    return {
        "format": kind,
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
    }
