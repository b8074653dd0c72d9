"""Sections of the rules: identification, assumptions, paytable, lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.game.features import JackpotRule, Ladder, MoneyRespins
from workbench.game.frozen import Frozen
from workbench.game.line_features import Bonus, FreeGames, ScatterPays
from workbench.report.par_model import Cell, Column, Section, Table
from workbench.report.par_sources import Fact, Sources, facts, filled, reel_columns

LONGEST_SETTING = 60


def identification(of: Sources) -> Section:
    """What the sheet is about: game, definition, strip set, program."""
    game, figures = of.game, of.figures
    rows: list[Fact] = [
        ("title", "Game", game.title),
        ("game", "Id of the game", game.game),
        ("strip_set", "Strip set", of.strips.name),
        ("sha256", "SHA-256 of the strip set", figures["sha256"]),
        ("definition_sha256", "SHA-256 of the definition", figures["definition_sha256"]),
        ("made_for", "The set was made for definition", figures.get("strip_set_definition_sha256")),
        ("workbench_version", "Version of workbench", figures["workbench_version"]),
        ("grid", "Reels and rows", _grid(of)),
        ("lines", "Lines, all played", len(game.lines)),
        ("bet", "Total bet, in coins of the paytable", game.bet.coins),
        ("win_cap", "Cap on the win of a round, in bets", game.win_cap),
        ("strategy", "Figures are under the player's strategy", figures["strategy"]),
    ]
    return Section("identification", "Identification", (facts("identification", "What is evaluated", rows),))


def _grid(of: Sources) -> str:
    rows = of.game.grid.rows
    shape = str(rows[0]) if len(set(rows)) == 1 else ", ".join(map(str, rows))
    return f"{len(rows)} reels, {shape} rows"


def assumptions(of: Sources) -> Section | None:
    """The readings in force, by id: what each says and the settings that hold it."""
    rows = tuple(
        (row.id, row.says, "; ".join(_setting(path, of.game.setting(path)) for path in row.settings))
        for row in of.game.readings
    )
    columns = (Column("id", "Id"), Column("says", "What is assumed"), Column("settings", "Settings"))
    note = (
        "What the published rules leave open was decided as listed; another decision is another definition."
    )
    table = Table("assumptions", "Readings of the rules", columns, rows)
    return Section("assumptions", "Assumptions in force", (table,), (note,)) if rows else None


def _setting(path: str, value: object) -> str:
    """The setting and its value; the value stands in the definition where it is long, as a paytable is."""
    shown = _value(value)
    return f"{path}: {shown}" if len(shown) <= LONGEST_SETTING else path


def _value(value: object) -> str:
    """A setting's value in words."""
    if isinstance(value, Frozen):
        return ", ".join(f"{name} {_value(part)}" for name, part in value if part is not None)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(part)}" for name, part in value.items()) or "none"
    if isinstance(value, tuple):
        return " ".join(map(_value, value)) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def paytable(of: Sources) -> Section:
    """What combinations, Scatters, ladders and jackpots pay."""
    game = of.game
    tables = [_pays(of), _mixed(of), _anywhere(of), _scatters(of), _awards(of), *_prizes(of)]
    note = f"A line pays its best combination, from the left; {game.bet.coins} coins are one total bet."
    return Section("paytable", "Paytable", filled(tables), (note,))


def _pays(of: Sources) -> Table:
    game = of.game
    lengths = sorted({k for pays in game.paytable.values() for k in pays}, reverse=True)
    names = [name for name in game.symbols.all if name in game.paytable]
    columns = (Column("symbol", "Symbol"), *(Column(f"pay_{k}", f"{k} in a row", "coins") for k in lengths))
    rows = tuple((name, *(game.paytable[name].get(k) for k in lengths)) for name in names)
    return Table("paytable.lines", "Lines, in coins", columns, rows)


def _mixed(of: Sources) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (mixed.name, ", ".join(mixed.symbols), k, pay)
        for mixed in of.game.mixed
        for k, pay in mixed.pays.items()
    )
    columns = (*_columns("name:Combination", "symbols:Any of"), Column("count", "In a row", "count"), PAY)
    return Table("paytable.mixed", "Mixed combinations, in coins", columns, rows)


