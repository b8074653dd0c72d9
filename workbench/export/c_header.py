"""A strip set as a C99 header: constant arrays with their lengths, symbols as an enum.

Identifiers hold only what :mod:`workbench.export.names` lets through; the exact names stand in ``strip_set_symbol_names`` and
in the ``name`` and ``text`` members, in escaped strings of UTF-8. No text of a user's stands in a comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.export.names import distinct, identifier_slug
from workbench.game.definition import GameDefinition
from workbench.game.named import shortest_decimal
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import Reels, Stage, StripSet, Weights

FORMAT = "workbench.c/1"
WIDTH = 100

TYPES = """\
/* Written by workbench export. Reels and cells count from 0. No text in a comment is from a definition. */
#ifndef STRIP_SET_H
#define STRIP_SET_H

#include <stdint.h>

/* weights is 0 where the stops of the reel are equally likely. */
struct strip_set_strip { uint16_t stops; const uint8_t *symbols; const uint32_t *weights; };
struct strip_set_reels { const char *name; uint16_t reels; const struct strip_set_strip *strips; };

/* A wedge of one cell of a position reel. */
struct strip_set_wedge { uint8_t symbol; uint32_t weight; };
struct strip_set_cell { uint16_t wedges; const struct strip_set_wedge *wedge; };
/* One cell serves every reel where cells is 1. */
struct strip_set_stage { uint16_t from; uint16_t cells; const struct strip_set_cell *cell; };
struct strip_set_position_reels { const char *name; uint16_t stages; const struct strip_set_stage *stage; };

