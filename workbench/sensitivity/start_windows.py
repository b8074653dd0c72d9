"""What a paid spin starts, window by window of one reel: wins of any line, and hold-and-spins with what they end with.

Of a spin whose reel r shows window w, the other reels turning through their stops, these are sums over stop combinations,
so linear in the windows of each reel. A spin triggers with line coins C on a board of a collectable, with (f = 1) or
without Free Spins to follow; with P(step, Keys), E[L; step, Keys] and E[L^2] of the final lines L begun there, its value is

    hit,  E[L],  2 C E[L] + E[L^2],  C by f,  P(step, Keys) by f,  C P(step, Keys) + E[L; step, Keys] by f.

Reels before r are gone through once and merged into *beginnings*: the lines still open, where they show Wilds, the scatters
seen. The windows of reel r lead from these to others, of as many reels as decide most lines, and each different one is
played to its end once. So a window's value is the sum over the beginnings it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact.spin import SpinModel, spin_model
from workbench.exact.start_law import settled_states
from workbench.exact.weighted_lines import shown_symbols
from workbench.features.board_chain import board_chain
from workbench.features.board_moments import FinalLines, final_lines
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.sensitivity._start_kernels import begun, ended
from workbench.sensitivity.candidates import Candidates

Ints = NDArray[np.int64]
Array = NDArray[np.float64]
Beginnings = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
THREADS = 2
# asked for where no hold-and-spin can be triggered
NEVER = 1 << 30


@dataclass(frozen=True)
class StartValues:
    """Sums over the windows' spins, in coins: (W, ...) each, or changes of sums.

    ``law``, ``first`` are (W, 2, steps, K), ``won`` (W, 2), the others (W,).
    """

    hits: Array
    line_win: Array
    more: Array
    won: Array
    law: Array
    first: Array

    def changes(self, windows: Candidates) -> StartValues:
        """What each swap changes."""
        return StartValues(*(windows.changes(part) for part in self.parts()))

    @classmethod
    def nothing(cls, windows: int, law: tuple[int, ...]) -> StartValues:
        """Of windows that start nothing."""
        none, by_end = np.zeros(windows), np.zeros((windows, *law))
        return cls(none, none, none, np.zeros((windows, 2)), by_end, by_end)

    def spread(self, number: Ints, more: StartValues) -> StartValues:
        """The values of windows by their rows ``number`` (-1: none), added to ``more``."""
        none = (number < 0).any()
        found = []
        for i, part in enumerate(self.parts()):
            rows = part[np.maximum(number, 0)]
            if none:
                rows[number < 0] = 0.0
            found.append(rows + more.parts()[i])
        return StartValues(*found)

    def parts(self) -> tuple[Array, ...]:
        """All of them, in order."""
        return self.hits, self.line_win, self.more, self.won, self.law, self.first


class _Automaton:
    """The lines' automaton with every settled state taken to the last one it ends in."""

    def __init__(self, model: SpinModel) -> None:
        t = model.tables
        ends = settled_states(t.law)
        self.settled = ends >= 0
        last = np.where(self.settled, ends, np.arange(len(ends)))
        self.step = last[t.law.step].astype(np.int64)
        self.coins = t.award_coins
        self.dead = self.settled & (t.award_coins[last] == 0)
        self.sure = t.award_coins > 0
        for q in range(t.law.first[-2] - 1, -1, -1):
            self.sure[q] = self.sure[self.step[q]].all()
        self.is_wild = np.zeros(self.step.shape[1], dtype=np.bool_)
        if t.pays.wild is not None:
            self.is_wild[t.pays.wild] = True
        self.waits = self._waits()

    def _waits(self) -> Ints:
        """(Q,): the symbols, as bits, after which a state goes elsewhere than most lead; the Wild always among them."""
        found = np.zeros(len(self.step), dtype=np.int64)
        bit = 1 << np.arange(self.step.shape[1], dtype=np.int64)
        for q, row in enumerate(self.step):
            values, times = np.unique(row, return_counts=True)
            found[q] = bit[row != values[times.argmax()]].sum() | bit[self.is_wild].sum()
        return np.where(self.settled, 0, found)


