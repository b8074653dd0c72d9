"""Strip sets on disk: read from any well-formed JSON, written in one canonical form.

Canonical means: keys sorted, one strip a line, UTF-8, a newline at the end. The same set has the same bytes, and
so the same SHA-256, on every machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.errors import FileError, StripSetError
from workbench.game.definition import GameDefinition
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import MAX_STOPS, Stage, StripSet, Weights

FORMAT = "workbench.strip-set/1"
MAX_FILE_BYTES = 8 << 20
MAX_DIGITS = 100
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,79}$")


def sha256_of(data: bytes) -> str:
    """Hex SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def read_file(path: Path) -> bytes:
    """The bytes of a file of at most 8 MiB; FileError otherwise."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path}: can't be read ({error.strerror})") from None
    if len(data) > MAX_FILE_BYTES:
        raise FileError(f"{path}: must have at most {MAX_FILE_BYTES} bytes")
    return data


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: temporary file, fsync, rename."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
        raise FileError(f"{path}: can't be written ({error.strerror})") from None


def load_strip_set(path: Path, game: GameDefinition) -> StripSet:
    """Read a strip set and check that it fits the game; StripSetError says what is wrong where."""
    return parse_strip_set(read_file(path), game, str(path))


def parse_strip_set(data: bytes, game: GameDefinition, where: str) -> StripSet:
    """A strip set from the bytes of its file; ``where`` heads the error line."""
    try:
        strips = _strip_set(parse_json(data, where))
        check_fit(strips, game)
    except StripSetError as error:
        text = str(error)
        raise StripSetError(text if text.startswith(where) else f"{where}: {text}") from None
    return strips


def peek_game(data: bytes, where: str) -> str:
    """The game a strip-set file says it is for."""
    table = parse_json(data, where)
    game = table.get("game") if isinstance(table, dict) else None
    if not isinstance(game, str):
        raise StripSetError(f"{where}: game: must be the id of a game, but got {_short(game)}")
    return game


def canonical_bytes(strips: StripSet) -> bytes:
    """The canonical file of a strip set."""
    table = {
        "format": FORMAT,
        "game": strips.game,
        "definition_sha256": strips.definition_sha256,
        "name": strips.name,
        "reels": {name: [list(strip) for strip in reels] for name, reels in strips.reels.items()},
        "position_reels": {
            name: [{"from": s.start, "cells": [dict(cell.items()) for cell in s.cells]} for s in stages]
            for name, stages in strips.position_reels.items()
        },
        "wheels": {name: dict(wheel.items()) for name, wheel in strips.wheels.items()},
    }
    if strips.stop_weights:
        table["stop_weights"] = {
            name: [list(weights) for weights in by_reel] for name, by_reel in strips.stop_weights.items()
        }
    return canonical_json(table)


def canonical_json(table: Mapping[str, Any]) -> bytes:
    """The one layout of every JSON file the workbench writes; ValueError if a number isn't finite.

    >>> print(canonical_json({"b": [1, 2], "a": {"x": [[0.5], [2]]}}).decode(), end="")
    {
      "a": {
        "x": [
          [0.5],
          [2]
        ]
      },
      "b": [1, 2]
    }
    """
    return (_layout(table, 0) + "\n").encode()


def strip_set_sha256(strips: StripSet) -> str:
    """SHA-256 of the canonical file."""
    return sha256_of(canonical_bytes(strips))


def _layout(value: object, depth: int) -> str:
    """JSON with sorted keys; a list or table without tables or lists inside stands on one line."""
    items = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(items, list) or not any(isinstance(item, list | Mapping) for item in items):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
    pad = "  " * (depth + 1)
    if isinstance(value, Mapping):
        inner = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {_layout(value[key], depth + 1)}"
            for key in sorted(value)
        ]
        return "{\n" + ",\n".join(inner) + "\n" + "  " * depth + "}"
    return "[\n" + ",\n".join(pad + _layout(item, depth + 1) for item in items) + "\n" + "  " * depth + "]"


def parse_json(data: bytes, where: str) -> Any:
    """JSON without duplicate keys or NaN; StripSetError says where it breaks."""

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise StripSetError(f"{where}: a key must be given once, but {_short(twice)} is given again")
        return found

    def constant(name: str) -> Any:
        raise StripSetError(f"{where}: numbers must be finite, but got {name}")

    def whole(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise StripSetError(
                f"{where}: numbers must have at most {MAX_DIGITS} digits, but got {len(digits)}"
            )
        return int(digits)

    try:
        return json.loads(data.decode(), object_pairs_hook=table, parse_constant=constant, parse_int=whole)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise StripSetError(f"{where}: not a JSON file, or cut short ({error})") from None
    except RecursionError:
        raise StripSetError(f"{where}: nested too deep") from None
    except ValueError as error:
        raise StripSetError(f"{where}: {error}") from None


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _table(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise StripSetError(f"{place}: must be a table, but got {_short(value)}")
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise StripSetError(f"{place}: must be a list, but got {_short(value)}")
    return value


def _strip_set(raw: object) -> StripSet:
    table = _table(raw, "strip set")
    if table.get("format") != FORMAT:
        raise StripSetError(f"format: must be {FORMAT!r}, but got {_short(table.get('format'))}")
    for key in ("game", "definition_sha256", "name"):
        if not isinstance(table.get(key), str):
            raise StripSetError(f"{key}: must be a text, but got {_short(table.get(key))}")
    if not NAME.match(table["name"]):
        raise StripSetError(f"name: must be letters, digits and . _ + -, but got {_short(table['name'])}")
    known = {
        *("format", "game", "definition_sha256", "name"),
        *("reels", "position_reels", "wheels", "stop_weights"),
    }
    for key in table:
        if key not in known:
            raise StripSetError(f"{_short(key)}: is not a key of a strip set")
    return StripSet(
        game=table["game"],
        definition_sha256=table["definition_sha256"],
        name=table["name"],
        reels={n: _reels(v, f"reels.{n}") for n, v in _table(table.get("reels"), "reels").items()},
        position_reels={
            n: _stages(v, f"position_reels.{n}")
            for n, v in _table(table.get("position_reels", {}), "position_reels").items()
        },
        wheels={n: _weights(v, f"wheels.{n}") for n, v in _table(table.get("wheels", {}), "wheels").items()},
        stop_weights={
            n: _stop_weights(v, f"stop_weights.{n}")
            for n, v in _table(table.get("stop_weights", {}), "stop_weights").items()
        },
    )


def _reels(value: object, place: str) -> tuple[tuple[str, ...], ...]:
    reels = []
    for r, strip in enumerate(_list(value, place)):
        stops = _list(strip, f"{place}: reel {r + 1}")
        if len(stops) > MAX_STOPS:
            raise StripSetError(
                f"{place}: reel {r + 1} must have 1 to {MAX_STOPS} stops, but got {len(stops)}"
            )
        for i, symbol in enumerate(stops):
            if not isinstance(symbol, str):
                raise StripSetError(
                    f"{place}: reel {r + 1}, stop {i} (counted from 0): must be a symbol, but got {_short(symbol)}"
                )
        reels.append(tuple(stops))
    return tuple(reels)


def _stop_weights(value: object, place: str) -> tuple[tuple[int, ...], ...]:
    by_reel = []
    for r, weights in enumerate(_list(value, place)):
        listed = _list(weights, f"{place}: reel {r + 1}")
        if not 1 <= len(listed) <= MAX_STOPS:
            raise StripSetError(
                f"{place}: reel {r + 1} must have 1 to {MAX_STOPS} weights, but got {len(listed)}"
            )
        by_reel.append(tuple(listed))
    return tuple(by_reel)


def _stages(value: object, place: str) -> tuple[Stage, ...]:
    stages = []
    for i, entry in enumerate(_list(value, place)):
        table = _table(entry, f"{place}[{i}]")
        if set(table) != {"from", "cells"} or type(table["from"]) is not int:
            raise StripSetError(
                f"{place}[{i}]: must have the keys 'from' (a whole number) and 'cells', but got {_short(table)}"
            )
        cells = _list(table["cells"], f"{place}[{i}].cells")
        stages.append(
            Stage(table["from"], tuple(_weights(c, f"{place}[{i}].cells[{r}]") for r, c in enumerate(cells)))
        )
    return tuple(stages)


def _weights(value: object, place: str) -> Weights:
    table = _table(value, place)
    return Weights(place, tuple(table), tuple(table.values()))
