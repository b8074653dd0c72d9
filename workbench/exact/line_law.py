"""The law of one line, compiled once into an automaton.

A line shows x_0 .. x_{R-1}. Let w be the number of leading Wilds, s = x_w the first other symbol, and k >= w + 1
the length of the leading run of s-or-Wild. The line pays the best of

    pay[W][w]                 the Wilds' own run,
    pay[s][k]                 the run of s, if s is regular,
    max over t of pay[t][w]   another symbol's run, made of the w Wilds alone (only if ``leading_run`` says so),

and of equal pays the Wilds' own run comes first, then the higher symbol. The award depends on the line only
through (w, s, k), so these triples, the prefixes that are still undecided and the awards themselves are
the states of a small automaton: ``step[q, x]`` is the state after symbol x, ``award[q]`` what a line in
state q pays when it ends there. One table serves the closed form of :mod:`workbench.exact.line_hits`
and the kernels of the joint law.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.game.definition import GameDefinition

NO_PAY = -1


@dataclass(frozen=True, order=True)
class Award:
    """What a line wins: the winning symbol (an index), the length of the run that pays, and coins.

    ``wild_only`` says that every cell of that run is Wild.
    """

    symbol: int
    length: int
    coins: int
    wild_only: bool


@dataclass(frozen=True)
class LineLaw:
    """The automaton of a game's lines. State 0 is the empty line.

    step
        (Q, S) int16: the next state.
    award
        one entry a state: the award of a line that ends in it, or None.
    wild_state
        the state after 0, 1, ... R leading Wilds (only the first entry in a game without Wild).
    """

    step: NDArray[np.int16]
    award: tuple[Award | None, ...]
    wild_state: tuple[int, ...]
    reels: int

    @property
    def states(self) -> int:
        """Number of states Q."""
        return len(self.award)


@dataclass(frozen=True)
class Pays:
    """The paytable by index: coins of a run, least paid lengths."""

    coins: Mapping[int, Mapping[int, int]]
    regular: int
    wild: int | None
    counts_as: int
    wilds_pay_as_any: bool
    reels: int

    def of(self, symbol: int, length: int) -> int:
        """Coins for a run; 0 where the paytable lists none."""
        return self.coins.get(symbol, {}).get(length, 0)

    def least_length(self, symbol: int) -> int:
        """The shortest run of a symbol that pays; R + 1 if none does."""
        return min((k for k, coins in self.coins.get(symbol, {}).items() if coins), default=self.reels + 1)

    def least_wild_run(self) -> int:
        """The shortest leading run of Wilds that pays whatever follows; R + 1 if none does."""
        if self.wild is None:
            return self.reels + 1
        own = self.least_length(self.wild)
        others = [self.least_length(t) for t in range(self.regular)] if self.wilds_pay_as_any else []
        return min([own, *others])


def pays_of(game: GameDefinition) -> Pays:
    """The paytable of a game by symbol index."""
    index = game.symbol_index
    wild = game.wild
    return Pays(
        coins={index[name]: dict(pays) for name, pays in game.paytable.items()},
        regular=len(game.symbols.regular),
        wild=index[game.symbols.wild] if game.symbols.wild else None,
        counts_as=index[wild.counts_as] if wild else 0,
        wilds_pay_as_any=bool(wild and wild.leading_run == "best-symbol"),
        reels=game.reel_count,
    )


def best_award(pays: Pays, wilds: int, symbol: int | None, length: int) -> Award | None:
    """The award of a line with ``wilds`` leading Wilds, then a run of ``symbol`` (None: nothing regular follows).

    ``length`` is the length of that run, its Wilds included.
    """
    candidates: list[Award] = []
    if wilds and pays.wild is not None:
        candidates.append(Award(pays.counts_as, wilds, pays.of(pays.wild, wilds), True))
    for t in range(pays.regular):
        if t == symbol:
            candidates.append(Award(t, length, pays.of(t, length), False))
        elif wilds and pays.wilds_pay_as_any:
            candidates.append(Award(t, wilds, pays.of(t, wilds), True))
    best = max(candidates, key=lambda award: award.coins, default=None)
    return best if best is not None and best.coins else None


_Key = tuple[str, int, int, int] | tuple[str, Award | None]


def _next(pays: Pays, key: _Key, symbol: int) -> _Key:
    """The state after one more symbol; a state is ("wild", w, -, -), ("run", w, s, k) or ("done", award)."""
    match key:
        case ("done", _):
            return key
        case ("wild", int(w), _, _):
            if symbol == pays.wild:
                return ("wild", w + 1, 0, 0)
            if symbol < pays.regular:
                return ("run", w, symbol, w + 1)
            return ("done", best_award(pays, w, None, w))
        case ("run", int(w), int(s), int(k)):
            if symbol in (s, pays.wild):
                return ("run", w, s, k + 1)
            return ("done", best_award(pays, w, s, k))
    raise AssertionError(key)


def _award_at_end(pays: Pays, key: _Key) -> Award | None:
    match key:
        case ("done", award):
            return award if isinstance(award, Award) else None
        case ("wild", int(w), _, _):
            return best_award(pays, w, None, w)
        case ("run", int(w), int(s), int(k)):
            return best_award(pays, w, s, k)
    raise AssertionError(key)


@lru_cache(maxsize=64)
def _compiled(holder: _Holder) -> LineLaw:
    pays = pays_of(holder.game)
    symbols = len(holder.game.symbols.all)
    start: _Key = ("wild", 0, 0, 0)
    numbers: dict[_Key, int] = {start: 0}
    depths = {start: 0}
    rows: list[list[int]] = []
    order = [start]
    for key in order:
        row = []
        for symbol in range(symbols):
            reached = _next(pays, key, symbol) if depths[key] < pays.reels else key
            if reached not in numbers:
                numbers[reached] = len(order)
                depths[reached] = depths[key] + 1 if reached[0] != "done" else 0
                order.append(reached)
            row.append(numbers[reached])
        rows.append(row)
    wild_states = [numbers[("wild", w, 0, 0)] for w in range(pays.reels + 1) if ("wild", w, 0, 0) in numbers]
    return LineLaw(
        step=np.array(rows, dtype=np.int16),
        award=tuple(_award_at_end(pays, key) for key in order),
        wild_state=tuple(wild_states),
        reels=pays.reels,
    )


class _Holder:
    """Carries a definition through the cache, whose key is the definition's identity."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and other.game is self.game


def line_law(game: GameDefinition) -> LineLaw:
    """The compiled line law of a game (compiled once per definition object).

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> law = line_law(game)
    >>> state = 0
    >>> for name in ("Wild", "Wild", "Wild", "Shell", "Shell"):
    ...     state = law.step[state, game.symbol_index[name]]
    >>> law.award[state].coins
    60
    """
    return _compiled(_Holder(game))


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
