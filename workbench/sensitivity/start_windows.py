"""What a paid spin starts, window by window of one reel: hold-and-spins with what they end with.

Of a spin whose reel r shows window w, the other reels turning through their stops, these are sums over stop combinations,
so linear in the windows of each reel. A spin triggers with line coins C on a board of a collectable, with (f = 1) or
without Free Spins to follow; with P(step, Keys), E[L; step, Keys] and E[L^2] of the final lines L begun there, its value is

    E[L],  2 C E[L] + E[L^2],  C by f,  P(step, Keys) by f,  C P(step, Keys) + E[L; step, Keys] by f.

Reels before r are gone through once and merged into *beginnings*: the lines still open, where they show Wilds, the scatters
seen. The windows of reel r lead from these to others, of as many reels as decide most lines, and each different one is
played to its end once. So a window's value is the sum over the beginnings it leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact.spin import spin_model
from workbench.exact.weighted_lines import shown_symbols
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.sensitivity._beginning_kernels import begun
from workbench.sensitivity._end_kernels import ended
from workbench.sensitivity.candidates import Candidates
from workbench.sensitivity.line_automaton import LineAutomaton
from workbench.sensitivity.start_ends import StartEnds, start_ends
from workbench.sensitivity.start_values import StartValues

Ints = NDArray[np.int64]
Beginnings = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
THREADS = 2
# asked for where no hold-and-spin can be triggered
NEVER = 1 << 30


class StartWindows:
    """The spins of a game on some base strips, one reel's windows at a time told apart."""

    def __init__(self, game: GameDefinition, strips: StripSet) -> None:
        self.game, self.strips = game, strips
        model = spin_model(game)
        self.tables, self.automaton = model.tables, LineAutomaton(model)
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

    def changes(self, windows: Sequence[Candidates]) -> list[StartValues]:
        """By reel what each swap changes; one more row at the end is the strips themselves, unchanged."""
        hold = self.game.hold_and_spin
        if hold is None:
            return [_nothing(len(one.old) + 1, (1, 1)) for one in windows]
        with ThreadPoolExecutor(THREADS) as pool:
            by_reel = pool.map(lambda task: self._tasks(*task), enumerate(windows))
            blocks = list(pool.map(self._block, [task for tasks in by_reel for task in tasks]))
            ends = _Ends.of(blocks)
            lines = start_ends(self.game, hold, self.strips, ends.symbol, ends.board, pool)

            def on_reel(r: int) -> StartValues:
                return _together([b for b in blocks if b.task.reel == r], windows[r].moves(), ends, lines)

            return list(pool.map(on_reel, range(len(windows))))

    def _tasks(self, reel: int, windows: Candidates) -> list[_Task]:
        """Beginnings that windows lead to, in parts; once most lines are decided, by the symbols they wait for."""
        most, seen = self.scatters.max(axis=1), self.seen(reel, windows.shown)
        most[reel] = max(most[reel], seen.max())
        later = np.concatenate([np.cumsum(most[::-1])[::-1], [0]]).astype(np.int64)
        before = self._before(reel, later)
        depth = min(self.tables.depth, len(self.stops))
        if reel < depth:
            return self._task_of(reel, windows.shown, seen, before, later, depth).halves()
        tasks = []
        for waits, some in self._by_waiting(before):
            told = np.where(waits[windows.shown] & (windows.shown >= 0), windows.shown, -1)
            _, one, number = np.unique(
                np.column_stack([told, seen]), axis=0, return_index=True, return_inverse=True
            )
            task = self._task_of(reel, windows.shown[one], seen[one], some, later, reel + 1)
            tasks.append(task.told_by(number.ravel()))
        return tasks

    def _task_of(
        self, reel: int, shown: Ints, seen: Ints, before: Beginnings, later: Ints, depth: int
    ) -> _Task:
        """Beginnings of ``depth`` reels that windows of a reel lead to behind some others."""
        found, (start, window, place) = self._begun(reel, shown, seen, before, later)
        leads = [_sparse(before[5][start], window, place, (len(shown), len(found[4])))]
        for r in range(reel + 1, depth):
            one: Beginnings = (*found[:5], np.ones(len(found[4]), dtype=np.int64))
            after, (start, _, place) = self._begun(
                r, self.shown[r, : self.stops[r]], self.scatters[r, : self.stops[r]], one, later
            )
            leads.append(_sparse(np.ones(len(start)), start, place, (len(found[4]), len(after[4]))))
            found = after
        return _Task(reel, depth, tuple(leads), found, later)

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

    def _block(self, task: _Task) -> _Block:
        """What the beginnings of a task end with."""
        return _Block(task, *self._ended(task.depth, task.beginnings, task.later))

    def _before(self, reel: int, later: Ints) -> Beginnings:
        """The beginnings of the reels before one, merged."""
        lines = len(self.tables.line_rows)
        zeros = np.zeros(lines, dtype=np.int64)
        found: Beginnings = (
            *(np.array([0, lines]), np.arange(lines), zeros, zeros),
            *(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)),
        )
        for r in range(reel):
            stops = self.stops[r]
            found, _ = self._begun(r, self.shown[r, :stops], self.scatters[r, :stops], found, later)
        return found

    def _begun(
        self, reel: int, shown: Ints, seen: Ints, before: Beginnings, later: Ints
    ) -> tuple[Beginnings, tuple[Ints, Ints, Ints]]:
        t, a = self.tables, self.automaton
        found: Any = begun(
            reel, np.ascontiguousarray(shown), np.ascontiguousarray(seen), t.line_rows, a.step, a.dead, a.settled, a.is_wild,
            *before, later, self.need, self.cut,
        )  # fmt: skip
        return found[0], found[1]

    def _ended(self, depth: int, beginnings: Beginnings, later: Ints) -> tuple[Any, Any]:
        t, a = self.tables, self.automaton
        tails = np.zeros((len(self.stops) + 1, self.cut + 1), dtype=np.int64)
        tails[-1, 0] = 1
        for r in range(len(self.stops) - 1, -1, -1):
            for k in self.scatters[r, : self.stops[r]]:
                np.add.at(tails[r], np.minimum(np.arange(self.cut + 1) + k, self.cut), tails[r + 1])
        first, line, state, code, seen, _ = beginnings
        entries, ends = ended(
            depth, self.shown, self.stops, self.scatters, t.line_rows, t.offsets, a.step, a.dead, a.settled, a.waits,
            a.is_wild, a.coins, t.award_symbol, t.award_length, t.award_wild_only, self.last_resort,
            t.pays.regular, first, line, state, code, seen, tails, later, self.need, self.follow,
        )  # fmt: skip
        return entries, ends