class StartWindows:
    """The spins of a game on some base strips, one reel's windows at a time told apart."""

    def __init__(self, game: GameDefinition, strips: StripSet) -> None:
        self.game, self.strips = game, strips
        model = spin_model(game)
        self.tables, self.automaton = model.tables, _Automaton(model)
        hold, free = game.hold_and_spin, game.free_spins
        trigger = hold.trigger if hold else free.trigger if free else None
        self.need = hold.trigger.least if hold else NEVER
        self.follow = free.trigger.least if free else NEVER
        self.cut = max([f.trigger.least for f in (hold, free) if f], default=0)
        self.symbol = game.symbol_index[trigger.symbol] if trigger else -1
        self.on = trigger.reels if trigger else ()
        self.shown, self.stops = shown_symbols(game, strips.reels["base"])
        self.scatters = np.stack([self.seen(r, self.shown[r]) for r in range(game.reel_count)])
        self.last_resort = bool(hold and hold.wild_only_lines == "last-resort")

    def seen(self, reel: int, shown: Ints) -> Ints:
        """Scatters in each window of a reel."""
        if reel not in self.on:
            return np.zeros(len(shown), dtype=np.int64)
        return np.asarray((shown == self.symbol).sum(axis=1), dtype=np.int64)

    def values(self, windows: Sequence[Candidates]) -> list[StartValues]:
        """The values of the windows of each reel."""
        with ThreadPoolExecutor(THREADS) as pool:
            tasks = [task for r, one in enumerate(windows) for task in self._tasks(r, one)]
            blocks = list(pool.map(self._block, tasks))
            ends = _Ends.of(blocks)
            lines = self._final_lines(ends, pool)
            parts = pool.map(lambda block: block.values(ends, lines, self._rest(block.task.depth)), blocks)
            shape = (2, *lines.ends.shape[1:]) if lines else (2, 1, 1)
            found = [StartValues.nothing(len(one.shown), shape) for one in windows]
            for block, part in zip(blocks, parts, strict=True):
                r = block.task.reel
                found[r] = part.spread(block.task.number, found[r])
        return found

    def _tasks(self, reel: int, windows: Candidates) -> list[_Task]:
        """Windows in parts; once most lines are decided, beginnings by the symbols they wait for, and windows by these."""
        most, seen = self.scatters.max(axis=1), self.seen(reel, windows.shown)
        most[reel] = max(most[reel], seen.max())
        later = np.concatenate([np.cumsum(most[::-1])[::-1], [0]]).astype(np.int64)
        before = self._before(reel, later)
        depth = max(reel + 1, min(self.tables.depth, len(self.stops)))
        count = len(windows.shown)
        if reel < min(self.tables.depth, len(self.stops)):
            halves = np.array_split(np.arange(count), THREADS)
            return [
                _Task(reel, depth, windows.shown[half], seen[half], before, later, _numbered(half, count))
                for half in halves
                if len(half)
            ]
        tasks = []
        for waits, some in self._by_waiting(before):
            told = np.where(waits[windows.shown] & (windows.shown >= 0), windows.shown, -1)
            _, one, number = np.unique(
                np.column_stack([told, seen]), axis=0, return_index=True, return_inverse=True
            )
            tasks.append(_Task(reel, depth, windows.shown[one], seen[one], some, later, number.ravel()))
        return tasks

    def _by_waiting(self, before: Beginnings) -> Iterator[tuple[NDArray[np.bool_], Beginnings]]:
        """Beginnings by the symbols that matter to a line of theirs: (symbols,) whether each does, and these beginnings."""
        first, line, state, code, seen, ways = before
        if not len(seen):
            return
        bits = np.bitwise_or.reduceat(self.automaton.waits[state], first[:-1])
        for one in np.unique(bits):
            here = np.flatnonzero(bits == one)
            sizes = first[here + 1] - first[here]
            cut = np.concatenate([[0], np.cumsum(sizes)])
            places = np.repeat(first[here] - cut[:-1], sizes) + np.arange(cut[-1])
            waits = (int(one) >> np.arange(self.automaton.step.shape[1])) & 1 == 1
            yield waits, (cut, line[places], state[places], code[places], seen[here], ways[here])

    def _final_lines(self, ends: _Ends, pool: ThreadPoolExecutor) -> FinalLines | None:
        hold = self.game.hold_and_spin
        if hold is None:
            return None
        boards = board_chain(self.game, hold, self.strips)
        bounds = np.linspace(0, len(ends.symbol), THREADS + 1).astype(int)
        some = [slice(a, b) for a, b in pairwise(bounds)]
        found = list(
            pool.map(lambda s: final_lines(self.game, hold, boards, ends.symbol[s], ends.board[s]), some)
        )
        keys = max(one.ends.shape[2] for one in found)
        padded = [_padded(one, keys) for one in found]
        return FinalLines(*(np.concatenate(p) for p in zip(*padded, strict=True)))

    def _rest(self, depth: int) -> int:
        return int(np.prod(self.stops[depth:], dtype=np.int64))

    def _block(self, task: _Task) -> _Block:
        """The beginnings that some windows of a reel lead to, and what these end with."""
        beginnings, pairs, missed = self._begun(
            task.reel, task.depth, task.shown, task.seen, task.before, task.later, True
        )
        return _Block(task, beginnings, pairs, missed, *self._ended(task.depth, beginnings, task.later))

    def _before(self, reel: int, later: Ints) -> Beginnings:
        """The beginnings of the reels before one, merged."""
        lines = len(self.tables.line_rows)
        zeros = np.zeros(lines, dtype=np.int64)
        found: Beginnings = (
            *(np.array([0, lines]), np.arange(lines), zeros, zeros),
            *(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)),
        )
        for r in range(reel):
            window = np.ascontiguousarray(self.shown[r, : self.stops[r]])
            found = self._begun(r, r + 1, window, self.scatters[r], found, later, False)[0]
        return found

    def _begun(
        self, reel: int, depth: int, window: Ints, seen: Ints, before: Beginnings, later: Ints, labelled: bool
    ) -> tuple[Beginnings, tuple[Ints, Ints, Ints], Ints]:
        t, a = self.tables, self.automaton
        found: Any = begun(
            reel, depth, self.shown, self.stops, self.scatters, np.ascontiguousarray(window), seen, t.line_rows, a.step,
            a.dead, a.sure, a.settled, a.is_wild, *before, later, self.need, self.cut, labelled,
        )  # fmt: skip
        return found[0], found[1], found[2]

    def _ended(
        self, depth: int, beginnings: Beginnings, later: Ints
    ) -> tuple[Any, Any, Ints, NDArray[np.bool_]]:
        t, a = self.tables, self.automaton
        tails = np.zeros((len(self.stops) + 1, self.cut + 1), dtype=np.int64)
        tails[-1, 0] = 1
        for r in range(len(self.stops) - 1, -1, -1):
            for k in self.scatters[r, : self.stops[r]]:
                np.add.at(tails[r], np.minimum(np.arange(self.cut + 1) + k, self.cut), tails[r + 1])
        first, line, state, code, seen, _ = beginnings
        entries, ends, hits = ended(
            depth, self.shown, self.stops, self.scatters, t.line_rows, t.offsets, a.step, a.dead, a.sure, a.settled,
            a.is_wild, a.coins, t.award_symbol, t.award_length, t.award_wild_only, self.last_resort,
            t.pays.regular, first, line, state, code, seen, tails, later, self.need, self.follow,
        )  # fmt: skip
        sure = np.logical_or.reduceat(a.sure[state], first[:-1]) if len(seen) else np.zeros(0, dtype=np.bool_)
        return entries, ends, hits, sure


