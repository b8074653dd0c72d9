"""The desk: every action a method, the state a value. It shows itself in a notebook by :mod:`workbench.desk.widgets`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from workbench import api
from workbench.desk.live import Live, LiveFigures
from workbench.desk.state import DeskState, History, Selection
from workbench.desk.work import Work
from workbench.display.objects import Compared, Figures, Optimised, Sensitivity, Strips
from workbench.errors import UsageError
from workbench.reels.breaches import Breach
from workbench.value.round import default_strategy, strategies


class Desk:
    """A strip set on the desk: ``Desk("codex-of-fortune/strategy")``, a path, or a set at hand.

    An edit that leaves no playable set raises StripSetError, UsageError or EndlessFeatureError and changes nothing.
    Reels and stops count from 0. ``desk.state`` says what is on the desk, ``desk.figures`` the live exact figures.
    """

    def __init__(self, strips: str | Path | Strips, game: str | Path | None = None) -> None:
        one = api.load(strips, game)
        first = next(iter(one.set.reels))
        state = DeskState(one, one, default_strategy(one.game), Selection(first, 0, 0))
        self._live = Live(one.game)
        self._figures: dict[tuple[str, str | None], LiveFigures] = {}
        self._history = History(state)
        self._watchers: list[Callable[[], None]] = []
        self._widgets: Any = None
        self.heat: Sensitivity | None = None
        self.offer: Optimised | None = None
        self.evaluated(one, state.strategy)

    @property
    def state(self) -> DeskState:
        """The strip set, its starting set, the strategy, the picked stop."""
        return self._history.now

    @property
    def strips(self) -> Strips:
        """The strip set as it is."""
        return self.state.strips

    @property
    def figures(self) -> LiveFigures:
        """The live exact figures by their paths, such as ``rtp`` and ``components.lines``."""
        return self.evaluated(self.strips, self.state.strategy)

    @property
    def starting_figures(self) -> LiveFigures:
        """Those of the starting set, under the same strategy."""
        return self.evaluated(self.state.start, self.state.strategy)

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """The strip rules that the set breaks."""
        return self.strips.breaches

    @property
    def strategies(self) -> tuple[str, ...]:
        """The player's strategies to choose from; none in a game without choices."""
        return strategies(self.strips.game)

    def evaluated(self, strips: Strips, strategy: str | None) -> LiveFigures:
        """The quick figures of a set, with the deviations where they are known."""
        key = strips.sha256, strategy
        if key not in self._figures:
            if len(self._figures) >= MOST_KEPT:
                self._figures.pop(next(iter(self._figures)))
            self._figures[key] = self._live.quick(strips, strategy)
        return self._figures[key]

    def deepen(self, strips: Strips, strategy: str | None) -> LiveFigures:
        """All figures of a set, kept from then on."""
        found = self._live.slow(strips, strategy)
        self._figures[strips.sha256, strategy] = found
        return found

    def exact(self) -> Figures:
        """The whole table of exact figures, as ``workbench.evaluate`` gives it."""
        return api.evaluate(self.strips, self.state.strategy)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call a function after every change of the state."""
        self._watchers.append(watcher)

    # edits

    def swap(self, reel: int, stop: int, symbol: str, reels: str | None = None) -> Desk:
        """Another symbol on a stop; ``reels`` None is the reel set that is shown."""
        return self._edit(self.strips.swap(self._reels(reels), reel, stop, symbol))

    def insert(self, reel: int, stop: int, symbol: str, reels: str | None = None) -> Desk:
        """One stop more, before ``stop``."""
        return self._edit(self.strips.insert(self._reels(reels), reel, stop, symbol))

    def delete(self, reel: int, stop: int, reels: str | None = None) -> Desk:
        """One stop less."""
        return self._edit(self.strips.delete(self._reels(reels), reel, stop))

    def move(self, reel: int, stop: int, to: int, reels: str | None = None) -> Desk:
        """A stop put elsewhere on its strip."""
        return self._edit(self.strips.move(self._reels(reels), reel, stop, to))

    def set_count(self, reel: int, symbol: str, count: int, reels: str | None = None) -> Desk:
        """So many stops with a symbol on a reel."""
        return self._edit(self.strips.set_count(self._reels(reels), reel, symbol, count))

    def set_weight(self, wheel: str, value: str, weight: int) -> Desk:
        """Another weight on a wheel; 0 leaves the value out."""
        return self._edit(self.strips.set_weight(wheel, value, weight))

    def set_cell_weight(self, name: str, stage: int, symbol: str, weight: int, cell: int = 0) -> Desk:
        """Another weight on a cell of a position reel; 0 leaves the symbol out."""
        return self._edit(self.strips.set_cell_weight(name, stage, symbol, weight, cell))

    def replace(self, strips: Strips) -> Desk:
        """Another strip set of the same game."""
        if strips.game.sha256 != self.strips.game.sha256:
            raise UsageError(f"strip set: must be of {self.strips.game.game}, but is of {strips.game.game}")
        return self._edit(strips)

    def _edit(self, strips: Strips) -> Desk:
        """The state only changes once the edited set has figures."""
        self.evaluated(strips, self.state.strategy)
        return self._then(self._history.then(self.state.with_strips(strips)))

    def _reels(self, reels: str | None) -> str:
        return self.state.selection.reels if reels is None else reels

    # the state

    def undo(self) -> Desk:
        """A step back."""
        return self._then(self._history.undo())

    def redo(self) -> Desk:
        """A step forth again."""
        return self._then(self._history.redo())

    def select(self, reel: int, stop: int, reels: str | None = None) -> Desk:
        """Pick a stop."""
        at = Selection(self._reels(reels), reel, stop)
        every = self.strips.set.reels
        if at.reels not in every:
            raise UsageError(f"reel set: must be one of {', '.join(every)}, but got {at.reels!r}")
        if not 0 <= reel < len(every[at.reels]) or not 0 <= stop < len(every[at.reels][reel]):
            raise UsageError(f"stop: there is no stop {stop} on reel {reel + 1} of {at.reels}")
        return self._now(replace(self.state, selection=at))

    def set_strategy(self, strategy: str) -> Desk:
        """Another strategy of the player."""
        self.evaluated(self.strips, strategy)
        return self._now(replace(self.state, strategy=strategy))

    def _now(self, state: DeskState) -> Desk:
        """A change that isn't undone by itself."""
        return self._then(replace(self._history, now=state))

    def _then(self, history: History) -> Desk:
        self._history = history
        for watcher in self._watchers:
            watcher()
        return self

    # files

    def save(self, path: str | Path) -> Strips:
        """Write the strip set."""
        return self.strips.save(path)

    def load(self, strips: str | Path | Strips, game: str | Path | None = None) -> Desk:
        """Put another strip set of the same game on the desk; undo brings the one before back.

        ``game`` is its definition file, where that doesn't stand beside it.
        """
        return self.replace(api.load(strips, game))

    def compare(self, other: str | Path | Strips | None = None) -> Compared:
        """The starting set, or another one, against the set on the desk."""
        return api.compare(
            self.state.start if other is None else other, self.strips, strategy=self.state.strategy
        )

    # long work

    def sensitivity(self, changed: Callable[[Work], None] = lambda _: None) -> Work:
        """Every smallest change of the reel set that is shown, in the background; becomes ``desk.heat``."""
        from workbench.sensitivity.sensitivity import count_changes

        one, strategy, reels = self.strips, self.state.strategy, self.state.selection.reels
        total = count_changes(one.game, one.set, [reels])

        def task(told: Callable[[int, int, str], None], _: Event) -> Sensitivity:
            done = [0]

            def step(changes: int) -> None:
                done[0] += changes
                told(done[0], total, "changes")

            self.heat = api.sensitivity(one, strategy, [reels], step)
            return self.heat

        return Work("sensitivity", task, changed).start()

    def optimise(
        self,
        rtp: float | None = None,
        trials: int = 60,
        timeout: float | None = None,
        seed: int = 1,
        changed: Callable[[Work], None] = lambda _: None,
    ) -> Work:
        """A study from here on, in the background; stopped, it offers its best so far as ``desk.offer``."""
        one = self.strips

        def task(told: Callable[[int, int, str], None], stop: Event) -> Optimised:
            self.offer = api.optimise(
                one,
                rtp,
                trials=trials,
                timeout=timeout,
                seed=seed,
                progress=lambda stage, done, of, best: told(done, of, f"{stage}, best score {best:.4g}"),
                stop=stop,
            )
            return self.offer

        return Work("optimise", task, changed, offers=True).start()

    def law(self, quick: bool = True, changed: Callable[[Work], None] = lambda _: None) -> Work:
        """The law of a round, in the background. Stopped, its value is dropped: sums under way are not cut short."""
        one, strategy = self.strips, self.state.strategy
        return Work("law", lambda *_: api.law(one, strategy, quick), changed).start()

    def take(self) -> Desk:
        """Put the strip set that a study offers on the desk."""
        if self.offer is None:
            raise UsageError("take: no study has offered a strip set")
        return self.replace(self.offer.strips)

    # showing

    def __repr__(self) -> str:
        return f"<Desk {self.state!r}: rtp {self.figures['rtp']:.10g}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget; a text where ipywidgets isn't installed."""
        try:
            from workbench.desk.widgets import Board
        except ModuleNotFoundError:
            return {"text/plain": f"{self!r} (pip install ipywidgets shows it as a widget)"}
        if self._widgets is None:
            self._widgets = Board(self)
        return self._widgets.box._repr_mimebundle_(**kwargs)


MOST_KEPT = 64
