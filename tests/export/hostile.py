"""Random sets of random line games whose symbols have the worst names a definition lets through."""

from __future__ import annotations

import json
import random

from simulate.sets import realistic

from workbench.game import GameDefinition
from workbench.game.load import find_game, load_definition, parse_definition
from workbench.library import load
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import StripSet

NAMES = (
    *(
        "=1+1",
        "+x",
        "-y",
        "@z",
        "'q",
        "'=1",
        "../../x",
        "..",
        "/",
        "\\",
        "C:\\x",
        "<script>alert(1)</script>",
    ),
    *(
        '"',
        '""',
        "'",
        '","',
        "a,b",
        "a;b",
        "a\\nb",
        "\\",
        "??/",
        "??=",
        "??)",
        "*/",
        "/*",
        "//",
        "%s%n",
        "{0}",
    ),
    *("é", "日本", "\U0001f352", "\u202egnp", "\ufeff", "\ufeffa", "a\u00a0b", "＝1", "x" * 40, "é" * 40),
    *(
        "__proto__",
        "constructor",
        "COUNT",
        "count",
        "a b",
        "a_b",
        "a.b",
        "A b",
        "1",
        "01",
        "1.0",
        "1e3",
        "0x1",
    ),
    *("TRUE", "None", "#REF!", "_x0041_", "_x005F_", "http://x/", "mailto:x", "NULL", "1-2", "&amp;", "]]>"),
    *("#", "]", "[reels]", "${x}", "`id`", "$(id)", "%00", "con", "manifest", "index", "x]:?*", "\u2060"),
)

DEFINITION = """
format = "workbench.game/1"
game = "hostile"
title = "Hostile"
rtp_profile = "variant"
win_cap = "none"
lines = [{line}]
[bet]
coins = 1
[grid]
rows = [{rows}]
[symbols]
regular = {regular}
special = {special}
[paytable]
{first} = {{ {reels} = 5 }}
"""


def text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def game_of(symbols: list[str], reels: int) -> GameDefinition:
    """A line game of one row with these symbols."""
    filled = DEFINITION.format(
        line=[0] * reels,
        rows=", ".join(["1"] * reels),
        regular=text(symbols[:40]),
        special=text(symbols[40:60]),
        first=text(symbols[0]),
        reels=reels,
    )
    return parse_definition(filled.encode(), "hostile.toml")


def line_set(seed: int) -> tuple[GameDefinition, StripSet]:
    """A random set, with stop weights or without, reels of lengths of their own."""
    chance = random.Random(seed)
    symbols = chance.sample(list(dict.fromkeys(NAMES)), chance.randint(2, 60))
    reels = chance.randint(2, 6)
    game = game_of(symbols, reels)
    strips = tuple(
        tuple(chance.choice(symbols) for _ in range(chance.choice([1, 2, 5, 30]))) for _ in range(reels)
    )
    weights = tuple(tuple(chance.randint(1, 1 << 14) for _ in strip) for strip in strips)
    stop_weights = {"base": weights} if chance.random() < 0.5 else {}
    return game, StripSet("hostile", game.sha256, f"s{seed}", {"base": strips}, {}, {}, stop_weights)


def shipped(name: str) -> tuple[GameDefinition, StripSet]:
    loaded = load(name)
    return loaded.game, loaded.strips


def own_free_strips() -> tuple[GameDefinition, StripSet]:
    """A Codex set with Free Spins strips for two symbols and re-spin strips."""
    game, strips = load_definition(find_game("codex-of-fortune")), realistic()
    free = strips.reels["free"]
    strips = strips.with_reels("free.Turtle", free[::-1]).with_reels("re_spins", strips.reels["base"])
    check_fit(strips, game)
    return game, strips


def every_kind() -> list[tuple[GameDefinition, StripSet]]:
    """Sets of every shape: shipped ones, one with sets for single symbols, hostile ones."""
    return [
        shipped("codex-of-fortune/strategy"),
        shipped("spellmaster/rtp-92"),
        own_free_strips(),
        *(line_set(seed) for seed in range(12)),
    ]
