"""Pictures of laws of a round: P(win >= x), of one strip set or of several over each other, both axes logarithmic.

P(win >= x) is constant from right above a win up to the next, so it is drawn in steps that end at the wins. Wins closer
than a pixel are thinned, which moves a step by less than that. Where a part of a law is drawn at random, a band holds each
chance with 99 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil, floor, log10
from pathlib import Path
from textwrap import fill
from typing import Any
from warnings import catch_warnings, filterwarnings

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.reels.files import write_file
from workbench.value.law_figures import chance_interval
from workbench.value.round_law import RoundLaw

Array = NDArray[np.float64]

SIZE, DPI = (12.8, 8.0), 100
POINTS = 2500
# rarer chances are neither of use nor free of rounding
LEAST = 1e-10
# the colours of Okabe and Ito, told apart with any colour vision, but for the yellow, which is too pale on white; 7 colours
# and 4 dashes have no common divisor, so 28 sets differ in one of the two
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)))
FIRST, OTHERS = 5.0, 2.0
# letters that a row of the legend holds, and its height
LEGEND, ROW = 120, 0.28
STYLE = {"text.parse_math": False, "svg.hashsalt": "workbench", "font.size": 13, "axes.axisbelow": True}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Curve:
    """P(win >= x) at the wins that are drawn, in rising order; with the ends of its interval where it has one."""

    wins: Array
    chances: Array
    interval: tuple[Array, Array] | None


def curve(law: RoundLaw, points: int = POINTS) -> Curve:
    """The curve of a law from its least win above 0 to where chances are less than ``LEAST``; empty without such wins."""
    possible = np.flatnonzero((law.chances > law.error) & (law.from_above >= LEAST))
    possible = possible[possible > 0]
    if not len(possible):
        return Curve(np.zeros(0), np.zeros(0), None)
    places = np.geomspace(possible[0], possible[-1], points).round().astype(np.int64)
    places = np.unique(places[(places >= possible[0]) & (places <= possible[-1])])
    interval = None
    if law.estimated is not None:
        ends = np.array([chance_interval(law, int(k), len(law.chances)) for k in places])
        interval = ends[:, 0], ends[:, 1]
    return Curve(law.wins[places], law.from_above[places], interval)


def heading(title: str, strategy: str | None) -> str:
    """The heading of a picture of a game.

    >>> heading("Codex", "optimal"), heading("Lines", None)
    ('Codex, strategy optimal: the win of a round', 'Lines: the win of a round')
    """
    return f"{title}, strategy {strategy}: the win of a round" if strategy else f"{title}: the win of a round"


def draw(laws: Sequence[tuple[str, RoundLaw]], title: str, path: Path) -> None:
    """Write the laws, each with its name, as PNG or SVG by the path's end; the file appears whole or not at all."""
    write_file(path, picture(laws, title, path.suffix.lower()[1:]))


def picture(laws: Sequence[tuple[str, RoundLaw]], title: str, kind: str, dpi: int = DPI) -> bytes:
    """The laws, each with its name, as the bytes of a ``png`` or ``svg`` file."""
    curves = [(name, curve(law)) for name, law in laws]
    if not any(len(found.wins) for _, found in curves):
        raise UsageError("--picture: there is nothing to draw, as no round wins anything")
    from matplotlib import rc_context

    image = BytesIO()
    with rc_context(STYLE), catch_warnings():  # type: ignore[arg-type]
        # names may have letters that the font has not
        filterwarnings("ignore", "Glyph")
        sheet = _sheet(curves, title)
        sheet.savefig(image, format=kind, dpi=dpi, metadata={"Date": None} if kind == "svg" else None)
    return image.getvalue()