@dataclass(frozen=True)
class _Task:
    """Windows of a reel behind some beginnings; ``number`` (W,) is the row of each candidate among them, or -1."""

    reel: int
    depth: int
    shown: Ints
    seen: Ints
    before: Beginnings
    later: Ints
    number: Ints


def _numbered(places: Ints, count: int) -> Ints:
    number = np.full(count, -1, dtype=np.int64)
    number[places] = np.arange(len(places))
    return number


@dataclass(frozen=True)
class _Ends:
    """The different (collectable, board) of all blocks, and each block's places among them."""

    symbol: Ints
    board: NDArray[np.uint64]
    places: dict[int, Ints]

    @classmethod
    def of(cls, blocks: Sequence[_Block]) -> _Ends:
        """Those of some blocks."""
        none = np.zeros((0, 2), dtype=np.uint64)
        keys = np.concatenate(
            [none, *(np.stack([b.ends[0].astype(np.uint64), b.ends[1]], axis=1) for b in blocks)]
        )
        different, place = np.unique(keys, axis=0, return_inverse=True)
        cuts = np.cumsum([len(b.ends[0]) for b in blocks])[:-1]
        places = dict(enumerate(np.split(place.ravel(), cuts)))
        return cls(
            different[:, 0].astype(np.int64),
            np.ascontiguousarray(different[:, 1]),
            {id(block): places[i] for i, block in enumerate(blocks)},
        )


