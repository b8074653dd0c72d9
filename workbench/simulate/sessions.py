"""Sessions of many rounds, played: the net result, the bankroll it took, the longest run of rounds without a win.

Sessions are played in blocks, each with a stream of its own, so the result is a function of game, strip set, strategy and
plan alone. New players begin with nothing: their sessions are independent. Long-time players begin where rounds are
stationary: a block plays a burn-in and then session after session, which are independent of each other only where rounds
are; else blocks are, and standard errors are those of means of blocks.

A bankroll of B lasts N rounds if it can pay each bet: B - b i + W_i >= b for i = 0 .. N - 1, with bet b and W_i won in the
first i rounds. So the least bankroll that lasts is max_i (b (i + 1) - W_i), kept for every session: one run answers for
all bankrolls.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate._shapes_kernels import RoundLog
from workbench.simulate.machine import Buffers, Ints, Machine, machine_for
from workbench.simulate.run import Progress, heed, in_threads, warm_up
from workbench.simulate.source import stream
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.units import cap_units

BLOCK_ROUNDS = 1 << 22
LEAST_BLOCKS = 32
CHUNK_ROUNDS = 1 << 16
MOST_SESSIONS = 10**7
MOST_ROUNDS = 10**6


class Start(StrEnum):
    """Who plays a session."""

    NEW_PLAYER = "new-player"
    LONG_TIME = "long-time-player"


@dataclass(frozen=True)
class SessionPlan:
    """So many sessions of so many rounds, from a seed."""

    sessions: int
    rounds: int
    seed: int
    start: Start = Start.NEW_PLAYER

    def __post_init__(self) -> None:
        for name, value, most in (
            ("sessions", self.sessions, MOST_SESSIONS),
            ("rounds", self.rounds, MOST_ROUNDS),
        ):
            if not 1 <= value <= most:
                raise UsageError(f"{name}: must be 1 to {most}, but got {value}")
        if not 0 <= self.seed < 1 << 128:
            raise UsageError(f"--seed: must be 0 to 2^128 - 1, but got {self.seed}")

    @property
    def block(self) -> int:
        """Sessions of a block: at least 32 blocks a run where there are as many sessions."""
        return max(1, min(BLOCK_ROUNDS // self.rounds, -(-self.sessions // LEAST_BLOCKS)))

    @property
    def chunk(self) -> int:
        """Sessions whose rounds are kept at a time."""
        return max(1, CHUNK_ROUNDS // self.rounds)

    def blocks(self) -> Iterator[range]:
        """The sessions of each block."""
        for first in range(0, self.sessions, self.block):
            yield range(first, min(first + self.block, self.sessions))


@dataclass(frozen=True)
class PlayedSessions:
    """What each session came to, in units: net result, bankroll needed; and its longest run of rounds without a win.

    ``dependent`` says whether a session leans on those before it in its block.
    """

    plan: SessionPlan
    units: int
    dependent: bool
    net: Ints
    need: Ints
    dry: Ints


def play_sessions(
    game: GameDefinition,
    strips: StripSet,
    strategy: StrategyTable | None,
    plan: SessionPlan,
    workers: int = 1,
    progress: Progress | None = None,
) -> PlayedSessions:
    """Play a plan; ``progress`` is told of rounds.

    Raises UsageError for no workers and EndlessFeatureError for a feature without end.
    """
    machine = machine_for(game, strips, strategy)
    cap, stop = cap_units(game, machine.units), threading.Event()
    burn_in = machine.burn_in() if plan.start is Start.LONG_TIME else 0
    found = np.zeros((3, plan.sessions), np.int64)

    def play(block: range) -> int:
        _play_block(machine, plan, block, cap, burn_in, found, stop)
        return len(block)

    for played in in_threads(play, plan.blocks(), workers, stop):
        if progress:
            progress(played * plan.rounds)
    leaning = machine.dependent and plan.start is Start.LONG_TIME
    return PlayedSessions(plan, machine.units, leaning, *found)


def _play_block(
    machine: Machine, plan: SessionPlan, block: range, cap: int, burn_in: int, found: NDArray[np.int64],
    stop: threading.Event,
) -> None:  # fmt: skip
    """Play the sessions of a block: ``found`` [net, need, dry][session] is set."""
    from workbench.simulate._session_kernels import measure

    state, carry = stream(plan.seed, block.start // plan.block), machine.carry()
    buffers = Buffers.empty(machine)
    warm_up(machine, buffers, state, carry, burn_in, stop)
    kept = np.zeros(plan.chunk * plan.rounds, np.int64)
    another = plan.rounds if plan.start is Start.NEW_PLAYER else 0
    for first in range(block.start, block.stop, plan.chunk):
        heed(stop)
        last = min(first + plan.chunk, block.stop)
        won = kept[: (last - first) * plan.rounds]
        machine.play(buffers, state, carry, len(won), RoundLog(won, another))
        measure(won, machine.units, cap, *found[:, first:last])
