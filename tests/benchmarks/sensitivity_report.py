"""All sensitivities of a strip set against a whole evaluation of every edited set, as a report.

    python -m tests.benchmarks.sensitivity_report codex-of-fortune/strategy rows.jsonl 100000 > reports/sensitivity/codex-of-fortune.json

Edited sets are evaluated one by one, units of weight first and then swaps in a drawn order, a reel set at a time in turn, so that
a part of them is a fair sample; each goes as a line into the file of rows. Begun again it goes on behind the last whole line.
The last number is how many more sets to evaluate; 0 only compares.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.library import Loaded, load
from workbench.sensitivity.changes import Change, Swap, swaps, units
from workbench.sensitivity.gauges import gauge_of
from workbench.sensitivity.sensitivity import sensitivities
from workbench.sensitivity.table import Sensitivities

SEED = 20261201


def drawn_order(loaded: Loaded) -> list[Change]:
    """Units, then swaps: of each reel set in a drawn order, the sets taking turns."""
    rng = random.Random(SEED)
    by_reels: dict[str, list[Swap]] = {}
    for swap in swaps(loaded.game, loaded.strips):
        by_reels.setdefault(swap.reels, []).append(swap)
    for some in by_reels.values():
        rng.shuffle(some)
    found: list[Change] = [*units(loaded.game, loaded.strips)]
    for i in range(max(map(len, by_reels.values()))):
        found += [some[i] for some in by_reels.values() if i < len(some)]
    return found


def evaluate_more(loaded: Loaded, rows: Path, most: int) -> None:
    """Evaluate edited sets that the file of rows doesn't have."""
    gauge = gauge_of(loaded.game)
    done = sum(1 for _ in rows.open(encoding="utf-8")) if rows.exists() else 0
    with rows.open("a", encoding="utf-8") as file:
        for change in drawn_order(loaded)[done : done + most]:
            row = asdict(change)
            try:
                row["figures"] = gauge(change.edited(loaded.strips))
            except WorkbenchError as error:
                row["refused"] = str(error)
            file.write(json.dumps(row) + "\n")
            file.flush()


def rows_of(loaded: Loaded, rows: Path) -> Iterator[tuple[Change, dict[str, Any]]]:
    """The changes that were evaluated, and what came out."""
    with rows.open(encoding="utf-8") as file:
        for change, line in zip(drawn_order(loaded), file, strict=False):
            row = json.loads(line)
            assert asdict(change) == {name: row[name] for name in asdict(change)}
            yield change, row


def report(loaded: Loaded, rows: Path) -> dict[str, Any]:
    """How far the sensitivities are from the evaluated figures, at most, figure by figure."""
    found = sensitivities(loaded.game, loaded.strips)
    told = dict(zip([*found.swaps, *found.units], [*found.swap_changes, *found.unit_changes], strict=True))
    apart, moved, compared = [], [], dict.fromkeys(("units", *dict.fromkeys(s.reels for s in found.swaps)), 0)
    for change, row in rows_of(loaded, rows):
        compared[change.reels if isinstance(change, Swap) else "units"] += 1
        if "refused" in row:
            assert found.refused[change] == row["refused"]
            continue
        brute = np.array([row["figures"][name] for name in found.figures]) - found.base
        apart.append(np.abs(told[change] - brute))
        moved.append(np.abs(brute))
    return {
        "strip_set": f"{loaded.game.game}/{loaded.strips.name}",
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
        "strategy": found.strategy,
        "changes": {"units": len(found.units), **_counts(found)},
        "compared": compared,
        "refused": len(found.refused),
        "figures": {
            name: {"largest_difference": float(a), "largest_change": float(m), "value": float(b)}
            for name, a, m, b in zip(
                found.figures, np.max(apart, axis=0), np.max(moved, axis=0), found.base, strict=True
            )
        },
    }


def _counts(found: Sensitivities) -> dict[str, int]:
    counts: dict[str, int] = {}
    for swap in found.swaps:
        counts[swap.reels] = counts.get(swap.reels, 0) + 1
    return counts


if __name__ == "__main__":
    the_set, the_rows = load(sys.argv[1]), Path(sys.argv[2])
    evaluate_more(the_set, the_rows, int(sys.argv[3]))
    print(json.dumps(report(the_set, the_rows), indent=2))
