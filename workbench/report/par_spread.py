"""Sections of chance: volatility and tolerance, win bands from the law of a round, exact against simulated."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.report.law_picture import curve
from workbench.report.par_model import Cell, Column, Figure, Kind, Section, Table
from workbench.report.par_sources import Fact, Figures, Sources, estimated, exact, facts, filled
from workbench.value.law_figures import bounds_of, chance_interval, law_figures
from workbench.value.round_law import RoundLaw

POINTS = 160


def volatility(of: Sources) -> Section | None:
    """Deviations and index; where the RTP lies after so many rounds, and rounds for a half-width."""
    figures = of.figures
    if "standard_deviation" not in figures:
        return None
    names = {
        "standard_deviation": "Standard deviation of a round, in bets",
        "long_run_standard_deviation": "Long-run standard deviation a round, for tolerance",
        "volatility_index_90": "Volatility index (90 %: 1.645 deviations)",
    }
    rows: list[Fact] = [(name, words, exact(figures.get(name), "number")) for name, words in names.items()]
    notes = [
        "Intervals are RTP ± z deviations / √rounds, z = 1.645, 1.96, 2.576: exact ends of the normal approximation,"
        " which is good where rounds are many."
    ]
    if "long_run_standard_deviation" in figures:
        notes.append("Rounds depend on each other through banked Keys, so the long-run deviation is used.")
    tables = (facts("volatility", "Volatility", rows), _tolerance(figures), _needed(figures))
    return Section("volatility", "Volatility and tolerance", tables, tuple(notes))


def _tolerance(figures: Figures) -> Table:
    levels = figures["rtp_intervals"]
    columns: tuple[Column, ...] = (Column("rounds", "Rounds", "count"),)
    for level in levels:
        columns += (
            Column(f"low_{level}", f"{level} % from", "rtp"),
            Column(f"high_{level}", f"{level} % to", "rtp"),
        )
    rows = tuple(
        (int(n), *(exact(end, "rtp") for level in levels for end in levels[level][n]))
        for n in next(iter(levels.values()))
    )
    return Table("tolerance", "Where the RTP lies after so many rounds", columns, rows)


def _needed(figures: Figures) -> Table:
    by_width = figures["rounds_for_half_width"]
    levels = list(next(iter(by_width.values())))
    columns = (
        Column("width", "RTP within ±", "rtp"),
        *(Column(f"level_{x}", f"{x} %", "count") for x in levels),
    )
    rows = tuple((float(w), *(exact(n[x], "count") for x in levels)) for w, n in by_width.items())
    return Table("rounds_needed", "Rounds until the RTP lies within a half-width", columns, rows)


def win_bands(of: Sources) -> Section | None:
    """The law of a round's win: bands, percentiles, likeliest wins, and points of its curve."""
    law = of.law
    if isinstance(law, str):
        return Section("win_bands", "Win bands", (), (f"There is no law of a round: {law}",))
    if law is None or not (law.chances[1:] > law.error).any():
        return None
    found = law_figures(law)
    tables = (
        _moments(law, found),
        _bands(law),
        _percentiles(law, found),
        _likeliest(law, found),
        _curve(law),
    )
    notes = [f"Wins beyond the law's end, with a chance below {law.left_out:.2g}, are left out."]
    if law.strategy:
        notes.append(f"Under the player's strategy {law.strategy}; one round in the long run.")
    if law.estimated is not None:
        notes.append(
            f"Estimated: respins with a multiplying modifier, {law.estimated.share:.4g} of all rounds, were drawn"
            f" {law.estimated.draws:,} times (seed {law.estimated.seed}); everything else is exact. Wins are cut at the cap here."
        )
    return Section("win_bands", "Win bands", tables, tuple(notes))


def _known(found: Any, name: str, value: float, kind: Kind) -> Figure:
    interval = found.get(f"{name}_interval_99")
    return Figure(value, kind) if interval is None else estimated(value, interval, kind)


def _moments(law: RoundLaw, found: Figures) -> Table:
    words: dict[str, tuple[str, Kind]] = {
        "mean": ("Mean win, in bets", "rtp"),
        "standard_deviation": ("Standard deviation, in bets", "number"),
        "skewness": ("Skewness", "number"),
        "no_win": ("P(no win)", "probability"),
    }
    rows: list[Fact] = [
        (f"law.{n}", text, _known(found, n, found[n], kind)) for n, (text, kind) in words.items()
    ]
    rows.append(("law.step", "Step of the wins, in bets", exact(float(law.step), "bets")))
    return facts("law", "The win of a round", rows)


BAND_COLUMNS = (
    *(Column("from", "From, bets", "bets"), Column("to", "To below, bets", "bets")),
    *(Column("probability", "Probability", "probability"), Column("one_in", "A round in", "one_in")),
    *(Column("rtp", "Part of the RTP", "rtp"), Column("at_least", "P(this or more)", "probability")),
)


def _bands(law: RoundLaw) -> Table:
    """No win, a win below 1 bet, and on from bound to bound; the last has no end."""
    firsts = [0, 1, *(k for k in map(law.first, bounds_of(law)) if k > 1)]
    froms = [0.0, float(law.step), *(float(law.wins[k]) for k in firsts[2:])]
    ends = [*firsts[1:], len(law.chances)]
    rows: list[tuple[Cell, ...]] = []
    for start, first, after in zip(froms, firsts, ends, strict=True):
        to = None if after == len(law.chances) else float(law.wins[after])
        chance = _chance(law, first, after)
        rows.append(
            (
                start,
                to,
                chance,
                _one_in(chance),
                _part(law, first, after),
                _chance(law, first, len(law.chances)),
            )
        )
    return Table("win_bands", "Rounds by win", BAND_COLUMNS, tuple(rows))


