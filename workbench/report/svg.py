"""Pieces of inline SVG: shapes and texts as markup, scales, ticks. Texts are escaped; colours are classes of the page's style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from workbench.report.par_text import text

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Scale:
    """Maps low .. high to start .. end, by logarithms where ``log``.

    >>> Scale(1, 100, 0, 10, log=True)(10), Scale(0, 2, 0, 10)(1)
    (5.0, 5.0)
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where a value stands; values beyond an end stand there."""
        low, high = (log10(self.low), log10(self.high)) if self.log else (self.low, self.high)
        at = log10(max(value, self.low)) if self.log else value
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Powers of ten, or some five to ten round numbers."""
        if self.log:
            powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            return [
                t for t in (10.0**p for p in powers) if self.low <= t * 1.000001 and t <= self.high * 1.000001
            ]
        step = _round_step(self.high - self.low)
        first = ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, floor(self.high / step + 1e-9) + 1)]


def _round_step(span: float) -> float:
    """1, 2 or 5 times a power of ten that divides a span into five to ten."""
    power = 10.0 ** floor(log10(span / 5))
    return next(f * power for f in (1, 2, 5, 10) if span / (f * power) <= 10)


def at(value: float) -> str:
    """A coordinate, to a tenth of a pixel.

    >>> at(12.04), at(3.0)
    ('12', '3')
    """
    return f"{value:.1f}".removesuffix(".0")


def rect(
    x: float, y: float, width: float, height: float, kind: str = "", title: str = "", fill: str = ""
) -> str:
    """A rectangle; its title is what a pointer shows."""
    style = f' style="fill:{fill}"' if fill else ""
    inside = f"><title>{text(title)}</title></rect>" if title else "/>"
    shape = f'x="{at(x)}" y="{at(y)}" width="{at(max(width, 0))}" height="{at(max(height, 0))}"'
    return f"<rect {shape}{_class(kind)}{style}{inside}"


def words(x: float, y: float, what: object, kind: str = "", anchor: str = "start") -> str:
    """A text that begins, is centred or ends (``start``, ``middle``, ``end``) at x."""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{at(x)}" y="{at(y)}"{_class(kind)}{side}>{text(what)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    """A straight line."""
    return f'<line x1="{at(x1)}" y1="{at(y1)}" x2="{at(x2)}" y2="{at(y2)}"{_class(kind)}/>'


def path(points: Iterable[tuple[float, float]], kind: str, fill: str = "") -> str:
    """A line through points, or an area where it is filled."""
    d = "M" + "L".join(f"{at(x)} {at(y)}" for x, y in points)
    return curve(f"{d}Z" if fill else d, kind, fill)


def curve(d: str, kind: str, fill: str = "") -> str:
    """A path of SVG."""
    style = f' style="fill:{fill}"' if fill else ""
    return f'<path d="{d}"{_class(kind)}{style}/>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def drawing(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    """The whole picture, with what it shows in words."""
    return (
        f'<svg viewBox="0 0 {at(width)} {at(height)}" role="img" aria-label="{text(label)}">'
        f"{''.join(parts)}</svg>"
    )


def power(value: float) -> str:
    """A power of ten as a label.

    >>> power(1.0), power(0.01), power(1e-8)
    ('1', '0.01', '10⁻⁸')
    """
    exponent = round(log10(value))
    if -3 < exponent < 6:
        return f"{value:,.{max(0, -exponent)}f}"
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"


def colour(i: int) -> str:
    """The i-th colour of the page, those of Okabe and Ito, round and round."""
    return f"var(--c{i % 7})"
