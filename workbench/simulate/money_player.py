"""A player of the rules in plain Python for games whose Orbs award modifiers and whose respins fill a grid with Money.

Written from the rules and readings (S-n), not from the kernels. Order of draws: the base stops from reel 1; the trigger
wheel, which has one value if no Orb is in sight; in each respin its open cells, then the value of each Money landed, then for each blue Orb a symbol and a
value, for each red Orb a count and, symbol by symbol, the pick and its multiplier (or one multiplier first, for all),
for each golden Orb a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from workbench.game import GameDefinition
from workbench.game.features import ChargeRule, JackpotRule, ModifierTrigger, MoneyRespins, MultiplyRule
from workbench.reels.strip_set import Stage, StripSet, Weights
from workbench.simulate.lines import LineWin, Window, in_sight, lines_won
from workbench.simulate.money_events import (
    Charged,
    MoneyEvent,
    MoneyRound,
    Multiplied,
    OrbSpin,
    Respin,
    RespinsEnd,
    Revealed,
    Trigger,
)
from workbench.simulate.money_tables import MoneyGame, money_units
from workbench.simulate.source import Source
from workbench.simulate.units import exact


@dataclass
class Grid:
    """The Money on a grid: values in bets and how often each was multiplied; wins so far by part."""

    cells: int
    values: list[Fraction] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    charging: int = 0
    landed: Fraction = Fraction(0)
    charged: Fraction = Fraction(0)
    jackpots: Fraction = Fraction(0)

    @property
    def full(self) -> bool:
        """Whether every cell is Money."""
        return len(self.values) == self.cells


@dataclass(frozen=True)
class MoneyPlayer:
    """Plays rounds of a game on a strip set, drawing from a source."""

    game: GameDefinition
    strips: StripSet
    source: Source

    def round(self, levels: tuple[int, ...]) -> MoneyRound:
        """One paid round, begun with the stashes at ``levels`` (colours in alphabetical order)."""
        money = MoneyGame.of(self.game)
        stashes = dict(zip(money.colours, levels, strict=True))
        events: list[MoneyEvent] = []
        spin = self._base_spin(money.trigger, stashes)
        events.append(spin)
        wins = {"lines": _paid(self.game, spin.lines)}
        if any(spin.orbs.values()):
            trigger = self._turn_trigger(money.trigger, spin)
            events.append(trigger)
            self._reset(money.trigger, stashes, trigger.award)
            if trigger.award != "none":
                grid = Grid(money.respins.cells(trigger.award))
                events += self._respins(money.respins, trigger.award, grid)
                wins = _parts(money.respins, grid, wins["lines"])
        else:
            self.source.below(1)
        units = money_units(money)
        names = ["lines", *(f"{money.respins.name}.{part}" for part in PARTS)]
        components = {name: int(wins.get(name.rpartition(".")[2], Fraction(0)) * units) for name in names}
        return MoneyRound(tuple(events), components, tuple(stashes[c] for c in money.colours))

    def _base_spin(self, rule: ModifierTrigger, stashes: dict[str, int]) -> OrbSpin:
        """Halt the reels; Orbs in sight raise their stashes, where stashes have levels."""
        reels = self.strips.reels["base"]
        stops = tuple(self.source.below(len(strip)) for strip in reels)
        window: Window = tuple(
            tuple(strip[(stop + row) % len(strip)] for row in range(rows))
            for strip, stop, rows in zip(reels, stops, self.game.grid.rows, strict=True)
        )
        orbs = {c: in_sight(window, rule.colours[c], range(len(reels))) for c in stashes}
        if rule.stash_levels != "shows-only":
            for colour, seen in orbs.items():
                stashes[colour] = min(rule.stash_levels, stashes[colour] + seen)
        return OrbSpin(stops, window, lines_won(self.game, window), orbs, dict(stashes))

    def _turn_trigger(self, rule: ModifierTrigger, spin: OrbSpin) -> Trigger:
        """The wheel of the colours in sight, or that of their levels if there is one."""
        seen = [colour for colour in sorted(spin.orbs) if spin.orbs[colour]]
        colours = "+".join(seen)
        name = f"{rule.wheel}.{colours}"
        levelled = f"{name}@{'+'.join(str(spin.levels[c]) for c in seen)}"
        if levelled in self.strips.wheels:
            name = levelled
        return Trigger(name, self._draw(self.strips.wheels[name], rule.awards(colours)))

    def _reset(self, rule: ModifierTrigger, stashes: dict[str, int], award: str) -> None:
        """An awarded modifier empties its colour's stash."""
        for modifier in award.split("+"):
            if modifier in rule.modifiers:
                stashes[rule.modifiers[modifier]] = 0

    def _draw(self, weights: Weights, order: tuple[str, ...]) -> str:
        drawn = self.source.below(weights.total)
        for value in order:
            if drawn < weights.weight(value):
                return value
            drawn -= weights.weight(value)
        raise AssertionError("weights outside the order")

    def _turn(self, respins: MoneyRespins, name: str, modifiers: str) -> str:
        """A wheel of the respins, the modifier set's own where there is one a set."""
        own = f"{name}.{modifiers}" if name in respins.wheels_per_set else name
        return self._draw(self.strips.wheels[own], self.game.wheel(name).values)

    def _respins(self, rule: MoneyRespins, modifiers: str, grid: Grid) -> Iterator[MoneyEvent]:
        """Respin until none is left or the grid is full; anything that lands resets the respins (S-3, S-4)."""
        left, number = rule.respins, 0
        while left > 0 and not grid.full:
            number += 1
            left -= 1
            landed = self._landing(rule, modifiers, grid)
            if any(landed.values()):
                left = rule.respins
            values = [self._turn(rule, rule.money_wheel, modifiers) for _ in range(landed[rule.money_symbol])]
            for value in values:
                grid.values.append(exact(value))
                grid.times.append(0)
                grid.landed += exact(value)
            yield Respin(number, {k: n for k, n in landed.items() if n}, tuple(values), len(grid.values))
            yield from self._orbs(rule, modifiers, grid, landed)
        yield RespinsEnd(len(grid.values), grid.cells, tuple(float(value) for value in grid.values))

    def _landing(self, rule: MoneyRespins, modifiers: str, grid: Grid) -> dict[str, int]:
        """What lands on the open cells (Blanks left out)."""
        stage = _stage(self.strips.position_reels[f"{rule.name}.{modifiers}"], len(grid.values))
        orbs = tuple(orb for orb in self._orb_symbols(rule) if orb)
        order = (rule.money_symbol, *orbs, rule.blank_symbol)
        landed = dict.fromkeys(order[:-1], 0)
        for _ in range(grid.cells - len(grid.values)):
            symbol = self._draw(stage.cells[0], order)
            if symbol != rule.blank_symbol:
                landed[symbol] += 1
        return landed

    def _orb_symbols(self, rule: MoneyRespins) -> tuple[str | None, str | None, str | None]:
        """The Orbs of Charge, Multiply and Jackpots."""
        trigger = MoneyGame.of(self.game).trigger
        charge, multiply, jackpots = (
            trigger.colours[trigger.modifiers[r.modifier]] if r else None
            for r in (rule.charge, rule.multiply, rule.jackpots)
        )
        return charge, multiply, jackpots

    def _orbs(
        self, rule: MoneyRespins, modifiers: str, grid: Grid, landed: dict[str, int]
    ) -> Iterator[MoneyEvent]:
        """The Orbs act: Charge, then Multiply, then Jackpots (S-5)."""
        blue, red, golden = self._orb_symbols(rule)
        if rule.charge and blue:
            new = landed[blue]
            grid.charging = grid.charging + new if rule.charge.acts == "every-respin" else new
            for _ in range(grid.charging if grid.values else 0):
                yield self._charge(rule, rule.charge, modifiers, grid)
        if rule.multiply and red:
            for _ in range(landed[red]):
                yield self._multiply(rule, rule.multiply, modifiers, grid)
        if rule.jackpots and golden:
            for _ in range(landed[golden]):
                yield self._reveal(rule, rule.jackpots, modifiers, grid)

    def _charge(self, rule: MoneyRespins, charge: ChargeRule, modifiers: str, grid: Grid) -> Charged:
        cell = self.source.below(len(grid.values))
        value = self._turn(rule, charge.wheel, modifiers)
        grid.values[cell] += exact(value)
        grid.charged += exact(value)
        return Charged(cell, value)

    def _multiply(self, rule: MoneyRespins, multiply: MultiplyRule, modifiers: str, grid: Grid) -> Multiplied:
        """Pick symbols one by one among those not yet picked; one multiplied often enough stays as it is (S-7)."""
        wanted = int(self._turn(rule, multiply.count_wheel, modifiers))
        count = min(wanted, len(grid.values))
        one_for_all = multiply.multipliers == "one-for-all"
        common = self._turn(rule, multiply.wheel, modifiers) if one_for_all and count else None
        open_cells = list(range(len(grid.values)))
        picks = []
        for i in range(count):
            j = i + self.source.below(len(open_cells) - i)
            open_cells[i], open_cells[j] = open_cells[j], open_cells[i]
            by = common or self._turn(rule, multiply.wheel, modifiers)
            cell = open_cells[i]
            takes = grid.times[cell] < multiply.times
            if takes:
                grid.times[cell] += 1
                grid.values[cell] *= exact(by)
            picks.append((cell, by, takes))
        return Multiplied(wanted, tuple(picks))

    def _reveal(self, rule: MoneyRespins, jackpots: JackpotRule, modifiers: str, grid: Grid) -> Revealed:
        name = self._turn(rule, jackpots.wheel, modifiers)
        grid.names[name] = grid.names.get(name, 0) + 1
        awarded = grid.names[name] == jackpots.of_a_name
        if awarded:
            grid.names[name] = 0
            grid.jackpots += exact(jackpots.prizes[name])
        return Revealed(name, awarded)


PARTS = ("money", "charge", "multiply", "jackpots", "full_grid")


def _parts(rule: MoneyRespins, grid: Grid, lines: Fraction) -> dict[str, Fraction]:
    """The round's win by part in bets; a full grid pays in place of all else (S-9)."""
    if grid.full:
        return {"full_grid": exact(rule.full_grid.pays)}
    multiplied = sum(grid.values, Fraction(0)) - grid.landed - grid.charged
    return {
        "lines": lines,
        "money": grid.landed,
        "charge": grid.charged,
        "multiply": multiplied,
        "jackpots": grid.jackpots,
    }


def _paid(game: GameDefinition, lines: tuple[LineWin, ...]) -> Fraction:
    return Fraction(sum(line.coins for line in lines), game.bet.coins)


def _stage(stages: tuple[Stage, ...], filled: int) -> Stage:
    """The stage in force with so many cells filled."""
    return [stage for stage in stages if stage.start <= filled][-1]
