"""Seeds of the README's command: how many meet the whole target, in what time and with how many trials.

    python tests/benchmarks/seeds_report.py --seeds 20 --rows rows.jsonl --out reports/optimise

runs `workbench optimise GAME --seed S` for each seed, one after the other, and writes seeds.json and seeds.md. The time is
that of the whole process, from a warm kernel cache; run it on a machine that does nothing else. Begun again with the same file
of rows (``--rows``) it goes on behind the last.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run_of(game, seed, limit):
    """One command: seed, seconds, exit code, trials and whether the target was met."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "workbench",
            "optimise",
            game,
            "--seed",
            str(seed),
            "--out",
            folder,
            "--json",
        ]
        begun = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return {
                "seed": seed,
                "seconds": limit,
                "exit": None,
                "met": False,
                "trials": None,
                "missed": ["time"],
            }
        seconds = time.monotonic() - begun
    found = json.loads(done.stdout) if done.stdout.strip() else {}
    missed = [miss["figure"] for miss in found.get("misses", ()) if miss["importance"] == "hard"]
    return {
        "seed": seed,
        "seconds": seconds,
        "exit": done.returncode,
        "met": bool(found.get("met")),
        "trials": found.get("trials"),
        "missed": [*missed, *found.get("breaches", ())],
    }


def quartiles(values):
    """Lower quartile, median, upper quartile; of a single value that value."""
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def summary_of(rows, within):
    """What the rows come to: met in time, quartiles of seconds and trials."""
    trials = [row["trials"] for row in rows if row["trials"] is not None]
    return {
        "seeds": len(rows),
        "within_seconds": within,
        "met_in_time": sum(row["met"] and row["seconds"] <= within for row in rows),
        "seconds": quartiles([row["seconds"] for row in rows]),
        "trials": quartiles(trials) if trials else None,
    }


def page_of(game, rows, summary):
    """The report as Markdown."""
    seconds, trials = summary["seconds"], summary["trials"] or [float("nan")] * 3
    lines = [
        f"# Seeds of `workbench optimise {game}`",
        "",
        f"{summary['met_in_time']} of {summary['seeds']} seeds meet the whole target within {summary['within_seconds']:g} s"
        f" on {os.cpu_count()} cores. Quartiles: {seconds[0]:.1f}, {seconds[1]:.1f}, {seconds[2]:.1f} s;"
        f" {trials[0]:.0f}, {trials[1]:.0f}, {trials[2]:.0f} steps of the search.",
        "",
        "| seed | seconds | steps | met | missed |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {row['seed']} | {row['seconds']:.1f} | {row['trials']} | {'yes' if row['met'] else 'no'} | {', '.join(row['missed'])} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def main():
    """Run the seeds and write the report."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--game", default="codex-of-fortune")
    ask.add_argument("--seeds", type=int, default=20)
    ask.add_argument("--within", type=float, default=120.0)
    ask.add_argument("--out", type=Path, default=Path("reports/optimise"))
    ask.add_argument("--rows", type=Path, required=True)
    asked = ask.parse_args()
    rows = []
    if asked.rows.exists():
        rows = [json.loads(line) for line in asked.rows.read_text().splitlines()]
    for seed in range(len(rows) + 1, asked.seeds + 1):
        rows.append(run_of(asked.game, seed, 5 * asked.within))
        with asked.rows.open("a") as file:
            file.write(json.dumps(rows[-1]) + "\n")
    summary = summary_of(rows, asked.within)
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "seeds.json").write_text(
        json.dumps({"game": asked.game, "summary": summary, "runs": rows}, indent=1) + "\n"
    )
    (asked.out / "seeds.md").write_text(page_of(asked.game, rows, summary))


if __name__ == "__main__":
    main()