def _chance(law: RoundLaw, first: int, after: int) -> Figure:
    """P(the win is ``first`` to ``after`` - 1 steps)."""
    chance = float(law.chances[first:after].sum())
    if law.estimated is None:
        return Figure(chance, "probability")
    return estimated(chance, chance_interval(law, first, after), "probability")


def _one_in(chance: Figure) -> Figure | None:
    """The inverse; None where the chance, or the lower end of its interval, is 0."""
    value = float(chance.value)
    low, high = chance.interval or (value, value)
    if not value or not low:
        return None
    return (
        Figure(1 / value, "one_in")
        if chance.interval is None
        else estimated(1 / value, (1 / high, 1 / low), "one_in")
    )


def _part(law: RoundLaw, first: int, after: int) -> Figure:
    """What wins of this band add to the mean."""
    inside = np.zeros_like(law.wins)
    inside[first:after] = law.wins[first:after]
    value = float(law.chances[first:after] @ law.wins[first:after])
    if law.estimated is None:
        return Figure(value, "rtp")
    half = law.estimated.half_width(inside)
    return estimated(value, (max(0.0, value - half), value + half), "rtp")


def _percentiles(law: RoundLaw, found: Figures) -> Table:
    columns = (Column("share", "% of rounds"), Column("win", "Win no more than, bets", "bets"))
    intervals = found.get("percentiles_interval_99")
    rows = tuple(
        (share, Figure(win, "bets") if intervals is None else estimated(win, intervals[share], "bets"))
        for share, win in found["percentiles"].items()
    )
    return Table("percentiles", "Percentiles", columns, rows)


def _likeliest(law: RoundLaw, found: Figures) -> Table:
    columns = (Column("win", "Win, bets", "bets"), Column("probability", "Probability", "probability"))
    rows = []
    for i, row in enumerate(found["likeliest"]):
        p = row["probability"]
        ends = found["likeliest_interval_99"][i] if law.estimated is not None else None
        rows.append(
            (row["win"], Figure(p, "probability") if ends is None else estimated(p, ends, "probability"))
        )
    return Table("likeliest", "Likeliest wins", columns, tuple(rows))


def _curve(law: RoundLaw) -> Table:
    """Points of P(win >= x), to draw it by."""
    found = curve(law, POINTS)
    chances = found.chances.tolist()
    if found.interval is None:
        figures = [Figure(p, "probability") for p in chances]
    else:
        ends = zip(*(end.tolist() for end in found.interval), strict=True)
        figures = [estimated(p, pair, "probability") for p, pair in zip(chances, ends, strict=True)]
    columns = (Column("win", "Win, bets", "bets"), Column("at_least", "P(this or more)", "probability"))
    rows = tuple(zip(found.wins.tolist(), figures, strict=True))
    return Table("win_curve", "Points of the law", columns, rows)


def simulated(of: Sources) -> Section | None:
    """Every figure that the simulation can test: exact, simulated, how far apart."""
    run = of.simulation
    if run is None:
        return None
    names = sorted(run["figures"], key=lambda n: (n.count("."), n))
    main = [n for n in names if _is_main(n)]
    rejected = ", ".join(run["rejected"]) or "none"
    rows: list[Fact] = [
        ("rounds", "Paid rounds played", run["rounds"]),
        ("seed", "Seed", str(run["seed"])),
        ("strategy", "Strategy", of.figures["strategy"]),
        ("compared", "Figures compared", run["compared"]),
        ("rejected", "Figures that disagree", rejected),
        ("untested", "Figures that rest on too few events to be tested", len(run["untested"])),
    ]
    tables = [
        facts("simulated.run", "The run", rows),
        _comparisons("simulated.main", "Main figures", main, run),
        _comparisons("simulated.all", "All other figures", [n for n in names if n not in main], run),
    ]
    notes = (
        "The simulator plays the rules by tables of its own and shares nothing with the exact computation but its inputs.",
        "z is the normal score of the difference; with all figures together, the chance that any one is falsely called in"
        " disagreement is at most 1 % (Holm).",
    )
    return Section("simulated", "Exact against simulated", filled(tables), notes)


def _is_main(name: str) -> bool:
    head, *rest = name.split(".")
    known = {"rtp", "hit_frequency", "standard_deviation", "long_run_standard_deviation", "components"}
    return head in known or (head in ("features", "top_prize") and rest[-1] in ("probability", "mean_win"))


def _comparisons(name: str, title: str, names: list[str], run: Figures) -> Table:
    columns = (
        *(
            Column("figure", "Figure"),
            Column("exact", "Exact", "number"),
            Column("simulated", "Simulated", "number"),
        ),
        Column("z", "z", "score"),
    )
    return Table(name, title, columns, tuple(_comparison(n, run["figures"][n]) for n in names))


def _comparison(name: str, row: Figures) -> tuple[Cell, ...]:
    found = row["simulated"]
    mean = estimated(found["mean"], found["interval_99"], "number")
    return name, Figure(row["exact"], "number"), mean, row["z"]
