"""The HTML of the desk's panels: figures against the starting set, bars of components and strategies, breaches.

Colours come from JupyterLab's theme, light or dark; every text is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from workbench.game.definition import GameDefinition
from workbench.reels.breaches import Breach
from workbench.value.figures import ROUNDING

GROUPS = ("components.", "strategies.")

STYLE = """<style>
.wb-desk {color: var(--jp-ui-font-color1, #111); font-family: var(--jp-ui-font-family, sans-serif)}
.wb-desk {--jp-widgets-horizontal-tab-width: 92px}
.wb-desk table {border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 12px}
.wb-desk td, .wb-desk th {padding: 1px 8px 1px 0; white-space: nowrap; text-align: right}
.wb-desk td:first-child, .wb-desk th:first-child {text-align: left}
.wb-desk .wb-bar {display: inline-block; height: 10px; background: #0072B2; border: 1px solid var(--jp-ui-font-color2, #555)}
.wb-desk .wb-error {color: var(--jp-error-color0, #b00020); font-weight: bold; white-space: normal}
.wb-cell.jupyter-button {margin: 0; padding: 0 1px; height: 20px; line-height: 19px; font-size: 11px; color: #000; border-radius: 0}
.wb-cell.jupyter-button:hover {outline: 2px solid #000}
.wb-picked.jupyter-button {outline: 3px solid var(--jp-brand-color1, #1976d2); outline-offset: -3px; font-weight: bold}
.wb-head {text-align: center}
.wb-desk .widget-html-content, .wb-desk .jupyter-widget-html-content {line-height: 1.35; overflow: visible}
</style>"""


def figures(now: Mapping[str, float], start: Mapping[str, float]) -> str:
    """The figures, those of the starting set, and the differences; bars have panels of their own."""
    rows = [
        f'<tr data-figure="{escape(name)}"><td>{escape(name)}</td><td class="wb-now">{value:.10g}</td>'
        f"<td>{_value(start.get(name))}</td><td>{_difference(value, start.get(name))}</td></tr>"
        for name, value in now.items()
        if not name.startswith(GROUPS)
    ]
    head = "<tr><th>figure</th><th>now</th><th>start</th><th>difference</th></tr>"
    return f'<table class="wb-figures">{head}{"".join(rows)}</table>'


def _value(value: float | None) -> str:
    return "-" if value is None else f"{value:.10g}"


def _difference(now: float, start: float | None) -> str:
    return "-" if start is None else "0" if abs(now - start) <= ROUNDING else f"{now - start:+.4g}"


def bars(title: str, prefix: str, now: Mapping[str, float], start: Mapping[str, float], floor: float) -> str:
    """Bars of the figures under a prefix; nothing without any. ``floor`` is where the bars begin."""
    found = {name: value for name, value in now.items() if name.startswith(prefix)}
    if not found:
        return ""
    span = max(max(found.values()) - floor, 1e-12)
    rows = [
        f"<tr><td>{escape(name.removeprefix(prefix))}</td><td>{value:.8g}</td>"
        f"<td>{_difference(value, start.get(name))}</td>"
        f'<td style="text-align:left"><span class="wb-bar" style="width:{_wide(value, floor, span)}px"></span></td></tr>'
        for name, value in found.items()
    ]
    return f"<b>{escape(title)}</b><table>{''.join(rows)}</table>"


def _wide(value: float, floor: float, span: float) -> int:
    return round(150 * min(max((value - floor) / span, 0.0), 1.0))


def components(now: Mapping[str, float], start: Mapping[str, float]) -> str:
    """RTP by component."""
    return bars("RTP by component", "components.", now, start, 0.0)


def strategy_range(now: Mapping[str, float], start: Mapping[str, float]) -> str:
    """Where the RTP range comes from: the RTP of each strategy, bars from a little below the worst."""
    found = [value for name, value in now.items() if name.startswith("strategies.")]
    if not found:
        return ""
    low, high = min(found), max(found)
    return bars(
        f"RTP range by strategy: {low:.6g} to {high:.6g}", "strategies.", now, start, low - 0.2 * (high - low)
    )


def broken(found: Sequence[Breach]) -> str:
    """The strip rules that are broken."""
    if not found:
        return '<span class="wb-breaches">No strip rule is broken.</span>'
    lines = "".join(f"<li>{escape(breach.text)}</li>" for breach in found[:MOST_BREACHES])
    more = f"<li>{len(found) - MOST_BREACHES} more</li>" if len(found) > MOST_BREACHES else ""
    return f'<div class="wb-breaches"><b>{len(found)} breaches of strip rules</b><ul>{lines}{more}</ul></div>'


def error(text: str) -> str:
    """A message in place; empty without a text."""
    return f'<div class="wb-error" role="alert">{escape(text)}</div>' if text else ""


def paragraph(text: str) -> str:
    """A text."""
    return f"<div>{escape(text)}</div>"


def saved(path: str, sha256: str) -> str:
    """What was written."""
    return f'<div class="wb-saved">Saved {escape(path)}, SHA-256 {escape(sha256[:16])}</div>'


def heat_colour(change: float, limit: float) -> str:
    """Blue for a rise, orange for a fall, white for no change; pale enough for black text.

    >>> heat_colour(0.0, 1.0), heat_colour(2.0, 1.0), heat_colour(-1.0, 1.0)
    ('#ffffff', '#77aadd', '#ee8866')
    """
    end = (0x77, 0xAA, 0xDD) if change > 0 else (0xEE, 0x88, 0x66)
    share = min(abs(change) / limit, 1.0) if limit else 0.0
    return "#" + "".join(f"{round(255 + (part - 255) * share):02x}" for part in end)


def known_values(game: GameDefinition, wheel: str) -> tuple[str, ...]:
    """The values that the definition lists for a wheel; none for wheels it names otherwise."""
    return next((one.values for one in game.wheels if one.name == wheel), ())


MOST_BREACHES = 8
