"""A PAR sheet as one HTML page: a function of the sheet alone, so the same sheet has the same bytes.

No scripts, nothing from elsewhere; every text of the user is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files

from workbench.report import par_pictures
from workbench.report.heat_map import heat_map, heat_of
from workbench.report.par_model import Figure, ParSheet, Section, Table
from workbench.report.par_tables import table_html
from workbench.report.par_text import number, text
from workbench.report.strip_map import looks, strip_map

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
DRAWN_ONLY = ("win_curve",)
"""Tables that a picture shows; their numbers are in ``par.json``."""

Drawing = Callable[[ParSheet], str | None]
PICTURES: dict[str, tuple[tuple[Drawing, str], ...]] = {
    "split": ((par_pictures.components, "RTP by component; one colour a source."),),
    "features": ((par_pictures.flow, "Where one bet goes. The width of a band is its part of the bet."),),
    "strategies": (
        (par_pictures.strategies, "The RTP of each strategy of the player, lowest first."),
        (
            par_pictures.rtp_range,
            "Where the range comes from: what the player's choices move between the worst and the optimal strategy.",
        ),
    ),
    "volatility": (
        (
            par_pictures.tolerance,
            "Where the RTP lies after so many rounds, with 90, 95 and 99 % (normal approximation).",
        ),
    ),
    "win_bands": (
        (
            par_pictures.win_curve,
            "The chance that a round wins at least x total bets; both axes are logarithmic.",
        ),
    ),
}
CARDS = (
    *(
        ("rtp", "RTP"),
        ("rtp_with_cap", "RTP with the cut at the cap"),
        ("strategies.worst", "least RTP"),
        ("strategies.optimal", "largest RTP"),
    ),
    *(("hit_frequency", "hit frequency"), ("standard_deviation", "standard deviation, bets")),
    *(
        ("volatility_index_90", "volatility index, 90 %"),
        ("top_prize.value", "top prize, bets"),
        ("top_prize.one_in", "top prize: a round in"),
    ),
)


def par_html(sheet: ParSheet) -> bytes:
    """The page, UTF-8."""
    title = text(f"PAR sheet: {sheet.title}, {sheet.strip_set}")
    style = files("workbench.report").joinpath("par.css").read_text(encoding="utf-8")
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">',
        f"<title>{title}</title>\n<style>\n{style}</style></head>\n<body>",
        *_header(sheet),
        *_contents(sheet),
        "<main>",
        *(_section(sheet, i, section) for i, section in enumerate(sheet.sections)),
        "</main>",
        *_footer(sheet),
        "</body></html>\n",
    ]
    return "\n".join(parts).encode()


def _header(sheet: ParSheet) -> Iterator[str]:
    yield f'<header><p class="kicker">PAR sheet</p><h1>{text(sheet.title)}</h1>'
    rows = {
        "Strip set": text(f"{sheet.game}/{sheet.strip_set}"),
        "SHA-256 of the strip set": f'<span class="hash">{text(sheet.sha256)}</span>',
        "SHA-256 of the definition": f'<span class="hash">{text(sheet.definition_sha256)}</span>',
        "Program": text(f"workbench {sheet.workbench_version}"),
    }
    yield '<dl class="id">' + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in rows.items()) + "</dl>"
    summary = sheet.table("summary")
    cards = [_card(summary, name, words) for name, words in CARDS] if summary else []
    yield f'<ul class="cards">{"".join(cards)}</ul></header>'


def _card(summary: Table | None, name: str, words: str) -> str:
    for row in summary.rows if summary else ():
        if row[0] == name and isinstance(row[2], Figure):
            figure = row[2]
            shown = f"{figure.value:.6f}" if figure.kind == "rtp" else _short(figure)
            tag = f'<span class="tag {figure.status}">{figure.status}</span>'
            return f"<li><b>{text(shown)}</b><span>{text(words)}</span> {tag}</li>"
    return ""


def _short(figure: Figure) -> str:
    """Six digits."""
    return number(figure.value, figure.kind) if figure.kind in ("one_in", "count") else f"{figure.value:,.6g}"


def _contents(sheet: ParSheet) -> Iterator[str]:
    items = "".join(
        f'<li><a href="#s{i}">{i + 1} {text(s.title)}</a></li>' for i, s in enumerate(sheet.sections)
    )
    yield f'<nav aria-label="Contents"><ol>{items}</ol></nav>'


def _section(sheet: ParSheet, i: int, section: Section) -> str:
    parts = [f'<section id="s{i}"><h2>{i + 1} {text(section.title)}</h2>']
    parts += [f'<p class="note lead">{text(note)}</p>' for note in section.notes]
    for draw, caption in PICTURES.get(section.id, ()):
        parts.append(_figure(draw(sheet), caption))
    if section.id == "strips":
        for table in section.tables:
            parts.append(
                _figure(strip_map(table, looks(sheet)), f"{table.title}, coloured by symbol; stops from 0.")
            )
    drawn = _stop_maps(sheet, section) if section.id == "sensitivity" else {}
    parts += [table_html(t) for t in section.tables if t.id not in DRAWN_ONLY and t.id not in drawn]
    parts += drawn.values()
    return "\n".join([*(part for part in parts if part), "</section>"])


def _stop_maps(sheet: ParSheet, section: Section) -> dict[str, str]:
    """The heat maps of tables with a row a stop, by the table's id; their numbers are in ``par.json``."""
    tables = tuple(table for table in section.tables if table.columns[0].id == "stop")
    look = looks(sheet)
    caption = "{}, and the change of the RTP by colour: blue raises it, orange lowers it. Point at a stop for the number."
    return {
        t.id: _figure(heat_map(t, heat_of(_of_set(tables, t)), look), caption.format(t.title)) for t in tables
    }


def _of_set(tables: tuple[Table, ...], table: Table) -> tuple[Table, ...]:
    """The tables of the same reel set, which share a scale."""
    return tuple(t for t in tables if t.id.rsplit(".", 1)[0] == table.id.rsplit(".", 1)[0])


def _figure(drawing: str | None, caption: str) -> str:
    if drawing is None:
        return ""
    return f'<figure><div class="art" tabindex="0" role="group">{drawing}</div><figcaption>{text(caption)}</figcaption></figure>'


def _footer(sheet: ParSheet) -> Iterator[str]:
    yield (
        "<footer><p>Exact: computed without sampling, within"
        f" {sheet.error_bound:.2g} of the true figure (in parts of its size above 1). Bounded: proved to lie in the interval."
        " Estimated (≈): drawn at random, the interval holds the true figure with 99 %. Given: set by the definition or the strip set."
        " Numbers are rounded for reading; all digits stand in par.json beside this page.</p></footer>"
    )
