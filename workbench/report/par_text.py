"""How a PAR sheet's cells are written for people: numbers by what they are of, texts escaped for markup.

All digits stand in ``par.json``; these are rounded, fractions of the bet to eight places, others to eight digits.
"""

from __future__ import annotations

from html import escape

from workbench.report.par_model import Cell, Column, Figure, Kind

DIGITS = 8
NONE = "–"


def number(value: float | int | str, kind: Kind) -> str:
    """A number as it is read, by what it is of.

    >>> number(655778160, "count"), number(0.98, "rtp"), number(89869961.29, "one_in"), number(1.25e-8, "probability")
    ('655,778,160', '0.98000000', '89,869,961', '1.25e-8')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    match kind:
        case "rtp":
            return f"{value:.{DIGITS}f}"
        case "one_in":
            return f"{value:,.2f}" if abs(value) < 1e5 else f"{value:,.0f}"
        case "score":
            return f"{value:.2f}"
        case "bets" | "coins":
            return _digits(value, 7)
        case _:
            return _digits(value, DIGITS)


def _digits(value: float, digits: int) -> str:
    """So many digits; a power of ten only where there would be many zeros; thousands apart."""
    if value and abs(value) < 1e-4:
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    return f"{value:,.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"


def text(value: object) -> str:
    """A text for markup, in contents and in attributes.

    >>> text('<script>"')
    '&lt;script&gt;&quot;'
    """
    return escape(str(value), quote=True)


def plain(cell: Cell, kind: Kind) -> str:
    """A cell as plain text, without its interval."""
    if cell is None:
        return NONE
    if isinstance(cell, Figure):
        return number(cell.value, cell.kind)
    return cell if isinstance(cell, str) else number(cell, kind)


def marked(cell: Cell, column: Column) -> str:
    """A cell as markup: what isn't exact is marked, and followed by its interval."""
    shown = text(plain(cell, column.kind))
    if not isinstance(cell, Figure) or cell.interval is None:
        return shown
    low, high = (text(number(end, cell.kind)) for end in cell.interval)
    sign = "≈" if cell.status == "estimated" else "in"
    return f'{sign} {shown} <span class="ends">[{low}, {high}]</span>'
