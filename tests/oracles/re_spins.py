"""Re-Spins as a chain on the very cells that are held (C-7 to C-10), in fractions.

A state is (board, Keys): the set of held cells, and the Keys awarded so far. One re-spin leads to a board with
more cells, or to the same board with more Keys, or ends the feature; so the states can be left one by one in the
order of (cells, Keys). Keys are counted up to ``most_keys`` and then lumped: there a re-spin that lands Keys alone
comes back to its state, and the expected number of visits v solves v = inflow + stay * v.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.reels.strip_set import Stage, StripSet, Weights

from .lines import line_award
from .spin import Board, Cell, window

State = tuple[Board, int]
Landings = dict[State, Fraction]


@dataclass(frozen=True)
class ReSpinsLaw:
    """How Re-Spins end, from given start boards.

    ``ends``: (final board, Keys) to probability; Keys at ``most_keys`` mean that many or more.
    ``re_spins``, ``keys``: expected number of re-spins, and of Keys awarded (all of them, none lumped).
    """

    ends: dict[State, Fraction]
    re_spins: Fraction
    keys: Fraction

    @property
    def law(self) -> dict[tuple[int, int], Fraction]:
        """(cells held at the end, Keys) to probability."""
        return _summed({state: (len(state[0]), state[1]) for state in self.ends}, self.ends)

    @property
    def boards(self) -> dict[Board, Fraction]:
        """Final board to probability."""
        return _summed({state: state[0] for state in self.ends}, self.ends)


def _summed(names: Mapping, law: Mapping) -> dict:
    """The law of a name of each state; what can't happen is left out."""
    total: dict = defaultdict(Fraction)
    for state, chance in law.items():
        if chance:
            total[names[state]] += chance
    return dict(total)


def all_cells(game: GameDefinition) -> list[Cell]:
    """Every cell of the grid as (reel, row)."""
    return [(reel, row) for reel, rows in enumerate(game.grid.rows) for row in range(rows)]


def _hold(game: GameDefinition) -> HoldAndSpin:
    assert game.hold_and_spin is not None
    return game.hold_and_spin


def _combined(law: Landings, independent: Landings) -> Landings:
    """Law of the cells and Keys that land in two independent parts together."""
    total: Landings = defaultdict(Fraction)
    for (cells, keys), chance in law.items():
        for (more_cells, more_keys), other in independent.items():
            total[cells | more_cells, keys + more_keys] += chance * other
    return total


def cell_landings(game: GameDefinition, weights: Weights, cell: Cell) -> Landings:
    """What one open cell lands on its position reel: the collectable, a Key, or nothing."""
    feature, law = _hold(game), defaultdict(Fraction)
    for symbol, weight in weights.items():
        held = frozenset([cell]) if symbol == feature.held_symbol else frozenset()
        is_key = symbol == feature.key.symbol and cell[0] in feature.key.reels
        law[held, int(is_key)] += Fraction(weight, weights.total)
    return law


def window_landings(game: GameDefinition, strips: StripSet, reel: int, board: Board) -> Landings:
    """What lands on the open cells of one reel of the re-spin strips, each stop alike."""
    feature, law = _hold(game), defaultdict(Fraction)
    strip, rows = strips.reels[feature.name][reel], game.grid.rows[reel]
    for stop in range(len(strip)):
        shown = {
            (reel, row): s for row, s in enumerate(window(strip, stop, rows)) if (reel, row) not in board
        }
        held = frozenset(cell for cell, symbol in shown.items() if symbol == feature.held_symbol)
        keys = sum(symbol == feature.key.symbol for symbol in shown.values())
        law[held, keys if reel in feature.key.reels else 0] += Fraction(1, len(strip))
    return law


