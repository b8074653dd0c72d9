"""What carries the figures of a game with modifiers and Money respins (Spellmaster).

Live are the lines' hits, the colours in sight (reel by reel from single windows) and with the trigger wheels the chances of the
modifier sets, P(M) = sum over colours C of P(C) w_C(M). What respins under M are worth is a value of M's own position reels and
of the wheels it draws from, the line win joint with the colours one of the base strips; all components are sums of these:

    lines = lines' RTP - sum over M of E[win; M] full_M,    E[win; M] = sum over C of E[win; C] w_C(M),
    part = sum over M of P(M) part_M.

So a trigger wheel may be edited without making anything but deviations stale. With stashes that have levels, P(M) and
E[win; M] are values of the base strips and the trigger wheels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from workbench.exact.colours import colour_law
from workbench.exact.line_hits import line_hits
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.report.xlsx.figures_sheet import Formula
from workbench.report.xlsx.formula import Expr, one_in, product, ratio, total
from workbench.report.xlsx.lines import NOTHING
from workbench.report.xlsx.plain import Live, combination_formulas
from workbench.report.xlsx.sight import MOST_COLOURS
from workbench.value.modifier_round import evaluate

PARTS = ("money", "charge", "multiply", "jackpots", "full_grid")


class ModifierRules:
    """Formulas and dependencies of one strip set's figures."""

    def __init__(self, live: Live) -> None:
        self.live = live
        game = live.game
        trigger, feature = game.only(ModifierTrigger), game.only(MoneyRespins)
        assert trigger is not None and feature is not None
        self.trigger, self.feature = trigger, feature
        self.name = feature.name
        self.lines = live.lines("Lines", "base", line_hits(game, live.strips.reels["base"]))
        self.shows_only = trigger.stash_levels == "shows-only"
        self.counted = len(trigger.colours) <= MOST_COLOURS
        self.seen = self._seen()
        self.formulas: dict[str, Formula] = {
            **combination_formulas(game, self.lines),
            "cycle": lambda: self.lines.cycle,
            "rtp": lambda: live.sum_of("components"),
            **{f"colours/{c}": partial(_same, chance) for c, chance in self.seen.items()},
        }
        for modifiers in trigger.modifier_sets:
            self._set(modifiers)
        self._round()

    def formula(self, path: str) -> Formula | None:
        """The closed form of a figure, or None."""
        return self.formulas.get(path)

    def _seen(self) -> dict[str, Expr]:
        """P(exactly these colours in sight)."""
        if not self.counted:
            return {}
        law = self.live.sight.colours(self.live.reels("base"), self.trigger.colours)
        return {colours: ways / self.lines.cycle for colours, ways in law.items()}

    # chances of the sets

    def _chance(self, modifiers: str) -> Expr:
        return self.live.figures.cell(f"modifier_sets/{modifiers}/probability")

    def _given(self, modifiers: str) -> list[tuple[str, Expr]]:
        """Colours whose wheel may award the set, with the chance that it does."""
        wheels, trigger = self.live.wheels, self.trigger
        return [
            (c, wheels[f"{trigger.wheel}.{c}"].chance(modifiers))
            for c in trigger.colour_sets
            if modifiers in trigger.awards(c)
        ]

    def _set(self, modifiers: str) -> None:
        """Figures of one modifier set, and a round's rates that are its chance times one of them."""
        head, cell = f"modifier_sets/{modifiers}", self.live.figures.cell
        if self.shows_only and self.counted:
            self.formulas[f"{head}/probability"] = lambda: total(
                cell(f"colours/{c}") * wheel for c, wheel in self._given(modifiers)
            )
        self.formulas[f"{head}/one_in"] = lambda: one_in(self._chance(modifiers))
        self.formulas[f"per_round/played.{modifiers}"] = lambda: (
            self._chance(modifiers) * cell(f"{head}/respins")
        )
        if not self.live.figures.leaves[f"{head}/probability"]:
            return
        for rate in self.live.figures.leaves:
            for table in ("awards", "landed"):
                if rate.startswith(f"{table}/{modifiers}/"):
                    self.formulas[rate] = partial(self._rate, rate, modifiers)

    def _rate(self, path: str, modifiers: str) -> Expr:
        """A rate per round: the set's chance times the rate per start of its respins."""
        live = self.live
        chance, rate = self._chance(modifiers), live.figures.leaves[path]
        assert isinstance(rate, int | float)
        parts = [self._cells(modifiers)]
        if path.startswith("awards") and self.feature.jackpots:
            parts.append(self._wheel(self.feature.jackpots.wheel, modifiers))
        start = live.figures.hidden(f"{path} per start", rate / float(chance.number), parts)
        return chance * start

    # a round

    def _round(self) -> None:
        cell, name, sets = self.live.figures.cell, self.name, self.trigger.modifier_sets
        head = f"features/{name}"

        def over_sets(what: str) -> Expr:
            return total(self._chance(m) * cell(f"modifier_sets/{m}/{what}") for m in sets)

        for part in PARTS:
            self.formulas[f"components/{name}.{part}"] = partial(over_sets, f"parts/{part}")
        won = [f"components/{name}.{part}" for part in PARTS]
        self.formulas |= {
            "components/lines": self._lines,
            f"{head}/probability": lambda: total(self._chance(m) for m in sets),
            f"{head}/one_in": lambda: one_in(cell(f"{head}/probability")),
            f"{head}/mean_win": lambda: ratio(total(cell(p) for p in won), cell(f"{head}/probability")),
            f"{head}/played": lambda: ratio(cell(f"per_round/{name}.played"), cell(f"{head}/probability")),
            f"per_round/{name}.played": lambda: over_sets("respins"),
            "top_prize/probability": lambda: over_sets("full_grid"),
            "top_prize/one_in": lambda: one_in(cell("top_prize/probability")),
        }
        for jackpot in self.feature.jackpots.prizes if self.feature.jackpots else ():
            self._jackpot(jackpot)

    def _jackpot(self, jackpot: str) -> None:
        cell = self.live.figures.cell
        paths = [p for p in self.live.figures.leaves if p.startswith("awards/") and p.endswith(f"/{jackpot}")]
        rate = f"jackpots/{jackpot}/per_round"
        self.formulas[rate] = lambda: total(cell(p) for p in paths)
        self.formulas[f"jackpots/{jackpot}/one_in"] = lambda: one_in(cell(rate))

    def _lines(self) -> Expr:
        """The lines' RTP less what full grids replace."""
        live, cell = self.live, self.live.figures.cell
        whole = self.lines.expected(lambda award: award.coins) / live.game.bet.coins
        lost = [
            product([self._win_with(m), cell(f"modifier_sets/{m}/full_grid")])
            for m in self.trigger.modifier_sets
        ]
        return whole - total(lost)

    def _win_with(self, modifiers: str) -> Expr:
        """E[line win; M]."""
        if not (self.shows_only and self.counted):
            law = evaluate(self.live.game, self.live.strips).law
            win = float(law.win[law.sets.index(modifiers)])
            parts = ["stops:base", *self._trigger_wheels()]
            return self.live.figures.hidden(f"line win with {modifiers}", win, parts)
        given = self._given(modifiers)
        return total(self._win_seen[c] * wheel for c, wheel in given) if given else NOTHING

    @cached_property
    def _win_seen(self) -> dict[str, Expr]:
        """E[line win; exactly these colours in sight], values of the base strips."""
        live, game = self.live, self.live.game
        marks = [(c, self.trigger.colours[c]) for c in sorted(self.trigger.colours)]
        law = colour_law(game, live.strips.reels["base"], marks)
        return {
            name: live.figures.hidden(f"line win with {name}", float(win), ["stops:base"])
            for name, win in zip(law.sets(), law.win, strict=True)
            if name
        }

    # what has no closed form

    def _cells(self, modifiers: str) -> str:
        return f"cells:{self.name}.{modifiers}"

    def _wheel(self, wheel: str, modifiers: str) -> str:
        return f"wheel:{wheel}.{modifiers}" if wheel in self.feature.wheels_per_set else f"wheel:{wheel}"

    def _drawn(self, modifiers: str, what: str) -> list[str]:
        """The wheels that a part of the respins under a set draws from."""
        feature, active = self.feature, modifiers.split("+")
        has = {rule.modifier: rule for rule in feature.rules if rule.modifier in active}
        charge = [feature.charge.wheel] if feature.charge and feature.charge.modifier in has else []
        multiply = feature.multiply if feature.multiply and feature.multiply.modifier in has else None
        twice = [multiply.wheel, multiply.count_wheel] if multiply else []
        jackpot = [feature.jackpots.wheel] if feature.jackpots and feature.jackpots.modifier in has else []
        money = [feature.money_wheel]
        by_part = {
            "money": money,
            "charge": charge,
            "multiply": [*money, *charge, *twice] if twice else [],
            "jackpots": jackpot,
            "full_grid": [],
        }
        wheels = by_part.get(what, [*money, *charge, *twice, *jackpot])
        return [self._wheel(w, modifiers) for w in wheels]

    def depends(self, path: str) -> Sequence[str]:
        """The parts a figure depends on."""
        heads = path.split("/")
        if path == "lines_rtp_exact":
            return ["counts:base"]
        if path in ("hit_frequency", "hits"):
            return ["stops:base"]
        if heads[0] == "colours":
            return ["stops:base"]
        if heads[-1] == "value" or path in ("estimates/cap/plays", "estimates/cap/seed"):
            return []
        if heads[0] == "filled":
            return [self._cells(heads[1])]
        if heads[0] == "modifier_sets":
            return self._of_set(heads[1], heads[2:])
        if path == "estimates/cap/rtp" or path == "estimates/cap/interval_99/0":
            return self._of_cap()
        return self.live.everything()

    def _of_set(self, modifiers: str, heads: Sequence[str]) -> Sequence[str]:
        cells = self._cells(modifiers)
        if heads[0] == "probability":
            return ["stops:base", *self._trigger_wheels()]
        if heads[0] == "parts":
            drawn = self._drawn(modifiers, heads[1])
            none = heads[1] not in ("money", "full_grid") and not drawn
            return [] if none else [cells, *drawn]
        whole = heads[0] in ("mean_win", "standard_deviation")
        return [cells, *(self._drawn(modifiers, "all") if whole else [])]

    def _trigger_wheels(self) -> list[str]:
        return [f"wheel:{w}" for w in self.live.strips.wheels if w.startswith(f"{self.trigger.wheel}.")]

    def _of_cap(self) -> Sequence[str]:
        """The cut at the cap is drawn from the sets with Multiply; under the others it is bounded."""
        rule = self.feature.multiply
        sets = [m for m in self.trigger.modifier_sets if rule and rule.modifier in m.split("+")]
        if not (self.shows_only and self.counted and sets):
            return self.live.everything()
        wheels = [f"wheel:{self.trigger.wheel}.{c}" for m in sets for c, _ in self._given(m)]
        own = [part for m in sets for part in (self._cells(m), *self._drawn(m, "all"))]
        return list(dict.fromkeys(["sight:base:colours", *wheels, *own]))


def _same(cell: Expr) -> Expr:
    return cell