@dataclass(frozen=True)
class _Task:
    """Beginnings of ``depth`` reels; ``leads`` are factors, sparse: how often each candidate of a reel leads to each."""

    reel: int
    depth: int
    leads: tuple[Any, ...]
    beginnings: Beginnings
    later: Ints

    def told_by(self, number: Ints) -> _Task:
        """The task by candidates, ``number`` (W,) the window that each of them is alike."""
        rows = _sparse(
            np.ones(len(number)), np.arange(len(number)), number, (len(number), self.leads[0].shape[0])
        )
        return replace(self, leads=(rows, *self.leads))

    def halves(self) -> list[_Task]:
        """The task in two, some beginnings each."""
        first, line, state, code, seen, ways = self.beginnings
        middle, found = len(seen) // 2, []
        for some in (slice(0, middle), slice(middle, len(seen))):
            cut = first[some.start : some.stop + 1]
            lines = slice(int(cut[0]), int(cut[-1]))
            part: Beginnings = (cut - cut[0], line[lines], state[lines], code[lines], seen[some], ways[some])
            leads = (*self.leads[:-1], self.leads[-1][:, some])
            found.append(replace(self, leads=leads, beginnings=part))
        return found


def _sparse(values: Ints | NDArray[np.float64], rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((values.astype(float), (rows, columns)), shape=shape)


@dataclass(frozen=True)
class _Ends:
    """The different (collectable, board) of all blocks, and each block's places among them."""

    symbol: Ints
    board: NDArray[np.uint64]
    places: dict[int, Ints]

    @classmethod
    def of(cls, blocks: Sequence[_Block]) -> _Ends:
        """Those of some blocks."""
        symbols = np.concatenate([np.zeros(0, np.int64), *(b.ends[0] for b in blocks)])
        boards = np.concatenate([np.zeros(0, np.uint64), *(b.ends[1] for b in blocks)])
        each, board = np.unique(boards, return_inverse=True)
        different, place = np.unique(symbols * max(len(each), 1) + board, return_inverse=True)
        cuts = np.cumsum([len(b.ends[0]) for b in blocks])[:-1]
        places = dict(enumerate(np.split(place.ravel(), cuts)))
        return cls(
            different // max(len(each), 1),
            each[different % max(len(each), 1)],
            {id(block): places[i] for i, block in enumerate(blocks)},
        )


@dataclass(frozen=True)
class _Block:
    """A task and what its beginnings end with."""

    task: _Task
    entries: tuple[Ints, Ints, Ints, Ints]
    ends: tuple[Ints, NDArray[np.uint64]]

    def led(self, moves: Any) -> Any:
        """(rows, beginnings), sparse: how often the windows' ``moves`` (rows, W) lead to each beginning."""
        found = moves
        for lead in self.task.leads:
            found = found @ lead
        found.eliminate_zeros()
        return found


def _together(blocks: Sequence[_Block], moves: Any, ends: _Ends, lines: StartEnds) -> StartValues:
    """What moves of the windows of a reel change. Whole numbers of stop combinations: what cancels does so exactly."""
    from scipy.sparse import csr_array, hstack

    if not blocks:
        return _nothing(moves.shape[0], lines.ends.shape[1:])
    led = hstack([block.led(moves) for block in blocks], format="csr")
    first = np.cumsum([0, *(len(block.task.beginnings[4]) for block in blocks)])
    who = np.concatenate([b.entries[0] + n for b, n in zip(blocks, first[:-1], strict=True)])
    side = np.concatenate([b.entries[1] & 1 for b in blocks])
    place = np.concatenate([ends.places[id(b)][b.entries[1] >> 1] for b in blocks])
    weight, coins = (np.concatenate([b.entries[i] for b in blocks]).astype(float) for i in (2, 3))
    both = weight + 1j * coins
    shape = (int(first[-1]), len(ends.symbol))
    found = []
    for f in (0, 1):
        at = (who[side == f], place[side == f])
        started = led @ csr_array((both[side == f], at), shape=shape)
        found.append(lines.of(started))
    line_win, more, coins_won, law, first_win = ([part[i] for part in found] for i in range(5))
    by_f = [np.stack(part, axis=1) for part in (coins_won, law, first_win)]
    return StartValues(line_win[0] + line_win[1], more[0] + more[1], *by_f)


def _nothing(rows: int, ends: tuple[int, ...]) -> StartValues:
    none, by_end = np.zeros(rows), np.zeros((rows, 2, *ends))
    return StartValues(none, none, np.zeros((rows, 2)), by_end, by_end)
