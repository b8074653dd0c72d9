"""What carries the figures of a game with hold-and-spin, free spins and banked Keys (Codex).

Live are the lines, P(Free Spins), and their expected spins and line win: with a = sum over reels of rows n(Scatter) / L the
spins that one free spin adds, n spins of the wheel play n / (1 - a) and win that times the line win of one spin. The hold-and-spin
starts jointly over five windows and all lines, its end is an absorbing chain, and the policy is solved: values.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.exact.line_hits import line_hits
from workbench.game.features import FreeSpins
from workbench.report.xlsx.figures_sheet import Formula
from workbench.report.xlsx.formula import Expr, below_one, one_in, product, ratio, total
from workbench.report.xlsx.plain import Live, combination_formulas


class KeysRules:
    """Formulas and dependencies of one strip set's figures."""

    def __init__(self, live: Live) -> None:
        self.live = live
        game, strips = live.game, live.strips
        self.hold, self.free = game.hold_and_spin, game.free_spins
        base = strips.reels["base"]
        self.lines = live.lines("Lines", "base", line_hits(game, base))
        self.formulas: dict[str, Formula] = {
            **combination_formulas(game, self.lines),
            "cycle": lambda: self.lines.cycle,
            "components/lines": lambda: self.lines.expected(lambda award: award.coins) / game.bet.coins,
            "rtp": lambda: live.sum_of("components"),
        }
        if self.free:
            self._free_spins(self.free)

    def formula(self, path: str) -> Formula | None:
        """The closed form of a figure, or None."""
        return self.formulas.get(path)

    def _free_spins(self, feature: FreeSpins) -> None:
        live, name = self.live, feature.name
        law = live.sight.numbers(live.reels("base"), feature.trigger.symbol, feature.trigger.reels)
        begun = total(ways for k, ways in law.items() if k >= feature.trigger.least) / self.lines.cycle
        cell = live.figures.cell
        chance = f"features/{name}/probability"
        played, won = self._played(feature)
        parts = [f"components/{name}.lines", f"components/{name}.{feature.ladder}"]
        self.formulas |= {
            chance: lambda: begun,
            f"features/{name}/one_in": lambda: one_in(cell(chance)),
            f"features/{name}/spins": lambda: played,
            parts[0]: lambda: cell(chance) * won,
            f"features/{name}/mean_win": lambda: ratio(total(cell(p) for p in parts), cell(chance)),
        }
        if live.game.banked_keys is None:
            prize = f"features/{name}/fortune_wins_by_used_keys/0"
            self.formulas[parts[1]] = lambda: cell(chance) * cell(prize)

    def _played(self, feature: FreeSpins) -> tuple[Expr, Expr]:
        """Expected spins and line win of Free Spins, over both wheels."""
        live = self.live
        sheet = live.book.sheet("FreeSpins")
        sheet.width(30, 16, 18, 18, 18, 18)
        sheet.put(0, 0, "Free Spins: spins played and line win", "title")
        sheet.put(
            1, 0, "A free spin adds as many spins as Scatters in sight; rows x count / stops a reel.", "note"
        )
        sheet.head(
            3,
            ["collectable", "probability", "spins added by one", "line win of one spin", "spins", "line win"],
        )
        begun = live.wheels[feature.wheels.spins].mean
        assert begun is not None
        spun: dict[str, tuple[Expr, Expr]] = {}
        rows = []
        for i, collectable in enumerate(live.wheels[feature.wheels.collectable].chances):
            reels = self._set_of(feature, collectable)
            if reels not in spun:
                spun[reels] = self._one_spin(feature, reels, len(spun))
            row, (added, line_win) = 4 + i, spun[reels]
            sheet.put(row, 0, collectable, "name")
            chance = sheet.put(row, 1, live.wheels[feature.wheels.collectable].chance(collectable), "chance")
            more, one = sheet.put(row, 2, added, "number"), sheet.put(row, 3, line_win, "number")
            spins = sheet.put(row, 4, below_one(more, begun / (1 - more)), "number")
            rows.append((chance, spins, sheet.put(row, 5, spins * one, "number")))
        return total(c * s for c, s, _ in rows), total(c * w for c, _, w in rows)

    def _set_of(self, feature: FreeSpins, collectable: str) -> str:
        own = f"{feature.reels}.{collectable}"
        return own if own in self.live.strips.reels else feature.reels

    def _one_spin(self, feature: FreeSpins, name: str, place: int) -> tuple[Expr, Expr]:
        """Spins added by one free spin on these strips, and its line win."""
        live, game, again = self.live, self.live.game, feature.retrigger
        reels = live.reels(name)
        added = total(
            product([game.grid.rows[r], reels.reels[r].counts[again.symbol]]) / reels.reels[r].length
            for r in again.reels
        )
        hits = line_hits(game, live.strips.reels[name])
        lines = live.lines(f"LinesFree{place + 1 if place else ''}", name, hits)
        return added, lines.expected(lambda award: award.coins) / game.bet.coins

    # what has no closed form

    def depends(self, path: str) -> Sequence[str]:
        """The parts a figure depends on; the policy, and what it decides, on all that the game draws from."""
        if path == "lines_rtp_exact":
            return ["counts:base"]
        if path in ("hit_frequency", "hits"):
            return ["stops:base"]
        if path == "top_prize/value":
            return []
        if path == "keys/value":
            return self._free_parts()
        if path == "keys/won_per_round":
            return self._hold_parts()
        return self._of_features(path)

    def _of_features(self, path: str) -> Sequence[str]:
        hold, free, bank = self.hold, self.free, self.live.game.banked_keys
        if hold:
            head = f"features/{hold.name}"
            if path in (f"{head}/probability", f"{head}/one_in", f"{head}/with_free_spins"):
                return ["stops:base"]
            if path in (f"{head}/re_spins", f"components/{hold.name}.lines") or path.startswith(
                f"{head}/keys/"
            ):
                return self._hold_parts()
            if bank is None and path.startswith((head, f"components/{hold.name}.")):
                return self._hold_parts()
        if free:
            head = f"features/{free.name}"
            if self._never(path):
                return []
            if path.startswith((f"{head}/fortune_wins_by_used_keys", f"{head}/ladder_by_used_keys")):
                return self._free_parts()
            if bank is None and path.startswith(f"{head}/used_keys"):
                return []
            if bank is None and path.startswith(f"{head}/ladder"):
                return self._free_parts()
        return self._all_parts()

    def _never(self, path: str) -> bool:
        """Whether a level of the ladder lies below where Free Spins start, whatever the strips."""
        assert self.free is not None
        parts = path.split("/")
        if parts[:2] != ["features", self.free.name] or parts[2] not in ("ladder", "ladder_by_used_keys"):
            return False
        used = int(parts[3]) if parts[2] == "ladder_by_used_keys" else 0
        level = int(parts[-2]) + 1
        return level < min(self.free.start_level + used, self.live.game.ladder(self.free.ladder).levels)

    def _hold_parts(self) -> list[str]:
        if self.hold is None:
            return ["stops:base"]
        spun = "cells" if self.hold.spun == "position-reels" else "stops"
        return ["stops:base", f"{spun}:{self.hold.name}"]

    def _free_parts(self) -> list[str]:
        if self.free is None:
            return []
        wheels = self.free.wheels
        collectables = self.live.game.wheel(wheels.collectable).values
        sets = dict.fromkeys(self._set_of(self.free, c) for c in collectables)
        names = (wheels.spins, wheels.collectable, wheels.keys)
        return [*(f"stops:{name}" for name in sets), *(f"wheel:{name}" for name in names)]

    def _all_parts(self) -> list[str]:
        return [*self._hold_parts(), *self._free_parts()]
