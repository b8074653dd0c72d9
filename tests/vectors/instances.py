"""Published optimisation problems as definitions and targets of the workbench."""

from __future__ import annotations

from typing import Any

from workbench.game.load import parse_definition
from workbench.optimise.target import Target, parse_target

from .slotvec import _toml, definition_table, vector

BINGO = "balabanov_bingoslot_labelled_reels"
BASE_GAME = "instance_keremedchiev2017"
SCATTER, BONUS = "SYM16", "SYM15"


def bingo_game() -> Any:
    """The nine-line base game of Balabanov et al., without its bingo bonus."""
    v = vector(BINGO)
    v = {**v, "reels": {"base": next(iter(v["reel_sets"].values()))}}
    return parse_definition(_toml(definition_table(v)).encode(), BINGO)


def bingo_target(label: int) -> Target:
    """The base RTP that, with the bonus as its authors coded it, makes the label."""
    base = label / 100 - vector(BINGO)["computed"]["bonus_rtp_as_coded_line_award_counted_twice"]
    return _target(bingo_game().game, f"label-{label}", [("rtp", base, 1e-6)], [_length()])


def base_game() -> Any:
    """The one-line game of Keremedchiev et al.: the Wild becomes the first other symbol, Scatters multiply the bet."""
    v = vector(BASE_GAME)
    wild, *names = [s.split(" ")[0] for s in v["symbols"]]
    table = {
        "format": "workbench.game/1",
        "game": "keremedchiev-2017",
        "title": v["game"][:100],
        "rtp_profile": "variant",
        "win_cap": "none",
        "lines": [v["paylines"][0]],
        "bet": {"coins": 1},
        "grid": {"rows": [v["rows"]] * v["reels"]},
        "symbols": {"regular": names[:-2], "wild": wild, "special": [BONUS, SCATTER]},
        "paytable": v["paytable"],
        "wild": {"leading_run": "next-symbol"},
        "features": [
            _in_sight("scatter", SCATTER, v["scatter_multipliers"]),
            _in_sight("bonus", BONUS, {"3": 0}),
        ],
    }
    return parse_definition(_toml(table).encode(), BASE_GAME)


def _in_sight(name: str, symbol: str, pays: dict[str, float]) -> dict[str, Any]:
    reels = [0, 1, 2, 3, 4]
    return {
        "kind": "scatter_pays",
        "name": name,
        "symbol": symbol,
        "reels": reels,
        "pays": pays,
        "per": "total-bet",
    }


def base_game_target(tolerance: float, most: int | None) -> Target:
    """RTP and six frequencies; ``most`` of a symbol may be in sight."""
    wanted = vector(BASE_GAME)["targets"]
    figures = [("rtp", wanted["rtp"], 1e-6)]
    for symbol, key in ((SCATTER, "free_games_3_4_5_scatters"), (BONUS, "bonus_3_4_5")):
        figures += [
            (f"in_sight.{symbol}.{k}", p, tolerance) for k, p in zip((3, 4, 5), wanted[key], strict=True)
        ]
    rules = [_length()]
    if most is not None:
        rules.append({"kind": "in_sight", "reels": "base", "symbols": [SCATTER, BONUS], "most": most})
    return _target("keremedchiev-2017", "base-game", figures, rules)


def _length() -> dict[str, Any]:
    return {"kind": "length", "reels": "base", "least": 63, "most": 63}


def _target(
    game: str, name: str, figures: list[tuple[str, float, float]], rules: list[dict[str, Any]]
) -> Target:
    table = {"format": "workbench.target/1", "game": game, "name": name, "strip_rules": rules}
    table["figures"] = [{"figure": f, "value": v, "tolerance": t} for f, v, t in figures]
    return parse_target(_toml(table).encode(), name)
