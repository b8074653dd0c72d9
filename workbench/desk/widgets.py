"""The one door to ipywidgets: the desk on the screen. It holds no state; every event calls a method of the desk.

Figures come first: an event shows the quick figures at once, the deviations and the RTP of every strategy follow from a
thread after a pause, and pictures only on demand.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer
from typing import Any

import ipywidgets as w

from workbench.desk import panels
from workbench.desk.desk import Desk
from workbench.desk.grids import HeatGrid, StripGrid
from workbench.desk.sliders import CountSliders, WeightSliders
from workbench.desk.work import Work
from workbench.errors import WorkbenchError

PAUSE = 0.35
"""Seconds without an edit after which the slower figures are worked out."""


TICKS = 10
"""Pauses in which the bar of work that doesn't know how far it is goes round once."""


class Board:
    """The widgets of a desk; ``box`` holds them all."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._timer: Timer | None = None
        self.message = _named(w.HTML(), "wb-message")
        self.figures, self.bars = _named(w.HTML(), "wb-live"), _named(w.HTML(), "wb-bars")
        self.range, self.breaches = _named(w.HTML(), "wb-range"), _named(w.HTML(), "wb-rules")
        self.grid = StripGrid(desk, self.act)
        self.counts, self.weights = CountSliders(desk, self.act), WeightSliders(desk, self.act)
        self.heat = HeatGrid(desk, self.act)
        self.study, self.law = _Study(self), _Law(self)
        self.box = self._laid_out()
        desk.watch(self.refresh)
        self.refresh()

    def act(self, action: Callable[[], Any]) -> None:
        """Do something; an error is shown in place, and what the widgets show is what is on the desk."""
        try:
            action()
            self.message.value = ""
        except WorkbenchError as error:
            self.message.value = panels.error(str(error))
            self.refresh()

    def refresh(self) -> None:
        """Show the state, figures first."""
        desk = self.desk
        now, start = desk.figures, desk.starting_figures
        self.figures.value = panels.figures(now, start)
        self.bars.value = panels.components(now, start)
        if any(name.startswith("strategies.") for name in now):
            self.range.value = panels.strategy_range(now, start)
        self.breaches.value = panels.broken(desk.breaches)
        for part in (self.grid, self.counts, self.weights):
            part.refresh()
        self.heat.fade()
        self._later()

    def _later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = Timer(PAUSE, self._deepen)
        self._timer.daemon = True
        self._timer.start()

    def _deepen(self) -> None:
        desk, state = self.desk, self.desk.state
        if any(name.endswith("long_run_standard_deviation") for name in desk.figures) or not desk.strategies:
            return
        start = desk.deepen(state.start, state.strategy)
        now = desk.deepen(state.strips, state.strategy)
        if desk.state is state:
            self.figures.value = panels.figures(now, start)
            self.range.value = panels.strategy_range(now, start)

    def _laid_out(self) -> w.VBox:
        left = w.VBox([self.grid.box], layout=w.Layout(width="344px", flex="0 0 auto"))
        tabs = w.Tab([self.counts.box, self.weights.box, self.heat.box, self.study.box, self.law.box])
        tabs.titles = ("Counts", "Weights", "Heat map", "Optimise", "Distribution")
        right = w.VBox(
            [self.figures, w.HBox([self.bars, self.range], layout=WRAP), self.breaches, tabs],
            layout=w.Layout(flex="1 1 480px", min_width="440px", padding="0 0 0 12px"),
        )
        body = w.HBox([left, right], layout=WRAP)
        box = w.VBox([w.HTML(panels.STYLE), self._bar(), self.message, body])
        return _named(box, "wb-desk")

    def _bar(self) -> w.HBox:
        desk = self.desk
        undo = _button("Undo", "wb-undo", lambda: self.act(desk.undo))
        redo = _button("Redo", "wb-redo", lambda: self.act(desk.redo))
        path = _named(
            w.Text(value=f"{desk.strips.name}-tuned.json", layout=w.Layout(width="220px")), "wb-path"
        )
        save = _button("Save", "wb-save", lambda: self.act(lambda: self._said(desk.save(path.value))))
        load = _button("Load", "wb-load", lambda: self.act(lambda: desk.load(path.value)))
        compare = _button("Compare", "wb-compare", lambda: self.act(self._compare))
        parts: list[Any] = [undo, redo, path, save, load, compare]
        if desk.strategies:
            chosen = w.Dropdown(
                options=desk.strategies, value=desk.state.strategy, description="Strategy",
                layout=w.Layout(width="260px"),
            )  # fmt: skip
            chosen.observe(lambda change: self.act(lambda: desk.set_strategy(change["new"])), names="value")
            parts.append(_named(chosen, "wb-strategy"))
        return w.HBox(parts, layout=WRAP)

    def _said(self, saved: Any) -> None:
        self.breaches.value = panels.saved(str(saved.loaded.path), saved.sha256)

    def _compare(self) -> None:
        self.law.out.value = self.desk.compare()._repr_html_()


WRAP = w.Layout(flex_flow="row wrap", align_items="flex-start")


def _named(widget: Any, name: str) -> Any:
    widget.add_class(name)
    return widget


def _button(text: str, name: str, action: Callable[[], None], width: str = "auto") -> Any:
    button = w.Button(description=text, layout=w.Layout(width=width))
    button.on_click(lambda _: action())
    return _named(button, name)


class _Study:
    """Optimise from here: a study in the background, stopped on demand, its result offered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.work: Work | None = None
        self.rtp = _named(w.Text(description="RTP", placeholder="as the target"), "wb-target")
        self.trials = w.IntText(value=60, description="Trials")
        self.begin = _button("Optimise from here", "wb-optimise", lambda: board.act(self._begin))
        self.end = _button("Stop", "wb-stop", self._stop)
        self.use = _button("Take the result", "wb-take", lambda: board.act(board.desk.take))
        self.end.disabled = self.use.disabled = True
        self.progress = _named(w.IntProgress(layout=w.Layout(width="380px")), "wb-progress")
        self.text = _named(w.HTML(), "wb-study")
        buttons = w.HBox([self.begin, self.end, self.use], layout=WRAP)
        self.box = w.VBox([w.HBox([self.rtp, self.trials], layout=WRAP), buttons, self.progress, self.text])

    def _begin(self) -> None:
        text = self.rtp.value.strip()
        try:
            rtp = float(text) if text else None
        except ValueError:
            raise WorkbenchError(f"RTP: must be a number such as 0.96, but got {text!r}") from None
        self.begin.disabled, self.end.disabled = True, False
        self.work = self.board.desk.optimise(rtp, max(1, self.trials.value), changed=self._changed)

    def _stop(self) -> None:
        self.text.value = "stopping ..."
        if self.work is not None:
            self.work.stop()

    def _changed(self, work: Work) -> None:
        self.progress.max, self.progress.value = max(work.of, 1), work.done
        self.text.value = panels.paragraph(work.text)
        if work.text != "done":
            return
        self.begin.disabled, self.end.disabled = False, True
        self.use.disabled = work.value is None
        self.text.value = panels.error(work.error) or panels.paragraph(repr(work.value))


