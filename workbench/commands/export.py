"""``workbench export``: production files of a strip set, with a manifest that proves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.commands.output import path_text, print_json, print_lines, warn

if TYPE_CHECKING:
    from workbench.export.signature import SigningKey
    from workbench.library import Loaded

# The keys of workbench.export.formats.FORMATS and the choices of CSV cells; copies, as importing them is slow.
FORMATS = ("json", "csv", "xlsx", "toml", "c", "typescript")
CELLS = ("exact", "apostrophe")


@click.command("export")
@click.argument("strips")
@click.option(
    "--format",
    "formats",
    type=click.Choice([*FORMATS, "all"]),
    multiple=True,
    default=("all",),
    help="Several may be given; all if none is. JSON is always there.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The folder; an earlier export in it is replaced.",
)
@click.option(
    "--sign",
    "key_file",
    type=click.Path(path_type=Path),
    metavar="KEYFILE",
    help="Sign the manifest with this Ed25519 private key (PEM).",
)
@click.option(
    "--csv-cells",
    "cells",
    type=click.Choice(CELLS),
    default="exact",
    show_default=True,
    help="CSV cells that begin with = + - @ : as they are, or after an apostrophe.",
)
@click.option("--strategy", metavar="NAME", help="The player's strategy in the manifest's figures.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def export_command(
    strips: str,
    formats: tuple[str, ...],
    out: Path,
    key_file: Path | None,
    cells: str,
    strategy: str | None,
    game: str | None,
    as_json: bool,
) -> None:
    """Write the strip set STRIPS for production: one folder with its files and manifest.json.

    The manifest has the SHA-256 of every file, of the strip set and of the definition, and the exact figures; workbench
    verify DIR proves it. The same set gives the same bytes. The folder appears whole or not at all.

    \b
    Examples:
      workbench export codex-of-fortune/strategy --out production
      workbench export mine.json --format csv --format c --out production --sign private.pem
    """
    from workbench.export.folder import write_folder
    from workbench.export.manifest import MANIFEST, SIGNATURE, exported
    from workbench.library import load, located, warnings
    from workbench.reels.files import strip_set_sha256
    from workbench.value.evaluate import figures_of

    key = _signing_key(key_file)
    loaded = load(strips, game)
    chosen = FORMATS if "all" in formats else tuple(name for name in FORMATS if name in formats)
    warn([*warnings(loaded), *_formulas(loaded, chosen, cells)])
    with located(loaded.path):
        exported(loaded.strips, loaded.game, {}, chosen, cells)  # refuses before the long evaluation
        sha256 = strip_set_sha256(loaded.strips)
        figures = figures_of(loaded.game, loaded.strips, strategy, sha256)
        files = exported(loaded.strips, loaded.game, figures, chosen, cells)
    if key is not None:
        files[SIGNATURE] = key.sign(files[MANIFEST])
    write_folder(out, files)
    if as_json:
        print_json({"folder": path_text(out), "files": sorted(files), "strip_set_sha256": sha256})
    else:
        print_lines(f"wrote {path_text(out / name)}" for name in sorted(files))


def _formulas(loaded: Loaded, formats: tuple[str, ...], cells: str) -> Iterator[str]:
    """A warning where CSV files have cells that a spreadsheet would calculate."""
    from workbench.export.csv_files import EXACT, dangerous_cells

    found = dangerous_cells(loaded.strips) if "csv" in formats and cells == EXACT else []
    if found:
        yield (
            f"csv: a spreadsheet takes {', '.join(map(repr, found[:5]))} for formulas; --csv-cells apostrophe"
            " writes an apostrophe before them"
        )


def _signing_key(path: Path | None) -> SigningKey | None:
    """The key, read before any work is done."""
    if path is None:
        return None
    from workbench.export.signature import signing_key

    return signing_key(path)
