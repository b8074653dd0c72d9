"""Figures for people: tables of fractions with ten digits, wins in total bets.

Works from the table of :func:`workbench.value.evaluate.figures_of` alone and shows the parts it has, so games of
every kind come through here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

MOST_EXCEPTIONS = 12


def figures_view(figures: Mapping[str, Any], title: str) -> list[Table | Text]:
    """The tables of all figures, in reading order."""
    sections = [
        _identity(figures, title),
        _components(figures),
        _strategies(figures),
        _features(figures),
        _modifier_sets(figures),
        _keys(figures),
        _exceptions(figures),
        _combinations(figures),
        _in_sight(figures),
        _round(figures),
        _intervals(figures),
        _rounds_needed(figures),
        _new_player(figures),
        _autoplay(figures),
    ]
    return [*sections_view(sections), _footer(figures)]


def sections_view(sections: Sequence[Section]) -> list[Table | Text]:
    """Titled tables one under the other; sections without rows are left out."""
    parts: list[Table | Text] = []
    for section in sections:
        if section.rows:
            parts += [Text(section.title, style="bold"), section_table(section), Text()]
    return parts


@dataclass(frozen=True)
class Section:
    """A titled table: the first column names, the others are numbers. Nothing without rows."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def section_table(section: Section) -> Table:
    """A section as a table of the terminal."""
    table = Table(box=None, pad_edge=False, show_header=any(section.head))
    for i, name in enumerate(section.head):
        table.add_column(name, justify="right" if i else "left", overflow="fold")
    for row in section.rows:
        table.add_row(*row)
    return table


def number(value: object) -> str:
    """A number with ten digits; a dash where there is none.

    >>> number(0.98), number(1 / 3), number(777600000), number(None)
    ('0.98', '0.3333333333', '777600000', '-')
    """
    if value is None:
        return "-"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _identity(figures: Mapping[str, Any], title: str) -> Section:
    rows = [
        ("game", f"{title} ({figures['game']})"),
        ("strip set", figures["strip_set"]),
        ("sha256", figures["sha256"][:16]),
        ("definition in use", figures["definition_sha256"][:16]),
    ]
    made_for = figures.get("strip_set_definition_sha256")
    if made_for is not None:
        rows.append(("definition made for", made_for[:16]))
    return Section("Strip set", ("", ""), rows)


def _components(figures: Mapping[str, Any]) -> Section:
    strategy = figures.get("strategy")
    rows = [(name, number(value)) for name, value in figures["components"].items()]
    title = f"RTP by component, strategy {strategy}" if strategy else "RTP by component"
    return Section(f"{title} (fractions)", ("", "rtp"), [*rows, ("sum", number(figures["rtp"]))])


def _strategies(figures: Mapping[str, Any]) -> Section:
    found = figures.get("strategies", {})
    rows = [(name, number(value), number(found["optimal"] - value)) for name, value in found.items()]
    return Section("RTP of every strategy", ("", "rtp", "below optimal"), rows)


def _features(figures: Mapping[str, Any]) -> Section:
    rows = [
        (name, number(f["probability"]), number(f["one_in"]), number(f["mean_win"]))
        for name, f in figures.get("features", {}).items()
    ]
    return Section("Features", ("", "probability", "one in", "mean win"), rows)


def _modifier_sets(figures: Mapping[str, Any]) -> Section:
    rows = [
        (name, number(f["probability"]), number(f["one_in"]), number(f["mean_win"]))
        for name, f in figures.get("modifier_sets", {}).items()
    ]
    return Section("Modifier sets", ("", "probability", "one in", "mean win"), rows)


def _keys(figures: Mapping[str, Any]) -> Section:
    """Keys and, as it is about them, from how many banked Keys on the optimal policy uses them."""
    labels = {
        "value": "worth of a banked Key, in bets",
        "won_per_round": "won a round",
        "saved_per_round": "saved a round",
        "load": "load",
        "mean_banked": "mean banked",
    }
    rows = [(labels.get(name, name), number(value)) for name, value in figures.get("keys", {}).items()]
    policy = figures.get("optimal_policy")
    if policy:
        at = policy["use_at"]
        rows.append(("optimal policy uses Keys", "never" if at is None else f"from {at} banked on"))
    return Section("Keys", ("", ""), rows)