@dataclass(frozen=True)
class _Block:
    """The beginnings that a task's windows lead to, and what these end with."""

    task: _Task
    beginnings: Beginnings
    pairs: tuple[Ints, Ints, Ints]
    missed: Ints
    entries: tuple[Ints, Ints, Ints, Ints]
    ends: tuple[Ints, NDArray[np.uint64]]
    hits: Ints
    sure: NDArray[np.bool_]

    @property
    def windows(self) -> int:
        """How many windows the task has."""
        return len(self.task.shown)

    def values(self, ends: _Ends, lines: FinalLines | None, rest: int) -> StartValues:
        """The windows' values, from those of the ends."""
        from scipy.sparse import csr_array

        window, beginning, ways = self.pairs
        count = len(self.sure)
        leads = csr_array((ways.astype(float), (window, beginning)), shape=(self.windows, count))
        hits = leads @ np.where(self.sure, float(rest), self.hits) + self.missed * float(rest)
        if lines is None:
            none = np.zeros(self.windows)
            nothing = np.zeros((self.windows, 2, 1, 1))
            return StartValues(hits, none, none, np.zeros((self.windows, 2)), nothing, nothing)
        who, what, weight, coins = self.entries
        place = ends.places[id(self)][what >> 1]
        found = []
        for f in (0, 1):
            here = np.flatnonzero((what & 1) == f)
            at, shape = (who[here], place[here]), (count, len(ends.symbol))
            number = leads @ csr_array((weight[here].astype(float), at), shape=shape)
            won = leads @ csr_array((coins[here].astype(float), at), shape=shape)
            found.append(_side(number, won, lines))
        line_win, more, won, law, first = ([side[i] for side in found] for i in range(5))
        by_f = [np.stack(part, axis=1) for part in (won, law, first)]
        return StartValues(hits, line_win[0] + line_win[1], more[0] + more[1], *by_f)


def _side(number: Any, won: Any, lines: FinalLines) -> tuple[Array, Array, Array, Array, Array]:
    """(line win, more, coins, law, first) of windows from the number of their ends and the coins won before, (W, ends)."""
    shape = lines.ends.shape[1:]
    size = shape[0] * shape[1]
    mean = lines.with_end.sum(axis=(1, 2))
    ends, with_end = lines.ends.reshape(-1, size), lines.with_end.reshape(-1, size)
    return (
        number @ mean,
        2 * (won @ mean) + number @ lines.second,
        won @ np.ones(len(mean)),
        (number @ ends).reshape(-1, *shape),
        (won @ ends + number @ with_end).reshape(-1, *shape),
    )


def _padded(lines: FinalLines, keys: int) -> tuple[Array, Array, Array]:
    more = ((0, 0), (0, 0), (0, keys - lines.ends.shape[2]))
    return np.pad(lines.with_end, more), lines.second, np.pad(lines.ends, more)
