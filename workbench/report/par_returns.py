"""Sections of what comes back: summary, hits, split of the RTP, top prize."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.game.features import MoneyRespins
from workbench.game.line_features import ScatterPays
from workbench.report.par_model import Cell, Column, Figure, Section, Table
from workbench.report.par_sources import Fact, Figures, Sources, estimated, exact, facts, filled


def summary(of: Sources) -> Section:
    """The figures a reader looks for first."""
    figures = of.figures
    strategy = figures["strategy"]
    whole = (
        "RTP"
        + (f", strategy {strategy}" if strategy else "")
        + (", no win cut at the cap" if _cap(of) else "")
    )
    rows: list[Fact | None] = [
        ("rtp", whole, exact(figures["rtp"], "rtp")),
        ("rtp_exact", "RTP as a fraction", exact(figures.get("rtp_exact"), "fraction")),
        *_cap_facts(of),
        *_range(figures),
        *((f"split.{name}", f"RTP of {name}", exact(part, "rtp")) for name, part in split(of).items()),
        ("hit_frequency", "Hit frequency of a paid spin", exact(figures["hit_frequency"], "probability")),
        *_frequencies(figures),
        (
            "standard_deviation",
            "Standard deviation of a round, in bets",
            _number(figures, "standard_deviation"),
        ),
        (
            "volatility_index_90",
            "Volatility index (90 %: 1.645 deviations)",
            _number(figures, "volatility_index_90"),
        ),
        *_top(figures),
    ]
    notes = (
        f"Exact figures are computed without sampling and are within {figures['error_bound']:.2g} of the true ones,"
        " those above 1 in parts of their size.",
        "RTP is a fraction of the total bet; wins are in total bets.",
    )
    return Section("summary", "Summary", (facts("summary", "Main figures", rows),), notes)


def _number(figures: Figures, name: str) -> Figure | None:
    return exact(figures.get(name), "number")


def _cap(of: Sources) -> Figures | None:
    found: Figures | None = of.figures.get("estimates", {}).get("cap")
    return found


def _cap_facts(of: Sources) -> Iterator[Fact]:
    """What the cut at the win cap takes, and the RTP with it: estimated, or bounded where that is proved."""
    cap = _cap(of)
    if cap is None:
        return
    low, high = cap.get("interval_99", (0.0, cap["at_most"]))
    taken, rtp = cap["rtp"], of.figures["rtp"]

    def known(value: float, ends: tuple[float, float]) -> Figure:
        if "interval_99" in cap:
            return estimated(value, ends, "rtp")
        return Figure(value, "rtp", "bounded", ends)

    yield "estimates.cap.rtp", "RTP that the cut at the cap takes", known(taken, (low, high))
    yield "rtp_with_cap", "RTP with the cut", known(rtp - taken, (rtp - high, rtp - low))


def _range(figures: Figures) -> Iterator[Fact]:
    found = figures.get("strategies", {})
    if found:
        yield "strategies.worst", "Least RTP that a player can have", exact(found["worst"], "rtp")
        yield "strategies.optimal", "Largest RTP that a player can have", exact(found["optimal"], "rtp")


def _frequencies(figures: Figures) -> Iterator[Fact]:
    for name, row in figures["features"].items():
        yield f"features.{name}.one_in", f"{name}: a round in", exact(row["one_in"], "one_in")


def _top(figures: Figures) -> Iterator[Fact]:
    top = figures.get("top_prize")
    if top:
        yield "top_prize.value", "Top prize, in bets", exact(top["value"], "bets")
        yield "top_prize.one_in", "Top prize: a round in", exact(top["one_in"], "one_in")
    if "max_win" in figures:
        yield "max_win.value", "Largest win of a round, in bets", exact(figures["max_win"]["value"], "bets")


BASE = "base game"


def source_of(of: Sources, component: str) -> str:
    """Whether a component is of the base game, as lines and Scatter pays of paid spins are, or of which feature."""
    head = component.split(".")[0]
    paid = component == "lines" or any(rule.name == component for rule in of.game.features_of(ScatterPays))
    return BASE if paid else next((f.name for f in of.game.features if f.name == component), head)


def split(of: Sources) -> dict[str, float]:
    """The RTP by source: the base game and each feature."""
    found: dict[str, float] = {}
    for name, part in of.figures["components"].items():
        source = source_of(of, name)
        found[source] = found.get(source, 0.0) + part
    return found


def split_section(of: Sources) -> Section:
    """The RTP by source and by component."""
    figures, whole = of.figures, of.figures["rtp"]

    def row(*names: Cell, part: float) -> tuple[Cell, ...]:
        return *names, exact(part, "rtp"), exact(part / whole if whole else 0.0, "number")

    ends = (Column("rtp", "RTP", "rtp"), Column("share", "Share of the RTP", "number"))
    by_source = [row(name, part=part) for name, part in split(of).items()]
    sources = Table(
        "split",
        "Base game and features",
        (Column("source", "Source"), *ends),
        (*by_source, row("total", part=whole)),
    )
    fractions = figures.get("components_exact")
    components = tuple(
        (
            *row(name, source_of(of, name), part=part),
            *((exact(fractions[name], "fraction"),) if fractions else ()),
        )
        for name, part in figures["components"].items()
    )
    last = (Column("fraction", "As a fraction", "fraction"),) if fractions else ()
    columns = (Column("component", "Component"), Column("source", "Source"), *ends, *last)
    notes = ["The components sum to the RTP."]
    if of.game.only(MoneyRespins):
        notes.append(
            "A full grid pays in place of all else in its round, so lines count here without those rounds."
        )
    return Section(
        "split",
        "Base and feature split",
        (sources, Table("components", "Components", columns, components)),
        tuple(notes),
    )


def hits(of: Sources) -> Section:
    """Hits and contribution of every combination, by symbol, by length; how often a spin pays."""
    figures, lines = of.figures, len(of.game.lines)
    tables = [
        _hit_facts(figures),
        _combinations("hits", "Combinations of paid spins", figures["combinations"], figures["cycle"], lines),
        _sums("hits.by_symbol", "By symbol", "symbol", figures["combinations"]),
        _sums("hits.by_length", "By length", "count", figures["combinations"]),
        *_in_sight("hits.in_sight", "In sight of a paid spin", figures.get("in_sight", {})),
    ]
    free = of.game.free_games
    if free:
        spin = figures["spins"][free.name]
        title = f"Combinations of {free.name}, multiplied as they are paid"
        tables += [
            _combinations(f"hits.{free.name}", title, spin["combinations"], spin["cycle"], lines),
            *_in_sight(f"hits.{free.name}.in_sight", f"In sight of {free.name}", spin["in_sight"]),
        ]
    note = "Hits are stop combinations of the cycle in which a line wins just this; the RTP is that of all lines, a spin."
    return Section("hits", "Hits and contribution", filled(tables), (note,))


def _hit_facts(figures: Figures) -> Table:
    rows: list[Fact] = [
        ("cycle", "Cycle: stop combinations of the reels", exact(figures["cycle"], "count")),
        ("hits", "Combinations that pay", exact(figures.get("hits"), "count")),
        ("hit_frequency", "Hit frequency", exact(figures["hit_frequency"], "probability")),
        (
            "line_hit_frequency",
            "A line wins, frequency",
            exact(figures.get("line_hit_frequency"), "probability"),
        ),
        ("lines_rtp_exact", "RTP of the lines as a fraction", exact(figures["lines_rtp_exact"], "fraction")),
    ]
    return facts("hits.facts", "A paid spin", rows)


HIT_COLUMNS = (
    *(Column("symbol", "Symbol"), Column("count", "In a row", "count"), Column("wilds", "Won by")),
    *(Column("pay", "Pays", "coins"), Column("hits", "Hits", "count"), Column("lines", "Lines", "count")),
    *(Column("per_spin", "Lines won a spin", "number"), Column("rtp", "RTP", "rtp")),
)


def _combinations(name: str, title: str, rows: list[dict[str, Any]], cycle: int, lines: int) -> Table:
    """``hits`` are those of one of ``lines`` lines; where the lines differ they are of all together and ``lines`` is 1."""
    listed: list[tuple[Cell, ...]] = [
        (
            *(row["symbol"], row["count"], "Wilds only" if row["wilds_only"] else "", row["pay"]),
            *(exact(row["hits"], "count"), row.get("lines", lines)),
            exact(row["hits"] * row.get("lines", lines) / cycle, "number"),
            exact(row["rtp"], "rtp"),
        )
        for row in rows
    ]
    return Table(name, title, HIT_COLUMNS, (*listed, _total(listed)))


def _total(rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    def of_column(i: int) -> Any:
        return sum(cell.value for row in rows if isinstance(cell := row[i], Figure))

    sums = exact(of_column(4), "count"), None, exact(of_column(6), "number"), exact(of_column(7), "rtp")
    return "total", None, None, None, *sums


def _sums(name: str, title: str, key: str, rows: list[dict[str, Any]]) -> Table:
    """RTP and hits summed over the combinations that have a symbol or a length in common."""
    found: dict[Any, list[float]] = {}
    for row in rows:
        into = found.setdefault(row[key], [0, 0.0])
        into[0] += row["hits"]
        into[1] += row["rtp"]
    ordered = sorted(found, reverse=True) if key == "count" else list(found)
    first = Column("count", "In a row", "count") if key == "count" else Column("symbol", "Symbol")
    columns = (first, Column("hits", "Hits", "count"), Column("rtp", "RTP", "rtp"))
    listed = tuple((at, exact(found[at][0], "count"), exact(found[at][1], "rtp")) for at in ordered)
    return Table(name, title, columns, listed)


def _in_sight(name: str, title: str, laws: Mapping[str, Mapping[str, float]]) -> Iterator[Table]:
    if not laws:
        return
    most = max(int(k) for law in laws.values() for k, p in law.items() if p)
    columns = (
        Column("symbol", "Symbol"),
        *(Column(f"in_sight_{k}", f"P({k})", "probability") for k in range(most + 1)),
    )
    rows = tuple(
        (symbol, *(exact(law.get(str(k), 0.0), "probability") for k in range(most + 1)))
        for symbol, law in laws.items()
    )
    yield Table(name, title, columns, rows)


def top_prize(of: Sources) -> Section | None:
    """The largest single award, how often it comes, and the cap where there is one."""
    top = of.figures.get("top_prize")
    if not top:
        return None
    rows: list[Fact | None] = [
        ("top_prize.value", "Value, in bets", exact(top["value"], "bets")),
        ("top_prize.probability", "Probability, a round", exact(top["probability"], "probability")),
        ("top_prize.one_in", "A round in", exact(top["one_in"], "one_in")),
        *(row for row in _top(of.figures) if row[0].startswith("max_win")),
    ]
    return Section("top_prize", "Top prize", (facts("top_prize", "The largest single award", rows),))
