"""The figures of a line game that a target asks for: a search needs few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.optimise.target import Target, score
from workbench.value.line_figures import features, hits, in_sight, line_figures, returns
from workbench.value.line_round import LineRound

BY_HEAD: dict[str, Callable[[LineRound], dict[str, Any]]] = {
    "rtp": returns,
    "components": returns,
    "hit_frequency": hits,
    "line_hit_frequency": hits,
    "in_sight": in_sight,
    "features": features,
}


def asked_figures(value: LineRound, target: Target) -> dict[str, Any]:
    """A table of figures as ``evaluate`` names them, with those that the target asks for at the least.

    The RTP and what is in sight come from counts alone; hit frequencies need the windows, deviations all pairs of lines.
    """
    heads = {"rtp", *(figure.figure.partition(".")[0] for figure in target.figures)}
    if not heads <= set(BY_HEAD):
        return line_figures(value)
    parts = dict.fromkeys(BY_HEAD[head] for head in BY_HEAD if head in heads)
    return {name: figure for part in parts for name, figure in part(value).items()}


def line_score(value: LineRound, target: Target) -> float:
    """The score of a strip set's worth."""
    return score(target, asked_figures(value, target))
