"""Small line games and strip sets, made by chance with every word of the format: small enough to be enumerated.

``random_line_game(random.Random(seed))`` is the way in. Free games are never endless: the awards in free games are
halved until a free game awards less than ``MOST_ADDED`` on average, by enumeration of the cycle.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from workbench.game.definition import GameDefinition
from workbench.game.line_consistency import MOST_MARKS
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import StripSet

from .games import built
from .line_strips import expected_awards, line_strips

Table = dict[str, Any]
Rng = random.Random

MOST_ADDED = Fraction(7, 10)
REGULAR = ("Star", "Bar 1", "Bar 2", "Cherry")
SPECIAL = ("Scatter", "Coin", "Blank")


def random_line_game(rng: Rng) -> tuple[GameDefinition, StripSet]:
    """A small line game and a strip set that fits it; the same for the same state of ``rng``."""
    table = line_game_table(rng)
    while len(_counted(table)) > MOST_MARKS:
        table = line_game_table(rng)
    game = built(table)
    strips = line_strips(rng, game)
    while expected_awards(game, strips) >= MOST_ADDED:
        _halve(table)
        game = built(table)
        strips = replace(strips, definition_sha256=game.sha256)
    check_fit(strips, game)
    return game, strips


def _counted(table: Table) -> set[tuple[str, tuple[int, ...]]]:
    """The symbols counted in sight, each with its reels."""
    parts = (f if "pays" in f else f.get("scatter") or f.get("in_sight") for f in table["features"])
    return {(part["symbol"], tuple(part["reels"])) for part in parts if part}


def toml_of(game: GameDefinition) -> str:
    """A definition file that says the game (its hash is another)."""
    parts = {key: value for key, value in _fields(game).items() if key != "sha256" and value is not None}
    return "".join(f"{key} = {_inline(value)}\n" for key, value in parts.items())


def _fields(model: BaseModel) -> Table:
    return {name: getattr(model, name) for name in type(model).model_fields}


def _inline(value: object) -> str:
    """A value as TOML on one line; what is None is left out."""
    if isinstance(value, BaseModel):
        value = _fields(value)
    if isinstance(value, Mapping):
        listed = (f"{json.dumps(str(k))} = {_inline(v)}" for k, v in value.items() if v is not None)
        return "{" + ", ".join(listed) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)


def line_game_table(rng: Rng) -> Table:
    """A definition as a table; some count more in sight than a game may."""
    reels = rng.choice((3, 3, 3, 4, 4, 4, 5, 2, 1))
    rows = [rng.choice((1, 2, 2, 3) if reels < 5 else (1, 2)) for _ in range(reels)]
    every = list(itertools.product(*map(range, rows)))
    number = rng.choice((1, 2, 3, 5, 5, 9, rng.randint(65, 80)))
    table: Table = {
        "format": "workbench.game/1",
        "game": "small-lines",
        "title": "Small lines",
        "rtp_profile": "variant",
        "win_cap": "none",
        "lines": [list(rng.choice(every)) for _ in range(number)],
        "bet": {"coins": rng.choice((1, 3, 20, number))},
        "grid": {"rows": rows},
        "symbols": {"regular": list(REGULAR[: rng.randint(1, 4)]), "special": list(SPECIAL)},
        "readings": [],
    }
    if rng.random() < 0.85:
        table["symbols"]["wild"] = "Wild"
        table["wild"] = _wild(rng, table)
    _pays(rng, table)
    table["features"] = [*_scatters(rng, table), *_bonuses(rng, table), *_free_games(rng, table)]
    return table


def _symbols(table: Table) -> list[str]:
    return [*table["symbols"]["regular"], *table["symbols"]["special"]]


def _some(rng: Rng, values: Sequence[Any], least: int = 1) -> list[Any]:
    """At least so many of the values, in their order."""
    wanted = rng.sample(range(len(values)), rng.randint(min(least, len(values)), len(values)))
    return [values[i] for i in sorted(wanted)]


def _rising(rng: Rng, shortest: int, longest: int) -> dict[str, int]:
    """Pays by length that never fall; some lengths may be missing, some pay 0."""
    lengths = _some(rng, range(shortest, longest + 1))
    pays = sorted(rng.choice((0, 1, 2, 3, 5, 10, 10, 40)) for _ in lengths)
    return {str(n): coins for n, coins in zip(lengths, pays, strict=True)}


def _wild(rng: Rng, table: Table) -> Table:
    wild: Table = {"leading_run": rng.choice(("own-pay", "best-symbol", "next-symbol"))}
    if rng.random() < 0.5:
        wild["replaces"] = _some(rng, _symbols(table), rng.choice((0, 1)))
    if rng.random() < 0.6:
        wild |= {"multiplier": rng.randint(1, 3), "multiplies": rng.choice(("once", "each"))}
    return wild


def _pays(rng: Rng, table: Table) -> None:
    reels = len(table["grid"]["rows"])
    symbols = table["symbols"]
    payers = [*symbols["regular"], *(["Wild"] if "wild" in symbols and rng.random() < 0.6 else [])]
    least = {s: rng.choice((min(3, reels), min(2, reels), 1)) for s in payers}
    table["paytable"] = {s: _rising(rng, least[s], reels) for s in payers if rng.random() < 0.9}
    names = [name for name in ("Any bar", "Any") if rng.random() < 0.35]
    table["mixed"] = [
        {"name": name, "symbols": _some(rng, _symbols(table)), "pays": _rising(rng, min(2, reels), reels)}
        for name in names
    ]
    choices = [*_symbols(table), *(["Wild"] if "wild" in symbols else [])]
    found = rng.sample(choices, rng.choice((0, 0, 1, 2)))
    table["anywhere"] = [{"symbol": symbol, "pays": _rising(rng, 1, reels)} for symbol in found]


def _reels_of(rng: Rng, table: Table) -> list[int]:
    reels = list(range(len(table["grid"]["rows"])))
    return reels if rng.random() < 0.6 else _some(rng, reels)


def _by_count(rng: Rng, table: Table, reels: list[int], values: Sequence[Any]) -> Table:
    """Values by number in sight on the reels; some numbers are missing."""
    cells = sum(table["grid"]["rows"][r] for r in reels)
    counts = _some(rng, range(1, min(cells, 5) + 1))
    return {str(n): rng.choice(values) for n in counts}


def _scatters(rng: Rng, table: Table) -> Iterator[Table]:
    for i in range(rng.choice((0, 1, 1, 2))):
        reels = _reels_of(rng, table)
        yield {
            "kind": "scatter_pays",
            "name": f"scatter_{i + 1}",
            "symbol": rng.choice(("Scatter", "Scatter", "Coin", table["symbols"]["regular"][0])),
            "reels": reels,
            "pays": _by_count(rng, table, reels, (0, 0.5, 2, 5, 12.5)),
            "per": rng.choice(("total-bet", "line-bet")),
            "beyond": rng.choice(("as-most", "nothing")),
        }


def _bonuses(rng: Rng, table: Table) -> Iterator[Table]:
    reels = len(table["grid"]["rows"])
    number = rng.choice((0, 1, 1, 2, 3))
    if number:
        yield {"kind": "wheel", "name": "prizes", "values": ["0", "0.5", "2", "10"]}
        yield {"kind": "wheel", "name": "draws", "values": ["0", "1", "3"]}
    for i in range(number):
        bonus: Table = {
            "kind": "bonus",
            "name": f"bonus_{i + 1}",
            "prizes": "prizes",
            "per": rng.choice(("total-bet", "line-bet")),
            "in_free_games": rng.choice(("same", "multiplied", "never")),
        }
        if rng.random() < 0.5:
            bonus["draws"] = "draws"
        if rng.random() < 0.6:
            symbol = rng.choice(("Coin", "Coin", table["symbols"]["regular"][-1]))
            bonus["line"] = {"symbol": symbol, "least": rng.randint(1, reels)}
        else:
            on = _reels_of(rng, table)
            bonus["in_sight"] = {
                "symbol": rng.choice(("Coin", "Scatter")),
                "reels": on,
                "least": rng.randint(1, 2),
            }
            bonus["in_sight"]["least"] = min(
                bonus["in_sight"]["least"], sum(table["grid"]["rows"][r] for r in on)
            )
        yield bonus


def _free_games(rng: Rng, table: Table) -> Iterator[Table]:
    if rng.random() < 0.25:
        return
    free: Table = {
        "kind": "free_games",
        "name": "free_games",
        "reels": rng.choice(("base", "free")),
        "multiplier": rng.randint(1, 3),
    }
    if rng.random() < 0.4:
        free["scatter_multiplier"] = rng.randint(1, 3)
    paying = _paying(table)
    by_lines = bool(paying) and rng.random() < 0.4
    if not by_lines or rng.random() < 0.5:
        free["scatter"] = _scatter_awards(rng, table)
    if by_lines:
        free["lines"] = {key: _line_awards(rng, paying) for key in ("spins", "spins_in_free_games")}
    if paying and rng.random() < 0.4:
        exempt = rng.sample(paying, min(2, len(paying)))
        free["exempt"] = [
            {"symbol": name, "count": length, "multiplier": rng.randint(1, 4)} for name, length in exempt
        ]
    yield free


def _paying(table: Table) -> list[tuple[str, int]]:
    """The combinations (name, length) listed with coins."""
    listed = [*table["paytable"].items(), *((m["name"], m["pays"]) for m in table["mixed"])]
    listed += [(a["symbol"], a["pays"]) for a in table["anywhere"]]
    return list(dict.fromkeys((name, int(n)) for name, pays in listed for n, coins in pays.items() if coins))


def _scatter_awards(rng: Rng, table: Table) -> Table:
    reels = _reels_of(rng, table)
    awards: Table = {
        "symbol": "Scatter",
        "reels": reels,
        "spins": _by_count(rng, table, reels, (0, 1, 2, 3, 6)),
        "beyond": rng.choice(("as-most", "nothing")),
    }
    if rng.random() < 0.7:
        awards["spins_in_free_games"] = _by_count(rng, table, reels, (0, 1, 2, 4))
    return awards


def _line_awards(rng: Rng, paying: list[tuple[str, int]]) -> Table:
    awards: Table = {}
    for name, length in rng.sample(paying, min(len(paying), rng.randint(0, 3))):
        awards.setdefault(name, {})[str(length)] = rng.randint(1, 3)
    return awards


def _halve(table: Table) -> None:
    """Halve what free games award in free games."""
    free = next(f for f in table["features"] if f["kind"] == "free_games")
    if "scatter" in free:
        awards = free["scatter"].get("spins_in_free_games", {})
        free["scatter"]["spins_in_free_games"] = {n: spins // 2 for n, spins in awards.items()}
    for by_length in free.get("lines", {}).get("spins_in_free_games", {}).values():
        by_length.update({n: spins // 2 for n, spins in by_length.items()})
