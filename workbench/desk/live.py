"""Figures fast enough for a slider: the parts an edit leaves alone are kept, deviations come a moment later.

``quick`` gives everything but the deviations of games with Keys, which depend on the joint law of the base spin and the
re-spins; ``slow`` gives all of it, with the RTP of every strategy.
"""

from __future__ import annotations

from threading import Lock

from workbench.display.objects import Strips
from workbench.game.definition import GameDefinition
from workbench.sensitivity.gauges import KeyGauge, gauge_of, key_figures
from workbench.value.round import Evaluator, strategies

LiveFigures = dict[str, float]


class Live:
    """The figures of one strip set of a game after another, by their paths in the table of figures."""

    def __init__(self, game: GameDefinition) -> None:
        self._gauge, self._lock = gauge_of(game), Lock()
        self._evaluate = Evaluator(game)

    def quick(self, strips: Strips, strategy: str | None) -> LiveFigures:
        """The figures an edit moves first."""
        with self._lock:
            if isinstance(self._gauge, KeyGauge):
                return key_figures(self._evaluate(strips.set), None, strategy)
            return self._gauge(strips.set)

    def slow(self, strips: Strips, strategy: str | None) -> LiveFigures:
        """All figures. The lock is let go between parts, so that quick figures never wait for the whole."""
        gauge = self._gauge
        if not isinstance(gauge, KeyGauge):
            return self.quick(strips, strategy)
        with self._lock:
            value = self._evaluate(strips.set)
        moments = gauge.moments(value)
        with self._lock:
            found = key_figures(value, moments, strategy)
            return found | {f"strategies.{n}": value.rtp(n) for n in strategies(strips.game)}
