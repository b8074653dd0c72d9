"""Small games and strip sets, made from the shipped definition by chance: for Hypothesis and for random.Random.

One set of makers draws everything from a :class:`Dice`, so both sources give the same kinds of game: Wilds in any
place, pays that tie, stacked symbols, symbols absent from a reel, windows longer than the strip, several Scatters
in one window, every setting of the definition that the evaluation has to follow.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import random
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

from workbench.game.definition import GameDefinition
from workbench.game.load import find_game, load_definition
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Stage, StripSet, Weights

T = TypeVar("T")
Table = dict[str, Any]


# Options of games small enough that the law of a whole round's win is enumerated, and seeds with which Keys are won
# both with and without Free Spins to follow, on position reels (54, 126, 165, 173) and on re-spin strips.
TINY_GAME: Table = {
    "reels": (3,),
    "max_rows": 2,
    "max_cells": 6,
    "max_lines": 4,
    "ladders": ((4, 3), (3, 2)),
}
TINY_STRIPS: Table = {"max_stops": 5, "max_scatters": 0.4}
KEY_SEEDS = (54, 126, 165, 173, 8, 75, 80, 131)


class Dice(Protocol):
    """A source of choices."""

    def whole(self, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``."""

    def one_of(self, values: Sequence[T]) -> T:
        """One of the values; the plainest comes first."""


class RandomDice:
    """Choices of a random.Random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def whole(self, least: int, most: int) -> int:
        """A uniform whole number."""
        return self.rng.randint(least, most)

    def one_of(self, values: Sequence[T]) -> T:
        """A uniform choice."""
        return values[self.rng.randrange(len(values))]


class DrawDice:
    """Choices of Hypothesis, which shrinks to the least and the first."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self.draw = draw

    def whole(self, least: int, most: int) -> int:
        """A drawn whole number."""
        return int(self.draw(st.integers(least, most)))

    def one_of(self, values: Sequence[T]) -> T:
        """A drawn value."""
        return values[self.whole(0, len(values) - 1)]


@cache
def shipped_game() -> GameDefinition:
    """Codex of Fortune as shipped."""
    return load_definition(find_game("codex-of-fortune"))


@cache
def _shipped_table() -> Table:
    return tomllib.loads(find_game("codex-of-fortune").read_text(encoding="utf-8"))


def game_table() -> Table:
    """The shipped definition as a table to edit, a fresh copy, without its strip rules."""
    table = copy.deepcopy(_shipped_table())
    table["strip_rules"] = []
    return table


def feature(table: Table, name: str) -> Table:
    """The feature of that name in a table."""
    return next(f for f in table["features"] if f["name"] == name)


def built(table: Table) -> GameDefinition:
    """The definition a table says; its hash is that of the table as JSON."""
    data = json.dumps(table, sort_keys=True)
    sha256 = hashlib.sha256(data.encode()).hexdigest()
    return GameDefinition.model_validate_json(json.dumps({**table, "sha256": sha256}))


def make_game(
    dice: Dice,
    *,
    reels: tuple[int, ...] = (3, 4, 5),
    max_rows: int = 3,
    max_cells: int = 8,
    max_lines: int = 6,
    spun: tuple[str, ...] = ("position-reels", "strips"),
    without_wild: bool = True,
    free_key_cap: bool = False,
    ladders: tuple[tuple[int, ...], tuple[int, ...]] = ((7, 4, 3), (5, 3, 2)),
) -> GameDefinition:
    """A small game. ``without_wild``: some games have no Wild at all; ``free_key_cap``: some cap Free Spins Keys.

    ``ladders``: numbers of levels and of steps to choose among.
    """
    table = game_table()
    _edit_grid(dice, table, dice.one_of(reels), max_rows, max_cells, max_lines)
    _edit_symbols(dice, table)
    _edit_paytable(dice, table)
    _edit_wild(dice, table, without_wild)
    _edit_ladder(dice, table, *ladders)
    _edit_re_spins(dice, table, spun)
    _edit_free_spins(dice, table, free_key_cap)
    return built(table)


