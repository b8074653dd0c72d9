"""A comparison of strip sets for people: set by set what differs from A, then the figures that move.

Reels count from 1, stops from 0 as in messages and files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from workbench.commands.figures_view import Section, number, section_table
from workbench.commands.output import path_text
from workbench.compare.align import Edit
from workbench.compare.comparison import LETTERS, Against, Comparison
from workbench.compare.figures import Figure, Number, head
from workbench.compare.strips import StripDifference, WeightDifference

MOST_ROWS = 40
TITLES = {
    "components": "RTP by component",
    "strategies": "RTP of every strategy",
    "features": "Features",
    "keys": "Keys",
    "optimal_policy": "Optimal policy",
    "top_prize": "Top prize",
    "max_win": "Largest win of a round",
    "estimates": "Estimates, which have intervals of their own",
}


def compare_view(comparison: Comparison, everything: bool) -> list[Table | Text]:
    """The tables in reading order; ``everything`` also shows the long tail and every row."""
    most = None if everything else MOST_ROWS
    parts = _shown(_sets(comparison))
    for i, other in enumerate(comparison.others):
        parts += _strips_and_weights(other, most)
        parts += _figures(comparison, i, other.letter, everything)
    if comparison.equal:
        parts.append(Text("Equal: no stop and no weight differs, no figure moves."))
    return parts


def _shown(section: Section, most: int | None = None) -> list[Table | Text]:
    """A section, cut after ``most`` rows; nothing if it has none."""
    if not section.rows:
        return []
    cut = Section(section.title, section.head, section.rows[:most])
    more = len(section.rows) - len(cut.rows)
    rest = [Text(f"{more} more; --all shows them")] if more else []
    return [Text(section.title, style="bold"), section_table(cut), *rest, Text()]


def _sets(comparison: Comparison) -> Section:
    rows = [
        (letter, path_text(loaded.path), loaded.strips.name, loaded.sha256[:16])
        for letter, loaded in zip(LETTERS, comparison.sets, strict=False)
    ]
    title = f"Strip sets of {comparison.sets[0].game.title}"
    if comparison.strategy:
        title += f", strategy {comparison.strategy}"
    return Section(title, ("", "file", "strip set", "sha256"), rows)


def _strips_and_weights(other: Against, most: int | None) -> list[Table | Text]:
    letter = other.letter
    strips = [strip for strip in other.strips if not strip.same]
    if other.same:
        return [Text(f"A to {letter}: no stop and no weight differs."), Text()]
    parts: list[Table | Text] = []
    if strips:
        parts += _shown(_reels(letter, strips))
        parts += _shown(_stops(letter, strips), most)
        parts += _shown(_counts(letter, strips), most)
    else:
        parts += [Text(f"A to {letter}: no stop differs."), Text()]
    return [*parts, *_shown(_weights(letter, other.weights), most)]


def _reels(letter: str, strips: Sequence[StripDifference]) -> Section:
    rows = [
        (_reel(s), *map(str, s.lengths), f"stop {s.rotation}" if s.rotation else "-", str(s.differing))
        for s in strips
    ]
    columns = ("", "stops in A", f"in {letter}", f"{letter} is read from", "stops that differ")
    return Section(f"A to {letter}: strips", columns, rows)


def _reel(strip: StripDifference) -> str:
    return f"{strip.reels}, reel {strip.reel + 1}"


def _stops(letter: str, strips: Sequence[StripDifference]) -> Section:
    rows = [(_reel(strip), *_edit(edit)) for strip in strips for edit in strip.edits]
    columns = ("", "stop in A", "symbols", f"stop in {letter}", "symbols")
    return Section(f"A to {letter}: stops that differ, from the given stop on", columns, rows)


def _edit(edit: Edit) -> tuple[str, str, str, str]:
    """Where a side has no symbols, its stop is the one the other's would stand in front of."""
    sides = zip(edit.stops, (edit.before, edit.after), strict=True)
    cells = [
        (str(stop) if symbols else f"before {stop}", " ".join(symbols) or "-") for stop, symbols in sides
    ]
    return (*cells[0], *cells[1])


def _counts(letter: str, strips: Sequence[StripDifference]) -> Section:
    rows = [
        (_reel(strip), symbol, str(before), str(after), f"{after - before:+d}")
        for strip in strips
        for symbol, (before, after) in strip.counts.items()
    ]
    return Section(f"A to {letter}: symbols counted", ("", "", "in A", f"in {letter}", "difference"), rows)


def _weights(letter: str, weights: Sequence[WeightDifference]) -> Section:
    rows = [
        (_place(w), w.value, *map(str, w.weights), *(f"{p:.6g}" for p in w.probabilities)) for w in weights
    ]
    columns = ("", "", "in A", f"in {letter}", "P in A", f"P in {letter}")
    return Section(f"A to {letter}: weights", columns, rows)


def _place(weight: WeightDifference) -> str:
    parts = [weight.place]
    if weight.start is not None:
        parts.append(f"from {weight.start}")
    if weight.reel is not None:
        parts.append(f"reel {weight.reel + 1}")
    if weight.stops is not None:
        parts.append("stop " + " to ".join("-" if stop is None else str(stop) for stop in weight.stops))
    return ", ".join(parts)


def _figures(comparison: Comparison, i: int, letter: str, everything: bool) -> list[Table | Text]:
    """The figures that move in one set: single ones first, then those under a head of their own."""
    moved = [figure for figure in comparison.figures if figure.moves[i]]
    if not moved:
        return [Text(f"A to {letter}: no figure moves."), Text()]
    parts: list[Table | Text] = []
    for title, figures in _groups([f for f in moved if everything or f.main]):
        rows = [_row(name, figure, i) for name, figure in figures]
        columns = ("", "A", letter, "difference", "relative")
        parts += _shown(Section(f"A to {letter}: {title}", columns, rows))
    return [*parts, *([] if everything else _tail([f for f in moved if not f.main]))]


def _groups(figures: Sequence[Figure]) -> Iterator[tuple[str, list[tuple[str, Figure]]]]:
    alone = [(f.path, f) for f in figures if head(f.path) == f.path]
    if alone:
        yield "figures that move", alone
    rest = [f for f in figures if head(f.path) != f.path]
    for name, main in dict.fromkeys((head(f.path), f.main) for f in rest):
        title = TITLES.get(name, name) if main or name == "estimates" else name
        yield title, [(_below(f.path), f) for f in rest if (head(f.path), f.main) == (name, main)]


def _below(path: str) -> str:
    return path.removeprefix(head(path)).removeprefix(".")


def _row(name: str, figure: Figure, i: int) -> tuple[str, ...]:
    difference, relative = figure.differences[i], figure.relative[i]
    values = number(figure.values[0]), number(figure.values[i + 1])
    return (name, *values, _signed(difference, ".6g"), _signed(relative, ".4g"))


def _signed(value: Number, digits: str) -> str:
    return "-" if value is None else f"{value:+{digits}}"


def _tail(figures: Sequence[Figure]) -> list[Table | Text]:
    """How many further figures move, by what they are about."""
    if not figures:
        return []
    counts = Counter(head(figure.path) for figure in figures)
    text = ", ".join(f"{name} {count}" for name, count in counts.items())
    return [Text(f"Further figures that move ({text}): --all shows them."), Text()]
