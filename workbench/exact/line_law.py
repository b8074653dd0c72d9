"""The law of one line, compiled once into an automaton.

A line shows x_0 .. x_{R-1}. What it wins (:mod:`workbench.exact.line_rules`) depends on its first d cells only through

    the families that accept all of them, the number of Wilds among them and whether they are nothing else,
    the best candidate whose run has ended, and the counts of symbols that pay anywhere,

so these are the states after d cells. States from which every continuation wins the same are one: the automaton is the
smallest there is. ``step[q, x]`` is the state after symbol x, ``award[q]`` what a line of R cells in state q wins. One
table serves the closed form of :mod:`workbench.exact.line_hits` and the kernels of the joint law.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.errors import DefinitionError
from workbench.exact.line_rules import Award, LineRules, Mode, combination_index, line_rules
from workbench.game.definition import GameDefinition

NO_PAY = -1
MOST_STATES = 20_000

_Best = tuple[tuple[int, ...], Award] | None


@dataclass(frozen=True)
class LineLaw:
    """The automaton of a game's lines, one layer of states for each number of cells seen. State 0 is the empty line.

    step
        (Q, S) int32: the next state; states of R cells step to themselves.
    award
        one entry a state: what a line wins that ends in it; None before R cells and where nothing is won.
    first
        (R + 2,): the first state of each layer, and Q.
    wild_state
        the state after 0, 1, ... R leading Wilds (only the first entry in a game without Wild).
    names
        the combinations' names, by the index an award carries.
    """

    step: NDArray[np.int32]
    award: tuple[Award | None, ...]
    first: tuple[int, ...]
    wild_state: tuple[int, ...]
    names: tuple[str, ...]
    reels: int

    @property
    def states(self) -> int:
        """Number of states Q."""
        return len(self.award)


@dataclass(frozen=True)
class _Seen:
    """A line's first cells, as far as they matter: ``wilds`` is cut at 1 where more make no difference."""

    only_wilds: bool
    wilds: int
    alive: tuple[int, ...]
    best: _Best
    counts: tuple[int, ...]


class _Compiler:
    """Steps of the raw states of one set of rules."""

    def __init__(self, rules: LineRules) -> None:
        self.rules = rules

    def start(self) -> _Seen:
        """The empty line."""
        return _Seen(True, 0, tuple(range(len(self.rules.families))), None, (0,) * len(self.rules.anywhere))

    def after(self, seen: _Seen, depth: int, symbol: int) -> _Seen:
        """The state after one more symbol."""
        rules = self.rules
        is_wild = symbol == rules.wild
        alive = tuple(f for f in seen.alive if self._accepts(f, symbol, is_wild))
        ended = [f for f in seen.alive if f not in alive]
        best = self._settled(seen, depth, ended)
        if seen.only_wilds and not is_wild and depth and not self._taken_over(alive):
            best = _better(best, rules.own(depth))
        counts = tuple(n + (symbol == s) for n, (s, _) in zip(seen.counts, rules.anywhere, strict=True))
        only = seen.only_wilds and is_wild
        wilds = seen.wilds + is_wild
        return _Seen(only, wilds if only or rules.each else min(wilds, 1), alive, best, counts)

    def end(self, seen: _Seen) -> Award | None:
        """What a complete line wins."""
        rules = self.rules
        best = self._settled(seen, rules.reels, seen.alive)
        if seen.only_wilds and rules.wild is not None:
            best = _better(best, rules.own(rules.reels))
        for rule, number in enumerate(seen.counts):
            best = _better(best, rules.count(rule, number) if number else None)
        return best[1] if best else None

    def _accepts(self, family: int, symbol: int, is_wild: bool) -> bool:
        f = self.rules.families[family]
        return f.wild if is_wild else symbol in f.accepts

    def _settled(self, seen: _Seen, depth: int, ended: list[int] | tuple[int, ...]) -> _Best:
        """The best candidate so far once the runs of these families end after ``depth`` cells."""
        best = seen.best
        if depth and (not seen.only_wilds or self.rules.leading_run == "best-symbol"):
            for f in ended:
                best = _better(best, self.rules.run(f, depth, seen.wilds))
        return best

    def _taken_over(self, alive: tuple[int, ...]) -> bool:
        """Whether leading Wilds count as the symbol that follows them and not as themselves."""
        return self.rules.leading_run == "next-symbol" and any(self.rules.families[f].wild for f in alive)