def _edit_grid(dice: Dice, table: Table, reels: int, max_rows: int, max_cells: int, max_lines: int) -> None:
    rows = [1] * reels
    for reel in range(reels):
        rows[reel] += dice.whole(0, min(max_rows - 1, max_cells - sum(rows)))
    every = list(itertools.product(*(range(n) for n in rows)))
    wanted = dice.whole(1, min(max_lines, len(every)))
    lines: dict[tuple[int, ...], None] = {}
    while len(lines) < wanted:
        left = [line for line in every if line not in lines]
        lines[dice.one_of(left)] = None
    table["grid"]["rows"], table["lines"] = rows, [list(line) for line in lines]
    table["bet"]["coins"] = dice.one_of((20, 1, 7))
    seen_on = [0, 2, 4] if reels == 5 else [0, 1, 2]
    for name in ("re_spins", "free_spins"):
        feature(table, name)["trigger"]["reels"] = seen_on
    feature(table, "free_spins")["retrigger"]["reels"] = seen_on
    key_reels = dice.one_of(([reels - 1], [reels - 1], [1], [0, reels - 1]))
    feature(table, "re_spins")["key"]["reels"] = key_reels
    feature(table, "free_spins")["key"]["reels"] = key_reels


def _edit_symbols(dice: Dice, table: Table) -> None:
    keep = dice.one_of((["Lion", "Shell", "J"], ["Owl", "Turtle"], ["Lion", "Owl", "Koi", "A", "Q"]))
    symbols = table["symbols"]
    symbols["regular"] = keep
    symbols["tiers"] = {t: [s for s in members if s in keep] for t, members in symbols["tiers"].items()}
    collectables = symbols["tiers"]["medium"] + symbols["tiers"]["low"]
    feature(table, "free_spins.collectable")["values"] = collectables
    feature(table, "free_spins.spins")["values"] = ["1", "2", "4"]


def _edit_paytable(dice: Dice, table: Table) -> None:
    reels, paytable = len(table["grid"]["rows"]), {}
    for symbol in [*table["symbols"]["regular"], "Wild"]:
        if dice.whole(0, 9) == 9:
            continue
        shortest = dice.one_of((min(3, reels), min(3, reels), 2, 1))
        pays = sorted(dice.one_of((5, 1, 2, 3, 10, 10, 40, 0)) for _ in range(shortest, reels + 1))
        paytable[symbol] = {str(n): coins for n, coins in zip(range(shortest, reels + 1), pays, strict=True)}
    table["paytable"] = paytable


def _edit_wild(dice: Dice, table: Table, without_wild: bool) -> None:
    table["wild"]["leading_run"] = dice.one_of(("best-symbol", "own-pay"))
    table["wild"]["counts_as"] = dice.one_of(table["symbols"]["regular"])
    if dice.whole(0, 2) == 2:
        table["paytable"].pop("Wild", None)
    if without_wild and dice.whole(0, 11) == 11:
        table["paytable"].pop("Wild", None)
        del table["wild"], table["symbols"]["wild"]
        table["readings"] = [reading for reading in table["readings"] if reading["id"] != "C-3"]


def _edit_ladder(dice: Dice, table: Table, most_levels: Sequence[int], most_steps: Sequence[int]) -> None:
    rungs = feature(table, "fortune_wins")["table"]
    levels, steps = dice.one_of(most_levels), dice.one_of(most_steps)
    feature(table, "fortune_wins")["table"] = [row[:steps] for row in rungs[:levels]]


def _edit_re_spins(dice: Dice, table: Table, spun: tuple[str, ...]) -> None:
    re_spins = feature(table, "re_spins")
    re_spins["trigger"]["least"] = dice.one_of((1, 2))
    re_spins["wild_only_lines"] = dice.one_of(("count", "last-resort"))
    re_spins["spun"] = dice.one_of(spun)
    re_spins["key"]["at_most"] = dice.one_of(("no-limit", 1, 2, 3))
    re_spins["meter"]["per_step"] = dice.whole(1, 3)


def _edit_free_spins(dice: Dice, table: Table, free_key_cap: bool) -> None:
    free_spins = feature(table, "free_spins")
    free_spins["trigger"]["least"] = dice.one_of((2, 3))
    free_spins["meter"]["per_step"] = dice.whole(2, 6)
    free_spins["meter"]["bonus"]["adds"] = dice.one_of((10, 2, 3))
    if free_key_cap:
        free_spins["key"]["at_most"] = dice.one_of(("no-limit", 1, 2))


