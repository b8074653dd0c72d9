"""Whether a strip set is what its papers say: the file's SHA-256, its definition, the strip rules, the figures.

Each check is a value. :func:`cross_examine` adds the witness's: the one place that sees both the exact way and the
simulator.

A stored number agrees with the one that comes out now if they are no further apart than the two error bounds together,
times the number's size where that is above 1 (no double has 12 places after 10^7). The bound on odds is that on the
probability they are the inverse of. The version of the workbench may differ: it is not a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import FileError, UsageError
from workbench.game.strip_rules import StripRule
from workbench.library import Loaded, located
from workbench.reels.files import parse_json, read_file
from workbench.value.evaluate import Figures, figures_of
from workbench.value.heading import FORMAT

if TYPE_CHECKING:
    from workbench.simulate.tally import Tally
    from workbench.witness import Verdict

# A stored bound above this vouches for nothing: targets are met to the last ppm.
LARGEST_BOUND = 1e-6
CHECKED_ALONE = ("sha256", "definition_sha256", "strip_set_definition_sha256", "workbench_version")

Evaluate = Callable[[str | None], Figures]


@dataclass(frozen=True)
class Check:
    """One question about a set: its name, the answer, what was found, and each thing that is wrong."""

    name: str
    ok: bool
    text: str
    wrong: tuple[str, ...] = ()


def verify(loaded: Loaded, rules: Sequence[StripRule] = (), evaluate: Evaluate | None = None) -> list[Check]:
    """All checks of a set; ``rules`` are its target's. ``evaluate`` replaces the evaluation in tests.

    Raises FileError where the figures beside it aren't a file of figures, and what the evaluation raises.
    """
    return against(loaded, stored_figures(loaded.beside("figures.json")), rules, evaluate)


def against(
    loaded: Loaded,
    stored: Figures | None,
    rules: Sequence[StripRule] = (),
    evaluate: Evaluate | None = None,
) -> list[Check]:
    """The checks of a set against stored figures, wherever these stand; None fails the checks that need them."""
    return [
        _checksum(loaded, stored),
        _definition(loaded, stored),
        _strip_rules(loaded, rules),
        _figures(loaded, stored, evaluate or _now(loaded)),
    ]


def cross_examine(
    loaded: Loaded,
    rounds: int,
    seed: int,
    workers: int,
    progress: Callable[[int], None] | None = None,
    watch: Callable[[Tally], None] | None = None,
) -> tuple[Check, Verdict]:
    """Play the set by the rules under its figures' strategy and hold every exact figure against what was played.

    The verdict is simultaneous: the chance of one false accusation among all figures is at most 1 %. ``watch`` sees
    the tally of every session.
    """
    from workbench.simulate.figures import estimates_of
    from workbench.simulate.machine import machine_for
    from workbench.simulate.run import simulate
    from workbench.solved import solved_table
    from workbench.witness import exact_table, rare_wins, verdict

    figures = _now(loaded)(None)
    game, strips, strategy = loaded.game, loaded.strips, figures["strategy"]
    table = solved_table(game, strips, strategy) if strategy else None
    tally = simulate(game, strips, rounds, seed, table, workers, progress, watch)
    dependent = machine_for(game, strips, table).dependent
    found = verdict(exact_table(game, figures), estimates_of(game, tally, dependent), rare=rare_wins(figures))
    worst = found.worst
    text = (
        f"{rounds} rounds, seed {seed}: {len(found.comparisons)} figures compared,"
        f" {len(found.rejected)} disagree, worst {worst.name} with z = {worst.z:.2f}"
        f" (exact {worst.exact:.9g}, simulated {worst.estimate.mean:.9g})"
    )
    return Check("witness", found.agrees, text, found.rejected), found


def _now(loaded: Loaded) -> Evaluate:
    def evaluate(strategy: str | None) -> Figures:
        with located(loaded.path):
            return figures_of(loaded.game, loaded.strips, strategy, loaded.sha256)

    return evaluate


def stored_figures(path: Path) -> Figures | None:
    """The figures in a file; None if there is no such file, FileError if it holds something else."""
    if not path.exists():
        return None
    found = parse_json(read_file(path), str(path))
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        got = found.get("format") if isinstance(found, dict) else type(found).__name__
        raise FileError(f"{path}: format: must be {FORMAT!r}, but got {got!r}")
    return found


def _missing(loaded: Loaded) -> str:
    return f"{loaded.beside('figures.json').name} is missing"


def _checksum(loaded: Loaded, stored: Figures | None) -> Check:
    if stored is None:
        return Check("sha256", False, f"nothing to compare with, as {_missing(loaded)}")
    if stored.get("sha256") == loaded.sha256:
        return Check("sha256", True, loaded.sha256)
    return Check(
        "sha256", False, f"the file's is {loaded.sha256}, that in its figures {stored.get('sha256')}"
    )


def _definition(loaded: Loaded, stored: Figures | None) -> Check:
    """The set, and its figures where there are any, must be of the definition in use."""
    in_use = loaded.game.sha256
    wrong = []
    if not loaded.definition_matches:
        wrong.append(f"the strip set is made for {loaded.strips.definition_sha256}")
    if stored is not None and stored.get("definition_sha256") != in_use:
        wrong.append(f"the figures are those of {stored.get('definition_sha256')}")
    text = f"{loaded.game.game} {in_use}"
    return Check("definition", not wrong, f"in use is {text}" if wrong else text, tuple(wrong))


def _strip_rules(loaded: Loaded, rules: Sequence[StripRule]) -> Check:
    wrong = tuple(breach.text for breach in loaded.breaches(rules))
    kept = len(loaded.game.strip_rules) + len(rules)
    text = f"{_count(len(wrong), 'breach', 'breaches')} of {_count(kept, 'rule', 'rules')}"
    return Check("strip rules", not wrong, text, wrong)


def _count(number: int, one: str, many: str) -> str:
    return f"{number or 'no'} {one if number == 1 else many}"


def _figures(loaded: Loaded, stored: Figures | None, evaluate: Evaluate) -> Check:
    if stored is None:
        return Check("figures", False, f"nothing to compare with, as {_missing(loaded)}")
    strategy = stored.get("strategy")
    if not (strategy is None or isinstance(strategy, str)):
        return Check("figures", False, f"strategy: must be a text or null, but got {strategy!r}")
    try:
        now = evaluate(strategy)
    except UsageError as error:
        return Check("figures", False, str(error))
    bounds: list[Any] = [stored.get("error_bound"), now["error_bound"]]
    for bound in bounds:
        if not (_is_number(bound) and 0 <= bound <= LARGEST_BOUND):
            text = f"error_bound: must be a number from 0 to {LARGEST_BOUND:g}, but got {bound!r}"
            return Check("figures", False, text)
    within = float(sum(bounds))
    wrong = tuple(differences(_compared(stored), _compared(now), within))
    count = _count(len(wrong), "difference", "differences")
    return Check("figures", not wrong, f"{count} in {_leaves(now)} figures, within {within:.2g}", wrong)


def _compared(figures: Figures) -> Figures:
    return {key: value for key, value in figures.items() if key not in CHECKED_ALONE}


def _leaves(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(_leaves(item) for item in value.values())
    return sum(_leaves(item) for item in value) if isinstance(value, list) else 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def differences(stored: Any, now: Any, bound: float, place: str = "") -> Iterator[str]:
    """Every place where stored figures aren't those of now, a line each; NaN and infinity equal nothing.

    >>> list(differences({"rtp": 0.98, "hits": 3}, {"rtp": 0.98, "hits": 4}, 1e-12))
    ['hits: stored 3, now 4']
    """
    if isinstance(stored, Mapping) and isinstance(now, Mapping):
        for key in sorted({*stored, *now}):
            where = f"{place}.{key}" if place else str(key)
            if key not in now or key not in stored:
                yield f"{where}: {'not stored' if key in now else 'stored, but not a figure now'}"
            else:
                yield from differences(stored[key], now[key], bound, where)
    elif isinstance(stored, list) and isinstance(now, list):
        if len(stored) != len(now):
            yield f"{place}: stored {len(stored)} entries, now {len(now)}"
        for i, (before, after) in enumerate(zip(stored, now, strict=False)):
            yield from differences(before, after, bound, f"{place}[{i}]")
    elif not (_agree(stored, now, bound) or (place.endswith("one_in") and _same_odds(stored, now, bound))):
        yield f"{place}: stored {stored!r}, now {now!r}"


def _agree(stored: Any, now: Any, bound: float) -> bool:
    if _is_number(stored) and _is_number(now) and (isinstance(stored, float) or isinstance(now, float)):
        return bool(abs(stored - now) <= bound * max(1.0, abs(now)))
    return type(stored) is type(now) and bool(stored == now)


def _same_odds(stored: Any, now: Any, bound: float) -> bool:
    return (
        _is_number(stored) and _is_number(now) and min(stored, now) > 0 and abs(1 / stored - 1 / now) <= bound
    )
