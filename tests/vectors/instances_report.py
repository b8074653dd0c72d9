"""The published optimisation problems solved from random starts, as a report: ``python -m tests.vectors.instances_report``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from workbench.optimise.line_search import LineSearch
from workbench.optimise.result import Result
from workbench.optimise.run import Options, optimise

from .instances import BINGO, BONUS, SCATTER, base_game, base_game_target, bingo_game, bingo_target
from .slotvec import vector

SEEDS = (1, 2, 3)
HEAD = """# Published optimisation problems, solved from random starts

Written by `python -m tests.vectors.instances_report`; two cores. Definitions and targets: `tests/vectors/instances.py`.
An evaluation is one exact scoring of a strip set. Seconds are those of the whole run, its files included.

## Ten labelled reel sets (Balabanov et al., 5 x 63 stops, nine lines)

Wanted: base RTP = label - 0.18629608467543907, the bonus as its authors coded it, within 1e-6.
Their own: discrete differential evolution, fitness by simulation, some 2e10 simulated spins a run;
the published sets miss their labels by {published:.2f} points on average.

| label | seed | base RTP | miss | hit frequency | seconds | evaluations | published set's miss |
|---|---|---|---|---|---|---|---|
"""
MIDDLE = """
Median {seconds:.1f} s and {evaluations} evaluations a set; {met} of {all} met.

## RTP and six frequencies (Keremedchiev, Tomov, Barova 2017, 5 x 63 stops, one line)

Wanted: RTP 0.65 within 1e-6; P(3, 4, 5 Scatters in sight) 0.09, 0.03, 0.01 and P(3, 4, 5 bonus symbols) 0.08, 0.04, 0.01.
Their own: island genetic algorithm over MPI, 37 individuals a node, 67 broadcasts of 100 epochs, each fitness a full
enumeration of 992,436,543 stop combinations. With at most five of a symbol in sight 4.9e-4 is the least that any strips
can miss the frequencies by.

| at most in sight | seed | RTP - 0.65 | largest miss of the six | share of windows with more than five | seconds | evaluations | met |
|---|---|---|---|---|---|---|---|
"""


class _Counted:
    """Counts the evaluations of a run."""

    def __init__(self) -> None:
        self.number = 0
        self._plain = LineSearch._judged

    def __enter__(self) -> _Counted:
        def judged(search: LineSearch, strips: Any) -> float:
            self.number += 1
            return self._plain(search, strips)

        LineSearch._judged = judged  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        LineSearch._judged = self._plain  # type: ignore[method-assign]


def solved(game: Any, target: Any, seed: int) -> tuple[Result, int]:
    """One run and its evaluations."""
    with tempfile.TemporaryDirectory() as folder, _Counted() as counted:
        result = optimise(
            game, target, Options(out=Path(folder), seed=seed, workers=2), None, lambda *_: None
        )
    return result, counted.number


def labelled() -> Iterator[tuple[str, Result, int]]:
    """A row for each label and seed."""
    sets = vector(BINGO)["computed"]["sets"]
    for label in range(90, 100):
        for seed in SEEDS:
            result, number = solved(bingo_game(), bingo_target(label), seed)
            rtp, f = result.figures["rtp"], result.figures
            theirs = sets[str(label)]["total_as_coded"] - label / 100
            miss = rtp - (result.target.figures[0].value or 0.0)
            yield (
                f"| {label} | {seed} | {rtp:.9f} | {miss:+.1e} | {f['hit_frequency']:.4f} | {result.seconds:.1f} |"
                f" {number} | {theirs:+.4f} |",
                result,
                number,
            )


def frequencies() -> Iterator[str]:
    """A row for each reading of the window rule and seed."""
    for tolerance, most in ((5e-4, 5), (2e-4, None)):
        for seed in SEEDS:
            result, number = solved(base_game(), base_game_target(tolerance, most), seed)
            seen = result.figures["in_sight"]
            wanted = {f.figure: f.value for f in result.target.figures if f.figure.startswith("in_sight")}
            miss = max(
                abs(seen[p.split(".")[1]].get(p.split(".")[2], 0.0) - (v or 0)) for p, v in wanted.items()
            )
            more = [sum(p for k, p in seen[s].items() if int(k) > 5) for s in (SCATTER, BONUS)]
            yield (
                f"| {most or 'no rule'} | {seed} | {result.figures['rtp'] - 0.65:+.1e} | {miss:.2e} |"
                f" {SCATTER} {more[0]:.2e}, {BONUS} {more[1]:.2e} | {result.seconds:.1f} | {number} | {result.met} |"
            )


def report() -> str:
    """The whole report."""
    sets = vector(BINGO)["computed"]["sets"]
    published = 100 * sum(abs(s["total_as_coded"] - int(n) / 100) for n, s in sets.items()) / len(sets)
    rows = list(labelled())
    middle = MIDDLE.format(
        seconds=median(r.seconds for _, r, _ in rows),
        evaluations=median(n for _, _, n in rows),
        met=sum(r.met for _, r, _ in rows),
        all=len(rows),
    )
    return (
        HEAD.format(published=published)
        + "\n".join(row for row, _, _ in rows)
        + "\n"
        + middle
        + "\n".join(frequencies())
        + "\n"
    )


if __name__ == "__main__":
    print(report(), end="")
