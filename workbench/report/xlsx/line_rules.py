"""What carries the figures of a line game: lines, Scatter pays, bonuses and free games.

Live are all means: the lines' hits, the laws of what is in sight from single windows, the wheels' means, and with q the free games
that one free game awards, E[N] / (1 - q) free games a round. Values are what is joint over lines or marks: hit
frequencies, frequencies of what lines start, second moments. With stop weights the lines' hits are values too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from workbench.game.line_features import Bonus, ScatterPays
from workbench.reels.files import canonical_json
from workbench.report.xlsx.figures_sheet import Formula
from workbench.report.xlsx.formula import Expr, below_one, both, one_in, ratio, total
from workbench.report.xlsx.places import places_check, told_apart
from workbench.report.xlsx.plain import Live, combination_formulas
from workbench.report.xlsx.spin_live import SpinLive, awards_of, counts, means, wheels_of
from workbench.value.line_figures import mark_names
from workbench.value.line_round import LineRound, SpinValue, line_round


class LineGameRules:
    """Formulas and dependencies of one strip set's figures."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.value: LineRound = line_round(live.game, live.strips)
        self.feature = live.game.free_games
        self.base = self._spin(self.value.base, "Lines", "base")
        self.formulas: dict[str, Formula] = {
            **self._spin_formulas(self.base, ""),
            "rtp": lambda: live.sum_of("components"),
            "top_prize/one_in": lambda: one_in(live.figures.cell("top_prize/probability")),
            "cycle": lambda: self.base.lines.cycle,
            "spins/base/mean_win": lambda: self._own(self.base),
            "spins/base/cycle": lambda: self.base.lines.cycle,
            **{f"components/{n}": f for n, f in self.base.components().items()},
        }
        if not live.reels("base").weighted:
            self.formulas["top_prize/value"] = lambda: self.base.lines.largest() / live.game.bet.coins
        self._features()
        self._places()
        self.free: SpinLive | None = None
        if self.value.free and self.feature:
            self.free = self._spin(self.value.free, "LinesFree", self.feature.reels)
            self._free_games(self.free, self.feature.name)

    def formula(self, path: str) -> Formula | None:
        """The closed form of a figure, or None."""
        return self.formulas.get(path)

    def _spin(self, value: SpinValue, sheet: str, name: str) -> SpinLive:
        spin = value.spin
        lines = self.live.lines(sheet, name, spin.hits, spin.mode)
        found = SpinLive(self.live, value, name, lines)
        for place in range(len(spin.marks)):
            found.law(place)
        return found

    def _spin_formulas(self, spin: SpinLive, head: str) -> dict[str, Formula]:
        """Combinations and what is in sight, under a head."""
        found = combination_formulas(
            self.live.game, spin.lines, f"{head}combinations", lambda a: bool(spin.value.spin.started(a))
        )
        for place, mark in enumerate(mark_names(spin.value)):
            for k, ways in spin.law(place).items():
                found[f"{head}in_sight/{mark}/{k}"] = partial(_over, ways, spin.lines.cycle)
        return found

    def _own(self, spin: SpinLive) -> Expr:
        """A spin's own mean win."""
        return total(formula() for formula in spin.components().values())

    def _features(self) -> None:
        """Frequency and mean win of Scatter pays and bonuses."""
        spin, cell = self.base.value.spin, self.live.figures.cell
        for feature in self.live.game.features:
            head = f"features/{getattr(feature, 'name', '')}"
            if isinstance(feature, ScatterPays):
                place, pays = spin.mark_of(feature.symbol, feature.reels), spin.scatter_pays(feature)
                self.formulas[f"{head}/probability"] = partial(
                    self.base.by_sight, place, partial(_is_paid, pays)
                )
            elif isinstance(feature, Bonus):
                if feature.in_sight:
                    self.formulas[f"{head}/probability"] = partial(self.base.frequency, feature)
            else:
                continue
            self._frequency(head, partial(cell, f"components/{feature.name}"))

    def _frequency(self, head: str, won: Formula) -> None:
        cell = self.live.figures.cell
        self.formulas[f"{head}/one_in"] = lambda: one_in(cell(f"{head}/probability"))
        self.formulas[f"{head}/mean_win"] = lambda: ratio(won(), cell(f"{head}/probability"))

    def _free_games(self, free: SpinLive, name: str) -> None:
        cell, base = self.live.figures.cell, self.base
        head, own = f"features/{name}", f"spins/{name}"
        again, awarded = f"{head}/awarded_per_free_game", f"{head}/awarded_per_round"
        played, worth = f"per_round/{name}/played", f"{own}/mean_win_with_retriggers"
        self.formulas |= {
            **self._spin_formulas(free, f"{own}/"),
            awarded: base.free_games,
            again: free.free_games,
            played: lambda: below_one(cell(again), cell(awarded) / (1 - cell(again))),
            f"{head}/spins": lambda: ratio(cell(played), cell(f"{head}/probability")),
            f"{own}/mean_win": lambda: self._own(free),
            f"{own}/cycle": lambda: free.lines.cycle,
            worth: lambda: below_one(cell(again), cell(f"{own}/mean_win") / (1 - cell(again))),
        }
        for source, formula in free.components().items():
            self.formulas[f"components/{name}.{source}"] = partial(self._of_played, played, formula)
        for spin, path in ((base, f"{head}/probability"), (free, f"{own}/retrigger_probability")):
            if (chance := spin.awards()) is not None:
                self.formulas[path] = partial(_itself, chance)
        self._frequency(head, lambda: cell(awarded) * cell(worth))

    def _places(self) -> None:
        """Where the symbols stand that decide an event of some line: the parts that its chance depends on."""
        spin, reels = self.value.base.spin, self.live.reels("base")
        self.by_places: dict[str, str] = {}
        if reels.weighted:
            return
        for bonus in self.live.game.features_of(Bonus):
            if bonus.line:
                classes = told_apart(spin.law, lambda award, b=bonus: b in spin.started(award))  # type: ignore[misc]
                self._placed(
                    f"features/{bonus.name}/probability",
                    bonus.name,
                    places_check(self.live.cells, reels, classes),
                )
        top = max((award.coins for award in spin.hits.hits), default=0)
        same = Expr(f"{self.base.lines.largest().text}={top}", True)
        classes = told_apart(spin.law, lambda award: award.coins == top)
        check = both([same, places_check(self.live.cells, reels, classes)])
        self._placed("top_prize/probability", "top prize", check)

    def _placed(self, path: str, name: str, check: Expr) -> None:
        self.by_places[path] = f"places:base:{name}"
        strips = self.live.strips.reels["base"]
        self.live.guards.add(
            self.by_places[path], check, canonical_json({"reels": {"base": [list(s) for s in strips]}})
        )

    def _of_played(self, played: str, formula: Formula) -> Expr:
        """What all free games of a round win of a source."""
        return self.live.figures.cell(played) * formula()

    # what has no closed form

    def depends(self, path: str) -> Sequence[str]:
        """The parts a figure depends on."""
        base, free = ["stops:base"], self._free_stops()
        if path in (
            "hit_frequency",
            "line_hit_frequency",
            "hits",
            "top_prize/probability",
            "top_prize/one_in",
        ):
            return base
        if path == "spins/base/hit_frequency" or path.startswith("features/"):
            return base
        if path in ("lines_rtp_exact", "top_prize/value"):
            return counts(self.base)
        if path.startswith("components_exact/"):
            return self._exact(path.removeprefix("components_exact/"))
        if path == "rtp_exact":
            return self._every_exact()
        if path == "spins/base/standard_deviation":
            return [*base, *wheels_of(self.base)]
        if self.feature and self.free and path.startswith(f"spins/{self.feature.name}/"):
            return [*free, *(wheels_of(self.free) if path.endswith("deviation") else [])]
        if path.endswith("error_bound"):
            return self.live.everything()
        drawn = [*wheels_of(self.base), *(wheels_of(self.free) if self.free else [])]
        return list(dict.fromkeys([*base, *free, *drawn]))

    def _free_stops(self) -> list[str]:
        return [f"stops:{self.feature.reels}"] if self.feature else []

    def _exact(self, source: str) -> list[str]:
        """What the fraction of a component depends on."""
        if self.feature is None or self.free is None or not source.startswith(f"{self.feature.name}."):
            return means(self.base, source)
        own = means(self.free, source.removeprefix(f"{self.feature.name}."))
        return [*own, *awards_of(self.base), *awards_of(self.free)] if own else []

    def _every_exact(self) -> list[str]:
        paths = [p for p in self.live.figures.leaves if p.startswith("components_exact/")]
        return list(dict.fromkeys(part for p in paths for part in self.depends(p)))


def _is_paid(pays: Callable[[int], Fraction], number: int) -> int:
    return int(pays(number) > 0)


def _over(ways: Expr, cycle: Expr) -> Expr:
    return ways / cycle


def _itself(cell: Expr) -> Expr:
    return cell
