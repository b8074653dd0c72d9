"""What ``session`` shows people: the net result of many rounds, its percentiles, the waits between features."""

from __future__ import annotations

from typing import Any

from workbench.commands.figures_view import Section, number, sections_view


def _title(table: dict[str, Any], title: str) -> str:
    """What is told, and of whom."""
    who = f", {table['start']}" if table["start"] else ""
    return f"{table['rounds']:,} rounds of {title}, {table['strip_set']}{who}"


def session_view(table: dict[str, Any], title: str) -> list[Any]:
    """The session for people."""
    head = ("99 % from", "to") if "estimated" in table else ()
    sections = [
        Section(_title(table, title), ("", "", *head), _main(table)),
        Section("What is estimated", ("", ""), _estimated(table)),
        Section(
            "Share of sessions that end no better",
            ("%", "net result", *head),
            [_row(table, x, "percentiles", x) for x in table["percentiles"]],
        ),
        Section(
            "Some run of rounds without a win",
            ("rounds", "probability", *head),
            [_row(table, k, "dry_spell", k) for k in table["dry_spell"]],
        ),
        Section(
            "RTP of so many rounds",
            ("%", "from", *head, "to", *head),
            [
                (
                    level,
                    *(cell for end in (0, 1) for cell in _row(table, "", "rtp_intervals", level, end)[1:]),
                )
                for level in table["rtp_intervals"]
            ],
        ),
        Section(
            "Rounds from one feature to the next",
            ("", "one in", "none in the session", "50 % within", "90 %", "99 %"),
            [
                (name, *map(number, (row["one_in"], row["none_in_session"], *row["wait"].values())))
                for name, row in table["features"].items()
            ],
        ),
    ]
    return list(sections_view(sections))


def _row(table: dict[str, Any], name: str, key: str, *place: Any) -> tuple[str, ...]:
    """A figure, and its interval where a part is estimated."""
    value, ends = table[key], table.get(f"{key}_interval_99", ())
    for at in place:
        value, ends = value[at], ends[at] if ends else ()
    return name, number(value), *(f"{end:.8g}" for end in ends)


def _main(table: dict[str, Any]) -> list[tuple[str, ...]]:
    """Moments and chances of the net result."""
    rows = [
        _row(table, "mean net result, in bets", "mean"),
        _row(table, "standard deviation", "standard_deviation"),
        _row(table, "P(ahead)", "ahead"),
        _row(table, "P(even or ahead)", "even_or_ahead"),
    ]
    if "bankroll" in table:
        bankroll = table["bankroll"]
        rows.append(_row(bankroll, f"P({bankroll['bets']:g} bets last)", "lasts"))
    rows += [
        _row(table, f"P(loses more than {x} bets)", "loses_more_than", x) for x in table["loses_more_than"]
    ]
    rows += [_row(table, f"P(wins {x} bets or more)", "wins_at_least", x) for x in table["wins_at_least"]]
    blank = ("", "") if "estimated" in table else ()
    return [*rows, ("left out, less than", f"{table['left_out']:.2g}", *blank)]


def _estimated(table: dict[str, Any]) -> list[tuple[str, ...]]:
    """What part of the law of a round is drawn, and what is known of the session all the same."""
    if "estimated" not in table:
        return []
    part = table["estimated"]
    known = part["exact_without_cap"]
    rows: list[tuple[str, ...]] = [
        ("share of rounds", number(part["share"])),
        ("drawn so often", f"{part['draws']:,}"),
        ("mean net result, exact, no win cut at the cap", number(known["mean"])),
        ("standard deviation, exact, no win cut at the cap", number(known["standard_deviation"])),
    ]
    if "bankroll" in table:
        rows.append(("drawn anew for the interval of the bankroll", number(table["bankroll"]["redrawn"])))
    return rows
