"""Pictures of a PAR sheet, each drawn from its tables alone: law, tolerance, components, feature flow, strategies."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from workbench.report.par_model import Cell, Figure, ParSheet, Table
from workbench.report.svg import Scale, at, colour, curve, drawing, line, path, power, rect, words

WIDTH = 900.0
BASE = "base game"


def value(cell: Cell) -> float:
    """The number in a cell."""
    found = cell.value if isinstance(cell, Figure) else cell
    assert isinstance(found, int | float)
    return float(found)


def win_curve(sheet: ParSheet) -> str | None:
    """P(win >= x), both axes logarithmic; a band where it is estimated."""
    table = sheet.table("win_curve")
    if table is None or len(table.rows) < 2:
        return None
    wins, figures = [value(x) for x in table.column("win")], table.column("at_least")
    chances = [value(p) for p in figures]
    x = Scale(min(wins) / 1.2, max(wins) * 1.3, 70, WIDTH - 96, log=True)
    y = Scale(min(chances) / 2, 1.0, 370, 16, log=True)
    parts = [*_log_grid(x, y), path(_steps(x, y, wins, chances), "curve")]
    ends = [f.interval for f in figures if isinstance(f, Figure) and f.interval]
    if len(ends) == len(wins):
        up = _steps(x, y, wins, [high for _, high in ends])
        down = _steps(x, y, wins, [low for low, _ in ends])
        parts.insert(-1, path([*up, *reversed(down)], "haze", "var(--c0)"))
    return drawing(WIDTH, 424, "Probability that a round wins at least x total bets, logarithmic axes", parts)


def _steps(x: Scale, y: Scale, wins: list[float], chances: list[float]) -> list[tuple[float, float]]:
    """Constant from right above a win up to the next."""
    points = [(x.start, y(chances[0]))]
    for i, (win, chance) in enumerate(zip(wins, chances, strict=True)):
        points.append((x(win), y(chance)))
        if i + 1 < len(wins):
            points.append((x(win), y(chances[i + 1])))
    return points


def _log_grid(x: Scale, y: Scale) -> Iterator[str]:
    for tick in x.ticks():
        yield line(x(tick), y.start, x(tick), y.end)
        yield words(x(tick), y.start + 20, f"{tick:,.10g}", anchor="middle")
    for tick in y.ticks():
        yield line(x.start, y(tick), x.end, y(tick))
        yield words(x.start - 8, y(tick) + 4, power(tick), anchor="end")
        yield words(x.end + 8, y(tick) + 4, power(1 / tick), "muted")
    yield line(x.start, y.start, x.end, y.start, "axis")
    yield line(x.start, y.start, x.start, y.end, "axis")
    yield words((x.start + x.end) / 2, y.start + 44, "x: win of a round, in total bets", anchor="middle")
    yield words(x.start + 8, y.end + 14, "P(win of a round ≥ x)", "strong")
    yield words(x.end - 8, y.end + 14, "one round in", "muted", "end")


def tolerance(sheet: ParSheet) -> str | None:
    """Nested intervals of the RTP by rounds; half-widths fall as the root of the rounds."""
    table = sheet.table("tolerance")
    if table is None:
        return None
    rounds = [value(n) for n in table.column("rounds")]
    middle = sum(value(table.column(f"{side}_90")[0]) for side in ("low", "high")) / 2
    half = {level: value(table.column(f"high_{level}")[0]) - middle for level in ("90", "95", "99")}
    x = Scale(rounds[0], rounds[-1], 70, WIDTH - 130, log=True)
    reach = half["99"] * 1.05 or 0.1
    y = Scale(max(0.0, middle - reach), middle + reach, 330, 20)
    parts = [_fan(x, y, middle, half[level], i) for i, level in ((3, "99"), (2, "95"), (1, "90"))]
    parts += [*_tolerance_axes(x, y), line(x.start, y(middle), x.end, y(middle), "middle")]
    parts.append(words(x.end + 8, y(middle) + 4, f"RTP {middle:.4f}", "strong"))
    for i, level in ((1, "90"), (2, "95"), (3, "99")):
        top = 30 + 22 * i
        parts += [
            rect(x.end + 8, top - 11, 16, 14, fill=f"var(--band{i})"),
            words(x.end + 30, top, f"{level} %"),
        ]
    return drawing(WIDTH, 384, "Interval of the RTP after so many rounds, normal approximation", parts)


def _fan(x: Scale, y: Scale, middle: float, half: float, band: int) -> str:
    places = [x.low * (x.high / x.low) ** (k / 60) for k in range(61)]
    widths = [half * sqrt(x.low / n) for n in places]
    up = [(x(n), y(middle + w)) for n, w in zip(places, widths, strict=True)]
    down = [(x(n), y(middle - w)) for n, w in zip(places, widths, strict=True)]
    return path([*up, *reversed(down)], "", f"var(--band{band})")


def _tolerance_axes(x: Scale, y: Scale) -> Iterator[str]:
    for tick in x.ticks():
        yield line(x(tick), y.start, x(tick), y.start + 5, "axis")
        yield words(x(tick), y.start + 20, f"{tick:,.0f}", anchor="middle")
    for level in y.ticks():
        yield line(x.start, y(level), x.end, y(level))
        yield words(x.start - 8, y(level) + 4, f"{level:.4g}", anchor="end")
    yield line(x.start, y.start, x.end, y.start, "axis")
    yield words((x.start + x.end) / 2, y.start + 44, "rounds played", anchor="middle")
    yield words(x.start + 8, y.end + 12, "RTP", "strong")


def components(sheet: ParSheet) -> str | None:
    """A bar for each component of the RTP, coloured by its source."""
    table = sheet.table("components")
    if table is None:
        return None
    sources = list(dict.fromkeys(table.column("source")))
    parts_of = [value(r) for r in table.column("rtp")]
    x = Scale(0.0, max([*parts_of, 1e-12]) * 1.02, 230, WIDTH - 190)
    parts, bottom = [], 14 + 30 * len(table.rows)
    for tick in x.ticks():
        parts += [
            line(x(tick), 8, x(tick), bottom),
            words(x(tick), bottom + 18, f"{tick:.3g}", anchor="middle"),
        ]
    whole = sum(parts_of) or 1.0
    for i, (name, source, part) in enumerate(
        zip(table.column("component"), table.column("source"), parts_of, strict=True)
    ):
        top = 12 + 30 * i
        parts += [
            words(222, top + 15, name, anchor="end"),
            rect(x.start, top, x(part) - x.start, 20, fill=colour(sources.index(source))),
            words(x(part) + 8, top + 15, f"{part:.6f} · {100 * part / whole:.1f} % of the RTP"),
        ]
    parts.append(line(x.start, 8, x.start, bottom, "axis"))
    parts.append(
        words((x.start + x.end) / 2, bottom + 40, "RTP, as a fraction of the total bet", anchor="middle")
    )
    return drawing(WIDTH, bottom + 50, "RTP by component", parts)


def flow(sheet: ParSheet) -> str | None:
    """Where a bet goes: to the base game, to each feature with how often it comes, and to the house."""
    split, features = sheet.table("split"), sheet.table("features")
    if split is None:
        return None
    sources = [
        (str(name), value(part))
        for name, part in zip(split.column("source"), split.column("rtp"), strict=True)
    ]
    total = sources.pop()[1]
    ends = [*sources, *([("kept by the house", 1.0 - total)] if total < 1 else [])]
    scale, right, top, left = 300 / max(1.0, total), 16.0, 16.0, 28.0
    parts = [
        rect(150, left, 14, 300, fill="var(--muted)"),
        words(142, left + 148, "one bet,", "strong", "end"),
    ]
    parts.append(words(142, left + 166, "one round", "strong", "end"))
    for i, (name, part) in enumerate(ends):
        high, tall = part * scale, max(part * scale, 1.0)
        fill = "var(--rule)" if i == len(sources) else colour(i)
        room = max(tall, 38.0)
        parts += [_ribbon(left, high, right, tall, fill), rect(560, right, 14, tall, fill=fill)]
        parts += _flow_words(right + tall / 2, name, part, features)
        left, right = left + high, right + room + 14
    return drawing(WIDTH, max(right, top + 320), "Where one bet goes: base game, features, house", parts)


def _ribbon(left: float, high: float, right: float, tall: float, fill: str) -> str:
    there = f"M164 {at(left)}C362 {at(left)} 362 {at(right)} 560 {at(right)}"
    back = f"L560 {at(right + tall)}C362 {at(right + tall)} 362 {at(left + high)} 164 {at(left + high)}Z"
    return curve(there + back, "flow", fill)


def _flow_words(middle: float, name: str, part: float, features: Table | None) -> Iterator[str]:
    """The name with its part of the bet, and how often a feature comes."""
    middle = max(middle, 26.0)
    yield words(586, middle - 2, f"{name}: {part:.6f}", "strong")
    if features is None or name not in features.column("feature"):
        return
    row = dict(
        zip(
            (c.id for c in features.columns),
            features.rows[features.column("feature").index(name)],
            strict=True,
        )
    )
    if row["one_in"] is not None:
        yield words(
            586,
            middle + 15,
            f"one round in {value(row['one_in']):,.1f}, mean win {value(row['mean_win']):,.4g} bets",
            "small muted",
        )


def strategies(sheet: ParSheet) -> str | None:
    """The RTP of each strategy, between the worst and the optimal one."""
    table = sheet.table("strategies")
    if table is None:
        return None
    rows = sorted(
        zip(table.column("strategy"), map(value, table.column("rtp")), strict=True), key=lambda row: row[1]
    )
    low, high = rows[0][1], rows[-1][1]
    room = (high - low) * 0.08 or 0.01
    x = Scale(low - room, high + room, 230, WIDTH - 120)
    parts, bottom = [], 14 + 30 * len(rows)
    for tick in x.ticks():
        parts += [
            line(x(tick), 8, x(tick), bottom),
            words(x(tick), bottom + 18, f"{tick:.4g}", anchor="middle"),
        ]
    for i, (name, rtp) in enumerate(rows):
        y = 22 + 30 * i
        parts += [words(222, y + 5, name, anchor="end"), line(x.start, y, x(rtp), y, "axis")]
        parts += [rect(x(rtp) - 6, y - 6, 12, 12, fill=colour(0)), words(x(rtp) + 12, y + 5, f"{rtp:.6f}")]
    parts.append(
        words(
            (x.start + x.end) / 2,
            bottom + 40,
            "RTP in the long run (the axis doesn't begin at 0)",
            anchor="middle",
        )
    )
    return drawing(WIDTH, bottom + 50, "RTP of each strategy of the player", parts)


def rtp_range(sheet: ParSheet) -> str | None:
    """From the worst RTP to the optimal one, step by step: what each component that the player moves adds."""
    table = sheet.table("strategies.range")
    if table is None:
        return None
    *rows, total = zip(table.column("component"), map(value, table.column("difference")), strict=True)
    moved = [(str(name), change) for name, change in rows if abs(change) > 1e-9]
    low, high = value(table.rows[-1][1]), value(table.rows[-1][2])
    places = [low]
    for _, change in moved:
        places.append(places[-1] + change)
    room = (max(places) - min(places)) * 0.08 or 0.01
    x = Scale(min(places) - room, max(places) + room, 230, WIDTH - 120)
    bars = [
        ("worst", x.low, low),
        *((n, a, b) for (n, _), a, b in zip(moved, places[:-1], places[1:], strict=True)),
        ("optimal", x.low, high),
    ]
    parts, bottom = [], 14 + 30 * len(bars)
    for tick in x.ticks():
        parts += [
            line(x(tick), 8, x(tick), bottom),
            words(x(tick), bottom + 18, f"{tick:.4g}", anchor="middle"),
        ]
    for i, (name, start, end) in enumerate(bars):
        top, ending = 12 + 30 * i, name in ("worst", "optimal")
        fill = colour(6) if ending else colour(1) if end < start else colour(2)
        label = f"{end:.6f}" if ending else f"{end - start:+.6f}"
        parts += [words(222, top + 15, name, anchor="end"), words(x(max(start, end)) + 8, top + 15, label)]
        parts.append(rect(x(min(start, end)), top, abs(x(end) - x(start)), 20, fill=fill))
    parts.append(
        words(
            (x.start + x.end) / 2,
            bottom + 40,
            f"RTP: {total[1]:.6f} between worst and optimal (the axis doesn't begin at 0)",
            anchor="middle",
        )
    )
    return drawing(WIDTH, bottom + 50, "Where the range of the RTP comes from", parts)
