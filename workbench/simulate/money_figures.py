"""Figures of a game whose Orbs award modifiers and whose respins fill a grid with Money, from its tally.

Wins are those of the game with the full-grid rule and without the cut at the cap, which stands under ``estimates.cap``.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.game import GameDefinition
from workbench.simulate import _money_shapes_kernels as at
from workbench.simulate.estimates import (
    Estimate,
    Proportion,
    by_batches,
    by_squares,
    spread_of,
    square_without,
)
from workbench.simulate.money_tables import MoneyGame, money_squares
from workbench.simulate.tally import Tally
from workbench.simulate.units import exact

SQUARE_WITHOUT = "square.without_full_grid"
COMPONENTS = ("lines", *(f"respins.{part}" for part in at.PARTS))


def money_estimates(game: GameDefinition, tally: Tally, dependent: bool) -> dict[str, Estimate]:
    """Every figure of such a game by its name."""
    money = MoneyGame.of(game)
    found = dict(_main(game, tally, dependent))
    found |= _sets(money, tally)
    found |= _hits(game, tally)
    found |= _triggers(money, tally)
    found |= _wheels(money, tally)
    return found


def _sum(tally: Tally, name: str) -> int:
    return tally.counts[at.SUMS.index(name)]


def _amount(tally: Tally, name: str, dependent: bool) -> Estimate:
    """A win of the round in bets."""
    scale = 1 / tally.identity.units
    if dependent:
        return by_batches(tally, at.SUMS.index(name), scale)
    return by_squares(_sum(tally, name), tally.squares[at.SQUARES.index(name)], tally.rounds, scale)


def _main(game: GameDefinition, tally: Tally, dependent: bool) -> Iterator[tuple[str, Estimate]]:
    rtp = _amount(tally, "win", dependent)
    yield "rtp", rtp
    full, pays = _sum(tally, "respins.full_grid"), _full_grid_units(game, tally)
    yield (
        "components.respins.full_grid",
        Proportion.of(full // pays, tally.rounds, pays / tally.identity.units),
    )
    yield "top_prize.probability", Proportion.of(full // pays, tally.rounds)
    for name in COMPONENTS[:-1]:
        yield f"components.{name}", _amount(tally, name, dependent and name != "lines")
    yield "hit_frequency", Proportion.of(_sum(tally, "hits"), tally.rounds)
    yield from spread_of(tally, rtp, dependent)
    yield SQUARE_WITHOUT, square_without(tally, pays, full // pays, 1 / tally.identity.units)
    count, scale = _sum(tally, "respins"), 1 / tally.identity.units
    yield "features.respins.probability", Proportion.of(count, tally.rounds)
    if count:
        won = sum(_sum(tally, name) for name in COMPONENTS[1:])
        yield "features.respins.mean_win", by_squares(won, tally.squares[at.SQ_RESPINS], count, scale)
    yield "per_round.respins.played", by_batches(tally, at.PLAYED)
    cut, squares = _sum(tally, "cut"), tally.squares[at.SQ_CUT]
    yield "estimates.cap.rtp", by_squares(cut, squares, tally.rounds, scale)
    yield "estimates.cap.probability", Proportion.of(_sum(tally, "capped"), tally.rounds)


def _sets(money: MoneyGame, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """Each modifier set: how often, what it pays by part, full grids, cells filled, what lands, jackpots."""
    squares = dict(zip(money_squares(money), tally.squares, strict=True))
    scale = 1 / tally.identity.units
    places = tally.places
    names = money.values(money.wheels["names"])
    for i, chosen in enumerate(money.sets):
        filled = [tally.counts[int(place)] for place in places["filled"][i]]
        count, full = sum(filled), filled[money.respins.cells(chosen)]
        yield f"modifier_sets.{chosen}.probability", Proportion.of(count, tally.rounds)
        if count:
            yield f"modifier_sets.{chosen}.full_grid", Proportion.of(full, count)
            wins = [tally.counts[int(place)] for place in places["parts"][i]]
            yield f"modifier_sets.{chosen}.mean_win", by_squares(sum(wins), squares[chosen], count, scale)
            pays = money.respins.full_grid.pays
            yield f"modifier_sets.{chosen}.parts.full_grid", Proportion.of(full, count, pays)
            for part, win in zip(at.PARTS[:-1], wins[:-1], strict=True):
                found = by_squares(win, squares[f"{chosen}.{part}"], count, scale)
                yield f"modifier_sets.{chosen}.parts.{part}", found
            for cells, times in enumerate(filled[: money.respins.cells(chosen) + 1]):
                yield f"filled.{chosen}.{cells}", Proportion.of(times, count)
        yield f"per_round.played.{chosen}", by_batches(tally, int(places["played"][i]))
        for outcome, what in enumerate(("money", "charge", "multiply", "jackpots")):
            yield f"landed.{chosen}.{what}", by_batches(tally, int(places["landed"][i, outcome]))
        for name, place in zip(names, places["awards"][i], strict=True):
            yield f"awards.{chosen}.{name}", by_batches(tally, int(place))


def _hits(game: GameDefinition, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """Lines won in base spins by symbol and length, a round."""
    columns = [*game.symbols.regular, *([game.symbols.wild] if game.symbols.wild else [])]
    for column, symbol in enumerate(columns):
        for length in game.paytable.get(symbol, {}):
            place = int(tally.places["base_hits"][column, length])
            yield f"hits.base.{symbol}.{length}", by_batches(tally, place)


def _triggers(money: MoneyGame, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """Colours in sight, what each set of them was awarded, and the levels of the stashes."""
    for mask, places in enumerate(tally.places["triggers"]):
        colours = "+".join(c for i, c in enumerate(money.colours) if mask >> i & 1) or "none"
        counts = [tally.counts[int(place)] for place in places]
        yield f"colours.{colours}", Proportion.of(sum(counts), tally.rounds)
        if mask and sum(counts):
            for award, count in zip(("none", *money.sets), counts, strict=True):
                if award in money.trigger.awards(colours):
                    yield f"trigger.{colours}.{award}", Proportion.of(count, sum(counts))
    if money.trigger.stash_levels != "shows-only":
        for colour, places in zip(money.colours, tally.places["levels"], strict=True):
            for level, place in enumerate(places):
                yield f"levels.{colour}.{level}", by_batches(tally, int(place))


def _wheels(money: MoneyGame, tally: Tally) -> Iterator[tuple[str, Estimate]]:
    """Values drawn from each wheel of the respins, all modifier sets apart, a turn."""
    for table, wheel in money.wheels.items():
        for i, chosen in enumerate(money.sets):
            counts = [tally.counts[int(place)] for place in tally.places[table][i]]
            if wheel and sum(counts):
                for value, count in zip(money.values(wheel), counts, strict=True):
                    yield f"wheel.{wheel}.{chosen}.{value}", Proportion.of(count, sum(counts))


def _full_grid_units(game: GameDefinition, tally: Tally) -> int:
    return int(exact(MoneyGame.of(game).respins.full_grid.pays) * tally.identity.units)


def money_top_prize(game: GameDefinition) -> float:
    """The largest single award, in bets: the full grid's."""
    return MoneyGame.of(game).respins.full_grid.pays
