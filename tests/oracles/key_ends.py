"""How Re-Spins and Free Spins end, by stepping whole laws from spin to spin, the wins of the lines among them.

What never ends by itself is followed until less than ``tail`` of it still plays; parts below ``DUST`` are dropped.
Both are counted as lost, so what is found and what is lost make 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet

from . import free_spins, re_spins, spin

DUST = 1e-23


class Law(NamedTuple):
    """Wins, rising and distinct, and their probabilities (of any total)."""

    wins: np.ndarray
    chances: np.ndarray


def law_of(wins, chances) -> Law:
    """Equal wins put together; wins that can't happen left out."""
    wins, chances = np.ravel(np.asarray(wins, dtype=np.int64)), np.ravel(np.asarray(chances, dtype=float))
    if not len(wins):
        return Law(wins, chances)
    least = wins.min()
    total = np.bincount(wins - least, weights=chances)
    found = np.flatnonzero(total)
    return Law(found + least, total[found])


def mixed(laws: list[Law]) -> Law:
    """All of several laws, each with its own total."""
    return law_of(np.concatenate([a.wins for a in laws]), np.concatenate([a.chances for a in laws]))


def added(one: Law, other: Law) -> Law:
    """Law of the sum of two independent wins."""
    few, many = sorted((one, other), key=lambda law: len(law.wins))
    if not len(few.wins):
        return few
    least = int(few.wins[0] + many.wins[0])
    total = np.zeros(int(few.wins[-1] + many.wins[-1]) - least + 1)
    for win, chance in zip(few.wins, few.chances, strict=True):
        total[many.wins + (win - least)] += chance * many.chances
    found = np.flatnonzero(total)
    return Law(found + least, total[found])


def moved(law: Law, win: int) -> Law:
    """A win more."""
    return Law(law.wins + win, law.chances)


def above(law: Law, dust: float) -> Law:
    """The law without what has a probability of ``dust`` or less."""
    kept = law.chances > dust
    return Law(law.wins[kept], law.chances[kept])


def shares(count: Counter[int], cycle: int) -> Law:
    """Numbers of stop combinations as probabilities."""
    return law_of(list(count), [number / cycle for number in count.values()])


class HoldEnds:
    """Re-Spins of several start boards at once: per board an array ``[start, Keys]``, still playing or at the end.

    Without a cap, Keys are counted to ``most_keys`` and what has more is lost; with one they stop there.
    """

    def __init__(self, game: GameDefinition, strips: StripSet, starts: Sequence[spin.Board], most_keys: int):
        self.chain = re_spins.ReSpins(game, strips)
        width = (most_keys if self.chain.cap is None else self.chain.cap) + 1
        self.blank = np.zeros((len(starts), width))
        self.ends: dict[spin.Board, np.ndarray] = {}
        self.now: dict[spin.Board, np.ndarray] = {}
        self.lost = np.zeros(len(starts))
        self.floats: dict[tuple[spin.Board, int], list[tuple[spin.Board, int, float]]] = {}
        for at, board in enumerate(starts):
            law = self.blank.copy()
            law[at, 0] = 1.0
            self._arrive(self.now, board, law)

    def play(self, tail: float) -> HoldEnds:
        """All re-spins, until less than ``tail`` of every start still plays."""
        number = 1
        while self.now and sum(law.sum(axis=1) for law in self.now.values()).max() >= tail:
            before, self.now = self.now, {}
            for board, law in before.items():
                self._re_spin(board, law, number)
            number += 1
        self.lost += sum((law.sum(axis=1) for law in self.now.values()), np.zeros(len(self.lost)))
        return self

    def _arrive(self, where: dict[spin.Board, np.ndarray], board: spin.Board, law: np.ndarray) -> None:
        """A full board is an end."""
        where = self.ends if board == self.chain.cells else where
        where[board] = where.get(board, self.blank) + law

    def _landings(self, board: spin.Board, number: int) -> list[tuple[spin.Board, int, float]]:
        key = board, self.chain.stage(number)
        if key not in self.floats:
            found = self.chain.landings(board, number).items()
            self.floats[key] = [(cells, in_sight, float(p)) for (cells, in_sight), p in found if p]
        return self.floats[key]

    def _re_spin(self, board: spin.Board, law: np.ndarray, number: int) -> None:
        """One re-spin of all that is on a board: on with more cells or Keys, else over."""
        if law.sum() < DUST:
            self.lost += law.sum(axis=1)
            return
        for landed, in_sight, chance in self._landings(board, number):
            awarded = self._awarded(chance * law, in_sight)
            if landed:
                self._arrive(self.now, board | landed, awarded)
            elif in_sight == 0:
                self._arrive(self.ends, board, chance * law)
            elif self.chain.cap is None:
                self._arrive(self.now, board, awarded)
            else:
                over = np.zeros_like(law)
                over[:, -1] = chance * law[:, -1]
                self._arrive(self.ends, board, over)
                self._arrive(self.now, board, awarded - over)

    def _awarded(self, law: np.ndarray, in_sight: int) -> np.ndarray:
        """So many Keys more."""
        after, width = np.zeros_like(law), law.shape[1]
        kept = max(width - in_sight, 0)
        after[:, width - kept :] = law[:, :kept]
        beyond = law[:, kept:].sum(axis=1)
        if self.chain.cap is None:
            self.lost += beyond
        else:
            after[:, -1] += beyond
        return after