def _anywhere(of: Sources) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (rule.symbol, k, pay) for rule in of.game.anywhere for k, pay in rule.pays.items()
    )
    columns = (*_columns("symbol:Symbol"), Column("count", "Anywhere on a line", "count"), PAY)
    return Table("paytable.anywhere", "Anywhere on a line, in coins", columns, rows)


PAY = Column("pay", "Pays", "coins")
UNITS = {"total-bet": "total bets", "line-bet": "coins"}


def _scatters(of: Sources) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (rule.name, rule.symbol, k, pay, UNITS[rule.per])
        for rule in of.game.features_of(ScatterPays)
        for k, pay in rule.pays.items()
    )
    columns = (
        *_columns("name:Feature", "symbol:Symbol"),
        Column("count", "In sight", "count"),
        Column("pay", "Pays", "number"),
        Column("unit", "In"),
    )
    return Table("paytable.scatters", "Scatters", columns, rows)


def _awards(of: Sources) -> Table:
    """Free games awarded by Scatters and by lines, and what starts a bonus."""
    columns = (
        *_columns("name:Feature", "by:Awarded by"),
        Column("paid", "In a paid spin", "count"),
        Column("free", "In a free game", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for rule in of.game.features_of(FreeGames):
        rows += _award_rows(rule)
    for bonus in of.game.features_of(Bonus):
        least, symbol = (bonus.line.least, bonus.line.symbol) if bonus.line else _sight(bonus)
        where = "in a row on a line" if bonus.line else "in sight"
        rows.append((bonus.name, f"{least} or more {symbol} {where}", None, None))
    return Table("paytable.awards", "What awards free games and bonuses", columns, tuple(rows))


def _sight(bonus: Bonus) -> tuple[int, str]:
    assert bonus.in_sight
    return bonus.in_sight.least, bonus.in_sight.symbol


def _award_rows(rule: FreeGames) -> Iterator[tuple[Cell, ...]]:
    if rule.scatter:
        paid, free = rule.scatter.spins, rule.scatter.spins_in_free_games
        for k in sorted({*paid, *free}):
            yield rule.name, f"{k} {rule.scatter.symbol} in sight", paid.get(k), free.get(k)
    if rule.lines:
        by_paid, by_free = rule.lines.spins, rule.lines.spins_in_free_games
        for symbol in dict.fromkeys((*by_paid, *by_free)):
            paid, free = by_paid.get(symbol, {}), by_free.get(symbol, {})
            for k in sorted({*paid, *free}):
                yield rule.name, f"{k} {symbol} in a row on a line", paid.get(k), free.get(k)


def _prizes(of: Sources) -> Iterator[Table]:
    """Ladders by level and step, jackpots, the full grid: in total bets."""
    for ladder in of.game.features_of(Ladder):
        steps = tuple(Column(f"step_{s + 1}", f"Step {s + 1}", "bets") for s in range(ladder.steps))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (f"Level {i + 1}", *row) for i, row in enumerate(ladder.table)
        )
        title = f"Ladder {ladder.name}, in total bets"
        yield Table(f"paytable.{ladder.name}", title, (Column("level", "Level"), *steps), rows)
    respins = of.game.only(MoneyRespins)
    if respins:
        prizes = dict(respins.jackpots.prizes) if isinstance(respins.jackpots, JackpotRule) else {}
        table: dict[str, Cell] = {**prizes, "Full grid": respins.full_grid.pays}
        columns = (Column("prize", "Prize"), Column("pay", "Pays", "bets"))
        yield Table("paytable.prizes", "Prizes, in total bets", columns, tuple(table.items()))


def _columns(*specs: str) -> tuple[Column, ...]:
    return tuple(Column(*spec.split(":")) for spec in specs)  # type: ignore[arg-type]


def lines(of: Sources) -> Section:
    """The row each line shows on each reel, rows counted from 1 at the top."""
    rows = tuple((i + 1, *(row + 1 for row in line)) for i, line in enumerate(of.game.lines))
    columns = (Column("line", "Line", "count"), *reel_columns(of.game.reel_count, "count"))
    note = "The row of each reel that a line runs through, counted from 1 at the top; all lines are played."
    return Section("lines", "Lines", (Table("lines", "Lines by row", columns, rows),), (note,))
