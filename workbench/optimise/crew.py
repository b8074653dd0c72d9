"""Who scores the proposals of a study: threads of this process, and whoever joined from elsewhere.

Every process that works on a study has hands: they claim proposals of the ledger, score them, write the scores and give
a sign of life for what they hold. The leader watches the claims of others by its own clock: a claim whose sign
hasn't changed for the grace period is taken back and so tried again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event, Thread
from types import TracebackType

from workbench.errors import WorkbenchError
from workbench.optimise.ledger import Entry, Page, Values

BEAT = 2.0
LAST_WORDS = 5.0
SHORTEST_WAIT, LONGEST_WAIT = 0.01, 0.25
Score = Callable[[int, Values], float]


class Hands:
    """``workers`` threads that claim and score proposals of one study; a context.

    ``sign`` is the name under which claims are signed, None for the leader, whose claims nobody watches. Left by an
    error, it gives back what it holds; left otherwise, it has written every score.
    """

    def __init__(self, page: Page, score: Score, workers: int, sign: str | None) -> None:
        self.page, self.score, self.sign = page, score, sign
        self.workers = max(workers, 1)
        self.scored: dict[int, float] = {}
        self._held: dict[Future[float], Entry] = {}
        self._over = Event()

    def __enter__(self) -> Hands:
        self._pool = ThreadPoolExecutor(self.workers)
        if self.sign is not None:
            self._beats = Thread(target=self._beat, daemon=True)
            self._beats.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self.sign is not None:
            self._beats.join(LAST_WORDS)
        for future, entry in list(self._held.items()):
            future.cancel()
            if not isinstance(error, WorkbenchError):
                self.page.give_back(entry)
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def are_full(self) -> bool:
        """Whether every thread has something to do."""
        return len(self._held) >= self.workers

    @property
    def are_empty(self) -> bool:
        """Whether nothing is held."""
        return not self._held

    @property
    def keys(self) -> set[int]:
        """The keys of what is held."""
        return {entry.key for entry in self._held.values()}

    def take(self, entries: Iterable[Entry]) -> bool:
        """Claim free proposals while there are threads without work; whether somebody else was quicker with one."""
        lost = False
        for entry in entries:
            if self.are_full:
                break
            if self.page.claim(entry):
                self._held[self._pool.submit(self.score, entry.index, entry.values)] = entry
            else:
                lost = True
        return lost

    def settle(self, seconds: float) -> int:
        """Wait so long for a first score and write what is there; returns how many."""
        if not self._held:
            return 0
        done = wait(self._held, timeout=seconds, return_when=FIRST_COMPLETED).done
        for future in done:
            entry = self._held[future]
            score = future.result()
            self.page.finish(entry, score)
            del self._held[future]
            self.scored[entry.index] = score
        return len(done)

    def _beat(self) -> None:
        beat = 0
        while not self._over.wait(BEAT):
            beat += 1
            for entry in list(self._held.values()):
                try:
                    self.page.sign(entry, f"{self.sign} {beat}")
                except WorkbenchError:
                    return


@dataclass
class Watch:
    """What a leader has seen of others' claims, and since when, by its own clock."""

    grace: float
    seen: dict[int, tuple[str | None, float]] = field(default_factory=dict)

    def dead(self, entry: Entry) -> bool:
        """Whether the sign of a claim hasn't changed for the grace period."""
        seconds = time.monotonic()
        sign, since = self.seen.setdefault(entry.key, (entry.sign, seconds))
        if sign != entry.sign:
            self.seen[entry.key] = (entry.sign, seconds)
            return False
        return seconds - since > self.grace


def scored_by_all(
    hands: Hands, watch: Watch, entries: Sequence[Entry], is_late: Callable[[], bool]
) -> dict[int, float]:
    """The scores of proposals on offer, by index; where it gets late, of those that are done or in hand.

    ``entries`` is what the leader knows of them; others may claim them at any time.
    """
    view = {entry.index: entry for entry in entries}
    pause = SHORTEST_WAIT
    while True:
        scores = {e.index: e.score for e in view.values() if e.score is not None}
        scores |= {i: hands.scored[i] for i in view if i in hands.scored}
        late = is_late()
        if len(scores) == len(view) or (late and hands.are_empty):
            return scores
        free = [e for i, e in view.items() if e.is_free and i not in scores and e.key not in hands.keys]
        lost = False if late else hands.take(free)
        if hands.settle(pause):
            pause = SHORTEST_WAIT
            continue
        if hands.are_empty:
            time.sleep(pause)
        pause = min(2 * pause, LONGEST_WAIT)
        if lost or not hands.are_full:
            view = _seen_again(hands, watch, view)


def _seen_again(hands: Hands, watch: Watch, view: Mapping[int, Entry]) -> dict[int, Entry]:
    """The entries as they stand in the storage; claims of the dead are taken back."""
    every = hands.page.entries()
    found = {i: every.get(i, entry) for i, entry in view.items()}
    for entry in found.values():
        if entry.is_held and entry.key not in hands.keys and watch.dead(entry):
            hands.page.give_back(entry)
    return found


def score_for_others(
    hands: Hands, is_complete: Callable[[Mapping[int, Entry]], bool], is_over: Callable[[], bool]
) -> dict[int, Entry] | None:
    """Score what is on offer until the study is complete; None if the run is over before."""
    pause, view = SHORTEST_WAIT, hands.page.entries()
    while not is_complete(view):
        over = is_over()
        if over and hands.are_empty:
            return None
        free = [e for i, e in view.items() if e.is_free and i not in hands.scored and e.key not in hands.keys]
        random.shuffle(free)
        lost = False if over else hands.take(free)
        settled = hands.settle(pause)
        if not settled and hands.are_empty:
            time.sleep(pause)
        pause = SHORTEST_WAIT if settled else min(2 * pause, LONGEST_WAIT)
        if lost or len(free) <= hands.workers or not hands.are_full:
            view = hands.page.entries()
    return view
