"""Each format is read back by its own kind of reader, and holds the set to the last weight."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
import tomllib
import zipfile

import openpyxl
import pytest
from export.hostile import every_kind, game_of, line_set

from workbench.errors import UsageError
from workbench.export.c_header import c_header
from workbench.export.csv_files import csv_files, dangerous_cells
from workbench.export.formats import FORMATS, production_files
from workbench.export.toml_file import toml_file
from workbench.export.typescript_module import typescript_module
from workbench.export.xlsx_book import xlsx_book
from workbench.reels.files import canonical_bytes
from workbench.reels.strip_set import StripSet

KINDS = every_kind()
IDS = [strips.name for _, strips in KINDS]
each = pytest.mark.parametrize(("game", "strips"), KINDS, ids=IDS)


def plain(strips):
    """The set as its canonical JSON has it."""
    return json.loads(canonical_bytes(strips))


@each
def test_toml_is_read_by_tomllib(game, strips):
    table = tomllib.loads(toml_file(strips).decode())
    assert table == plain(strips)


def csv_table(data):
    rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
    return [[cell for cell in column if cell] for column in zip(*rows, strict=True)]


@each
def test_csv_has_a_column_a_reel_and_exact_ids(game, strips):
    files = csv_files(strips)
    index = list(csv.reader(io.StringIO(files["index.csv"].decode(), newline=""), strict=True))
    listed = {(kind, name): file for kind, name, *rest in index for file in rest}
    for name, reels in strips.reels.items():
        assert csv_table(files[listed["reels", name]]) == [list(strip) for strip in reels]
    for name, weights in strips.stop_weights.items():
        found = csv_table(files[listed["stop_weights", name]])
        assert [[int(cell) for cell in column] for column in found] == [list(column) for column in weights]
    if strips.wheels:
        rows = list(csv.DictReader(io.StringIO(files["wheels.csv"].decode(), newline="")))
        found = {(row["wheel"], row["value"]): int(row["weight"]) for row in rows}
        assert found == {(n, v): w for n, wheel in strips.wheels.items() for v, w in wheel.items()}
    if strips.position_reels:
        rows = list(csv.DictReader(io.StringIO(files["position_reels.csv"].decode(), newline="")))
        assert len(rows) == sum(
            len(c.values) for s in strips.position_reels.values() for x in s for c in x.cells
        )


def test_plain_csv_is_what_an_sdk_splits_at_commas():
    game = game_of(["H1", "L1", "W"], 3)
    strips = StripSet("hostile", game.sha256, "s", {"base": (("H1", "L1"), ("W",), ("L1", "L1"))}, {}, {})
    assert csv_files(strips)["reels.base.csv"] == b"H1,W,L1\nL1,,L1\n"


def test_no_cell_with_apostrophes_is_a_formula():
    for _, strips in KINDS:
        for data in csv_files(strips, "apostrophe").values():
            for row in csv.reader(io.StringIO(data.decode(), newline=""), strict=True):
                assert not any(cell.startswith(("=", "+", "-", "@", "＝", "＋")) for cell in row)


def test_dangerous_cells_are_found():
    game = game_of(["=1+1", "+x", "-y", "@z", "ok", "＝1"], 2)
    strips = StripSet("hostile", game.sha256, "s", {"base": (game.symbols.all, game.symbols.all)}, {}, {})
    assert dangerous_cells(strips) == ["+x", "-y", "=1+1", "@z", "＝1"]


STRINGS = re.compile(r"<si><t(?: xml:space=\"preserve\")?>(.*?)</t></si>", re.DOTALL)


@each
def test_xlsx_holds_texts_never_formulas_or_links(game, strips):
    data = xlsx_book(strips)
    book = openpyxl.load_workbook(io.BytesIO(data))
    parts = zipfile.ZipFile(io.BytesIO(data))
    # openpyxl spoils the escape of an underscore: texts are compared by their place among the shared strings.
    shared = [_plain(html.unescape(s)) for s in STRINGS.findall(parts.read("xl/sharedStrings.xml").decode())]
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type in ("s", "n"), (sheet.title, cell.coordinate, cell.value)
                assert cell.hyperlink is None
    assert {s for reels in strips.reels.values() for strip in reels for s in strip} <= set(shared)
    index = {(row[0], row[1]): row[2] for row in book["index"].iter_rows(values_only=True)}
    lossy = {symbol: symbol.replace("x005F_", "") for symbol in game.symbols.all}
    for name, reels in strips.reels.items():
        columns = book[index["reels", name]].iter_cols(values_only=True)
        found = [[value for value in column if value is not None] for column in columns]
        assert found == [[lossy[symbol] for symbol in strip] for strip in reels]
    assert not [name for name in parts.namelist() if "link" in name.lower() or "macro" in name.lower()]


def _plain(text):
    return re.sub(r"_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), text)


def test_xlsx_refuses_what_xml_has_no_place_for():
    game = game_of(["a\uffff", "b"], 2)
    with pytest.raises(UsageError, match="xlsx"):
        xlsx_book(StripSet("hostile", game.sha256, "s", {"base": (("a\uffff",), ("b",))}, {}, {}))


C_PRINTER = r"""
#include <stdio.h>
#include "strip_set.h"
static void text(const char *s) { while (*s) printf("%02x", (unsigned char)*s++); printf(" "); }
int main(void) {
    int i, j, k, l;
    text(STRIP_SET_GAME); text(STRIP_SET_NAME); text(STRIP_SET_SHA256); text(STRIP_SET_DEFINITION_SHA256);
    printf("\n");
    for (i = 0; i < STRIP_SET_REELS_COUNT; i++) for (j = 0; j < strip_set_reels[i].reels; j++) {
        const struct strip_set_strip *s = &strip_set_reels[i].strips[j];
        printf("reels "); text(strip_set_reels[i].name); printf("%d ", s->weights != 0);
        for (k = 0; k < s->stops; k++) text(strip_set_symbol_names[s->symbols[k]]);
        for (k = 0; s->weights && k < s->stops; k++) printf("%lu ", (unsigned long)s->weights[k]);
        printf("\n");
    }
    for (i = 0; i < STRIP_SET_POSITION_REELS_COUNT; i++) for (j = 0; j < strip_set_position_reels[i].stages; j++) {
        const struct strip_set_stage *s = &strip_set_position_reels[i].stage[j];
        for (k = 0; k < s->cells; k++) for (l = 0; l < s->cell[k].wedges; l++) {
            printf("position "); text(strip_set_position_reels[i].name); printf("%d %d ", s->from, k);
            text(strip_set_symbol_names[s->cell[k].wedge[l].symbol]);
            printf("%lu\n", (unsigned long)s->cell[k].wedge[l].weight);
        }
    }
    for (i = 0; i < STRIP_SET_WHEELS_COUNT; i++) for (j = 0; j < strip_set_wheels[i].values; j++) {
        const struct strip_set_value *v = &strip_set_wheels[i].value[j];
        printf("wheel "); text(strip_set_wheels[i].name); text(v->text);
        printf("%d %.17g %lu\n", v->is_number, v->number, (unsigned long)v->weight);
    }
    return SYMBOL_COUNT != sizeof strip_set_symbol_names / sizeof *strip_set_symbol_names;
}
"""


def unhex(word):
    return bytes.fromhex(word).decode()


def set_of_c(lines):
    """The canonical table out of what the C program printed."""
    head, *rest = (line.split() for line in lines)
    table = {"format": "workbench.strip-set/1", "reels": {}, "position_reels": {}, "wheels": {}}
    table["game"], table["name"], sha256, table["definition_sha256"] = map(unhex, head)
    weights, stages = {}, {}
    for kind, name, *words in rest:
        name = unhex(name)
        if kind == "reels":
            stops = words[1:] if words[0] == "0" else words[1 : 1 + len(words) // 2]
            table["reels"].setdefault(name, []).append([unhex(word) for word in stops])
            if words[0] == "1":
                weights.setdefault(name, []).append([int(word) for word in words[1 + len(stops) :]])
        elif kind == "position":
            start, cell, symbol, weight = words
            cells = stages.setdefault(name, {}).setdefault(int(start), {})
            cells.setdefault(cell, {})[unhex(symbol)] = int(weight)
        else:
            value, is_number, number, weight = words
            value = unhex(value)
            assert is_number == "0" or float(value) == float(number)
            table["wheels"].setdefault(name, {})[value] = int(weight)
    for name, by_start in stages.items():
        table["position_reels"][name] = [{"from": n, "cells": [*c.values()]} for n, c in by_start.items()]
    return (table | {"stop_weights": weights} if weights else table), sha256


@each
def test_c_header_is_compiled_and_printed(game, strips, tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc)")
    (tmp_path / "strip_set.h").write_bytes(c_header(strips, game))
    (tmp_path / "print.c").write_text(C_PRINTER)
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-Wtrigraphs"]
    built = subprocess.run(
        [compiler, *flags, "print.c", "-o", "print"], cwd=tmp_path, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    printed = subprocess.run([tmp_path / "print"], capture_output=True, text=True, check=True).stdout
    table, sha256 = set_of_c(printed.splitlines())
    assert table == plain(strips)
    assert sha256 == hashlib.sha256(canonical_bytes(strips)).hexdigest()


def test_c_identifiers_differ_in_their_first_63_characters():
    for game, strips in KINDS:
        names = set(re.findall(r"\b(?:strip_set|SYMBOL)_\w+", c_header(strips, game).decode()))
        assert len({name[:63] for name in names}) == len(names)


def set_of_typescript(read):
    symbols = read["symbols"]
    table = {
        "format": "workbench.strip-set/1",
        "game": read["game"],
        "name": read["name"],
        "definition_sha256": read["definitionSha256"],
        "reels": {r["name"]: [[symbols[i] for i in s] for s in r["strips"]] for r in read["reels"]},
        "position_reels": {
            p["name"]: [
                {
                    "from": s["from"],
                    "cells": [{symbols[w["symbol"]]: w["weight"] for w in cell} for cell in s["cells"]],
                }
                for s in p["stages"]
            ]
            for p in read["positionReels"]
        },
        "wheels": {w["name"]: {str(e["value"]): e["weight"] for e in w["wedges"]} for w in read["wheels"]},
    }
    weights = {r["name"]: r["stopWeights"] for r in read["reels"] if r["stopWeights"]}
    return table | {"stop_weights": weights} if weights else table


def node(folder, *files):
    """What node reads of each module; its types are taken off by the three words the module uses of the language."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("no node")
    for file in files:
        source = (folder / f"{file}.ts").read_text()
        bare = re.sub(
            r"^export type .*;$", "", source.replace("\n} as const;\n", "\n};\n"), flags=re.MULTILINE
        )
        (folder / f"{file}.mjs").write_text(bare)
    script = "".join(f"import s{i} from './{file}.mjs';" for i, file in enumerate(files))
    script += f"console.log(JSON.stringify([{','.join(f's{i}' for i in range(len(files)))}]));"
    command = [program, "--input-type=module", "-e", script]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout)


