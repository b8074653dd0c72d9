"""``workbench verify``: whether a strip set is what its papers say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.commands.output import path_text, print_json, print_lines
from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.game.strip_rules import StripRule
    from workbench.law_witness import Counted
    from workbench.library import Loaded
    from workbench.verify import Check

SHOWN = 20
RECORD = "strip_set.json"


@click.command("verify")
@click.argument("strips")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--witness", "rounds", type=click.IntRange(100_000, 10**12), help="Also play so many rounds.")
@click.option(
    "--law", is_flag=True, help="With --witness: also hold the law of a round against the rounds played."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Of the witness."
)
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Threads of the witness; all cores if not given."
)
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    metavar="PUBLIC.pem",
    help="Of an export: also check the signature of its manifest.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def verify_command(
    context: click.Context,
    strips: str,
    game: str | None,
    rounds: int | None,
    law: bool,
    seed: int,
    workers: int | None,
    key_file: Path | None,
    as_json: bool,
) -> None:
    """Check the strip set STRIPS: its SHA-256, definition, strip rules and stored figures.

    A folder is checked as an export: signature (with --key), every file against the manifest and the strip set, figures.

    With --witness the independent simulator plays the set, and every exact figure is held against what was played; with
    --law the whole law of a round's win as well, by chi-square over 200 classes of wins and win by win.
    Exit code 0 if all is well, 1 if a check fails.

    \b
    Examples:
      workbench verify codex-of-fortune/strategy
      workbench verify codex-of-fortune/strategy --witness 100000000
      workbench verify production --key public.pem
    """
    if os.path.isdir(strips):
        if rounds is not None or law:
            raise UsageError(f"--witness: is for strip sets; give {RECORD} of the folder")
        checks = _of_export(Path(strips), game, key_file)
        _show({"folder": path_text(Path(strips))}, checks, {}, as_json)
        context.exit(0 if all(check.ok for check in checks) else 1)
    if key_file is not None:
        raise UsageError("--key: is for the folder of an export")
    from workbench.library import load
    from workbench.verify import verify

    if law and rounds is None:
        raise UsageError("--law: needs --witness, the rounds to hold the law against")
    loaded = load(strips, game)
    checks = verify(loaded, _target_rules(loaded))
    further: dict[str, object] = {}
    if rounds is not None:
        counted = _to_count(loaded, rounds) if law else None
        more, further = _cross_examined(loaded, rounds, seed, workers or os.cpu_count() or 1, counted)
        checks += more
    _show(_head(loaded), checks, further, as_json)
    context.exit(0 if all(check.ok for check in checks) else 1)


def _to_count(loaded: Loaded, rounds: int) -> Counted:
    """The law, ready to count rounds by its classes."""
    from workbench.law_witness import Counted
    from workbench.library import located
    from workbench.value.round_law import law_of

    with located(loaded.path):
        return Counted(law_of(loaded.game, loaded.strips), loaded.game, rounds)


def _cross_examined(
    loaded: Loaded, rounds: int, seed: int, workers: int, counted: Counted | None
) -> tuple[list[Check], dict[str, object]]:
    """What the witness says to the figures, and to the law if there is one."""
    from workbench.simulate.progress import progress_of, stoppable
    from workbench.verify import Check, cross_examine

    watch = counted.add if counted else None
    with stoppable(), progress_of(rounds) as step:
        check, verdict = cross_examine(loaded, rounds, seed, workers, step, watch)
    run = {"rounds": rounds, "seed": seed}
    checks = [check]
    further: dict[str, object] = {"witness": {**run, **verdict.to_json()}}
    if counted:
        from workbench.law_witness import law_verdict

        found = law_verdict(counted)
        checks.append(
            Check("law", found.agrees, f"{rounds} rounds, seed {seed}: {found.text}", found.rejected)
        )
        further["law"] = {**run, **found.to_json()}
    return checks, further


def _target_rules(loaded: Loaded) -> tuple[StripRule, ...]:
    """The strip rules of the target beside the set, if there is one."""
    path = loaded.beside("target.toml")
    if not path.exists():
        return ()
    from workbench.optimise.target import read_target

    return read_target(path).strip_rules


def _of_export(folder: Path, game: str | None, key_file: Path | None) -> list[Check]:
    """The checks of an export; its key is read before anything else."""
    from workbench.export.check import verify_export
    from workbench.export.signature import verifying_key

    key = None if key_file is None else verifying_key(key_file)
    return verify_export(folder, game, key)


def _head(loaded: Loaded) -> dict[str, object]:
    return {
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "file": path_text(loaded.path),
        "sha256": loaded.sha256,
    }


def _show(
    head: Mapping[str, object], checks: list[Check], further: Mapping[str, object], as_json: bool
) -> None:
    if not as_json:
        print_lines([line for check in checks for line in _lines(check)])
        return
    listed = [{"name": c.name, "ok": c.ok, "text": c.text, "wrong": list(c.wrong)} for c in checks]
    print_json({**head, "ok": all(check.ok for check in checks), "checks": listed, **further})


def _lines(check: Check) -> list[str]:
    """A check and the first things that are wrong."""
    more = len(check.wrong) - SHOWN
    return [
        f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.text}",
        *(f"     {wrong}" for wrong in check.wrong[:SHOWN]),
        *([f"     {more} more, all in --json"] if more > 0 else []),
    ]
