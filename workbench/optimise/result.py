"""What a search hands over: a strip set with its figures, what it misses, the files written; and all that as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.optimise.asked import asked_of
from workbench.optimise.family import ladder
from workbench.optimise.target import Miss, Target, misses, target_toml
from workbench.reels.breaches import Breach, breaches
from workbench.reels.files import canonical_bytes, canonical_json, write_file
from workbench.reels.strip_set import StripSet


@dataclass(frozen=True)
class Result:
    """One strip set found: its figures, what it misses, the files written."""

    target: Target
    strips: StripSet
    figures: dict[str, Any]
    misses: tuple[Miss, ...]
    breaches: tuple[Breach, ...]
    files: tuple[Path, ...]
    trials: int
    seconds: float

    @property
    def met(self) -> bool:
        """Whether every hard target and every strip rule holds."""
        return not self.breaches and not any(miss.importance == "hard" for miss in self.misses)


def result_of(
    game: GameDefinition,
    target: Target,
    strips: StripSet,
    figures: dict[str, Any],
    out: Path,
    trials: int,
    seconds: float,
) -> Result:
    """Judge a set by its target and write it, its figures and its target in ``out``. FileError if that can't be done."""
    return Result(
        target=target,
        strips=strips,
        figures=figures,
        misses=tuple(misses(target, asked_of(game, target, strips, figures))),
        breaches=breaches(strips, game, target.strip_rules),
        files=_written(out, target, strips, figures),
        trials=trials,
        seconds=seconds,
    )


def _written(out: Path, target: Target, strips: StripSet, figures: dict[str, Any]) -> tuple[Path, ...]:
    files = (
        (out / f"{target.name}.json", canonical_bytes(strips)),
        (out / f"{target.name}.figures.json", canonical_json(figures)),
        (out / f"{target.name}.target.toml", target_toml(target).encode()),
    )
    for path, content in files:
        write_file(path, content)
    return tuple(path for path, _ in files)


def result_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Each result as plain JSON values."""
    return [
        {
            "target": result.target.model_dump(mode="json", exclude_none=True),
            "figures": result.figures,
            "misses": [
                {
                    "figure": m.figure,
                    "found": m.found,
                    "least": m.least if m.least > -1e300 else None,
                    "most": m.most if m.most < 1e300 else None,
                    "importance": m.importance,
                }
                for m in result.misses
            ],
            "breaches": [breach.text for breach in result.breaches],
            "trials": result.trials,
            "seconds": result.seconds,
            "files": [str(path) for path in result.files],
            "met": result.met,
        }
        for result in results
    ]


def result_json(results: list[Result]) -> dict[str, Any]:
    """What ``optimise --json`` prints: one set's result, or a family's under "family"."""
    rows = result_rows(results)
    if len(rows) == 1:
        return rows[0]
    rungs = ladder([(result.strips, result.figures) for result in results])
    return {"family": rows, "ladder": rungs, "met": all(r.met for r in results)}
