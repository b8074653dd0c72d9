"""A strip set as a TypeScript module: one constant, typed ``as const``, plain ASCII.

Names are values, never keys: a symbol called ``__proto__`` is as good as any. Texts are JSON strings with ``<`` escaped, so
that the module may stand in a page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from workbench.game.definition import GameDefinition
from workbench.game.named import shortest_decimal
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import Stage, StripSet

FORMAT = "workbench.typescript/1"

HEAD = """\
// Written by workbench export. Reels and cells count from 0; strips are indices into symbols.
// stopWeights is null where stops are equally likely; one cell serves every reel where a stage has one.
export const stripSet = {
"""
TAIL = """\
} as const;

export type StripSet = typeof stripSet;
export type SymbolName = StripSet["symbols"][number];
export type ReelSetName = StripSet["reels"][number]["name"];

export default stripSet;
"""


def typescript_module(strips: StripSet, game: GameDefinition) -> bytes:
    """The module, in ASCII; numbers a double can't hold in their shortest form stay texts."""
    head = {
        "format": FORMAT,
        "game": strips.game,
        "name": strips.name,
        "sha256": strip_set_sha256(strips),
        "definitionSha256": strips.definition_sha256,
        "symbols": list(game.symbols.all),
    }
    tuned: dict[str, list[Mapping[str, object]]] = {
        "reels": _reels(strips, game),
        "positionReels": [
            {"name": name, "stages": [_stage(stage, game) for stage in stages]}
            for name, stages in sorted(strips.position_reels.items())
        ],
        "wheels": [
            {"name": name, "wedges": [{"value": _value(v), "weight": w} for v, w in sorted(wheel.items())]}
            for name, wheel in sorted(strips.wheels.items())
        ],
    }
    lines = [f"  {key}: {_literal(value)},\n" for key, value in head.items()]
    for key, entries in tuned.items():
        lines += [f"  {key}: [\n", *(f"    {_literal(entry)},\n" for entry in entries), "  ],\n"]
    return (HEAD + "".join(lines) + TAIL).encode("ascii")


def _reels(strips: StripSet, game: GameDefinition) -> list[Mapping[str, object]]:
    index = game.symbol_index
    return [
        {
            "name": name,
            "strips": [[index[symbol] for symbol in strip] for strip in reels],
            "stopWeights": strips.weights_of(name),
        }
        for name, reels in sorted(strips.reels.items())
    ]


def _stage(stage: Stage, game: GameDefinition) -> Mapping[str, object]:
    index = game.symbol_index
    cells = [
        [{"symbol": index[symbol], "weight": weight} for symbol, weight in sorted(cell.items())]
        for cell in stage.cells
    ]
    return {"from": stage.start, "cells": cells}


def _value(text: str) -> object:
    """A wheel's value as a number, where that prints as the same text."""
    if not shortest_decimal(text):
        return text
    number = float(text)
    shortest = int(number) if number.is_integer() else number
    return shortest if str(shortest) == text else text


def _literal(value: object) -> str:
    """A literal whose keys, all of them ours, stand bare."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key}: {_literal(item)}" for key, item in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return json.dumps(value).replace("<", "\\u003c")
