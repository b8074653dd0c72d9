"""A game with a modifier trigger and Money respins, as the arrays its kernel reads and the counts it keeps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.errors import DefinitionError
from workbench.game import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.reels.strip_set import StripSet, Weights
from workbench.simulate import _money_shapes_kernels as at
from workbench.simulate._money_shapes_kernels import MoneyCounts, MoneyTables, RespinTables, TriggerTables
from workbench.simulate._shapes_kernels import Ints, ReelTables, Words
from workbench.simulate.layout import Layout
from workbench.simulate.reel_tables import line_tables, reel_tables
from workbench.simulate.units import cap_units, exact, units_per_bet

MOST_LEVEL_PLACES = 1 << 20


@dataclass(frozen=True)
class MoneyGame:
    """A game with its two features at hand."""

    game: GameDefinition
    trigger: ModifierTrigger
    respins: MoneyRespins

    @classmethod
    def of(cls, game: GameDefinition) -> MoneyGame:
        """From a game that has both; DefinitionError otherwise."""
        trigger, respins = game.only(ModifierTrigger), game.only(MoneyRespins)
        if trigger is None or respins is None:
            raise DefinitionError(f"{game.game}: must have a modifier trigger and Money respins")
        return cls(game, trigger, respins)

    @property
    def colours(self) -> list[str]:
        """Colours in the order of their numbers."""
        return sorted(self.trigger.colours)

    @property
    def sets(self) -> tuple[str, ...]:
        """Modifier sets in the order of their numbers."""
        return self.trigger.modifier_sets

    def values(self, wheel: str | None) -> tuple[str, ...]:
        """Values of a wheel, in the definition's order; one if the game lacks it."""
        return self.game.wheel(wheel).values if wheel else ("0",)

    @property
    def wheels(self) -> dict[str, str | None]:
        """The wheels of the respins by what they decide."""
        r = self.respins
        return {
            "money": r.money_wheel,
            "charge": r.charge.wheel if r.charge else None,
            "multiplier": r.multiply.wheel if r.multiply else None,
            "multiplied": r.multiply.count_wheel if r.multiply else None,
            "names": r.jackpots.wheel if r.jackpots else None,
        }


def money_units(money: MoneyGame) -> int:
    """Units in one total bet: fine enough for every award, and for a symbol multiplied as often as it can be."""
    game, r = money.game, money.respins
    awards = [Fraction(pay, game.bet.coins) for pays in game.paytable.values() for pay in pays.values()]
    awards += [exact(v) for name in ("money", "charge") for v in money.values(money.wheels[name])]
    awards += [exact(v) for v in (r.jackpots.prizes.values() if r.jackpots else ())]
    awards.append(exact(r.full_grid.pays))
    if game.win_cap != "none":
        awards.append(exact(game.win_cap))
    factors = [exact(v) for v in money.values(money.wheels["multiplier"])]
    divisor: int = math.lcm(*(f.denominator for f in factors)) ** (r.multiply.times if r.multiply else 0)
    return units_per_bet([*awards, *(Fraction(1, units_per_bet(awards) * divisor),)])


def money_layout(money: MoneyGame) -> Layout:
    """The counts of such a game."""
    game, sets = money.game, len(money.sets)
    sizes = {name: len(money.values(wheel)) for name, wheel in money.wheels.items()}
    full = money.trigger.stash_levels
    shapes: dict[str, tuple[int, ...]] = {
        "sums": (len(at.SUMS),),
        "base_hits": (len(game.symbols.regular) + 1, game.reel_count + 1),
        "triggers": (1 << len(money.colours), sets + 1),
        "levels": (len(money.colours), 1 if full == "shows-only" else full + 1),
        "parts": (sets, 5),
        "played": (sets,),
        "filled": (sets, at.MOST_CELLS + 1),
        "landed": (sets, at.OUTCOMES),
        **{name: (sets, size) for name, size in sizes.items()},
        "awards": (sets, sizes["names"]),
    }
    return Layout(tuple((name, shapes[name]) for name in MoneyCounts._fields))


