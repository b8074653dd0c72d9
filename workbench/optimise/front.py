"""The search for a front: full searches that each ask for more of one objective, and variations of what they find.

Everything that meets the hard figures and strip rules goes into one archive, which keeps what nothing dominates. A pull
is a search of the game's own from scratch, with another seed, that asks for a figure a step beyond the best so far; the
step grows where that works and shrinks where it doesn't. Variations (:mod:`workbench.optimise.variations`) start at
members of the archive and are brought back to the RTP by the same search. All follows from the seed, whoever computes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import local
from typing import Any

from workbench.errors import EndlessFeatureError, StripSetError
from workbench.game.definition import GameDefinition
from workbench.optimise.asked import asked_of
from workbench.optimise.context import Progress
from workbench.optimise.dominance import Archive, Costs, front_of, spread
from workbench.optimise.gauge import Figures, Gauge, gauge_of, whole_gauge_of
from workbench.optimise.objectives import HITS, LINES, RTP, Objectives, Values
from workbench.optimise.preferences import NAMES
from workbench.optimise.rounds import keep_round, kept_round
from workbench.optimise.run import search_for
from workbench.optimise.study import StudySettings
from workbench.optimise.target import FigureTarget, Target, look_up, misses
from workbench.optimise.variations import varied
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes, sha256_of
from workbench.reels.strip_set import StripSet
from workbench.value.evaluate import figures_of

VARIED, DRAWN = 48, 10
BATCH = 8
STEP, GROWS, SHRINKS = 0.03, 1.5, 0.4
# a pulled figure holds within this share of itself, and stays by it inside the target's own range
SLACK = 0.005
PULLED = ("hit_frequency", "feature_share", "standard_deviation")
ERR = (EndlessFeatureError, StripSetError)


@dataclass(frozen=True)
class Member:
    """A set on the front, its figures as ``evaluate`` gives them, its objectives."""

    strips: StripSet
    figures: Figures
    values: Values
    costs: Costs


@dataclass(frozen=True)
class _Tools:
    """What one thread judges and mends by; evaluations keep parts, so threads don't share them."""

    gauge: Gauge
    whole: Gauge
    mended: Callable[[StripSet], StripSet]