class ReSpins:
    """The chain of one game and strip set; one re-spin's law is remembered per board and stage."""

    def __init__(self, game: GameDefinition, strips: StripSet) -> None:
        self.game, self.strips, self.feature = game, strips, _hold(game)
        self.cells = frozenset(all_cells(game))
        cap = self.feature.key.at_most
        self.cap = None if cap == "no-limit" else cap
        self.on_strips = self.feature.spun == "strips"
        self.stages: tuple[Stage, ...] = () if self.on_strips else strips.position_reels[self.feature.name]
        self.known: dict[tuple[Board, int], Landings] = {}

    def stage(self, number: int) -> int:
        """Which stage governs re-spin ``number``, counted from 1: the last one whose start has come."""
        return 0 if self.on_strips else max(i for i, stage in enumerate(self.stages) if stage.start <= number)

    @property
    def settled(self) -> int:
        """The re-spin from which on the weights stay the same."""
        return 1 if self.on_strips else self.stages[-1].start

    def landings(self, board: Board, number: int) -> Landings:
        """(cells that land the collectable, Keys in sight on open cells) to probability, at re-spin ``number``."""
        key = board, self.stage(number)
        if key not in self.known:
            self.known[key] = self._landings(*key)
        return self.known[key]

    def _landings(self, board: Board, stage: int) -> Landings:
        law: Landings = {(frozenset(), 0): Fraction(1)}
        if self.on_strips:
            for reel in range(self.game.reel_count):
                law = _combined(law, window_landings(self.game, self.strips, reel, board))
            return law
        for cell in sorted(self.cells - board):
            law = _combined(law, cell_landings(self.game, self.stages[stage].cell(cell[0]), cell))
        return law

    def re_spin(self, state: State, number: int, most: int) -> tuple[Landings, Fraction, Fraction]:
        """One re-spin: where it goes on to, P(it is the last as nothing lands), expected Keys it awards."""
        board, keys = state
        on: Landings = defaultdict(Fraction)
        over = award = Fraction(0)
        for (landed, in_sight), chance in self.landings(board, number).items():
            awarded = in_sight if self.cap is None else min(in_sight, self.cap - keys)
            award += chance * awarded
            if landed or awarded:
                on[board | landed, min(keys + awarded, most)] += chance
            else:
                over += chance
        return on, over, award

    def play(self, start: Board | Mapping[Board, Fraction], most_keys: int | None = None) -> ReSpinsLaw:
        """The law of the end, from a start board or a law of start boards (of any total mass).

        ``most_keys``: Keys of the law are counted to here and lumped; it may be None under a cap on Keys.
        """
        if most_keys is None and self.cap is None:
            raise ValueError("most_keys: must be a number where Keys have no cap, but got None")
        most = most_keys if self.cap is None else self.cap
        law = start if isinstance(start, Mapping) else {start: Fraction(1)}
        run = _Run(self, {(board, 0): Fraction(chance) for board, chance in law.items()}, most)
        for number in range(1, self.settled):
            run.all_at(number)
        run.to_the_end(self.settled)
        lump = most if most_keys is None else most_keys
        ends = _summed({s: (s[0], min(s[1], lump)) for s in run.ends}, run.ends)
        return ReSpinsLaw(ends, run.re_spins, run.keys)


class _Run:
    """Probability on its way through the chain: ``now`` still plays, ``ends`` is done."""

    def __init__(self, chain: ReSpins, now: Landings, most: int) -> None:
        self.chain, self.now, self.most = chain, now, most
        self.ends: Landings = defaultdict(Fraction)
        self.re_spins = self.keys = Fraction(0)

    def leave(self, state: State, mass: Fraction, number: int, onto: Landings, alike: bool) -> None:
        """Move ``mass`` out of a state; with ``alike`` the later re-spins are alike and returns are summed up."""
        if state[0] == self.chain.cells:
            self.ends[state] += mass
            return
        on, over, award = self.chain.re_spin(state, number, self.most)
        stay = on.pop(state, Fraction(0)) if alike else Fraction(0)
        if stay == 1:
            raise ValueError("re-spins: must end, but Keys land for ever")
        visits = mass / (1 - stay)
        self.re_spins += visits
        self.keys += visits * award
        self.ends[state] += visits * over
        for after, chance in on.items():
            onto[after] += visits * chance

    def all_at(self, number: int) -> None:
        """One re-spin of every state at once, while the weights still change."""
        later: Landings = defaultdict(Fraction)
        for state, mass in self.now.items():
            self.leave(state, mass, number, later, alike=False)
        self.now = later

    def to_the_end(self, number: int) -> None:
        """All further re-spins: leave the states in the order of (cells, Keys)."""
        self.now = defaultdict(Fraction, self.now)
        while self.now:
            state = min(self.now, key=lambda s: (len(s[0]), s[1]))
            self.leave(state, self.now.pop(state), number, self.now, alike=True)


def board_coins(game: GameDefinition, board: Board, collectable: str) -> int:
    """Coins of all lines on a final board, where only the held cells show anything (C-10)."""
    blank = _hold(game).blank_symbol
    shown = [
        [collectable if (r, row) in board else blank for r, row in enumerate(line)] for line in game.lines
    ]
    return sum(line_award(game, symbols).coins for symbols in shown)


def expected_line_coins(game: GameDefinition, boards: Mapping[Board, Fraction], collectable: str) -> Fraction:
    """Expected coins of the final lines under a law of final boards."""
    return sum(
        (chance * board_coins(game, board, collectable) for board, chance in boards.items()), Fraction(0)
    )


def step_of(game: GameDefinition, held: int) -> int:
    """Step of the ladder with so many cells held, from 1 (C-9)."""
    feature = _hold(game)
    return min(1 + held // feature.meter.per_step, game.ladder(feature.ladder).steps)


def level_of(game: GameDefinition, keys: int) -> int:
    """Level of the ladder with so many Keys, from 1 (C-9)."""
    feature = _hold(game)
    return min(feature.start_level + keys, game.ladder(feature.ladder).levels)