def test_typescript_module_is_read_by_node(tmp_path):
    for i, (game, strips) in enumerate(KINDS):
        (tmp_path / f"m{i}.ts").write_bytes(typescript_module(strips, game))
    read = node(tmp_path, *(f"m{i}" for i in range(len(KINDS))))
    for found, (game, strips) in zip(read, KINDS, strict=True):
        assert set_of_typescript(found) == plain(strips)
        assert found["symbols"] == list(game.symbols.all)
        assert found["sha256"] == hashlib.sha256(canonical_bytes(strips)).hexdigest()


@each
def test_bytes_are_the_same_every_time_and_no_text_becomes_markup_or_a_path(game, strips):
    files = production_files(strips, game, FORMATS)
    assert files == production_files(strips, game, FORMATS)
    assert all(re.fullmatch(r"[a-z0-9_][a-z0-9_.-]*", name) for name in files)
    assert b"<script" not in files["strip_set.ts"] and b"<script" not in files["strip_set.xlsx"]
    assert len({name.casefold() for name in files}) == len(files)


def test_hostile_names_are_all_played():
    """The random sets together hold every name of the list."""
    seen = {s for seed in range(12) for s in line_set(seed)[0].symbols.all}
    assert {"=1+1", "../../x", "*/", "__proto__", "<script>alert(1)</script>", "_x0041_"} <= seen
