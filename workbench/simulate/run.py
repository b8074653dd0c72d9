"""Runs of many rounds: cut into sessions, each with a stream of its own, played by threads, added up exactly.

The result is a function of game, strip set, strategy, seed and rounds alone: sessions are independent and integer
counts add up in any order. Where rounds depend on each other a session first plays a burn-in that isn't
counted. Kernels release the interpreter's lock, so threads share the work.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.game import GameDefinition
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import StripSet
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.machine import Buffers, Ints, Machine, Words, machine_for
from workbench.simulate.source import stream
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.tally import Batches, Identity, Session, Tally

SESSION_ROUNDS = 1 << 20
"""Rounds of a session; a run whose rounds are no multiple ends in a shorter one."""
BATCH_ROUNDS = 1 << 16
LEAST_BATCHES = 32
MOST_ROUNDS = 10**13
MOST_SESSIONS = 1 << 31

Progress = Callable[[int], None]
"""Called with the rounds just finished."""
Watch = Callable[[Tally], None]
"""Called with the tally of each session, in no order, by one thread."""

Part = TypeVar("Part")
Played = TypeVar("Played")


class Interrupted(KeyboardInterrupt):
    """A run stopped by the user; ``tallies`` holds the sessions that were finished."""

    def __init__(self, tallies: list[Tally]) -> None:
        super().__init__("interrupted")
        self.tallies = tallies


class _Stopped(Exception):
    """A session that was told to stop."""


@dataclass(frozen=True)
class Plan:
    """What to play: rounds from a seed, cut into sessions; ``held`` sessions are there already."""

    rounds: int
    seed: int
    held: frozenset[Session] = frozenset()

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise UsageError(f"--rounds: must be 1 to {MOST_ROUNDS}, but got {self.rounds}")
        if not 0 <= self.seed < 1 << 128:
            raise UsageError(f"--seed: must be 0 to 2^128 - 1, but got {self.seed}")

    @property
    def batch_rounds(self) -> int:
        """Rounds of a batch: at least 32 batches a run, none longer than 2^16."""
        return min(BATCH_ROUNDS, -(-self.rounds // LEAST_BATCHES))

    def sessions(self) -> Iterator[Session]:
        """The sessions still to play, in order."""
        for number in range(-(-self.rounds // SESSION_ROUNDS)):
            rounds = min(SESSION_ROUNDS, self.rounds - number * SESSION_ROUNDS)
            session = Session(self.seed, number, rounds)
            if session not in self.held:
                yield session


def identity_of(
    game: GameDefinition, strips: StripSet, strategy: StrategyTable | None, units: int
) -> Identity:
    """What a run plays, by name and hash."""
    table = json.dumps(strategy.to_json(), sort_keys=True) if strategy else None
    return Identity(
        game=game.game,
        definition_sha256=game.sha256,
        strip_set=strips.name,
        sha256=strip_set_sha256(strips),
        strategy=strategy.name if strategy else None,
        strategy_sha256=hashlib.sha256(table.encode()).hexdigest() if table else None,
        session_rounds=SESSION_ROUNDS,
        units=units,
    )


def simulate(
    game: GameDefinition,
    strips: StripSet,
    rounds: int,
    seed: int,
    strategy: StrategyTable | None,
    workers: int = 1,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Tally:
    """Play ``rounds`` paid rounds and count them; ``watch`` sees the tally of every session.

    Raises UsageError for rounds or a seed out of range, EndlessFeatureError for a feature without end, and Interrupted
    (a KeyboardInterrupt) with what was finished.
    """
    tallies = simulate_sessions(game, strips, Plan(rounds, seed), strategy, workers, progress, watch)
    return reduce(Tally.plus, tallies)


def simulate_sessions(
    game: GameDefinition,
    strips: StripSet,
    plan: Plan,
    strategy: StrategyTable | None,
    workers: int = 1,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> list[Tally]:
    """Play a plan: one tally of its full sessions and, if there is one, one of its shorter last session."""
    machine = machine_for(game, strips, strategy)
    identity = identity_of(game, strips, strategy, machine.units)
    burn_in = machine.burn_in()
    stop = threading.Event()
    full, short = Sum(), Sum()

    def play(session: Session) -> Tally:
        return play_session(machine, identity, session, plan.batch_rounds, burn_in, stop)

    try:
        for tally in in_threads(play, plan.sessions(), workers, stop):
            if watch:
                watch(tally)
            (full if tally.sessions[0].rounds == SESSION_ROUNDS else short).add(tally)
            if progress:
                progress(tally.rounds)
    except KeyboardInterrupt:
        raise Interrupted([*full.total(), *short.total()]) from None
    return [*full.total(), *short.total()]


class Sum:
    """Tallies added up as they come, equal ones first: the list of sessions is copied log n times, not n."""

    def __init__(self) -> None:
        self._parts: list[Tally] = []

    def add(self, tally: Tally) -> None:
        """Add one more."""
        self._parts.append(tally)
        while len(self._parts) > 1 and len(self._parts[-1].sessions) >= len(self._parts[-2].sessions):
            last = self._parts.pop()
            self._parts[-1] = self._parts[-1].plus(last)

    def total(self) -> list[Tally]:
        """All together, as a list of one; empty if none was added."""
        return [reduce(Tally.plus, self._parts)] if self._parts else []


def in_threads(
    play: Callable[[Part], Played], parts: Iterator[Part], workers: int, stop: threading.Event
) -> Iterator[Played]:
    """Results as they come, with a part in wait for each worker: none idles while results are added up.

    Raises UsageError for no workers.
    """
    if workers < 1:
        raise UsageError(f"--workers: must be at least 1, but got {workers}")
    running: set[Future[Played]] = set()
    pool = ThreadPoolExecutor(workers)
    try:
        while True:
            while len(running) < 2 * workers and (part := next(parts, None)):
                running.add(pool.submit(play, part))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def play_session(
    machine: Machine,
    identity: Identity,
    session: Session,
    batch_rounds: int,
    burn_in: int,
    stop: threading.Event,
) -> Tally:
    """One session: its burn-in, then its rounds batch by batch."""
    state, carry = stream(session.seed, session.number), machine.carry()
    buffers = Buffers.empty(machine)
    warm_up(machine, buffers, state, carry, burn_in, stop)
    sizes = [min(batch_rounds, session.rounds - begun) for begun in range(0, session.rounds, batch_rounds)]
    after = np.zeros((len(sizes) + 1, machine.layout.size), np.int64)
    for i, size in enumerate(sizes):
        heed(stop)
        machine.play(buffers, state, carry, size)
        after[i + 1] = buffers.counts
    beyond = int(buffers.peak[at.LARGEST]) + 1
    return Tally(
        identity,
        machine.layout,
        (session,),
        tuple(map(int, buffers.counts)),
        tuple(int(low) + (int(high) << 32) for low, high in buffers.squares),
        _by_units(buffers.wins[:beyond]),
        int(buffers.peak[at.LARGEST]),
        Batches.of(np.diff(after, axis=0), np.array(sizes, np.int64)),
        {kind: _by_units(wins[:beyond]) for kind, wins in zip(machine.spins, buffers.spins, strict=True)},
    )


def warm_up(
    machine: Machine, buffers: Buffers, state: Words, carry: Ints, burn_in: int, stop: threading.Event
) -> None:
    """Play the burn-in, in whole batches, and forget its counts."""
    for _ in range(0, burn_in, BATCH_ROUNDS):
        heed(stop)
        machine.play(buffers, state, carry, BATCH_ROUNDS)
    if burn_in:
        buffers.clear()


def _by_units(wins: NDArray[np.int64]) -> dict[int, int]:
    """The counts above 0 by their place."""
    won = np.flatnonzero(wins)
    return dict(zip(map(int, won), map(int, wins[won]), strict=True))


def heed(stop: threading.Event) -> None:
    """Give up a part whose run was told to stop."""
    if stop.is_set():
        raise _Stopped
