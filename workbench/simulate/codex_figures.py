"""Figures of a game of lines, hold-and-spin, free spins and banked Keys, from its tally.

Where rounds depend on each other sums take their standard error from batches, else from squares.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from workbench.game import GameDefinition
from workbench.game.features import Ladder
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.estimates import Estimate, Proportion, by_batches, by_squares, spread_of
from workbench.simulate.tally import Tally

COMPONENTS = (
    "lines",
    "re_spins.lines",
    "re_spins.fortune_wins",
    "free_spins.lines",
    "free_spins.fortune_wins",
)


def codex_estimates(game: GameDefinition, tally: Tally, dependent: bool) -> dict[str, Estimate]:
    """Every figure of a Codex-like game by its name."""
    found = dict(_main(tally, dependent))
    found |= _features(tally, dependent)
    found |= _keys(tally)
    found |= _hits(game, tally)
    found |= _top_prize(game, tally)
    found |= _proportions(game, tally)
    return found


def _sum(tally: Tally, name: str) -> int:
    return tally.counts[at.SUMS.index(name)]


def _amount(tally: Tally, name: str, dependent: bool) -> Estimate:
    """A win of the round in bets."""
    scale = 1 / tally.identity.units
    if dependent:
        return by_batches(tally, at.SUMS.index(name), scale)
    squares = tally.squares[at.SQUARES.index(name)]
    return by_squares(_sum(tally, name), squares, tally.rounds, scale)


def _main(tally: Tally, dependent: bool) -> Iterator[tuple[str, Estimate]]:
    rtp = _amount(tally, "win", dependent)
    yield "rtp", rtp
    for name in COMPONENTS:
        yield f"components.{name}", _amount(tally, name, dependent and name != "lines")
    yield "hit_frequency", Proportion.of(_sum(tally, "hits"), tally.rounds)
    yield from spread_of(tally, rtp, dependent)


def _features(tally: Tally, dependent: bool) -> Iterator[tuple[str, Estimate]]:
    for name in ("re_spins", "free_spins"):
        count = _sum(tally, name)
        yield f"features.{name}.probability", Proportion.of(count, tally.rounds)
        yield f"per_round.{name}.played", by_batches(tally, at.SUMS.index(f"{name}.played"))
        if count:
            won = _sum(tally, f"{name}.lines") + _sum(tally, f"{name}.fortune_wins")
            squares = tally.squares[at.SQUARES.index(name)]
            yield f"features.{name}.mean_win", by_squares(won, squares, count, 1 / tally.identity.units)
    for part in ("hits", "added", "collected", "bonus", "keys"):
        yield f"per_round.free_spins.{part}", by_batches(tally, at.SUMS.index(f"free_spins.{part}"))


def _keys(tally: Tally) -> Iterator[tuple[str, Estimate]]:
    for part in ("won", "saved", "used"):
        yield f"keys.{part}_per_round", by_batches(tally, at.SUMS.index(f"keys.{part}"))
    yield "keys.mean_banked", by_batches(tally, at.SUMS.index("keys.banked"))
    saved, features = _sum(tally, "keys.saved"), _sum(tally, "free_spins")
    if saved and features:
        yield "keys.load", _load(tally, saved, features)


def _load(tally: Tally, saved: int, features: int) -> Estimate:
    """Keys saved over 3 times the free-spin features; both relative errors count in full (they are nearly independent)."""
    value = saved / (MOST_USED * features)
    relative = math.hypot(
        by_batches(tally, at.KEYS_SAVED).standard_error / (saved / tally.rounds), 1 / math.sqrt(features)
    )
    return Estimate(value, value * relative)


MOST_USED = 3


def _hits(game: GameDefinition, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """Lines won by symbol and length, a round."""
    columns = [*game.symbols.regular, *([game.symbols.wild] if game.symbols.wild else [])]
    for table, name in (("base_hits", "base"), ("free_hits", "free_spins"), ("final_hits", "re_spins")):
        places = tally.places[table]
        for column, symbol in enumerate(columns):
            for length in range(1, game.reel_count + 1):
                place = int(places[column, length])
                if game.paytable.get(symbol, {}).get(length):
                    yield f"hits.{name}.{symbol}.{length}", by_batches(tally, place)


def _proportions(game: GameDefinition, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """What happens at most once a round, a round; a wheel's values a turn."""
    rounds, features = tally.rounds, _sum(tally, "free_spins")
    tables = {
        "scatters": (("line", (0, 1)), ("seen", range(at.MOST_SCATTERS + 1))),
        "collectables": (("symbol", game.symbols.regular),),
        "start_held": (("cells", range(sum(game.grid.rows) + 1)),),
        "final_held": (("cells", range(sum(game.grid.rows) + 1)),),
        "re_spins": (("follow", (0, 1)), ("step", None), ("keys", range(at.MOST_KEYS + 1))),
        "saves": (("follow", (0, 1)), ("step", None), ("keys", range(at.MOST_KEYS + 1))),
        "re_fortune": (("level", None), ("step", None)),
        "free_fortune": (("level", None), ("step", None)),
    }
    for table, axes in tables.items():
        places = tally.places[table]
        labels = [
            range(1, size + 1) if axis[1] is None else axis[1]
            for axis, size in zip(axes, places.shape, strict=True)
        ]
        for index in itertools.product(*map(range, places.shape)):
            name = ".".join(str(labels[i][j]) for i, j in enumerate(index) if j < len(labels[i]))
            if all(j < len(labels[i]) for i, j in enumerate(index)):
                yield f"{table}.{name}", Proportion.of(tally.counts[int(places[index])], rounds)
    if game.free_spins and features:
        for tier in ("spins", "collectable", "keys"):
            values = game.wheel(getattr(game.free_spins.wheels, tier)).values
            for value, place in zip(values, tally.places[f"wheel_{tier}"], strict=True):
                yield f"wheel.{tier}.{value}", Proportion.of(tally.counts[int(place)], features)
        for used, place in enumerate(tally.places["free_used"]):
            yield f"free_used.{used}", Proportion.of(tally.counts[int(place)], rounds)


def _ladders(game: GameDefinition) -> list[tuple[str, Ladder]]:
    """The ladders and the tables their prizes are counted in."""
    features = (("re_fortune", game.hold_and_spin), ("free_fortune", game.free_spins))
    return [(table, game.ladder(feature.ladder)) for table, feature in features if feature]


def codex_top_prize(game: GameDefinition) -> float | None:
    """The largest prize of the ladders, in bets."""
    return max((prize for _, ladder in _ladders(game) for row in ladder.table for prize in row), default=None)


def _top_prize(game: GameDefinition, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """How often the largest prize was won; a round may win it in both features, which hardly ever happens."""
    top = codex_top_prize(game)
    won = sum(
        tally.counts[int(tally.places[table][level, step])]
        for table, ladder in _ladders(game)
        for level, row in enumerate(ladder.table)
        for step, prize in enumerate(row)
        if prize == top
    )
    if top is not None:
        yield "top_prize.probability", Proportion.of(won, tally.rounds)
