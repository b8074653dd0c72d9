"""A family: one strip set for each RTP, each from its neighbour by the fewest changes; and the ladder that shows them.

The first set comes from a full search, or is the one to start from. The others follow outwards from it, each from the
nearest that is there, by weights (:mod:`workbench.optimise.neighbour`) and only where these don't reach by a search that
starts at the neighbour; the hit frequency stays within 0.002 of the neighbour's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from workbench.compare.strips import differences_of
from workbench.game.definition import GameDefinition
from workbench.optimise.gauge import gauge_of
from workbench.optimise.neighbour import nearest_by_weights
from workbench.optimise.target import FigureTarget, Target
from workbench.reels.files import canonical_json, write_file
from workbench.reels.strip_set import StripSet

HITS = "hit_frequency"
HITS_KEPT = 0.002


def family(target: Target, rtps: Sequence[float], begin: float | None = None) -> tuple[Target, ...]:
    """The target for each RTP, in the order in which they are searched: the one nearest to ``begin`` first.

    Without ``begin`` the middle one is first. Several get names of their own: ``rtp-92`` makes ``rtp-96``, ``variant`` makes
    ``variant-96`` for 0.96.
    """
    if len(rtps) < 2:
        return tuple(target.with_value("rtp", rtp) for rtp in rtps) or (target,)
    every = sorted(set(rtps))
    first = every[(len(every) - 1) // 2] if begin is None else begin
    stem = re.sub(r"-[0-9.]+$", "", target.name)
    return tuple(
        target.with_value("rtp", rtp).model_copy(update={"name": f"{stem}-{rtp * 100:.6g}"})
        for rtp in sorted(every, key=lambda rtp: (abs(rtp - first), rtp))
    )


def quick_rtp(game: GameDefinition, target: Target, strips: StripSet) -> float:
    """The RTP of a set."""
    return float(gauge_of(game, target)(strips)["rtp"])


@dataclass
class Walk:
    """What has been found of a family; of a single target it knows nothing to come from."""

    targets: tuple[Target, ...]
    start: StripSet | None
    done: list[tuple[float, StripSet]] = field(default_factory=list)

    def previous(self, target: Target) -> StripSet | None:
        """The set a target's set comes from: the nearest found, at first the one to start from; None: a full search."""
        if len(self.targets) == 1:
            return None
        if not self.done:
            return self.start
        return min(self.done, key=lambda one: abs(one[0] - _rtp(target)))[1]

    def add(self, target: Target, strips: StripSet) -> None:
        """The set found for a target."""
        self.done.append((_rtp(target), strips))


def _rtp(target: Target) -> float:
    wanted = target.figure("rtp")
    return wanted.value if wanted and wanted.value is not None else 0.0


def neighbour(game: GameDefinition, target: Target, previous: StripSet) -> StripSet | None:
    """The set of a target nearest to ``previous`` by weights, named after the target; None where they don't reach."""
    found = nearest_by_weights(previous, target, gauge_of(game, target))
    return None if found is None else replace(found, name=target.name)


def with_hits_kept(game: GameDefinition, target: Target, previous: StripSet) -> Target:
    """The target with the hit frequency within 0.002 of the previous set's, and within its own range."""
    asked = target.figure(HITS) or FigureTarget(figure=HITS, least=0.0, most=1.0)
    others = tuple(f for f in target.figures if f.figure != HITS)
    wide = target.model_copy(update={"figures": (*others, asked)})
    hits = float(gauge_of(game, wide)(previous)[HITS])
    low, high = max(asked.range[0], hits - HITS_KEPT), min(asked.range[1], hits + HITS_KEPT)
    if low > high:
        return target
    kept = FigureTarget(figure=HITS, least=low, most=high)
    return target.model_copy(update={"figures": (*others, kept)})


Found = tuple[StripSet, Mapping[str, Any]]


def ladder(found: Sequence[Found]) -> list[dict[str, Any]]:
    """The rungs by rising RTP: figures, and what changes from the rung below."""
    rungs: list[dict[str, Any]] = []
    below: StripSet | None = None
    for strips, figures in sorted(found, key=lambda one: float(one[1]["rtp"])):
        shown = ("rtp", HITS, "standard_deviation", "volatility_index_90", "components")
        rungs.append(
            {
                "name": strips.name,
                "sha256": figures.get("sha256"),
                **{name: figures[name] for name in shown if name in figures},
                "features": {
                    name: {key: one[key] for key in ("one_in", "mean_win") if key in one}
                    for name, one in figures.get("features", {}).items()
                    if isinstance(one, dict)
                },
                "from_below": None if below is None else changes(below, strips),
            }
        )
        below = strips
    return rungs


def write_ladder(game: GameDefinition, out: Path, name: str, found: Sequence[Found]) -> None:
    """NAME.ladder.json and NAME.ladder.md of a family."""
    rungs = ladder(found)
    table = {"format": "workbench.ladder/1", "game": game.game, "ladder": rungs}
    write_file(out / f"{name}.ladder.json", canonical_json(table))
    write_file(out / f"{name}.ladder.md", ladder_markdown(game.title, rungs).encode())


def changes(first: StripSet, second: StripSet) -> dict[str, Any]:
    """How many stops and weights differ, strips brought into line, and which."""
    strips, weights = differences_of(first, second)
    return {
        "stops": sum(strip.differing for strip in strips),
        "weights": len(weights),
        "strips": [strip.to_json() for strip in strips if strip.differing],
        "changed_weights": [weight.to_json() for weight in weights],
    }


def ladder_markdown(title: str, rungs: Sequence[Mapping[str, Any]]) -> str:
    """The ladder as a Markdown page."""
    parts = list(dict.fromkeys(part for rung in rungs for part in rung["components"]))
    heads = ["set", "RTP", "hit frequency", "deviation", *parts, "stops changed", "weights changed"]
    lines = [f"# {title}: a ladder of RTPs", ""]
    lines += ["Each set, by rising RTP; what changes is counted from the row above. Wins in total bets.", ""]
    lines += [_row(heads), _row(["---"] * len(heads))]
    for rung in rungs:
        below = rung["from_below"]
        figures = [rung["rtp"], rung.get(HITS, math.nan), rung.get("standard_deviation", math.nan)]
        cells = [rung["name"], f"{figures[0]:.8f}", f"{figures[1]:.6f}", f"{figures[2]:.4f}"]
        cells += [f"{rung['components'].get(part, 0.0):.6f}" for part in parts]
        lines.append(_row([*cells, *(str(below[key]) if below else "" for key in ("stops", "weights"))]))
    lines += ["", "## What changes", ""]
    for before, rung in pairwise(rungs):
        lines.append(f"- {before['name']} to {rung['name']}: {_told(rung['from_below'])}")
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _reel(weight: Mapping[str, Any]) -> str:
    return "" if weight.get("reel") is None else f" reel {weight['reel'] + 1}"


def _told(below: Mapping[str, Any]) -> str:
    told = [
        f"{one['place']}{_reel(one)} {one['value']} {one['weights'][0]} to {one['weights'][1]}"
        for one in below["changed_weights"]
    ]
    told += [f"{one['reels']} reel {one['reel'] + 1}: {one['differing']} stops" for one in below["strips"]]
    return "; ".join(told) if told else "nothing"
