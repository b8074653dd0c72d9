"""``workbench verify``: whether a strip set is what its papers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.commands.output import path_text, print_json, print_lines

if TYPE_CHECKING:
    from workbench.game.strip_rules import StripRule
    from workbench.library import Loaded
    from workbench.verify import Check

SHOWN = 20


@click.command("verify")
@click.argument("strips")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def verify_command(context: click.Context, strips: str, game: str | None, as_json: bool) -> None:
    """Check the strip set STRIPS: its SHA-256, definition, strip rules and stored figures.

    Exit code 0 if all is well, 1 if a check fails.

    \b
    Example:
      workbench verify codex-of-fortune/strategy
    """
    from workbench.library import load
    from workbench.verify import verify

    loaded = load(strips, game)
    checks = verify(loaded, _target_rules(loaded))
    if as_json:
        print_json(_table(loaded, checks))
    else:
        print_lines([line for check in checks for line in _lines(check)])
    context.exit(0 if all(check.ok for check in checks) else 1)


def _target_rules(loaded: Loaded) -> tuple[StripRule, ...]:
    """The strip rules of the target beside the set, if there is one."""
    path = loaded.beside("target.toml")
    if not path.exists():
        return ()
    from workbench.optimise.target import read_target

    return read_target(path).strip_rules


def _table(loaded: Loaded, checks: list[Check]) -> dict[str, object]:
    return {
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "file": path_text(loaded.path),
        "sha256": loaded.sha256,
        "ok": all(check.ok for check in checks),
        "checks": [{"name": c.name, "ok": c.ok, "text": c.text, "wrong": list(c.wrong)} for c in checks],
    }


def _lines(check: Check) -> list[str]:
    """A check and the first things that are wrong."""
    more = len(check.wrong) - SHOWN
    return [
        f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.text}",
        *(f"     {wrong}" for wrong in check.wrong[:SHOWN]),
        *([f"     {more} more, all in --json"] if more > 0 else []),
    ]