def make_strips(
    dice: Dice,
    game: GameDefinition,
    *,
    max_cycle: int = 2000,
    max_stops: int = 7,
    max_scatters: float = 0.6,
    strays: bool = True,
    own_free_strips: bool = True,
) -> StripSet:
    """A strip set of the game with 3 to ``max_stops`` stops a reel and cycles of at most ``max_cycle``.

    ``max_scatters``: most Scatters in sight on average in a free spin. ``strays``: some strips show Scatters, Keys
    or +10 on reels where they count for nothing. ``own_free_strips``: some collectables have strips of their own.
    """
    hold, free = game.hold_and_spin, game.free_spins
    assert hold and free
    sizes = {"max_cycle": max_cycle, "max_stops": max_stops}
    reels = {"base": _reels(dice, game, _base_symbols(dice, game, strays), **sizes)}
    names = [free.reels]
    if own_free_strips and dice.whole(0, 3) == 3:
        names.append(f"{free.reels}.{dice.one_of(game.wheel(free.wheels.collectable).values)}")
    for name in names:
        drawn = _reels(dice, game, _free_symbols(dice, game, strays), **sizes)
        reels[name] = _thinned(game, drawn, max_scatters)
    reels[hold.name] = _re_spin_strips(dice, game)
    strips = StripSet(
        game=game.game,
        definition_sha256=game.sha256,
        name="small",
        reels=reels,
        position_reels={hold.name: _stages(dice, game)},
        wheels={wheel.name: _wheel(dice, wheel.name, wheel.values) for wheel in game.wheels},
    )
    check_fit(strips, game)
    return strips