/* number is that of the text where is_number is 1, else 0. */
struct strip_set_value { const char *text; uint8_t is_number; double number; uint32_t weight; };
struct strip_set_wheel { const char *name; uint16_t values; const struct strip_set_value *value; };
"""


def c_header(strips: StripSet, game: GameDefinition) -> bytes:
    """The header, in ASCII; it compiles with ``-std=c99 -Wall -Wextra -pedantic -Werror``."""
    symbols = distinct(game.symbols.all, identifier_slug, reserved=["COUNT"])
    enum = {symbol: f"SYMBOL_{name}" for symbol, name in symbols.items()}
    parts = [
        TYPES,
        *_defines(strips),
        "",
        *_symbols(enum),
        *_reel_sets(strips, enum),
        *_position_reels(strips, enum),
        *_wheels(strips),
        "#endif",
    ]
    return ("\n".join(parts) + "\n").encode("ascii")


def _defines(strips: StripSet) -> Iterator[str]:
    texts = {
        "FORMAT": FORMAT,
        "GAME": strips.game,
        "NAME": strips.name,
        "SHA256": strip_set_sha256(strips),
        "DEFINITION_SHA256": strips.definition_sha256,
    }
    yield from (f"#define STRIP_SET_{key} {c_string(text)}" for key, text in texts.items())
    counts = {
        "REELS": strips.reels,
        "POSITION_REELS": strips.position_reels,
        "WHEELS": strips.wheels,
    }
    yield from (f"#define STRIP_SET_{key}_COUNT {len(named)}" for key, named in counts.items())


def _symbols(enum: dict[str, str]) -> Iterator[str]:
    yield "enum strip_set_symbol {"
    yield from (f"    {name} = {i}," for i, name in enumerate(enum.values()))
    yield f"    SYMBOL_COUNT = {len(enum)}"
    yield "};"
    yield from _array("const char *const", "strip_set_symbol_names", [c_string(symbol) for symbol in enum])


def _reel_sets(strips: StripSet, enum: dict[str, str]) -> Iterator[str]:
    sets = []
    for name, slug in distinct(sorted(strips.reels), _short_slug).items():
        reels = strips.reels[name]
        yield from _strips(slug, reels, strips.weights_of(name), enum)
        sets.append(f"{{{c_string(name)}, {len(reels)}, strip_set_reels_{slug}}}")
    yield from _array("const struct strip_set_reels", "strip_set_reels", sets)


def _strips(
    slug: str, reels: Reels, weights: Sequence[Sequence[int]] | None, enum: dict[str, str]
) -> Iterator[str]:
    entries = []
    for r, strip in enumerate(reels):
        stops = f"strip_set_stops_{r}_{slug}"
        yield from _array("const uint8_t", stops, [enum[symbol] for symbol in strip])
        own = "0"
        if weights is not None:
            own = f"strip_set_stop_weights_{r}_{slug}"
            yield from _array("const uint32_t", own, [f"{weight}u" for weight in weights[r]])
        entries.append(f"{{{len(strip)}, {stops}, {own}}}")
    yield from _array("const struct strip_set_strip", f"strip_set_reels_{slug}", entries)


def _position_reels(strips: StripSet, enum: dict[str, str]) -> Iterator[str]:
    sets = []
    for name, slug in distinct(sorted(strips.position_reels), _short_slug, reserved=["reels"]).items():
        stages = strips.position_reels[name]
        own = f"strip_set_position_{slug}"
        entries = []
        for i, stage in enumerate(stages):
            yield from _cells(i, slug, stage, enum)
            entries.append(f"{{{stage.start}, {len(stage.cells)}, strip_set_stage_{i}_{slug}}}")
        yield from _array("const struct strip_set_stage", own, entries)
        sets.append(f"{{{c_string(name)}, {len(stages)}, {own}}}")
    yield from _array("const struct strip_set_position_reels", "strip_set_position_reels", sets)


def _cells(number: int, slug: str, stage: Stage, enum: dict[str, str]) -> Iterator[str]:
    entries = []
    for c, cell in enumerate(stage.cells):
        wedges = [f"{{{enum[symbol]}, {weight}u}}" for symbol, weight in sorted(cell.items())]
        own = f"strip_set_cell_{number}_{c}_{slug}"
        yield from _array("const struct strip_set_wedge", own, wedges)
        entries.append(f"{{{len(wedges)}, {own}}}")
    yield from _array("const struct strip_set_cell", f"strip_set_stage_{number}_{slug}", entries)


def _wheels(strips: StripSet) -> Iterator[str]:
    wheels = []
    for name, slug in distinct(sorted(strips.wheels), _short_slug).items():
        own = f"strip_set_wheel_{slug}"
        yield from _array("const struct strip_set_value", own, _values(strips.wheels[name]))
        wheels.append(f"{{{c_string(name)}, {len(strips.wheels[name].values)}, {own}}}")
    yield from _array("const struct strip_set_wheel", "strip_set_wheels", wheels)


def _values(wheel: Weights) -> list[str]:
    return [
        f"{{{c_string(value)}, {int(shortest_decimal(value))},"
        f" {value if shortest_decimal(value) else 0}, {weight}u}}"
        for value, weight in sorted(wheel.items())
    ]


def _short_slug(text: str) -> str:
    """So short that every identifier differs from the others in its first 63 characters, all that C99 looks at."""
    return identifier_slug(text)[:20].strip("_")


def _array(kind: str, name: str, entries: Sequence[str]) -> Iterator[str]:
    """An array and its entries over lines of bounded width; a pointer to nothing where there are none."""
    if not entries:
        yield f"static {kind} *const {name} = 0;\n"
        return
    yield f"static {kind} {name}[{len(entries)}] = {{"
    yield from _filled(entries)
    yield "};\n"


def _filled(entries: Iterable[str]) -> Iterator[str]:
    line = ""
    for entry in entries:
        if line and len(line) + len(entry) > WIDTH:
            yield f"   {line}"
            line = ""
        line += f" {entry},"
    yield f"   {line}"


def c_string(text: str) -> str:
    """A string literal: bytes of UTF-8 that aren't plain are octal; no trigraph and no end of a comment stands in it.

    >>> print(c_string('a"??/*/'), c_string("é1"))
    "a\\042\\077\\077/\\052/" "\\303\\2511"
    """
    plain = b" !#$%&'()+,-./:;<=>@[]^_`{|}~"
    return (
        '"'
        + "".join(
            chr(byte) if byte in plain or (byte < 128 and chr(byte).isalnum()) else f"\\{byte:03o}"
            for byte in text.encode()
        )
        + '"'
    )