def money_squares(money: MoneyGame) -> tuple[str, ...]:
    """Names of the sums of squares: of the round, then of each modifier set and its parts."""
    own = (name for s in money.sets for name in (s, *(f"{s}.{part}" for part in at.PARTS)))
    return (*at.SQUARES, *own)


def money_tables(money: MoneyGame, strips: StripSet) -> MoneyTables:
    """The tables of a game and a strip set that fits it."""
    units = money_units(money)
    reels = reel_tables(money.game, [strips.reels["base"]])
    return MoneyTables(
        line_tables(money.game, units),
        reels,
        _trigger_tables(money, strips, reels),
        _respins(money, strips, units),
    )


def _trigger_tables(money: MoneyGame, strips: StripSet, reels: ReelTables) -> TriggerTables:
    full = 1 if money.trigger.stash_levels == "shows-only" else money.trigger.stash_levels
    colours = money.colours
    places = (full + 1) ** len(colours)
    if places > MOST_LEVEL_PLACES:
        raise DefinitionError(
            f"stash_levels: at most {MOST_LEVEL_PLACES} combinations of levels, but got {places}"
        )
    names: list[str] = []
    wheel_of = np.zeros(places, np.int64)
    for digits in itertools.product(range(full + 1), repeat=len(colours)):
        if any(digits):
            name = _wheel_name(money, strips, digits)
            if name not in names:
                names.append(name)
            wheel_of[sum(d * (full + 1) ** i for i, d in enumerate(digits))] = names.index(name)
    cumulative, award = _awards(money, strips, names)
    index = money.game.symbol_index
    shown = np.bitwise_count(reels.cells_of).astype(np.int64)
    shown = shown[:, [index[money.trigger.colours[c]] for c in colours]]
    places_of = np.arange(len(colours))
    return TriggerTables(
        orbs=(shown << (at.FIELD * places_of)).sum(axis=1),
        shown=((shown > 0).astype(np.int64) << places_of).sum(axis=1),
        full=full,
        keeps=int(money.trigger.stash_levels != "shows-only"),
        odds=_odds(cumulative, award, wheel_of),
        wheel_of=wheel_of,
        cumulative=cumulative,
        award=award,
        colours=np.array(
            [
                [any(money.trigger.modifiers[m] == c for m in s.split("+")) for c in colours]
                for s in money.sets
            ],
            np.int64,
        ),
    )


def _wheel_name(money: MoneyGame, strips: StripSet, digits: Sequence[int]) -> str:
    """The wheel for the levels of the colours in sight (0: not in sight): its own if listed, else the colours'."""
    seen = [(c, str(d)) for c, d in zip(money.colours, digits, strict=True) if d]
    plain = f"{money.trigger.wheel}.{'+'.join(c for c, _ in seen)}"
    levelled = f"{plain}@{'+'.join(d for _, d in seen)}"
    return levelled if levelled in strips.wheels else plain


def _awards(money: MoneyGame, strips: StripSet, names: list[str]) -> tuple[Words, Ints]:
    """[wheel][value] cumulative weights and modifier sets (-1 for none), padded with the last."""
    most = len(money.sets) + 1
    cumulative, award = np.zeros((len(names), most), np.uint64), np.full((len(names), most), -1, np.int64)
    for i, name in enumerate(names):
        colours = name.removeprefix(f"{money.trigger.wheel}.").partition("@")[0]
        values = money.trigger.awards(colours)
        cumulative[i] = _cumulated(strips.wheels[name], values, most)
        award[i, : len(values)] = [money.sets.index(v) if v in money.sets else -1 for v in values]
    return cumulative, award


def _odds(cumulative: Words, award: Ints, wheel_of: Ints) -> Words:
    """[place]: total weight, cumulative weights before and with the heaviest value, 1 + the modifier set it awards.

    At place 0 no Orb is in sight and nothing is awarded.
    """
    weights = np.diff(cumulative.astype(np.int64), axis=1, prepend=0)
    heaviest = weights.argmax(axis=1)
    wheel = np.arange(len(heaviest))
    upto = cumulative[wheel, heaviest]
    before = upto - weights.max(axis=1).astype(np.uint64)
    rows = [cumulative[:, -1], before, upto, (1 + award[wheel, heaviest]).astype(np.uint64)]
    odds = np.stack(rows, axis=1)[wheel_of]
    odds[0] = (1, 0, 1, 0)
    return np.ascontiguousarray(odds)


