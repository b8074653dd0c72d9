"""``workbench report``: the PAR sheet of a strip set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import folder_path, path_text, print_json, print_lines, waiting, warn
from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.library import Loaded
    from workbench.report.par_model import ParSheet
    from workbench.report.par_sources import Sources

ROUNDS, LEAST_ROUNDS = 10_000_000, 1000
WORKERS = 2


@dataclass(frozen=True)
class Wanted:
    """What is computed besides the figures: paid rounds that are played (0: none), their seed, and swaps of stops."""

    rounds: int = ROUNDS
    seed: int = 1
    sensitivity: bool = False


@click.command("report")
@click.argument("strips", required=False)
@click.option("--out", metavar="DIR", required=True, help="Folder for the files, made if it isn't there.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option(
    "--rounds", default=ROUNDS, show_default=True, help="Paid rounds the simulator plays; 0 for none."
)
@click.option("--seed", default=1, show_default=True, help="Of the simulation.")
@click.option(
    "--sensitivity", is_flag=True, help="Add what every swapped stop does to the RTP; takes a minute or more."
)
@click.option("--shipped", is_flag=True, help="Every shipped set, each to DIR/GAME/NAME.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def report_command(
    strips: str | None,
    out: str,
    game: str | None,
    rounds: int,
    seed: int,
    sensitivity: bool,
    shipped: bool,
    as_json: bool,
) -> None:
    """The PAR sheet of the strip set STRIPS: par.json with all digits, par.html, a page by itself, and par.xlsx,
    a workbook that recomputes itself.

    Every figure says whether it is exact, bounded or estimated. The law of a round may take a minute the first time;
    the simulation of a run is the same on every machine.

    \b
    Examples:
      workbench report codex-of-fortune/strategy --out par
      workbench report my-set.json --rounds 0 --sensitivity --out par
      workbench report --shipped --out reports/par
    """
    folder = folder_path(out)
    if (strips is None) != shipped:
        raise UsageError(
            "report: must have either STRIPS or --shipped, but got " + ("both" if shipped else "neither")
        )
    if rounds and rounds < LEAST_ROUNDS:
        raise UsageError(f"--rounds: must be 0 or {LEAST_ROUNDS} at least, but got {rounds}")
    sets = {strips: folder} if strips is not None else {name: folder / name for name in shipped_sets()}
    ask = Wanted(rounds, seed, sensitivity)
    written = [path for name, place in sets.items() for path in _report(name, game, ask, place)]
    if as_json:
        print_json({"format": "workbench.report/1", "files": [path_text(path) for path in written]})
    else:
        print_lines(f"wrote {path_text(path)}" for path in written)


def shipped_sets() -> list[str]:
    """The strip sets that come with the shipped games, as GAME/NAME."""
    from workbench.game.load import shipped_games
    from workbench.library import strip_sets

    return [f"{game}/{name}" for game in shipped_games() for name in strip_sets(game)]


def _report(strips: str, game: str | None, wanted: Wanted, folder: Path) -> list[Path]:
    """Write the files of one set; their paths."""
    from workbench.library import load, warnings
    from workbench.reels.files import write_file
    from workbench.report.par_sheet import par_sheet

    loaded = load(strips, game)
    warn(warnings(loaded))
    sources = sources_of(loaded, wanted)
    sheet = par_sheet(sources)
    files = renderings(sheet) | {"par.xlsx": workbook(sources, sheet)}
    for name, data in files.items():
        write_file(folder / name, data)
    return [folder / name for name in files]


def sources_of(loaded: Loaded, wanted: Wanted) -> Sources:
    """What the sheet of a set is made from."""
    from workbench.library import located
    from workbench.report.par_sheet import gather

    with located(loaded.path), waiting("figures and law of a round"):
        played = _played(loaded, wanted.rounds, wanted.seed) if wanted.rounds else None
        sources = gather(loaded.game, loaded.strips, loaded.sha256, played)
    if not wanted.sensitivity:
        return sources
    with located(loaded.path), waiting("every swapped stop"):
        from workbench.sensitivity.sensitivity import sensitivities

        return replace(sources, sensitivity=sensitivities(loaded.game, loaded.strips))


def _played(loaded: Loaded, rounds: int, seed: int) -> dict[str, Any]:
    """The witness's verdict on the exact figures."""
    from workbench.verify import cross_examine

    _, found = cross_examine(loaded, rounds, seed, WORKERS)
    return {"rounds": rounds, "seed": seed, **found.to_json()}


def renderings(sheet: ParSheet) -> dict[str, bytes]:
    """The files of a sheet, by name."""
    from workbench.report.par_html import par_html
    from workbench.report.par_model import par_json

    return {"par.json": par_json(sheet), "par.html": par_html(sheet)}


def workbook(sources: Sources, sheet: ParSheet) -> bytes:
    """The workbook that recomputes itself."""
    from workbench.report.xlsx.par_book import par_xlsx

    return par_xlsx(sources.game, sources.strips, sources.figures, sheet)
