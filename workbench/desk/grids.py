"""Strips as columns of buttons: one grid to pick stops and edit them, one that shows sensitivities and applies swaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w
import numpy as np

from workbench.desk import panels
from workbench.desk.desk import Desk
from workbench.desk.work import Work
from workbench.display.html import colour
from workbench.sensitivity.changes import Swap, allowed_symbols

Act = Callable[[Callable[[], Any]], None]
COLUMN, TALL = "62px", "560px"


class Columns:
    """Buttons by reel and stop, made as strips grow and hidden as they shrink."""

    def __init__(self, reels: int, clicked: Callable[[int, int], None], name: str) -> None:
        self._clicked, self._name = clicked, name
        self._layout = w.Layout(width=COLUMN, height="20px", margin="0", flex="0 0 auto")
        self._styles: dict[str, Any] = {}
        self._buttons: list[list[Any]] = [[] for _ in range(reels)]
        self._columns = [w.VBox([], layout=w.Layout(width=COLUMN, overflow="visible")) for _ in range(reels)]
        heads = [
            w.HTML(f"<b>reel {r + 1}</b>", layout=w.Layout(width=COLUMN, margin="0")) for r in range(reels)
        ]
        for head in heads:
            head.add_class("wb-head")
        scrolled = w.Layout(
            max_height=TALL, overflow="hidden auto", flex="0 0 auto", align_items="flex-start"
        )
        rows = w.HBox(self._columns, layout=scrolled)
        self.box = w.VBox([w.HBox(heads), rows])

    def show(self, texts: Sequence[Sequence[tuple[str, str, str]]]) -> None:
        """By reel and stop: text, colour, tooltip. Only what differs is sent."""
        for reel, column in enumerate(texts):
            buttons = self._buttons[reel]
            while len(buttons) < len(column):
                buttons.append(self._made(reel, len(buttons)))
            for button, (text, shade, tip) in zip(buttons, column, strict=False):
                style = self._style(shade)
                if button.description != text:
                    button.description = text
                if button.style is not style:
                    button.style = style
                if button.tooltip != tip:
                    button.tooltip = tip
            if len(self._columns[reel].children) != len(column):
                self._columns[reel].children = buttons[: len(column)]

    def button(self, reel: int, stop: int) -> Any:
        """The button of a stop."""
        return self._buttons[reel][stop]

    def _made(self, reel: int, stop: int) -> Any:
        button = w.Button(layout=self._layout)
        button.add_class("wb-cell")
        button.add_class(f"{self._name}-{reel}-{stop}")
        button.on_click(lambda _: self._clicked(reel, stop))
        return button

    def _style(self, shade: str) -> Any:
        if shade not in self._styles:
            self._styles[shade] = w.ButtonStyle(button_color=shade)
        return self._styles[shade]


class StripGrid:
    """The strips of a reel set; a click picks a stop, the row below changes it."""

    def __init__(self, desk: Desk, act: Act) -> None:
        self.desk, self._act = desk, act
        self._picked: Any = None
        names = list(desk.strips.set.reels)
        self.names = w.Dropdown(options=names, layout=w.Layout(width="220px"))
        self.names.add_class("wb-reels")
        self.names.observe(lambda change: act(lambda: desk.select(0, 0, change["new"])), names="value")
        self.columns = Columns(desk.strips.game.reel_count, self._pick, "wb-stop")
        self.place = w.HTML()
        self.place.add_class("wb-place")
        self.symbol = w.Dropdown(options=desk.strips.game.symbols.all, layout=w.Layout(width="110px"))
        self.symbol.add_class("wb-symbol")
        self.to = w.BoundedIntText(value=0, min=0, max=511, layout=w.Layout(width="70px"))
        buttons = [
            self._button("Change", "wb-change", self._change),
            self._button("Insert", "wb-insert", self._insert),
            self._button("Delete", "wb-delete", self._delete),
            self._button("Move to", "wb-move", self._move),
        ]
        row = w.HBox([self.symbol, *buttons, self.to], layout=w.Layout(flex_flow="row wrap"))
        self.box = w.VBox([self.names, self.place, row, self.columns.box])

    def _button(self, text: str, name: str, action: Callable[[], Any]) -> Any:
        button = w.Button(description=text, layout=w.Layout(width="auto"))
        button.add_class(name)
        button.on_click(lambda _: self._act(action))
        return button

    def _pick(self, reel: int, stop: int) -> None:
        self._act(lambda: self.desk.select(reel, stop))

    def _change(self) -> None:
        at = self.desk.state.selection
        self.desk.swap(at.reel, at.stop, self.symbol.value)

    def _insert(self) -> None:
        at = self.desk.state.selection
        self.desk.insert(at.reel, at.stop, self.symbol.value)

    def _delete(self) -> None:
        at = self.desk.state.selection
        self.desk.delete(at.reel, at.stop)

    def _move(self) -> None:
        at = self.desk.state.selection
        self.desk.move(at.reel, at.stop, self.to.value)

    def refresh(self) -> None:
        """Show the strips of the picked reel set, and the picked stop."""
        state, game = self.desk.state, self.desk.strips.game
        at = state.selection
        if self.names.value != at.reels:
            self.names.value = at.reels
        strips = state.strips.set.reels[at.reels]
        self.columns.show(
            [[(s, colour(game, s), f"stop {i}") for i, s in enumerate(strip)] for strip in strips]
        )
        if self._picked is not None:
            self._picked.remove_class("wb-picked")
        self._picked = self.columns.button(at.reel, at.stop)
        self._picked.add_class("wb-picked")
        place = f"{at.reels}: reel {at.reel + 1}, stop {at.stop} (from 0): {state.symbol}"
        self.place.value = panels.paragraph(place)


class HeatGrid:
    """Sensitivities of a figure to one symbol on every stop; a click applies the swap."""

    def __init__(self, desk: Desk, act: Act) -> None:
        self.desk, self._act = desk, act
        self._work: Work | None = None
        self._swaps: dict[tuple[int, int], Swap] = {}
        self.begin = w.Button(description="Work out")
        self.begin.add_class("wb-heat")
        self.begin.on_click(lambda _: act(self._begin))
        self.end = w.Button(description="Stop", disabled=True, layout=w.Layout(width="auto"))
        self.end.on_click(lambda _: self._work.stop() if self._work else None)
        self.symbol = w.Dropdown(options=desk.strips.game.symbols.all, description="Symbol")
        self.figure = w.Dropdown(options=["rtp"], description="Figure")
        for choice in (self.symbol, self.figure):
            choice.observe(lambda _: self._draw(), names="value")
        self.progress = w.IntProgress(layout=w.Layout(width="300px"))
        self.text = w.HTML(panels.paragraph("What each swap does; a click applies it."))
        self.text.add_class("wb-heat-text")
        self.columns = Columns(desk.strips.game.reel_count, self._apply, "wb-swap")
        row = w.HBox([self.begin, self.end, self.progress], layout=w.Layout(flex_flow="row wrap"))
        choices = w.HBox([self.symbol, self.figure], layout=w.Layout(flex_flow="row wrap"))
        self.box = w.VBox([row, choices, self.text, self.columns.box])

    def fade(self) -> None:
        """Say that the map is of another set than the one on the desk."""
        heat = self.desk.heat
        if heat is not None and self._swaps and heat.strips.sha256 != self.desk.strips.sha256:
            self.text.value = panels.paragraph(
                f"Of an earlier set, rtp {heat.found.base[0]:.10g}; work out anew."
            )

    def _begin(self) -> None:
        self.begin.disabled, self.end.disabled = True, False
        self._work = self.desk.sensitivity(self._changed)

    def _changed(self, work: Work) -> None:
        if work.text != "done":
            # thousands of changes: a message each would drown the page
            if work.done - self.progress.value > work.of / 50 or work.done == work.of:
                self.progress.max, self.progress.value = max(work.of, 1), work.done
            return
        self.begin.disabled, self.end.disabled = False, True
        self.text.value = panels.error(work.error)
        if work.value is not None:
            self.figure.options = work.value.found.figures
            self._draw()

    def _draw(self) -> None:
        heat = self.desk.heat
        if heat is None:
            return
        found, symbol = heat.found, self.symbol.value
        column = found.column(self.figure.value or found.figures[0])
        pairs = [
            (swap, float(found.swap_changes[i, column]))
            for i, swap in enumerate(found.swaps)
            if swap.symbol == symbol
        ]
        reels = found.swaps[0].reels if found.swaps else self.desk.state.selection.reels
        sizes = [abs(change) for _, change in pairs if not np.isnan(change)]
        limit = float(np.quantile(sizes, 0.98)) if sizes else 0.0
        changes = {(swap.reel, swap.stop): change for swap, change in pairs}
        self._swaps = {(swap.reel, swap.stop): swap for swap, _ in pairs}
        strips = heat.strips.set.reels[reels]
        self.columns.show(
            [
                [_cell(s, changes.get((r, stop)), limit) for stop, s in enumerate(strip)]
                for r, strip in enumerate(strips)
            ]
        )
        allowed = [
            r + 1 for r in range(len(strips)) if symbol in allowed_symbols(heat.strips.game, reels, strips, r)
        ]
        where = ", ".join(map(str, allowed)) or "none"
        self.text.value = panels.paragraph(
            f"{reels}: change of {self.figure.value} with {symbol} on a stop (allowed on reels {where}). A click applies it."
        )

    def _apply(self, reel: int, stop: int) -> None:
        swap = self._swaps.get((reel, stop))
        if swap is not None:
            self._act(lambda: self.desk.swap(reel, stop, swap.symbol, swap.reels))


def _cell(symbol: str, change: float | None, limit: float) -> tuple[str, str, str]:
    if change is None or np.isnan(change):
        return symbol, "#dddddd", "no such swap"
    shade = round(change / limit * 8) / 8 if limit else 0.0
    return f"{change:+.1e}", panels.heat_colour(shade, 1.0), f"{symbol}: {change:+.6g}"