class _Law:
    """The distribution of a round's win, and comparisons: on demand, in the background, let go of on demand."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.work: Work | None = None
        self.begin = _button("Draw the law of a round", "wb-law", lambda: board.act(self._begin))
        self.end = _button("Stop", "wb-law-stop", self._stop)
        self.end.disabled = True
        self.progress = w.IntProgress(max=TICKS, layout=w.Layout(width="380px", visibility="hidden"))
        self.out = _named(w.HTML(), "wb-out")
        self.box = w.VBox([w.HBox([self.begin, self.end], layout=WRAP), self.progress, self.out])

    def _begin(self) -> None:
        self._shows(True)
        self.out.value = panels.paragraph("working out the law ...")
        self.work = self.board.desk.law(changed=self._changed)
        self._tick(self.work)

    def _tick(self, work: Work) -> None:
        """A bar that goes round while the work lasts, which doesn't know how far it is."""
        if work is self.work and work.running:
            self.progress.value = self.progress.value % TICKS + 1
            timer = Timer(PAUSE, self._tick, [work])
            timer.daemon = True
            timer.start()

    def _stop(self) -> None:
        if self.work is not None:
            self.work.stop()
        self._shows(False)
        self.out.value = panels.paragraph("stopped")

    def _shows(self, working: bool) -> None:
        self.begin.disabled, self.end.disabled = working, not working
        self.progress.layout.visibility = "visible" if working else "hidden"

    def _changed(self, work: Work) -> None:
        if work is self.work and not work.stopped:
            self._shows(False)
            self.out.value = panels.error(work.error) if work.error else work.value._repr_html_()