@dataclass
class FrontSearch:
    """One search for a front; ``settings`` are those of a study, whose seed is that of the first pull.

    Each pull is followed by ``variations``, in whole batches of 8.
    """

    game: GameDefinition
    objectives: Objectives
    settings: StudySettings
    progress: Progress
    variations: int = VARIED
    archive: Archive[StripSet] = field(default_factory=lambda: Archive(at_zero=0))
    steps: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PULLED, STEP))

    def __post_init__(self) -> None:
        self._local = local()

    @property
    def freed(self) -> Target:
        """What is held while the objectives are traded."""
        return self.objectives.freed

    def run(self, pulls: int, start: StripSet | None) -> None:
        """Fill the archive; the first pull begins at ``start``. Late, it ends with what is there."""
        with ThreadPoolExecutor(max(self.settings.workers, 1)) as pool:
            for i in range(pulls):
                if i and self.settings.late:
                    return
                self._pull(i, start if i == 0 else None)
                self._vary(i, pool)

    def _pull(self, i: int, start: StripSet | None) -> None:
        name = PULLED[(i - 1) % len(PULLED)]
        target = self._asking(name) if i and self.archive.items else self.freed
        settings = replace(
            self.settings, seed=self.settings.seed + i, name=f"{self.settings.name}.pull-{i + 1}"
        )
        before = self._best(name)
        kept = kept_round(settings, self.game)
        strips = kept[1] if kept else self._searched(target, settings, name if i else None, start)
        if not kept and not settings.late:
            keep_round(settings, 0.0, strips)
        if costs := self._costs(strips):
            self.archive.offer(costs, strips)
        if target is not self.freed and before is not None:
            self.steps[name] *= GROWS if (self._best(name) or 0.0) < before else SHRINKS

    def _searched(
        self, target: Target, settings: StudySettings, name: str | None, start: StripSet | None
    ) -> StripSet:
        """From the best by an objective if that gets further, else from ``start`` or from scratch."""

        def told(stage: str, done: int, of: int, best: float) -> None:
            self.progress(f"{settings.name.rpartition('.')[2]}: {stage}", done, of, best)

        search = search_for(self.game, target, settings, told)
        if name is not None and self.archive.items and target is not self.freed:
            k = NAMES.index(name)
            best = min(zip(self.archive.costs, self.archive.items, strict=True), key=lambda one: one[0][k])
            found = search.run_briefly(best[1])
            costs = self._costs(found)
            if costs and costs[k] < best[0][k]:
                return found
        return search.run(start) if name is None else search.run_briefly(start)

    def _best(self, name: str) -> float | None:
        """The least cost of an objective in the archive."""
        return min((costs[NAMES.index(name)] for costs in self.archive.costs), default=None)

    def _asking(self, name: str) -> Target:
        """The target with a figure a step beyond the best; the freed one itself where its range leaves no room."""
        best, sign = self._best(name), self.objectives.signs[name]
        assert best is not None
        goal = best * sign * (1.0 - sign * self.steps[name])
        figure = {"feature_share": LINES, "hit_frequency": HITS}.get(name, name)
        if name == "feature_share":
            rtp = self.freed.figure(RTP)
            assert rtp is not None and rtp.value is not None
            goal = (1.0 - min(goal, 1.0)) * rtp.value
        own = self.freed.figure(figure)
        low, high = own.range if own else (0.0, float("inf"))
        wanted = min(max(goal, low * (1 + SLACK)), high * (1 - SLACK))
        if wanted <= 0 or not low <= wanted <= high:
            return self.freed
        others = tuple(f for f in self.freed.figures if f.figure != figure)
        asked = FigureTarget(figure=figure, value=wanted, tolerance=SLACK * wanted)
        return self.freed.model_copy(update={"figures": (*others, asked)})

    def _vary(self, i: int, pool: ThreadPoolExecutor) -> None:
        """Variations in batches; a batch starts at the archive as it was before it."""
        for first in range(0, self.variations, BATCH):
            if self.settings.late or not self.archive.items:
                return
            streams = [f"{self.settings.seed}/variation/{i}/{j}" for j in range(first, first + BATCH)]
            for candidates in list(pool.map(self._variation, streams)):
                for costs, strips in candidates:
                    self.archive.offer(costs, strips)
            least = min(costs[0] for costs in self.archive.costs)
            self.progress(f"pull-{i + 1}: variations", first + BATCH, self.variations, least)

    def _variation(self, stream: str) -> list[tuple[Costs, StripSet]]:
        """A variation of a member and what brings it back to the RTP, those that may be on the front."""
        if self.settings.late:
            return []
        rng = random.Random(stream)
        drawn = (varied(rng.choice(self.archive.items), rng) for _ in range(DRAWN))
        changed = next((one for one in drawn if self._mendable(one)), None)
        if changed is None:
            return []
        found = [changed]
        with suppress(*ERR):
            found.append(self._tools().mended(changed))
        if found[-1] == changed:
            found = [changed]
        return [(costs, strips) for strips in found if (costs := self._costs(strips))]

    def _mendable(self, strips: StripSet) -> bool:
        """Whether all holds but the RTPs, which a search mends."""
        if breaches(strips, self.game, self.freed.strip_rules):
            return False
        kept = (
            f
            for f in self.freed.figures
            if f.figure != RTP and not f.figure.startswith("strategies.") and f.importance == "hard"
        )
        others = self.freed.model_copy(update={"figures": tuple(kept)})
        try:
            return not misses(others, self._tools().gauge(strips), known_only=True)
        except ERR:
            return False

    def _costs(self, strips: StripSet) -> Costs | None:
        """The costs of a set that the archive would take, else None; evaluated in full only if the target needs that."""
        tools = self._tools()
        if breaches(strips, self.game, self.freed.strip_rules):
            return None
        try:
            quick = tools.gauge(strips)
            if not self.objectives.holds(quick, known_only=True):
                return None
            costs = self.objectives.costs(self.objectives.values(tools.whole(strips)))
            if not self.archive.takes(costs):
                return None
            known = all(
                look_up(quick, f.figure) is not None for f in self.freed.figures if f.importance == "hard"
            )
            return costs if known or self._member(strips) else None
        except ERR:
            return None

    def _tools(self) -> _Tools:
        if not hasattr(self._local, "tools"):
            settings = replace(self.settings, storage=None, leader=None, workers=1)
            search = search_for(self.game, self.freed, settings, lambda *_: None)
            self._local.tools = _Tools(
                gauge_of(self.game, self.freed), whole_gauge_of(self.game), search.mended
            )
        tools: _Tools = self._local.tools
        return tools

    def members(self, most: int) -> list[Member]:
        """At most ``most`` sets that stand for the archive, those at the RTP first, each evaluated in full.

        None is dominated by another; who misses a figure that only the full evaluation gives is replaced.
        """
        known: dict[int, tuple[StripSet, Member | None]] = {}
        while True:
            items, costs = self.archive.items, self.archive.costs
            chosen = [items[k] for k in spread(costs, most, self.archive.at_zero)]
            for strips in chosen:
                if id(strips) not in known:
                    known[id(strips)] = strips, self._member(strips)
            failed = [strips for strips in chosen if known[id(strips)][1] is None]
            for strips in failed:
                self.archive.drop(strips)
            if not failed:
                found = [member for strips in chosen if (member := known[id(strips)][1])]
                kept = [found[k] for k in front_of([member.costs for member in found])]
                return sorted(kept, key=lambda member: member.costs)

    def _member(self, strips: StripSet) -> Member | None:
        figures: dict[str, Any] = figures_of(self.game, strips, None, sha256_of(canonical_bytes(strips)))
        asked = asked_of(self.game, self.freed, strips, figures)
        if not self.objectives.holds(asked, known_only=False):
            return None
        values = self.objectives.values(figures)
        return Member(strips, figures, values, self.objectives.costs(values))