Joint = Counter[tuple[int, int, int, int]]


def count_joint(game: GameDefinition, reels: Sequence[Sequence[str]], collectable: str) -> tuple[Joint, int]:
    """(meter, Keys, added spins, coins) of one free spin to the number of stop combinations, and the cycle."""
    reader, count = spin.LineReader(game), Joint()
    for screen in spin.screens(game, reels):
        count[(*free_spins.outcome(game, screen, collectable), reader.coins(screen))] += 1
    return count, count.total()


def _kernels(joint: Joint, cycle: int, meters: int, keys: int) -> dict[tuple[int, int], np.ndarray]:
    """(added spins, coins) to ``[state, state']``, a state being ``meter * keys + Keys``; both stay at their last."""
    kernels: dict[tuple[int, int], np.ndarray] = defaultdict(lambda: np.zeros((meters * keys, meters * keys)))
    for (more, landed, spins, coins), number in joint.items():
        for meter in range(meters):
            for had in range(keys):
                after = min(meter + more, meters - 1) * keys + min(had + landed, keys - 1)
                kernels[spins, coins][meter * keys + had, after] += number / cycle
    return dict(kernels)


def _spun(law: np.ndarray, kernels: dict[tuple[int, int], np.ndarray]) -> np.ndarray:
    """The law ``[spins left, coins, state]`` after one more spin; no spins left are over."""
    most_added, most_coins = (max(pair[i] for pair in kernels) for i in (0, 1))
    after = np.zeros((law.shape[0] + most_added, law.shape[1] + most_coins, law.shape[2]))
    playing = law[1:]
    for (spins, coins), kernel in kernels.items():
        after[spins : spins + len(playing), coins : coins + law.shape[1]] += playing @ kernel
    return after


def _trimmed(law: np.ndarray) -> tuple[np.ndarray, float]:
    """Without the most spins left and the most coins, as far as either of them weighs under ``DUST``; and their weight."""
    lost = 0.0
    for axis in (0, 1):
        weights = law.sum(axis=tuple({0, 1, 2} - {axis}))[::-1].cumsum()[::-1]
        kept = max(int((weights > DUST).sum()), 1)
        lost += float(weights[kept]) if kept < len(weights) else 0.0
        law = law[:kept] if axis == 0 else law[:, :kept]
    return law, lost


def free_ends(
    game: GameDefinition, strips: StripSet, collectable: str, lengths: Mapping[int, float], tail: float
) -> tuple[dict[tuple[int, int], Law], float]:
    """(step, Keys of the reels, at most to the last level) to the law of the coins of the lines; and what is lost.

    ``lengths``: number of free spins to begin with, to its probability.
    """
    joint, cycle = count_joint(game, free_spins.free_strips(game, strips, collectable), collectable)
    assert sum(spins * number for (_, _, spins, _), number in joint.items()) < cycle
    cap = game.free_spins.key.at_most
    top = free_spins.top_keys(game)
    meters, keys = free_spins.top_meter(game) + 1, (top if cap == "no-limit" else min(top, cap)) + 1
    kernels = _kernels(joint, cycle, meters, keys)
    law = np.zeros((max(lengths) + 1, 1, meters * keys))
    for spins, chance in lengths.items():
        law[spins, 0, 0] = chance
    done, lost = np.zeros((1, meters * keys)), 0.0
    while (playing := float(law[1:].sum())) >= tail:
        law, trimmed = _trimmed(_spun(law, kernels))
        lost += trimmed
        done = np.pad(done, ((0, max(law.shape[1] - len(done), 0)), (0, 0)))
        done[: law.shape[1]] += law[0]
        law[0] = 0.0
    found: dict[tuple[int, int], list[Law]] = defaultdict(list)
    for state in range(meters * keys):
        pair = free_spins.step_of(game, state // keys), state % keys
        found[pair].append(law_of(np.arange(len(done)), done[:, state]))
    return {pair: mixed(laws) for pair, laws in found.items()}, lost + playing