def _sheet(curves: Sequence[tuple[str, Curve]], title: str) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    sheet = Figure(figsize=SIZE, layout="constrained")
    axis = sheet.add_subplot(xscale="log", yscale="log")
    axis.set_title(fill(title, 100))
    bottom = _limits(axis, [found for _, found in curves])
    handles = [_line(axis, i, name, found, bottom) for i, (name, found) in enumerate(curves)]
    if len(handles) == 1:
        handles[0].set_linewidth(OTHERS)
    if any(found.interval for _, found in curves):
        handles.append(Patch(color="0.5", alpha=0.35, label="99 % interval, where a part is drawn at random"))
    _ticks(axis)
    axis.set_xlabel("x, in total bets")
    axis.set_ylabel("P(win of a round ≥ x)")
    axis.grid(color="0.88", linewidth=0.8)
    columns = max(1, min(len(handles), LEGEND // (8 + max(len(handle.get_label()) for handle in handles))))
    sheet.set_figheight(SIZE[1] + ROW * max(0, ceil(len(handles) / columns) - 4))
    sheet.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=3.2, frameon=False)
    return sheet


def _limits(axis: Any, curves: Sequence[Curve]) -> float:
    """Set the ends of the axes, with room around the curves; the lower end of the chances."""
    wins = np.concatenate([found.wins for found in curves])
    bottom = max(LEAST, min(float(found.chances[-1]) for found in curves if len(found.wins))) / 2
    axis.set_xlim(float(wins.min()) / 1.2, float(wins.max()) * 1.3)
    axis.set_ylim(bottom, 1.3)
    return bottom


def _line(axis: Any, i: int, name: str, found: Curve, bottom: float) -> Any:
    """Draw a curve, down to the axis at its end; later ones are narrower, on white, so that equal ones are all seen."""
    from matplotlib.patheffects import withStroke

    colour = COLOURS[i % len(COLOURS)]
    wins = np.append(found.wins, found.wins[-1:])
    chances = np.append(found.chances, np.full(len(wins) - len(found.chances), bottom / 2))
    (line,) = axis.plot(
        wins,
        chances,
        drawstyle="steps-pre",
        color=colour,
        linestyle=DASHES[i % len(DASHES)],
        linewidth=FIRST if i == 0 else OTHERS,
        path_effects=None if i == 0 else [withStroke(linewidth=OTHERS + 1.6, foreground="white")],
        label=name,
    )
    if found.interval:
        low, high = (np.maximum(end, bottom / 2) for end in found.interval)
        axis.fill_between(found.wins, low, high, step="pre", color=colour, alpha=0.25, linewidth=0)
    return line


def _ticks(axis: Any) -> None:
    """Wins as numbers, chances as powers on the left and as one in so many on the right."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    right = axis.secondary_yaxis("right")
    right.set_ylabel("one in")
    sides = (
        (axis.xaxis, axis.get_xlim(), _amount),
        (axis.yaxis, axis.get_ylim(), _power),
        (right.yaxis, axis.get_ylim(), lambda chance: _amount(1 / chance)),
    )
    for side, ends, text in sides:
        side.set_major_locator(_locator(*ends))
        side.set_major_formatter(FuncFormatter(lambda x, _, text=text: text(x)))
        side.set_minor_formatter(NullFormatter())


def _locator(low: float, high: float) -> Any:
    """Ticks at powers of ten; at twice and five times those too where these would be few."""
    from matplotlib.ticker import FixedLocator

    factors = (1, 2, 5) if high / low < 1e5 else (1,)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    return FixedLocator([t for p in powers for f in factors if low <= (t := f * 10.0**p) <= high])


def _amount(x: float) -> str:
    """A number as it is written.

    >>> _amount(0.5), _amount(1000.0), _amount(1e6 + 1e-9)
    ('0.5', '1,000', '1,000,000')
    """
    return f"{x:,.10g}" if x < 1 else f"{x:,.4g}" if x < 1000 else f"{x:,.0f}"


def _power(chance: float) -> str:
    """A chance, small ones as a power of ten.

    >>> _power(1.0), _power(0.02), _power(1e-6), _power(2e-6)
    ('1', '0.02', '10⁻⁶', '2·10⁻⁶')
    """
    if chance >= 1e-3 * (1 - 1e-9):
        return f"{chance:.10g}"
    exponent = floor(log10(chance) + 1e-9)
    factor = round(chance / 10.0**exponent)
    power = f"10{str(exponent).translate(SUPERSCRIPTS)}"
    return power if factor == 1 else f"{factor}·{power}"