def _exceptions(figures: Mapping[str, Any]) -> Section:
    """The likeliest of the choices by which the optimal policy differs from the advertised one."""
    found = figures.get("optimal_policy", {}).get("exceptions", [])
    ordered = sorted(found, key=lambda row: -row.get("probability", 1.0))
    rows = [_exception(row) for row in ordered[:MOST_EXCEPTIONS]]
    title = f"Where the optimal choice isn't the advertised one: {len(found)}"
    if len(found) > MOST_EXCEPTIONS:
        title += f", the {MOST_EXCEPTIONS} likeliest"
    return Section(title, ("optimal choice", "step", "Keys", "banked", "Free Spins", "P a round"), rows)


def _exception(row: Mapping[str, Any]) -> tuple[str, ...]:
    follow = row.get("free_spins_follow")
    return (
        f"{row['optimal']}, not {row['advertised']}",
        number(row.get("step")),
        number(row.get("keys")),
        _banked(row["banked"]),
        "-" if follow is None else "follow" if follow else "don't follow",
        "-" if row.get("probability") is None else f"{row['probability']:.4g}",
    )


def _banked(banked: int | list[int | None]) -> str:
    return str(banked) if isinstance(banked, int) else f"{banked[0]} and more"


def _round(figures: Mapping[str, Any]) -> Section:
    names = {
        "rtp_exact": "rtp, exact",
        "hit_frequency": "hit frequency",
        "line_hit_frequency": "a line wins, frequency",
        "cycle": "cycle",
        "hits": "hits in the cycle",
        "lines_rtp_exact": "rtp of the lines, exact",
        "standard_deviation": "standard deviation",
        "long_run_standard_deviation": "long-run standard deviation",
        "volatility_index_90": "volatility index (90 %)",
    }
    rows = [(text, number(figures[name])) for name, text in names.items() if name in figures]
    top = figures.get("top_prize")
    if top:
        rows += [
            ("top prize, in bets", number(top["value"])),
            ("top prize, probability", number(top["probability"])),
            ("top prize, one in", number(top["one_in"])),
        ]
    if figures.get("max_win"):
        rows.append(("largest win of a round, in bets", number(figures["max_win"]["value"])))
    return Section("The round", ("", ""), rows)


def _combinations(figures: Mapping[str, Any]) -> Section:
    """Hits of every combination, for games that may be anybody's."""
    if "in_sight" not in figures:
        return Section("", (), ())
    rows = [
        (f"{row['count']} {row['symbol']}", number(row["pay"]), number(row["hits"]), number(row["rtp"]))
        for row in figures["combinations"]
    ]
    lines = {row["lines"] for row in figures["combinations"]}
    where = "on one line" if lines != {1} else "on all lines"
    return Section(f"Combinations, hits {where}", ("", "coins", "hits", "rtp"), rows)


def _in_sight(figures: Mapping[str, Any]) -> Section:
    laws = figures.get("in_sight", {}).items()
    rows = [(f"{k} {name}", number(p)) for name, law in laws for k, p in law.items() if p]
    return Section("In sight of a paid spin", ("", "probability"), rows)


def _intervals(figures: Mapping[str, Any]) -> Section:
    levels = figures.get("rtp_intervals", {})
    plays: Mapping[str, Any] = next(iter(levels.values()), {})
    rows = [
        (f"{int(n):,}", *(f"{levels[level][n][0]:.4f} to {levels[level][n][1]:.4f}" for level in levels))
        for n in plays
    ]
    return Section("RTP after N rounds", ("N", *(f"{level} %" for level in levels)), rows)


def _rounds_needed(figures: Mapping[str, Any]) -> Section:
    rows = [
        (f"+- {width}", *(f"{n:,}" for n in levels.values()))
        for width, levels in figures.get("rounds_for_half_width", {}).items()
    ]
    return Section("Rounds until the RTP lies within", ("", "90 %", "95 %", "99 %"), rows)


def _new_player(figures: Mapping[str, Any]) -> Section:
    rows = [(name, number(value)) for name, value in figures.get("new_player", {}).items()]
    return Section("A new player's RTP over the first N rounds", ("N", "rtp"), rows)


def _autoplay(figures: Mapping[str, Any]) -> Section:
    rows = [(name, number(value)) for name, value in figures.get("autoplay_cost", {}).items()]
    return Section("Cost of the autoplay presets against the optimum", ("", "rtp lost"), rows)


def _footer(figures: Mapping[str, Any]) -> Text:
    lines = [f"Assumptions in force: {', '.join(figures['assumptions']) or 'none'}"]
    lines.append(f"Every exact figure is within {figures['error_bound']:.2g} of the true one.")
    return Text("\n".join(lines))