def _lengths(dice: Dice, reels: int, max_cycle: int, max_stops: int) -> list[int]:
    """Numbers of stops, at least 3 each, whose product keeps to ``max_cycle``."""
    lengths = [3] * reels
    for reel in range(reels):
        others = _product(lengths) // lengths[reel]
        lengths[reel] = dice.whole(3, max(3, min(max_stops, max_cycle // others)))
    return lengths


def _product(numbers: Sequence[int]) -> int:
    total = 1
    for number in numbers:
        total *= number
    return total


def _regulars(dice: Dice, game: GameDefinition) -> list[str]:
    """The regular symbols of one reel, all or all but one, and the Wild: absent, as likely as each, or thrice so."""
    names = list(game.symbols.regular)
    if len(names) > 1 and dice.whole(0, 2) == 2:
        names.remove(dice.one_of(names))
    wild = game.symbols.wild
    return names + [wild] * dice.one_of((1, 2, 3, 3, 0)) if wild else names


def _base_symbols(dice: Dice, game: GameDefinition, strays: bool) -> list[list[str]]:
    assert game.hold_and_spin
    trigger = game.hold_and_spin.trigger
    pools = [_regulars(dice, game) for _ in game.grid.rows]
    for reel, pool in enumerate(pools):
        if reel in trigger.reels or (strays and dice.whole(0, 9) == 9):
            pool += [trigger.symbol]
    return pools


def _free_symbols(dice: Dice, game: GameDefinition, strays: bool) -> list[list[str]]:
    free = game.free_spins
    assert free and free.meter.bonus
    wanted = (free.retrigger, free.key, free.meter.bonus)
    pools = [_regulars(dice, game) for _ in game.grid.rows]
    for reel, pool in enumerate(pools):
        for part in wanted:
            if reel in part.reels or (strays and dice.whole(0, 9) == 9):
                pool += [part.symbol]
    return pools


def _reels(
    dice: Dice, game: GameDefinition, pools: list[list[str]], *, max_cycle: int, max_stops: int
) -> tuple[tuple[str, ...], ...]:
    lengths = _lengths(dice, game.reel_count, max_cycle, max_stops)
    return tuple(_strip(dice, pool, length) for pool, length in zip(pools, lengths, strict=True))


def _strip(dice: Dice, pool: Sequence[str], length: int) -> tuple[str, ...]:
    """A strip in which a stop repeats its neighbour one time in four: stacks."""
    strip: list[str] = []
    for _ in range(length):
        stack = bool(strip) and dice.whole(0, 3) == 3
        strip.append(strip[-1] if stack else dice.one_of(pool))
    return tuple(strip)


def scatters_a_spin(game: GameDefinition, reels: Sequence[Sequence[str]]) -> float:
    """Average number of added spins in sight in a free spin."""
    assert game.free_spins
    rule = game.free_spins.retrigger
    return sum(game.grid.rows[r] * reels[r].count(rule.symbol) / len(reels[r]) for r in rule.reels)


def _thinned(
    game: GameDefinition, reels: tuple[tuple[str, ...], ...], max_scatters: float
) -> tuple[tuple[str, ...], ...]:
    """The strips with Scatters replaced by the worst symbol, until few enough are in sight on average."""
    assert game.free_spins
    rule, thin = game.free_spins.retrigger, [list(strip) for strip in reels]
    while scatters_a_spin(game, thin) > max_scatters:
        strip = max((thin[reel] for reel in rule.reels), key=lambda s: s.count(rule.symbol) / len(s))
        strip[strip.index(rule.symbol)] = game.symbols.regular[-1]
    return tuple(tuple(strip) for strip in thin)


def _re_spin_strips(dice: Dice, game: GameDefinition) -> tuple[tuple[str, ...], ...]:
    """Re-spin strips; a reel with Keys has a window of Blanks, so the feature ends."""
    hold = game.hold_and_spin
    assert hold
    strips = []
    for reel, rows in enumerate(game.grid.rows):
        pool = [hold.blank_symbol, hold.held_symbol]
        blanks: tuple[str, ...] = ()
        if reel in hold.key.reels:
            pool, blanks = [*pool, hold.key.symbol], (hold.blank_symbol,) * rows
        strips.append(blanks + _strip(dice, pool, dice.whole(1, 4)))
    return tuple(strips)


def _stages(dice: Dice, game: GameDefinition) -> tuple[Stage, ...]:
    """Position reels that change once or twice, or not at all."""
    starts = dice.one_of(((1,), (1, 2), (1, 2, 4)))
    return tuple(Stage(start, _cells(dice, game)) for start in starts)


def _cells(dice: Dice, game: GameDefinition) -> tuple[Weights, ...]:
    hold = game.hold_and_spin
    assert hold
    if dice.whole(0, 7) == 7:
        return (_cell(dice, [hold.held_symbol, hold.blank_symbol]),)
    return tuple(
        _cell(
            dice, [hold.held_symbol, hold.blank_symbol, *([hold.key.symbol] if r in hold.key.reels else [])]
        )
        for r in range(game.reel_count)
    )


def _cell(dice: Dice, symbols: list[str]) -> Weights:
    """Weights of one cell; now and then it lacks a symbol, but never so that it lands Keys alone."""
    weights = {symbol: dice.whole(1, 5) for symbol in symbols}
    if dice.whole(0, 5) == 5:
        del weights[dice.one_of(symbols[:2])]
    return Weights("cell", tuple(weights), tuple(weights.values()))


def _wheel(dice: Dice, name: str, values: Sequence[str]) -> Weights:
    """Weights on the values of a wheel, some left out."""
    kept = [value for value in values if dice.whole(0, 3) < 3] or [values[0]]
    return Weights(name, tuple(kept), tuple(dice.whole(1, 5) for _ in kept))


def random_game_and_strips(
    seed: int, strip_options: Table | None = None, **game_options: Any
) -> tuple[GameDefinition, StripSet]:
    """A small game and a strip set of it; the same for the same seed."""
    dice = RandomDice(random.Random(seed))
    game = make_game(dice, **game_options)
    return game, make_strips(dice, game, **(strip_options or {}))


@st.composite
def games(draw: Callable[..., Any], **options: Any) -> GameDefinition:
    """Hypothesis strategy of small games; options as for :func:`make_game`."""
    return make_game(DrawDice(draw), **options)


@st.composite
def strip_sets(draw: Callable[..., Any], game: GameDefinition, **options: Any) -> StripSet:
    """Hypothesis strategy of strip sets of a game; options as for :func:`make_strips`."""
    return make_strips(DrawDice(draw), game, **options)


@st.composite
def games_and_strips(
    draw: Callable[..., Any], game_options: Table | None = None, strip_options: Table | None = None
) -> tuple[GameDefinition, StripSet]:
    """Hypothesis strategy of (game, strip set)."""
    dice = DrawDice(draw)
    game = make_game(dice, **(game_options or {}))
    return game, make_strips(dice, game, **(strip_options or {}))


@st.composite
def symbol_lines(draw: Callable[..., Any], game: GameDefinition) -> tuple[str, ...]:
    """Hypothesis strategy of the symbols of one line, Wilds and symbols that pay nothing among them."""
    names = [*game.symbols.regular, "Scatter"] + ([game.symbols.wild] * 3 if game.symbols.wild else [])
    dice = DrawDice(draw)
    return tuple(dice.one_of(names) for _ in range(game.reel_count))
