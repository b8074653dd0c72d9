"""From a tally to figures: each with its standard error and 99 % interval.

``estimates_of`` gives a flat table by name; names are those of ``evaluate --json`` joined by dots, and below ``hits``,
``scatters``, ``wheel``, ... the detailed counts. ``figures_json`` nests the contract's part of it.
Where rounds depend on each other sums take their standard error from batches, else from squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from workbench.game import GameDefinition
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.estimates import (
    Estimate,
    Proportion,
    by_batches,
    by_squares,
    deviation,
    inverse,
    long_run_deviation,
)
from workbench.simulate.tally import Tally

FORMAT = "workbench.simulation/1"
VOLATILITY_90 = 1.645
COMPONENTS = (
    "lines",
    "re_spins.lines",
    "re_spins.fortune_wins",
    "free_spins.lines",
    "free_spins.fortune_wins",
)


def estimates_of(game: GameDefinition, tally: Tally, dependent: bool) -> dict[str, Estimate]:
    """Every figure of a Codex-like game by its name."""
    found = dict(_main(tally, dependent))
    found |= _features(tally, dependent)
    found |= _keys(tally)
    found |= _hits(game, tally)
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
    spread = deviation(tally, 1 / tally.identity.units)
    yield "standard_deviation", spread
    yield (
        "volatility_index_90",
        Estimate(VOLATILITY_90 * spread.mean, VOLATILITY_90 * spread.standard_error),
    )
    if dependent:
        yield "long_run_standard_deviation", long_run_deviation(rtp, tally)


def _features(tally: Tally, dependent: bool) -> Iterator[tuple[str, Estimate]]:
    for name in ("re_spins", "free_spins"):
        count = _sum(tally, name)
        yield f"features.{name}.probability", Proportion.of(count, tally.rounds)
        yield f"{name}.played_per_round", by_batches(tally, at.SUMS.index(f"{name}.played"))
        if count:
            won = _sum(tally, f"{name}.lines") + _sum(tally, f"{name}.fortune_wins")
            squares = tally.squares[at.SQUARES.index(name)]
            yield f"features.{name}.mean_win", by_squares(won, squares, count, 1 / tally.identity.units)
    for part in ("hits", "added", "collected", "bonus", "keys"):
        yield f"free_spins.{part}_per_round", by_batches(tally, at.SUMS.index(f"free_spins.{part}"))


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
        for index in _indices(places.shape):
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


def _indices(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not shape:
        yield ()
        return
    for i in range(shape[0]):
        for rest in _indices(shape[1:]):
            yield (i, *rest)


def figures_json(
    game: GameDefinition, tally: Tally, dependent: bool, seconds: float | None
) -> dict[str, Any]:
    """The JSON of ``simulate --json``."""
    found = estimates_of(game, tally, dependent)
    identity = tally.identity
    nested: dict[str, Any] = {
        "format": FORMAT,
        "game": identity.game,
        "strip_set": identity.strip_set,
        "sha256": identity.sha256,
        "definition_sha256": identity.definition_sha256,
        "assumptions": [reading.id for reading in game.readings],
        "strategy": identity.strategy,
        "rounds": tally.rounds,
        "seed": tally.sessions[0].seed,
        "seeds": sorted({session.seed for session in tally.sessions}),
        "seconds": seconds,
        "largest_win": tally.largest / identity.units,
        "wins": win_table(tally),
    }
    for name, estimate in found.items():
        _place(nested, name, estimate.to_json())
        if isinstance(estimate, Proportion) and name.endswith(".probability"):
            _place(nested, name.replace(".probability", ".one_in"), inverse(estimate))
    if identity.strategy:
        nested["strategies"] = {identity.strategy: found["rtp"].to_json()}
    _place(nested, "top_prize", _top_prize(game, tally))
    return nested


def _place(nested: dict[str, Any], name: str, value: Any) -> None:
    """Put a figure where its name says; ``components`` keep their dotted names."""
    head, _, rest = name.partition(".")
    if not rest:
        nested[head] = value
    elif head in ("components", "scatters", "re_spins", "free_spins", "saves", "re_fortune", "free_fortune"):
        nested.setdefault(head, {})[rest] = value
    else:
        _place(nested.setdefault(head, {}), rest, value)


def _top_prize(game: GameDefinition, tally: Tally) -> dict[str, Any]:
    """The largest prize of the ladders and how often it was won."""
    ladders = [
        (table, game.ladder(feature.ladder))
        for table, feature in (("re_fortune", game.hold_and_spin), ("free_fortune", game.free_spins))
        if feature
    ]
    if not ladders:
        return {}
    top = max(prize for _, ladder in ladders for row in ladder.table for prize in row)
    won = sum(
        tally.counts[int(tally.places[table][level, step])]
        for table, ladder in ladders
        for level, row in enumerate(ladder.table)
        for step, prize in enumerate(row)
        if prize == top
    )
    proportion = Proportion.of(won, tally.rounds)
    return {"value": top, "probability": proportion.to_json(), "one_in": inverse(proportion)}


def win_table(tally: Tally) -> list[dict[str, Any]]:
    """Rounds by win in bets, in classes [from, to)."""
    units = tally.identity.units
    edges = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 40_000)
    counts = [0] * len(edges)
    for win, times in tally.wins.items():
        counts[max(i for i, edge in enumerate(edges) if win >= edge * units)] += times
    classes: list[dict[str, Any]] = [{"from": 0, "to": 0, "rounds": tally.rounds - sum(tally.wins.values())}]
    for i, edge in enumerate(edges):
        to = edges[i + 1] if i + 1 < len(edges) else None
        classes.append({"from": edge, "to": to, "rounds": counts[i]})
    return classes