def _cumulated(wheel: Weights, values: Sequence[str], length: int) -> list[int]:
    weights = [wheel.weight(value) for value in values]
    return list(itertools.accumulate(weights + [0] * (length - len(weights))))


def _wheel(money: MoneyGame, strips: StripSet, name: str | None) -> Words:
    """[set][value] cumulative weights of a wheel, each set's own where the game has one a set."""
    values = money.values(name)
    if name is None:
        return np.ones((len(money.sets), 1), np.uint64)
    own = name in money.respins.wheels_per_set
    rows = [
        _cumulated(strips.wheels[f"{name}.{s}" if own else name], values, len(values)) for s in money.sets
    ]
    return np.array(rows, np.uint64)


def _units(values: Sequence[str], units: int) -> Ints:
    return np.array([int(exact(value) * units) for value in values], np.int64)


def _respins(money: MoneyGame, strips: StripSet, units: int) -> RespinTables:
    r, game = money.respins, money.game
    wheels = {name: _wheel(money, strips, wheel) for name, wheel in money.wheels.items()}
    values = {name: money.values(wheel) for name, wheel in money.wheels.items()}
    factors = [exact(value) for value in values["multiplier"]]
    stage_of, landing = _landings(money, strips)
    prizes = [str(r.jackpots.prizes[name]) for name in values["names"]] if r.jackpots else ["0"]
    return RespinTables(
        respins=r.respins,
        cells=np.array([r.cells(s) for s in money.sets], np.int64),
        stage_of=stage_of,
        landing=landing[:, :-1].copy(),
        landing_total=landing[:, -1].copy(),
        money=wheels["money"],
        money_value=_units(values["money"], units),
        charge=wheels["charge"],
        charge_value=_units(values["charge"], units),
        charge_stays=int(r.charge is not None and r.charge.acts == "every-respin"),
        multiplier=wheels["multiplier"],
        factor=np.array([f.numerator for f in factors], np.int64),
        divisor=np.array([f.denominator for f in factors], np.int64),
        multiplied=wheels["multiplied"],
        multiplied_value=_units(values["multiplied"], 1),
        times=r.multiply.times if r.multiply else 0,
        one_for_all=int(r.multiply is not None and r.multiply.multipliers == "one-for-all"),
        jackpot=wheels["names"],
        prize=_units(prizes, units),
        of_a_name=r.jackpots.of_a_name if r.jackpots else 1,
        full_grid=int(exact(r.full_grid.pays) * units),
        cap=cap_units(game, units),
    )


def _landings(money: MoneyGame, strips: StripSet) -> tuple[Ints, Words]:
    """[set][filled] which position reel is in force, and [position reel] cumulative weights with the total last."""
    r = money.respins
    stage_of = np.zeros((len(money.sets), at.MOST_CELLS + 1), np.int64)
    rows: list[list[int]] = []
    for i, name in enumerate(money.sets):
        for stage in strips.position_reels[f"{r.name}.{name}"]:
            stage_of[i, stage.start :] = len(rows)
            cell = stage.cells[0]
            weights = [cell.weight(symbol) if symbol else 0 for symbol in (r.money_symbol, *_orbs(money))]
            rows.append([*itertools.accumulate(weights), cell.total])
    return stage_of, np.array(rows, np.uint64)


def _orbs(money: MoneyGame) -> list[str | None]:
    """The Orbs of Charge, Multiply and Jackpots; None for a modifier the game lacks."""
    rules = (money.respins.charge, money.respins.multiply, money.respins.jackpots)
    return [money.trigger.colours[money.trigger.modifiers[rule.modifier]] if rule else None for rule in rules]
