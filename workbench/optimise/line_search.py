"""The search for line games: counts by a study, the order of stops by swaps, the RTP to the last ppm by pairs of changes.

The study proposes how symbols are shared out, scored on exact figures. What the best proposal misses is then mended step
by step: while the RTP is off, by the one or two changed stops that the gradient (:mod:`workbench.optimise.line_moves`) says
come nearest; while what depends on the order of stops is off, by swaps. Each step is judged on exact figures.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property

from workbench.errors import EndlessFeatureError, TargetError
from workbench.game.definition import GameDefinition
from workbench.optimise.base_strips import swapped
from workbench.optimise.context import FAR, Run
from workbench.optimise.line_drafts import Held, LineDrafts, replaced
from workbench.optimise.line_moves import Change, Gradient, gradient, nearest_pairs
from workbench.optimise.line_score import asked_figures, line_score
from workbench.optimise.study import Values, run_study
from workbench.optimise.target import look_up
from workbench.reels.breaches import breaches
from workbench.reels.strip_set import StripSet
from workbench.value.line_round import LineRound, line_round

NEAR = 6.0
STEPS, FEW_STEPS = 60, 2
PAIRS = 40
NEAREST = 8
TRIED = 12
SWAPS = 400
BREACH = 10.0


@dataclass(frozen=True)
class LineSearch:
    """One run of the search; ``steps`` of mending at most."""

    run_of: Run
    steps: int = STEPS

    @property
    def game(self) -> GameDefinition:
        """The game."""
        return self.run_of.game

    @cached_property
    def drafts(self) -> LineDrafts:
        """What a study may propose."""
        return LineDrafts(self.game, self.run_of.target)

    def check_reach(self) -> None:
        """Raise TargetError for an RTP above what any strips could pay, or for lengths no strip can have."""
        for name in self.drafts.sets:
            low, high = self.drafts.stops(name)
            if low > high:
                raise TargetError(
                    f"strip_rules: reels.{name} can't have at least {low} and at most {high} stops"
                )
        wanted = self.run_of.target.figure("rtp")
        if wanted and wanted.importance == "hard" and wanted.range[1] < 0:
            raise TargetError(f"rtp: must not be negative, but got {wanted.range[1]:g}")
        if wanted and not self.game.features:
            pays = [coins for table in self.game.paytable.values() for coins in table.values()]
            pays += [coins for mixed in self.game.mixed for coins in mixed.pays.values()]
            pays += [coins for anywhere in self.game.anywhere for coins in anywhere.pays.values()]
            wild = self.game.wild
            factor = (
                wild.multiplier ** (self.game.reel_count if wild.multiplies == "each" else 1) if wild else 1
            )
            reach = max(pays, default=0) * factor * len(self.game.lines) / self.game.bet.coins
            if wanted.range[0] > reach:
                raise TargetError(
                    f"rtp: {wanted.range[0]:.6g} is out of reach; no strips pay more than {reach:.6g}"
                )

    def run(self, start: StripSet | None) -> StripSet:
        """The best strip set found. The caller judges whether it meets the target."""
        return self._mended(self._found() if start is None else start)

    def run_briefly(self, start: StripSet | None) -> StripSet:
        """The same with few steps of mending: what no strips meet isn't tried for long."""
        return replace(self, steps=FEW_STEPS).run(start)

    def mended(self, strips: StripSet) -> StripSet:
        """The RTP brought back by the one or two changed stops that come nearest; other figures go where they go."""
        value = self._worth(strips)
        missing = self._missing(value) if value else 0.0
        if value is None or not missing or strips.stop_weights:
            return strips
        wanted = tuple(f for f in self.run_of.target.figures if f.figure == self._wanted())
        only = self.run_of.target.model_copy(update={"figures": wanted})
        rng = self.run_of.rng("mend", 1)
        best, least = strips, line_score(value, only)
        for _, changes in nearest_pairs(self._gradient(value), self._changes(strips), missing, NEAREST):
            if least == 0.0:
                break
            candidate = self._applied(strips, changes, rng)
            worth = None if self._broken(candidate) else self._worth(candidate)
            if worth and line_score(worth, only) < least:
                best, least = candidate, line_score(worth, only)
        return best

    def _found(self) -> StripSet:
        trials = run_study(
            self.drafts.space(),
            lambda number, values: self._judged(self._draft(number, values)),
            self.run_of.settings_for("lines"),
            met=NEAR,
            on_trial=self.run_of.report("strips"),
        )
        best = min(trials, key=lambda t: (t.score, t.number))
        return self._draft(best.number, best.values)

    @cached_property
    def _placed(self) -> dict[tuple[str, int], Held]:
        return {}

    def _draft(self, number: int, values: Values) -> StripSet:
        """The strip set of a trial; the same number and values give the same one."""
        for name in self.drafts.sets:
            key = (name, int(values[f"{name}.stops"]))
            if key not in self._placed:
                self._placed[key] = self.drafts.held(*key, self.run_of.rng(f"marks {key}", 0))
        return self.drafts.strip_set(values, self.run_of.rng("lines", number), self._placed)

    def _worth(self, strips: StripSet) -> LineRound | None:
        """The set's worth; None if its free games have no end."""
        try:
            return line_round(self.game, strips)
        except EndlessFeatureError:
            return None

    def _judged(self, strips: StripSet) -> float:
        """The score of a set, broken strip rules included."""
        value = self._worth(strips)
        if value is None:
            return FAR
        return line_score(value, self.run_of.target) + BREACH * self._broken(strips)

    def _broken(self, strips: StripSet) -> int:
        return len(breaches(strips, self.game, self.run_of.target.strip_rules))

    def _mended(self, strips: StripSet) -> StripSet:
        """Step by step to the target; a step that doesn't help is followed by a random one."""
        rng = self.run_of.rng("mend", 0)
        best, least = strips, self._judged(strips)
        now, score = best, least
        for step in range(self.steps):
            self.run_of.progress("mending", step, self.steps, least)
            if least == 0.0 or self.run_of.settings.late:
                break
            after, judged = self._step(now, score, rng)
            if judged < score:
                now, score = after, judged
            else:
                now = self._shaken(best, rng)
                score = self._judged(now)
            if score < least:
                best, least = now, score
        return best

    def _step(self, strips: StripSet, score: float, rng: random.Random) -> tuple[StripSet, float]:
        """The better of a step of the RTP and swaps of stops."""
        value = self._worth(strips)
        missing = self._missing(value) if value else 0.0
        found = (strips, score)
        if value and missing and not strips.stop_weights:
            found = self._changed(strips, value, missing, score, rng)
        if found[1] > 0 and found[1] >= score * 0.999:
            found = min(found, self._swapped(strips, score, rng), key=lambda one: one[1])
        return found

    def _wanted(self) -> str | None:
        """The figure the gradient goes for."""
        for path in ("rtp", "components.lines"):
            figure = self.run_of.target.figure(path)
            if figure and figure.value is not None:
                return path
        return None

    def _missing(self, value: LineRound) -> float:
        path = self._wanted()
        figure = self.run_of.target.figure(path) if path else None
        if path is None or figure is None or figure.value is None:
            return 0.0
        found = look_up(asked_figures(value, self.run_of.target), path)
        return 0.0 if found is None else figure.value - found

    def _gradient(self, value: LineRound) -> Gradient:
        base, bet = value.base.spin, self.game.bet.coins
        whole = self._wanted() == "rtp"
        later = float(value.free_mean) if whole else 0.0
        table = gradient(
            self.game, base.law, base.reels, lambda a: float(base.coins(a)) / bet + later * base.spins(a)
        )
        if whole and value.free and value.feature and value.feature.reels == "base":
            free, played = value.free.spin, float(value.played)
            table = table.plus(
                gradient(
                    self.game,
                    free.law,
                    free.reels,
                    lambda a: played * (float(free.coins(a)) / bet + later * free.spins(a)),
                )
            )
        return table

    def _changes(self, strips: StripSet) -> list[Change]:
        """Every change of one symbol of a base strip into another that may stand there."""
        index, movable = self.game.symbol_index, set(self.drafts.movable)
        found = []
        for r, strip in enumerate(strips.reels["base"]):
            here = movable & set(strip)
            comes = here | ((movable - {self.game.symbols.wild}) & self.drafts.allowed("base", r))
            found += [(r, index[a], index[b]) for a in sorted(here) for b in sorted(comes) if a != b]
        return found

    def _changed(
        self, strips: StripSet, value: LineRound, missing: float, score: float, rng: random.Random
    ) -> tuple[StripSet, float]:
        """The best of the changes of one or two stops that come nearest to the missing RTP."""
        best = (strips, score)
        proposals = nearest_pairs(self._gradient(value), self._changes(strips), missing, PAIRS)
        for _, changes in proposals[:PAIRS]:
            candidate = self._applied(strips, changes, rng)
            judged = self._judged(candidate)
            if judged < best[1]:
                best = (candidate, judged)
            if best[1] == 0.0:
                break
        return best

    def _applied(self, strips: StripSet, changes: tuple[Change, ...], rng: random.Random) -> StripSet:
        """The changes on stops of the symbols that go, those that break least of the strip rules."""
        names = self.game.symbols.all
        tries = TRIED if self.game.strip_rules or self.run_of.target.strip_rules else 1
        found: list[tuple[int, int, StripSet]] = []
        for _ in range(tries):
            reels = list(strips.reels["base"])
            for r, goes, comes in changes:
                stops = [i for i, s in enumerate(reels[r]) if s == names[goes]]
                reels[r] = replaced(reels[r], rng.choice(stops), names[comes])
            candidate = strips.with_reels("base", tuple(reels))
            broken = self._broken(candidate) if tries > 1 else 0
            if not broken:
                return candidate
            found.append((broken, len(found), candidate))
        return min(found)[2]

    def _swapped(self, strips: StripSet, score: float, rng: random.Random) -> tuple[StripSet, float]:
        """Stops change places, reel by reel, as long as that helps; counted symbols stay where they are."""
        best, tried = (strips, score), 0
        helped = 0
        while tried - helped < SWAPS // 4 and tried < SWAPS and best[1] > 0:
            tried += 1
            reels = swapped(best[0].reels["base"], rng)
            if self._marks_moved(best[0].reels["base"], reels):
                continue
            candidate = best[0].with_reels("base", reels)
            judged = self._judged(candidate)
            if judged < best[1]:
                best, helped = (candidate, judged), tried
        return best

    def _marks_moved(self, before: tuple[tuple[str, ...], ...], after: tuple[tuple[str, ...], ...]) -> bool:
        movable = set(self.drafts.movable)
        return any(
            a != b and not {a, b} <= movable
            for one, two in zip(before, after, strict=True)
            for a, b in zip(one, two, strict=True)
        )

    def _shaken(self, strips: StripSet, rng: random.Random) -> StripSet:
        """A random change, so that other pairs come up."""
        changes = self._changes(strips)
        return self._applied(strips, (rng.choice(changes),), rng) if changes else strips
