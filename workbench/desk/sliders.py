"""Sliders: stops with each symbol on the picked reel, and the weights of a wheel or of a stage of a position reel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from workbench.desk import panels
from workbench.desk.desk import Desk

Act = Callable[[Callable[[], Any]], None]
Wheel = tuple[str, int, int] | str
"""A wheel by its name, or a position reel by name, stage and cell."""


class _Sliders:
    """Sliders by what they set; they are made anew only when there are others."""

    def __init__(self, name: str, act: Act, moved: Callable[[str, int], Any]) -> None:
        self._name, self._act, self._moved = name, act, moved
        self._sliders: dict[str, Any] = {}
        self._quiet = False
        self.box = w.VBox([])

    def show(self, values: dict[str, int], most: dict[str, int]) -> None:
        """What each slider shows and how far it goes."""
        self._quiet = True
        try:
            if list(values) != list(self._sliders):
                self._sliders = {name: self._made(name) for name in values}
                self.box.children = tuple(self._sliders.values())
            for name, value in values.items():
                slider = self._sliders[name]
                if slider.max < most[name]:
                    slider.max = most[name]
                if slider.value != value:
                    slider.value = value
        finally:
            self._quiet = False

    def _made(self, name: str) -> Any:
        slider = w.IntSlider(
            min=0, max=1, description=name, continuous_update=False, layout=w.Layout(width="400px")
        )
        slider.style.description_width = "110px"
        slider.add_class(self._name)
        slider.add_class(f"{self._name}-{''.join(c if c.isalnum() else '_' for c in name)}")
        slider.observe(lambda change: self._changed(name, change["new"]), names="value")
        return slider

    def _changed(self, name: str, value: int) -> None:
        if not self._quiet:
            self._act(lambda: self._moved(name, value))


class CountSliders:
    """How many stops of the picked reel have each symbol."""

    def __init__(self, desk: Desk, act: Act) -> None:
        self.desk = desk
        self.head = w.HTML()
        self._sliders = _Sliders("wb-count", act, self._moved)
        self.box = w.VBox([self.head, self._sliders.box])

    def _moved(self, symbol: str, count: int) -> None:
        self.desk.set_count(self.desk.state.selection.reel, symbol, count)

    def refresh(self) -> None:
        """Show the counts."""
        at, game = self.desk.state.selection, self.desk.strips.game
        strip = self.desk.strips.set.reels[at.reels][at.reel]
        self.head.value = panels.paragraph(f"{at.reels}, reel {at.reel + 1}: {len(strip)} stops")
        counts = {symbol: strip.count(symbol) for symbol in game.symbols.all}
        self._sliders.show(counts, {symbol: max(20, 2 * count) for symbol, count in counts.items()})


class WeightSliders:
    """The weights of the wheel, or the cell of a position reel, that is chosen; 0 leaves a value out."""

    def __init__(self, desk: Desk, act: Act) -> None:
        self.desk = desk
        options = _wheels(desk)
        self.names = w.Dropdown(options=options, description="Weights of", layout=w.Layout(width="400px"))
        self.names.add_class("wb-wheel")
        self.names.observe(lambda _: self.refresh(), names="value")
        self._sliders = _Sliders("wb-weight", act, self._moved)
        self.box = w.VBox(
            [self.names, self._sliders.box] if options else [w.HTML("No weights in this game.")]
        )

    def _moved(self, value: str, weight: int) -> None:
        chosen = self.names.value
        if isinstance(chosen, str):
            self.desk.set_weight(chosen, value, weight)
        else:
            name, stage, cell = chosen
            self.desk.set_cell_weight(name, stage, value, weight, cell)

    def refresh(self) -> None:
        """Show the weights, and the values without any that there could be."""
        chosen, state = self.names.value, self.desk.state
        if chosen is None:
            return
        now, start = _weights(state.strips, chosen), _weights(state.start, chosen)
        known = panels.known_values(self.desk.strips.game, chosen) if isinstance(chosen, str) else ()
        names = dict.fromkeys((*known, *start, *now))
        values = {name: now.get(name, 0) for name in names}
        most = 2 * max((*start.values(), *now.values()))
        self._sliders.show(values, {name: max(most, 20) for name in names})


def _wheels(desk: Desk) -> list[tuple[str, Wheel]]:
    found: list[tuple[str, Wheel]] = [(f"wheel {name}", name) for name in desk.strips.set.wheels]
    for name, stages in desk.strips.set.position_reels.items():
        for s, stage in enumerate(stages):
            for c in range(len(stage.cells)):
                text = f"position reel {name} from {stage.start}" + (
                    f", cell {c + 1}" if len(stage.cells) > 1 else ""
                )
                found.append((text, (name, s, c)))
    return found


def _weights(strips: Any, chosen: Wheel) -> dict[str, int]:
    if isinstance(chosen, str):
        return dict(strips.set.wheels[chosen].items())
    name, stage, cell = chosen
    return dict(strips.set.position_reels[name][stage].cells[cell].items())
