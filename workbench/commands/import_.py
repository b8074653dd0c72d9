"""``workbench import``: a strip set out of CSV, XLSX or exported files."""

from __future__ import annotations

import re
from dataclasses import replace
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.commands.output import complain, path_text, print_json, print_lines, warn
from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.reading.assemble import Read
    from workbench.reading.layout import Told
    from workbench.reels.strip_set import StripSet

MOST_SAID = 200


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--game", metavar="GAME", required=True, help="The id of a game, or a definition file.")
@click.option("--out", type=click.Path(path_type=Path), help="The strip set's file; else it goes to stdout.")
@click.option("--base", metavar="STRIPS", help="The set that gives what the files don't hold.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="NAME=SYMBOL",
    help="Another name for a symbol, or a file of pairs.",
)
@click.option("--reels", multiple=True, metavar="NAME", help="The reel set of each table, in order.")
@click.option("--name", help="The name of the set; else that of --out or of the base.")
@click.option("--rows/--columns", "rows", default=None, help="A reel is a row, or a column.")
@click.option("--header/--no-header", "header", default=None, help="Whether labels stand before the strips.")
@click.option(
    "--index/--no-index", "index", default=None, help="Whether stop numbers stand beside the strips."
)
@click.option("--json", "as_json", is_flag=True, help="With --out: print one JSON object and nothing else.")
def import_command(
    files: tuple[Path, ...],
    game: str,
    out: Path | None,
    base: str | None,
    maps: tuple[str, ...],
    reels: tuple[str, ...],
    name: str | None,
    rows: bool | None,
    header: bool | None,
    index: bool | None,
    as_json: bool,
) -> None:
    """A strip set out of FILE: tables of strips in CSV or XLSX, or an export in JSON, CSV, XLSX or TOML.

    A column is a reel and a row a stop, or the other way round; labels, stop numbers, semicolons, tabs and other cases of
    letters are recognised, and what is guessed is said on stderr. What can be read in two ways is refused.

    \b
    Examples:
      workbench import strips.csv --game my-game --out mine.json
      workbench import book.xlsx --game codex-of-fortune --base codex-of-fortune/strategy --map L1=Lion --out mine.json
    """
    from workbench.library import Loaded, pick_definition, warnings
    from workbench.reading.layout import Told
    from workbench.reels.files import canonical_bytes, sha256_of, write_file

    if as_json and out is None:
        raise UsageError("--json: needs --out, as the strip set itself goes to stdout without it")
    if out is not None and lexists(out):
        raise UsageError(f"--out: {path_text(out)} is there already, and nothing is overwritten")
    definition = pick_definition(game, b"", game)
    found = _read(files, definition, base, maps, reels, _name(name, out), Told(rows, header, index))
    for line in found.said[:MOST_SAID]:
        complain(line, "import")
    strips = found.strips if name is None else replace(found.strips, name=name)
    data = canonical_bytes(strips)
    warn(warnings(Loaded(out or files[0], sha256_of(data), definition, strips)))
    if out is None:
        click.echo(data, nl=False)
        return
    write_file(out, data)
    if as_json:
        print_json({"file": path_text(out), "sha256": sha256_of(data), "said": list(found.said)})
    else:
        print_lines([f"wrote {path_text(out)}"])


def _name(name: str | None, out: Path | None) -> str | None:
    """The name that is asked for; UsageError if a strip set can't have it."""
    from workbench.reels.files import NAME

    if name is not None and not NAME.fullmatch(name):
        raise UsageError(f"--name: must be letters, digits and . _ + -, but got {name!r}")
    if name is None and out is not None:
        return re.sub(r"[^A-Za-z0-9._+-]+", "-", out.stem).lstrip("._+-")[:80] or None
    return name


def _read(
    files: tuple[Path, ...],
    game: GameDefinition,
    base: str | None,
    maps: tuple[str, ...],
    reels: tuple[str, ...],
    name: str | None,
    told: Told,
) -> Read:
    """What the files hold: a whole set as it is, or tables put together."""
    from workbench.reading.assemble import Read, assembled
    from workbench.reading.layout import Told
    from workbench.reading.sources import Tables, read_source
    from workbench.reading.symbols import names_of

    names = names_of(game, maps)
    sources = [read_source(path, game, names) for path in files]
    tables = [source for source in sources if isinstance(source, Tables)]
    if len(tables) < len(sources):
        if len(sources) > 1 or base or reels or maps or told != Told():
            raise UsageError(
                "FILE: an export is a whole set and stands alone, without --base, --reels, --map and layout"
            )
        strips = sources[0]
        assert not isinstance(strips, Tables)
        return Read(strips, (f"{path_text(files[0])}: a whole strip set, {strips.name}",))
    grids = [grid for source in tables for grid in source.grids]
    if not grids:
        raise UsageError(f"{path_text(files[0])}: must hold a table of strips, but is blank")
    given = _base(base, game)
    own = name or (given.name if given else "imported")
    found = assembled(grids, game, names, told, reels, given, own)
    return Read(found.strips, (*(line for source in tables for line in source.said), *found.said))


def _base(argument: str | None, game: GameDefinition) -> StripSet | None:
    from workbench.library import find_strips
    from workbench.reels.files import load_strip_set

    return None if argument is None else load_strip_set(find_strips(argument), game)
