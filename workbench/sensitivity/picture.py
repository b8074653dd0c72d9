"""The heat map of a figure's sensitivities: stops down, reels across, one panel a reel set and question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from workbench.errors import UsageError
from workbench.reels.files import write_file
from workbench.sensitivity.table import Array, Sensitivities

# colours end where all but this share of the changes lie: a Scatter more would leave the rest pale
SHOWN = 0.98


@dataclass(frozen=True)
class Panel:
    """One map: ``changes`` (stops, reels), NaN where there is no such swap, and the symbol of each."""

    title: str
    changes: Array
    symbols: dict[tuple[int, int], str]


def panels(found: Sensitivities, figure: str, symbol: str | None) -> list[Panel]:
    """For each reel set the largest rise and the largest fall of any other symbol, or the change by one symbol."""
    column = found.column(figure)
    if symbol is not None and all(swap.symbol != symbol for swap in found.swaps):
        known = ", ".join(dict.fromkeys(swap.symbol for swap in found.swaps))
        raise UsageError(f"symbol: must be one of {known}, but got {symbol!r}")
    questions = (
        [("largest rise", 1.0), ("largest fall", -1.0)] if symbol is None else [(f"{symbol} instead", 1.0)]
    )
    return [
        _panel(found, name, f"{name}: {text}", found.swap_changes[:, column], sign, symbol)
        for name in dict.fromkeys(swap.reels for swap in found.swaps)
        for text, sign in questions
    ]


def _panel(
    found: Sensitivities, name: str, title: str, changes: Array, sign: float, symbol: str | None
) -> Panel:
    best: dict[tuple[int, int], tuple[float, str]] = {}
    for swap, change in zip(found.swaps, changes.tolist(), strict=True):
        if swap.reels != name or np.isnan(change) or (symbol is not None and swap.symbol != symbol):
            continue
        place = swap.stop, swap.reel
        if place not in best or sign * change > sign * best[place][0]:
            best[place] = change, swap.symbol
    places = [(swap.stop, swap.reel) for swap in found.swaps if swap.reels == name]
    size = (max(stop for stop, _ in places) + 1, max(reel for _, reel in places) + 1)
    drawn = np.full(size, np.nan)
    for place, (change, _) in best.items():
        drawn[place] = change
    return Panel(title, drawn, {place: other for place, (_, other) in best.items()})


def draw(found: Sensitivities, figure: str, symbol: str | None, title: str, path: Path) -> None:
    """Write the heat map as a PNG or SVG file, by its name's end; the file appears whole or not at all."""
    drawn = panels(found, figure, symbol)
    if not drawn:
        raise UsageError("--picture: there is no swap to draw")
    sheet = _sheet(drawn, found, figure, title)
    suffix, image = path.suffix.lower()[1:], BytesIO()
    sheet.savefig(image, format=suffix, dpi=110, metadata={"Date": None} if suffix == "svg" else None)
    write_file(path, image.getvalue())


def _sheet(drawn: Sequence[Panel], found: Sensitivities, figure: str, title: str) -> Any:
    from matplotlib.figure import Figure

    tall = max(len(panel.changes) for panel in drawn)
    wide = sum(panel.changes.shape[1] for panel in drawn)
    sheet = Figure(figsize=(1.1 * wide + 1.6 * len(drawn), 0.17 * tall + 2.0), layout="constrained")
    sheet.suptitle(f"{title}\nchange of {figure}, {_number(found, figure)} now, by one swapped stop")
    ratios = [panel.changes.shape[1] for panel in drawn]
    axes = sheet.subplots(1, len(drawn), squeeze=False, gridspec_kw={"width_ratios": ratios})[0]
    strips = {(s.reels, s.stop, s.reel): s.before for s in found.swaps}
    for axis, panel in zip(axes, drawn, strict=True):
        _draw_panel(sheet, axis, panel, strips)
    return sheet


def _number(found: Sensitivities, figure: str) -> str:
    return f"{found.base[found.column(figure)]:.6g}"


def _draw_panel(sheet: Any, axis: Any, panel: Panel, strips: dict[tuple[str, int, int], str]) -> None:
    """Colours symmetric about no change; every cell names what stands there and what would."""
    sizes = np.abs(panel.changes[~np.isnan(panel.changes)])
    limit = float(np.quantile(sizes, SHOWN)) if len(sizes) else 0.0
    limit = limit or float(sizes.max(initial=0.0)) or 1.0
    image = axis.imshow(panel.changes, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    axis.set_facecolor("0.85")
    axis.set_title(panel.title, fontsize=10)
    axis.set_xticks(range(panel.changes.shape[1]), [f"reel {r + 1}" for r in range(panel.changes.shape[1])])
    axis.set_yticks(range(0, len(panel.changes), 5))
    axis.set_ylabel("stop, from 0")
    name = panel.title.split(":")[0]
    for (_, stop, reel), before in ((k, v) for k, v in strips.items() if k[0] == name):
        other = panel.symbols.get((stop, reel))
        change = panel.changes[stop, reel]
        dark = other is not None and abs(change) > 0.6 * limit
        text = f"{before} > {other}" if other else before
        axis.text(reel, stop, text, ha="center", va="center", fontsize=5, color="white" if dark else "black")
    sheet.colorbar(image, ax=axis, extend="both", shrink=0.6, format="%.2g")
