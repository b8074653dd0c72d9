"""What ``law`` shows people: the moments of a round's win, its chances and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.commands.figures_view import Section, number, sections_view

Row = tuple[str, ...]


def law_view(table: dict[str, Any], title: str) -> list[Any]:
    """The law for people, from the table that ``--json`` prints."""
    interval = ("99 % from", "to") if "estimated" in table else ()
    sections = [
        Section(_title(table, title), ("", "", *interval), _moments(table)),
        Section("What is estimated", ("", ""), _estimated(table)),
        Section("Top prize", ("", ""), _top_prize(table)),
        Section("P(win at least so many bets)", ("bets", "probability", *interval, "one in"), _tails(table)),
        Section("Share of rounds that win no more", ("%", "bets", *interval), _percentiles(table)),
        Section("Likeliest wins", ("bets", "probability", *interval), _likeliest(table)),
    ]
    return list(sections_view(sections))


def _title(table: dict[str, Any], title: str) -> str:
    strategy = f", strategy {table['strategy']}" if table["strategy"] else ""
    of_many = ", in the long run" if table.get("rounds") == "dependent" else ""
    return f"A round of {title}, {table['strip_set']}{strategy}{of_many}: win in bets"


def _row(table: dict[str, Any], name: str, value: Any, key: str, *place: Any) -> Row:
    """A figure, and its interval where a part is estimated."""
    if "estimated" not in table:
        return name, number(value)
    ends = table[f"{key}_interval_99"]
    for at in place:
        ends = ends[at]
    return name, number(value), *(f"{end:.8g}" for end in ends)


def _moments(table: dict[str, Any]) -> list[Row]:
    keys = {
        "mean": "mean",
        "standard deviation": "standard_deviation",
        "skewness": "skewness",
        "no win": "no_win",
    }
    blank: Sequence[str] = ("", "") if "estimated" in table else ()
    rows = [_row(table, name, table[key], key) for name, key in keys.items()]
    return [*rows, ("left out, less than", f"{table['left_out']:.2g}", *blank)]


def _estimated(table: dict[str, Any]) -> list[Row]:
    """What part of the law is drawn, and what is known of the round all the same."""
    if "estimated" not in table:
        return []
    part = table["estimated"]
    known = part["exact_without_cap"]
    return [
        ("share of rounds", number(part["share"])),
        ("drawn so often", f"{part['draws']:,}"),
        ("mean, exact, no win cut at the cap", number(known["mean"])),
        ("standard deviation, exact, no win cut at the cap", number(known["standard_deviation"])),
    ]


def _top_prize(table: dict[str, Any]) -> list[Row]:
    """The largest single award: the win it is part of may be larger."""
    if "top_prize" not in table:
        return []
    top = table["top_prize"]
    return [
        ("bets", number(top["value"])),
        ("probability", number(top["probability"])),
        ("one in", number(top["one_in"])),
    ]


def _tails(table: dict[str, Any]) -> list[Row]:
    return [
        (*_row(table, x, p, "at_least", x), number(1 / p if p else None))
        for x, p in table["at_least"].items()
    ]


def _percentiles(table: dict[str, Any]) -> list[Row]:
    return [_row(table, x, win, "percentiles", x) for x, win in table["percentiles"].items()]


def _likeliest(table: dict[str, Any]) -> list[Row]:
    return [
        _row(table, number(one["win"]), one["probability"], "likeliest", i)
        for i, one in enumerate(table["likeliest"])
    ]
