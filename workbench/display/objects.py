"""What people at a prompt hold in their hands: frozen values that show themselves in a notebook.

Each has a short plain ``repr``, HTML for a notebook, ``to_json()`` with the very values that the command prints with
``--json``, and ``to_frame()`` where one would expect a pandas table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.display.html import paragraph, picture, strips_html, table, view
from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.library import Loaded
from workbench.reels import edit
from workbench.reels.breaches import Breach
from workbench.reels.files import canonical_bytes, sha256_of, write_file
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import StripSet

if TYPE_CHECKING:
    from workbench.compare.comparison import Comparison
    from workbench.optimise.result import Result
    from workbench.sensitivity.table import Sensitivities
    from workbench.value.round_law import RoundLaw


def frame(columns: Mapping[str, list[Any]]) -> Any:
    """A pandas table; UsageError where pandas isn't installed."""
    try:
        from pandas import DataFrame
    except ModuleNotFoundError:
        raise UsageError("to_frame: needs pandas, which isn't installed; pip install pandas") from None
    return DataFrame(columns)


@dataclass(frozen=True, repr=False)
class Strips:
    """A strip set with its game. Edits return another set; reels and stops count from 0.

    Every edit raises StripSetError or UsageError where what it leaves doesn't fit the game, such as an empty reel.
    """

    loaded: Loaded

    @property
    def game(self) -> GameDefinition:
        """The definition it is read with."""
        return self.loaded.game

    @property
    def set(self) -> StripSet:
        """Strips, position reels and wheels as data."""
        return self.loaded.strips

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.loaded.strips.name

    @property
    def sha256(self) -> str:
        """Of the file it was read from, of the canonical file if it was edited."""
        return self.loaded.sha256

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """Every breach of the definition's strip rules."""
        return self.loaded.breaches()

    def swap(self, reels: str, reel: int, stop: int, symbol: str) -> Strips:
        """Another symbol on one stop."""
        return self.edited(edit.swap(self.set, reels, reel, stop, symbol))

    def insert(self, reels: str, reel: int, stop: int, symbol: str) -> Strips:
        """One stop more, before ``stop``."""
        return self.edited(edit.insert(self.set, reels, reel, stop, symbol))

    def delete(self, reels: str, reel: int, stop: int) -> Strips:
        """One stop less."""
        return self.edited(edit.delete(self.set, reels, reel, stop))

    def move(self, reels: str, reel: int, stop: int, to: int) -> Strips:
        """A stop put elsewhere on its strip."""
        return self.edited(edit.move(self.set, reels, reel, stop, to))

    def set_count(self, reels: str, reel: int, symbol: str, count: int) -> Strips:
        """So many stops with the symbol: stops are put in where they stand farthest apart, or taken out."""
        return self.edited(edit.set_count(self.set, reels, reel, symbol, count))

    def set_weight(self, wheel: str, value: str, weight: int) -> Strips:
        """Another weight on a wheel; 0 leaves the value out."""
        return self.edited(edit.set_weight(self.set, wheel, value, weight))

    def set_cell_weight(self, name: str, stage: int, symbol: str, weight: int, cell: int = 0) -> Strips:
        """Another weight on a cell of a position reel; 0 leaves the symbol out."""
        return self.edited(edit.set_cell_weight(self.set, name, stage, cell, symbol, weight))

    def rename(self, name: str) -> Strips:
        """The set under another name."""
        return self.edited(edit.rename(self.set, name))

    def edited(self, strips: StripSet) -> Strips:
        """Another strip set of the same game; StripSetError or EndlessFeatureError where it doesn't fit."""
        check_fit(strips, self.game)
        if strips == self.set:
            return self
        sha256 = sha256_of(canonical_bytes(strips))
        return Strips(replace(self.loaded, strips=strips, sha256=sha256))

    def save(self, path: str | Path) -> Strips:
        """Write the canonical file under its name without the end; the set as saved is returned."""
        to = Path(path)
        if to.suffix != ".json":
            raise UsageError(f"{to}: the file of a strip set must end in .json")
        named = self.rename(to.stem)
        data = canonical_bytes(named.set)
        from workbench.reels.files import parse_strip_set

        parse_strip_set(data, self.game, str(to))
        write_file(to, data)
        return Strips(Loaded(to, sha256_of(data), self.game, named.set))

    def to_json(self) -> dict[str, Any]:
        """The values of its canonical file."""
        import json

        found: dict[str, Any] = json.loads(canonical_bytes(self.set))
        return found

    def to_frame(self) -> Any:
        """A row a stop: reels, reel, stop, symbol, and its weight."""
        rows = list(self._stops())
        names = ("reels", "reel", "stop", "symbol", "weight")
        return frame({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def _stops(self) -> Iterator[tuple[str, int, int, str, int]]:
        for name, reels in self.set.reels.items():
            weights = self.set.weights_of(name)
            for r, strip in enumerate(reels):
                for stop, symbol in enumerate(strip):
                    yield name, r, stop, symbol, weights[r][stop] if weights else 1

    def __repr__(self) -> str:
        lengths = ", ".join(
            f"{name} {'/'.join(str(len(s)) for s in reels)}" for name, reels in self.set.reels.items()
        )
        return f"<Strips {self.game.game}/{self.name}: {lengths} stops, SHA-256 {self.sha256[:12]}>"

    def _repr_html_(self) -> str:
        head = paragraph(f"{self.game.title}, {self.name}, SHA-256 {self.sha256[:12]}", bold=True)
        warned = paragraph("\n".join(breach.text for breach in self.breaches))
        return head + warned + strips_html(self.game, self.set)


@dataclass(frozen=True, repr=False)
class Answer:
    """The figures of a command as a table; ``figures["rtp"]`` or ``figures["components.lines"]``."""

    title: str
    table: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        found = list(_at(self.table, name))
        if not found:
            known = ", ".join(map(str, self.table))
            raise UsageError(f"figure: must be one of {known}, or a part of one, but got {name!r}")
        return found[0]

    def to_json(self) -> dict[str, Any]:
        """What the command prints with ``--json``."""
        return dict(self.table)

    def to_frame(self) -> Any:
        """A row a number: its path and its value."""
        rows = list(numbers(self.table))
        return frame({"figure": [name for name, _ in rows], "value": [value for _, value in rows]})

    def _parts(self) -> list[Any]:
        from workbench.commands.figures_view import figures_view

        return list(figures_view(self.table, self.title))

    def _repr_html_(self) -> str:
        return view(self._parts())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.table['game']}/{self.table['strip_set']}{self._main()}>"

    def _main(self) -> str:
        strategy = self.table.get("strategy")
        return f": rtp {self.table['rtp']:.10g}{f', strategy {strategy}' if strategy else ''}"


class Figures(Answer):
    """The exact figures of a strip set."""


class Played(Answer):
    """Simulated figures, each with its standard error and 99 % interval."""

    def to_frame(self) -> Any:
        """A row a figure: mean, standard error, interval."""
        rows = list(estimates(self.table))
        names = ("figure", "mean", "standard_error", "low_99", "high_99")
        return frame({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def _repr_html_(self) -> str:
        from workbench.simulate.command import MAIN

        main = {name: self.table[name] for name in MAIN if isinstance(self.table.get(name), Mapping)}
        rows = [(name, *("-" if x is None else f"{x:.8g}" for x in row)) for name, *row in estimates(main)]
        head = paragraph(f"{self.title}: {self.table['rounds']} rounds played", bold=True)
        return head + table(("figure", "mean", "standard error", "99 % from", "to"), rows)

    def _main(self) -> str:
        low, high = self.table["rtp"]["interval_99"]
        return f": {self.table['rounds']} rounds, rtp {self.table['rtp']['mean']:.6g}, 99 % {low:.6g} to {high:.6g}"


class Session(Answer):
    """What many rounds in a row come to."""

    def _parts(self) -> list[Any]:
        from workbench.commands.session_view import session_view

        return list(session_view(dict(self.table), self.title))

    def _main(self) -> str:
        return f": {self.table['rounds']} rounds"


@dataclass(frozen=True, repr=False)
class Law(Answer):
    """The law of the win of a round; ``law.law`` has its chances."""

    law: RoundLaw = field(kw_only=True)

    def png(self, dpi: int = 100) -> bytes:
        """P(win >= x) as the bytes of a PNG."""
        from workbench.report.law_picture import heading
        from workbench.report.law_picture import picture as drawn

        title = heading(self.title, self.law.strategy)
        return drawn([(str(self.table["strip_set"]), self.law)], title, "png", dpi)

    def to_frame(self) -> Any:
        """A row a win that can happen: win in bets, probability."""
        likely = self.law.chances > 0
        return frame({"win": list(self.law.wins[likely]), "probability": list(self.law.chances[likely])})

    def _repr_html_(self) -> str:
        from workbench.commands.law_view import law_view

        drawn = picture(self.png(), f"P(win of a round >= x) of {self.table['strip_set']}")
        return drawn + view(law_view(dict(self.table), self.title))

    def _main(self) -> str:
        return f": mean {self.law.mean:.10g}, standard deviation {self.law.standard_deviation:.6g}"


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """What every smallest change does to every figure; ``found`` has it as arrays."""

    strips: Strips
    found: Sensitivities

    def to_json(self) -> dict[str, Any]:
        """What the command prints with ``--json``, without its head."""
        return self.found.to_json()

    def to_frame(self) -> Any:
        """A row a swap: reels, reel, stop, from, to, and the change of every figure."""
        swaps = self.found.swaps
        columns: dict[str, list[Any]] = {
            "reels": [s.reels for s in swaps],
            "reel": [s.reel for s in swaps],
            "stop": [s.stop for s in swaps],
            "from": [s.before for s in swaps],
            "to": [s.symbol for s in swaps],
        }
        for i, name in enumerate(self.found.figures):
            columns[name] = self.found.swap_changes[:, i].tolist()
        return frame(columns)

    def __repr__(self) -> str:
        return f"<Sensitivity of {self.strips.name}: {len(self.found.swaps)} swaps, {len(self.found.units)} units of weight>"

    def _repr_html_(self) -> str:
        from workbench.commands.sensitivity_view import sensitivity_view

        title, figures = self.strips.game.title, self.found.figures
        return view(sensitivity_view(self.found, title, self.strips.name, figures, 5))


@dataclass(frozen=True, repr=False)
class Compared:
    """Strip sets side by side; ``comparison`` has what differs as data."""

    comparison: Comparison

    def to_json(self) -> dict[str, Any]:
        """What the command prints with ``--json``, without the files."""
        return self.comparison.to_json()

    def to_frame(self) -> Any:
        """A row a figure that moves: its value in each set."""
        figures = self.comparison.figures
        columns: dict[str, list[Any]] = {"figure": [f.path for f in figures]}
        for i, one in enumerate(self.comparison.sets):
            name = one.strips.name
            columns[name if name not in columns else f"{name} ({i + 1})"] = [f.values[i] for f in figures]
        return frame(columns)

    def __repr__(self) -> str:
        names = ", ".join(one.strips.name for one in self.comparison.sets)
        return f"<Compared {names}: {len(self.comparison.figures)} figures move>"

    def _repr_html_(self) -> str:
        from workbench.commands.compare_view import compare_view

        return view(compare_view(self.comparison, False))


@dataclass(frozen=True, repr=False)
class Optimised:
    """What a search found: ``strips``, and in ``result`` its figures, misses and files."""

    strips: Strips
    result: Result

    @property
    def met(self) -> bool:
        """Whether every hard target and every strip rule holds."""
        return self.result.met

    @property
    def figures(self) -> Figures:
        """The figures of the set found."""
        return Figures(self.strips.game.title, self.result.figures)

    def to_json(self) -> dict[str, Any]:
        """What the command prints with ``--json``."""
        from workbench.optimise.result import result_json

        return result_json([self.result])

    def __repr__(self) -> str:
        met = "target met" if self.met else "target missed"
        return f"<Optimised {self.strips.name}: {met}, rtp {self.result.figures['rtp']:.10g}>"

    def _repr_html_(self) -> str:
        lines = [f"missed: {miss.text}" for miss in self.result.misses]
        lines += [f"strip rule: {breach.text}" for breach in self.result.breaches]
        head = "Target met" if self.met else "TARGET MISSED"
        return paragraph(head, bold=True) + paragraph("\n".join(lines)) + self.figures._repr_html_()


@dataclass(frozen=True, repr=False)
class Verified:
    """The checks of a strip set, all of them."""

    name: str
    checks: tuple[Any, ...]

    @property
    def ok(self) -> bool:
        """Whether all checks hold."""
        return all(check.ok for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        rows = [{"name": c.name, "ok": c.ok, "text": c.text, "wrong": list(c.wrong)} for c in self.checks]
        return {"ok": self.ok, "checks": rows}

    def __repr__(self) -> str:
        return f"<Verified {self.name}: {'ok' if self.ok else 'FAIL'}>"

    def _repr_html_(self) -> str:
        rows = [("ok" if c.ok else "FAIL", c.name, "; ".join((c.text, *c.wrong))) for c in self.checks]
        return table(("", "check", ""), rows)


def _at(table: object, name: str) -> Iterator[Any]:
    """What stands under a path; keys may have dots of their own.

    >>> list(_at({"components": {"free.lines": 0.5}}, "components.free.lines")), list(_at({}, "rtp"))
    ([0.5], [])
    """
    if not isinstance(table, Mapping):
        return
    if name in table:
        yield table[name]
    for key, item in table.items():
        if name.startswith(f"{key}."):
            yield from _at(item, name.removeprefix(f"{key}."))


def numbers(value: object, place: str = "") -> Iterator[tuple[str, int | float]]:
    """Every number of a table by its path.

    >>> list(numbers({"rtp": 0.5, "a": {"b": [1, {"c": 2}]}, "name": "x"}))
    [('rtp', 0.5), ('a.b[0]', 1), ('a.b[1].c', 2)]
    """
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from numbers(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from numbers(item, f"{place}[{i}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, value


def estimates(value: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Every simulated figure: its path, mean, standard error and both ends of its 99 % interval."""
    for key, item in value.items():
        name = f"{place}.{key}" if place else str(key)
        if isinstance(item, Mapping) and "interval_99" in item:
            yield name, item["mean"], item["standard_error"], *item["interval_99"]
        elif isinstance(item, Mapping):
            yield from estimates(item, name)
