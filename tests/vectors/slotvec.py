"""A vector of published results as a definition and a strip set of the workbench, through files like a user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workbench.game.load import load_definition
from workbench.reels.files import canonical_bytes
from workbench.reels.strip_set import StripSet, Weights

FOLDER = Path(__file__).parent
Vector = dict[str, Any]


def vector(name: str) -> Vector:
    """A vector by the stem of its file."""
    found: Vector = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def line_vectors() -> list[str]:
    """The vectors of line games with reels and verified results."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    return [
        n
        for n in names
        if vector(n).get("eval", "").startswith(("lines_left_to_right", "3 reels")) and "reels" in vector(n)
    ]


def definition_table(v: Vector) -> dict[str, Any]:
    """The definition of a vector's game."""
    wild = (v.get("wilds") or {}).get("symbol")
    paying = [s for s in v["symbols"] if s in v["paytable"] and s != wild]
    table: dict[str, Any] = {
        "format": "workbench.game/1",
        "game": v["id"].replace("_", "-").lower(),
        "title": v["game"][:100],
        "rtp_profile": "variant",
        "win_cap": "none",
        "lines": v["paylines"][: v["bet"]["lines"]],
        "bet": {"coins": v["bet"]["credits"]},
        "grid": {"rows": [v["rows"]] * len(v["reels"]["base"])},
        "symbols": {
            "regular": paying,
            "special": [s for s in v["symbols"] if s not in paying and s != wild],
        },
        "paytable": v["paytable"],
        "features": [],
    }
    if wild:
        table["symbols"]["wild"] = wild
        table["wild"] = _wild(v)
    if v["eval"].startswith("3 reels"):
        table |= _any_bar(v)
    table["features"] = [*_scatters(v), *_free_games(v), *_bonus(v)]
    return table


def _wild(v: Vector) -> dict[str, Any]:
    wild = {"leading_run": "own-pay"}
    if isinstance(v["wilds"]["multiplier"], int):
        return wild | {"multiplier": v["wilds"]["multiplier"], "multiplies": "once"}
    return wild | {"multiplier": 3, "multiplies": "each"}


def _any_bar(v: Vector) -> dict[str, Any]:
    """Triple Diamond: the paytable in words becomes runs of three, any bar, and diamonds anywhere."""
    pays = v["paytable"]
    names = [s for s in ("seven", "bar3", "bar2", "bar1", "diamond") if s in v["symbols"]]
    return {
        "symbols": {"regular": names[:-1], "wild": "diamond", "special": ["blank"]},
        "paytable": {s: {"3": pays[f"{s} x3"]} for s in names},
        "mixed": [
            {
                "name": "any bar",
                "symbols": ["bar3", "bar2", "bar1"],
                "pays": {"3": pays["any bars x3 (mixed)"]},
            }
        ],
        "anywhere": [
            {
                "symbol": "diamond",
                "pays": {"1": pays["one diamond, no other win"], "2": pays["two diamonds, no other win"]},
            }
        ],
    }


def _all_reels(v: Vector) -> list[int]:
    return list(range(len(v["reels"]["base"])))


def _scatters(v: Vector) -> list[dict[str, Any]]:
    s = v.get("scatters")
    if not s:
        return []
    total = s.get("pays_total_bet")
    pays = total or s["pays_credits_per_line_bet_counted_once_per_spin"]
    per = "total-bet" if total else "line-bet"
    row = {"kind": "scatter_pays", "name": "scatter", "symbol": s["symbol"], "reels": _all_reels(v)}
    return [{**row, "pays": pays, "per": per}]


def _free_games(v: Vector) -> list[dict[str, Any]]:
    f, s = v.get("free_spins"), v.get("scatters") or {}
    if not f:
        return []
    row: dict[str, Any] = {
        "kind": "free_games",
        "name": "free_games",
        "reels": "free" if f["separate_reels"] else "base",
        "multiplier": f["multiplier"],
    }
    if "five_wild_multiplier" in f and v["paytable"].get((v["wilds"] or {}).get("symbol"), {}).get("5"):
        row["exempt"] = [
            {"symbol": v["wilds"]["symbol"], "count": 5, "multiplier": f["five_wild_multiplier"]}
        ]
    if s.get("free_spins_base"):
        row["scatter"] = {
            "symbol": s["symbol"],
            "reels": _all_reels(v),
            "spins": s["free_spins_base"],
            "spins_in_free_games": s["free_spins_free"] if f["retrigger"] else {},
        }
    if "base_awards" in f:
        row["lines"] = {"spins": f["base_awards"], "spins_in_free_games": f["free_awards"]}
    return [row]


def _bonus(v: Vector) -> list[dict[str, Any]]:
    """Lobstermania's buoys: 2, 3 or 4 of them, 2 or 3 prizes each."""
    if "bonus" not in v:
        return []
    prizes = sorted({p["prize"] for p in v["bonus"]["prize_weights"]})
    return [
        {
            "kind": "bonus",
            "name": "buoys",
            "line": {"symbol": "LO", "least": 3},
            "prizes": "buoys.prizes",
            "draws": "buoys.draws",
            "per": "line-bet",
        },
        {"kind": "wheel", "name": "buoys.prizes", "values": [str(p) for p in prizes]},
        {"kind": "wheel", "name": "buoys.draws", "values": ["4", "6", "8", "9", "12"]},
    ]


def strip_set(v: Vector, game: Any) -> StripSet:
    """The strip set of a vector."""
    wheels = {}
    if "bonus" in v:
        weights: dict[str, int] = {}
        for row in v["bonus"]["prize_weights"]:
            weights[str(row["prize"])] = weights.get(str(row["prize"]), 0) + row["weight"]
        wheels["buoys.prizes"] = Weights("wheels.buoys.prizes", tuple(weights), tuple(weights.values()))
        wheels["buoys.draws"] = Weights("wheels.buoys.draws", ("4", "6", "8", "9", "12"), (1, 2, 1, 1, 1))
    reels = {name: tuple(tuple(strip) for strip in reels) for name, reels in v["reels"].items()}
    if v.get("free_spins") and not v["free_spins"]["separate_reels"]:
        reels = {"base": reels["base"]}
    weighted = {
        name: tuple(tuple(w) for w in by_reel) for name, by_reel in (v.get("stop_weights") or {}).items()
    }
    return StripSet(game.game, game.sha256, "published", reels, {}, wheels, weighted)


def write(v: Vector, folder: Path) -> tuple[Path, Path]:
    """The definition and the strip set as files; their paths."""
    table = definition_table(v)
    definition = folder / f"{table['game']}.toml"
    definition.write_text(_toml(table))
    strips = folder / "published.json"
    strips.write_bytes(canonical_bytes(strip_set(v, load_definition(definition))))
    return definition, strips


def _toml(table: dict[str, Any]) -> str:
    return "".join(f"{key} = {_inline(value)}\n" for key, value in table.items())


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)