def _better(best: _Best, other: _Best) -> _Best:
    if best is None or (other is not None and other[0] > best[0]):
        return other
    return best


def _layers(compiler: _Compiler) -> tuple[list[list[_Seen]], list[list[list[int]]]]:
    """The raw states after 0, 1, ... R cells and, for each, the places of its successors in the next layer."""
    rules = compiler.rules
    layers, steps = [[compiler.start()]], []
    for depth in range(rules.reels):
        places: dict[_Seen, int] = {}
        rows = [
            [
                places.setdefault(compiler.after(seen, depth, symbol), len(places))
                for symbol in range(rules.symbols)
            ]
            for seen in layers[-1]
        ]
        if len(places) > MOST_STATES:
            raise DefinitionError(
                f"lines: after {depth + 1} cells a line must be in one of at most {MOST_STATES} states, but there are"
                f" {len(places)}; fewer mixed combinations or symbols that pay anywhere make fewer"
            )
        layers.append(list(places))
        steps.append(rows)
    return layers, steps


_Class = TypeVar("_Class", bound=Hashable)


def merged(keys: list[_Class]) -> tuple[list[int], list[int]]:
    """Classes of equal keys in order of their first member: the class of each place, a member of each class."""
    classes: dict[_Class, int] = {}
    members: list[int] = []
    found = []
    for place, key in enumerate(keys):
        if key not in classes:
            classes[key] = len(members)
            members.append(place)
        found.append(classes[key])
    return found, members


def _compile(rules: LineRules, names: tuple[str, ...]) -> LineLaw:
    compiler = _Compiler(rules)
    layers, steps = _layers(compiler)
    awards = [compiler.end(seen) for seen in layers[-1]]
    class_of, members = merged(awards)
    final = [awards[m] for m in members]
    kept: list[list[tuple[int, ...]]] = []
    for rows in reversed(steps):
        keys = [tuple(class_of[s] for s in row) for row in rows]
        class_of, members = merged(keys)
        kept.append([keys[m] for m in members])
    kept.reverse()
    sizes = [len(layer) for layer in kept] + [len(final)]
    first = tuple(int(n) for n in np.cumsum([0, *sizes]))
    table = [[first[d + 1] + s for s in row] for d, layer in enumerate(kept) for row in layer]
    table += [[first[-2] + i] * rules.symbols for i in range(len(final))]
    step = np.array(table, dtype=np.int32)
    return LineLaw(
        step=step,
        award=(*[None] * first[-2], *final),
        first=first,
        wild_state=_wild_states(step, rules),
        names=names,
        reels=rules.reels,
    )


def _wild_states(step: NDArray[np.int32], rules: LineRules) -> tuple[int, ...]:
    states = [0]
    for _ in range(rules.reels if rules.wild is not None else 0):
        states.append(int(step[states[-1], rules.wild]))
    return tuple(states)


class Identity:
    """A cache key that is equal only for the same definition object."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.game is self.game


def line_law(game: GameDefinition, mode: Mode = "base") -> LineLaw:
    """The compiled law of a game's lines in a kind of spin (compiled once per definition object).

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> law = line_law(game)
    >>> state = 0
    >>> for name in ("Wild", "Wild", "Wild", "Shell", "Shell"):
    ...     state = law.step[state, game.symbol_index[name]]
    >>> law.award[state].coins
    60
    """
    return _compiled(Identity(game), mode)


@lru_cache(maxsize=64)
def _compiled(holder: Identity, mode: Mode) -> LineLaw:
    game = holder.game
    return _compile(line_rules(game, mode), tuple(combination_index(game)))


def award_arrays(
    law: LineLaw,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Symbol, length, coins and wild_only of every state as arrays; symbol NO_PAY and 0 coins where nothing pays."""
    none = Award(NO_PAY, 0, 0, False)
    awards = [award or none for award in law.award]
    return (
        np.array([a.symbol for a in awards], dtype=np.int64),
        np.array([a.length for a in awards], dtype=np.int64),
        np.array([a.coins for a in awards], dtype=np.int64),
        np.array([a.wild_only for a in awards], dtype=np.bool_),
    )


def values_of(law: LineLaw, value: Callable[[Award], float]) -> list[float]:
    """A value of each state of R cells: 0 where nothing is won."""
    return [value(award) if award else 0.0 for award in law.award[law.first[-2] :]]
