"""The report of searches and samplers: samplers.json, samplers.md, samplers.png from the rows of search_report."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.reels.files import canonical_json, write_file

Row = dict[str, Any]
# Okabe and Ito's colours, told apart by the colour-blind; dashes and widths tell them apart in grey
LOOKS = (("#0072B2", "-", 2.2), ("#E69F00", "--", 1.3), ("#009E73", "-.", 1.3), ("#CC79A7", ":", 1.6))
MARKS = (40, 80)
CHOSEN = "TPE, multivariate"


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median, upper quartile."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def told(values: Sequence[float], form: str = ".3g") -> str:
    """Median (lower to upper quartile)."""
    low, middle, high = quartiles(values)
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"


def of(rows: Sequence[Row], kind: str, game: str, name: str) -> list[Row]:
    """The rows of one method."""
    return [row for row in rows if (row["kind"], row["game"], row["name"]) == (kind, game, name)]


def names(rows: Sequence[Row], kind: str, key: str) -> list[str]:
    """What stands under a key, in the order of the rows' plan."""
    first = [row for row in sorted(rows, key=lambda r: r["seed"]) if row["kind"] == kind]
    return list(dict.fromkeys(row[key] for row in first))


def search_table(rows: Sequence[Row], game: str) -> list[str]:
    """The searches' lines."""
    lines = [
        f"\n### {game}\n",
        "| search | seeds | processor seconds | evaluations | score (0 meets all) | RTP error of that set |",
        "|---|---|---|---|---|---|",
    ]
    for name in names(rows, "search", "name"):
        runs = [row for row in of(rows, "search", game, name) if row["curve"]]
        if runs:
            ends = [row["curve"][-1] for row in runs]
            cells = (
                told([row["seconds"] for row in runs]),
                told([row["evaluations"] for row in runs], ".0f"),
                told([end[2] for end in ends]),
                told([end[3] for end in ends], ".2g"),
            )
            lines.append(f"| {name} | {len(runs)} | {' | '.join(cells)} |")
    return lines


def sampler_table(rows: Sequence[Row], game: str) -> list[str]:
    """The samplers' lines."""
    marks = [*MARKS, max((len(row["best"]) for row in rows if row["kind"] == "sampler"), default=0)]
    lines = [
        f"\n### {game}\n",
        f"| sampler | seeds | sampler, ms a trial | {' | '.join(f'best of {n}' for n in marks)} |",
        f"|---|---|---{'|---' * len(marks)}|",
    ]
    for name in names(rows, "sampler", "name"):
        runs = of(rows, "sampler", game, name)
        if runs:
            cost = told([row["sampler_milliseconds"] for row in runs], ".2f")
            cells = " | ".join(told([row["best"][n - 1] for row in runs]) for n in marks)
            lines.append(f"| {name} | {len(runs)} | {cost} | {cells} |")
    spent = [
        row["evaluation_milliseconds"] for row in rows if (row["kind"], row["game"]) == ("sampler", game)
    ]
    return [*lines, f"\nThe exact evaluation of such a trial took {told(spent, '.2f')} ms."]


HEAD = """# Searches and samplers compared

Written by `python -m tests.benchmarks.search_report reports/optimise rows.jsonl` on {machine}; {libraries}.
All figures are medians with quartiles over the seeds; seconds are of processor time. The rows are in samplers.json.
{played} of the {planned} runs planned are in; what rests on one seed shows an order of magnitude and ranks no two samplers that are near.

![RTP error against seconds and evaluations](samplers.png)

## Our search against others, {budget_seconds:g} processor seconds each

The target is the game's own. The others change the same counts, tilts and weights and the wheel or position reels that our search
solves for, all at once; their score is the whole distance from the target, of exact figures or of {rounds:,} simulated rounds
(with Keys half of them for the best and half for the worst strategy). A simulated search's choice is judged by the exact score here.
Evaluations are whole sets, and for our search also the trials of its base strips; its small steps on parts (arrangement, linear
solve) are in its seconds. Our search ends when its target is met; a run that the budget cut short counts as far as it got.
"""
MIDDLE = """
## Samplers in the study of the base strips, {trials} trials

Asked for in batches of 8. Score of the best trial so far, lower is better; the study ends at 2 (codex-of-fortune) and 0.3 (spellmaster),
where the next stage takes over.
"""


def markdown(rows: Sequence[Row], table: Row) -> str:
    """The report for people."""
    lines = [HEAD.format(**table).rstrip("\n")]
    for game in names(rows, "search", "game"):
        lines += search_table(rows, game)
    lines.append(MIDDLE.format(**table).rstrip("\n"))
    for game in names(rows, "sampler", "game"):
        lines += [*sampler_table(rows, game), verdict(rows, game)]
    return "\n".join(lines) + "\n"


def verdict(rows: Sequence[Row], game: str) -> str:
    """The sampler of the shipped study beside the best of the others."""
    ends = {
        name: statistics.median(row["best"][-1] for row in runs)
        for name in names(rows, "sampler", "name")
        if (runs := of(rows, "sampler", game, name))
    }
    if CHOSEN not in ends:
        return ""
    rank = sorted(ends, key=lambda name: ends[name])
    seeds = len(of(rows, "sampler", game, CHOSEN))
    return (
        f"\nThe study uses {CHOSEN}: place {rank.index(CHOSEN) + 1} of {len(rank)} by the median of {seeds} seed(s),"
        f" {ends[CHOSEN]:.3g} against {ends[rank[0]]:.3g} of {rank[0]}."
    )


def steps(run: Row, by: int) -> tuple[list[float], list[float]]:
    """A best-so-far curve of RTP errors over seconds (0) or evaluations (1), to the end of the run."""
    end = run["seconds"] if by == 0 else run["evaluations"]
    xs = [max(point[by], 1e-3) for point in run["curve"]]
    ys = [max(point[3], 1e-10) for point in run["curve"]]
    return [*xs, max(end, xs[-1])], [*ys, ys[-1]]


def picture(rows: Sequence[Row], path: Path) -> None:
    """RTP error of the best set so far, a row for each game: against seconds, against evaluations."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    games, searches = names(rows, "search", "game"), names(rows, "search", "name")
    figure, axes = pyplot.subplots(len(games), 2, figsize=(11, 4 * len(games)), squeeze=False)
    for game, pair in zip(games, axes, strict=True):
        for by, axis in enumerate(pair):
            for name, (colour, dash, width) in zip(searches, LOOKS, strict=False):
                for i, run in enumerate(r for r in of(rows, "search", game, name) if r["curve"]):
                    label = name if i == 0 else None
                    axis.step(
                        *steps(run, by),
                        where="post",
                        color=colour,
                        ls=dash,
                        lw=width,
                        label=label,
                        alpha=0.85,
                    )
            axis.set(xscale="log", yscale="log", title=game)
            axis.set_xlabel(("processor time, s", "evaluations of whole sets and base strips")[by])
            axis.set_ylabel("|RTP - target| of the best set so far")
            axis.grid(alpha=0.3)
            axis.legend(loc="lower left", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def write_page(folder: Path, rows: Sequence[Row], table: Row) -> None:
    """Write the three files."""
    whole = {"format": "workbench.samplers-report/1", **table, "rows": list(rows)}
    write_file(folder / "samplers.json", canonical_json(whole))
    write_file(folder / "samplers.md", markdown(rows, table).encode())
    picture(rows, folder / "samplers.png")
