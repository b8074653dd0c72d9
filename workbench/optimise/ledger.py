"""Where the trials of a study stand: proposals on offer, claims on them, scores; in any of Optuna's storages.

One process leads a study: it alone proposes. A proposal is a waiting trial with its parameters; whoever works claims it
(waiting to running, which a storage grants once), scores it and writes the score (running to complete). A claim whose
holder died is taken back (running to waiting) by the leader. The score of a proposal is a function of its index and
values, so a claim that two held for a while does no harm: the first score stands, the second is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from optuna.distributions import BaseDistribution
from optuna.exceptions import DuplicatedStudyError, UpdateFinishedTrialError
from optuna.storages import BaseStorage
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial, TrialState, create_trial

from workbench.errors import UsageError
from workbench.optimise.patience import patiently
from workbench.optimise.storage import close_storage, new_trials, open_storage

Values = dict[str, float]
INDEX, BEAT, RETRIES = "index", "heartbeat", "tried again"


@dataclass(frozen=True)
class Entry:
    """A proposal in a storage. ``score`` is None until it is done.

    ``sign`` is the last sign of life of its holder, None if there was none yet.
    """

    key: int
    index: int
    values: Values
    score: float | None
    is_free: bool
    sign: str | None

    @property
    def is_held(self) -> bool:
        """Whether someone has claimed it and hasn't finished."""
        return self.score is None and not self.is_free


@dataclass(frozen=True)
class Ledger:
    """A storage, opened; ``url`` is for messages."""

    url: str
    storage: BaseStorage

    @classmethod
    def at(cls, url: str) -> Ledger:
        """The ledger behind a URL; opened once a process."""
        if url not in _OPEN:
            _OPEN[url] = cls(url, open_storage(url))
        return _OPEN[url]

    def begun(self, name: str, attributes: Mapping[str, Any]) -> Page:
        """A study of that name, made here; UsageError if there is one."""

        def create() -> int:
            return self.storage.create_new_study([StudyDirection.MINIMIZE], name)

        try:
            page = Page(self, patiently(self.url, create, (DuplicatedStudyError,)))
        except DuplicatedStudyError:
            raise UsageError(
                f"--study: {name!r} exists in the storage; go on with --resume or choose another name"
            ) from None
        for key, value in attributes.items():
            page.set(key, value)
        return page

    def page(self, name: str) -> Page | None:
        """The study of that name, None if there is none."""
        try:
            found = patiently(self.url, lambda: self.storage.get_study_id_from_name(name), (KeyError,))
        except KeyError:
            return None
        return Page(self, found)


_OPEN: dict[str, Ledger] = {}


def forget_storages() -> None:
    """Close every storage; it is opened anew when it is next asked for."""
    for ledger in _OPEN.values():
        close_storage(ledger.storage)
    _OPEN.clear()


@dataclass(frozen=True)
class Page:
    """One study of a ledger."""

    ledger: Ledger
    study: int

    def set(self, key: str, value: Any) -> None:
        """Write a user attribute."""
        storage = self.ledger.storage
        patiently(self.ledger.url, lambda: storage.set_study_user_attr(self.study, key, value))

    def attributes(self) -> dict[str, Any]:
        """The user attributes."""
        storage = self.ledger.storage
        return patiently(self.ledger.url, lambda: storage.get_study_user_attrs(self.study))

    def entries(self) -> dict[int, Entry]:
        """Every proposal by its index; of two with one index that which is done, else the first."""
        storage = self.ledger.storage
        found: dict[int, Entry] = {}
        trials = patiently(self.ledger.url, lambda: storage.get_all_trials(self.study, deepcopy=False))
        for trial in trials:
            entry = _entry(trial)
            if entry is None:
                continue
            other = found.get(entry.index)
            if other is None or (other.score is None and entry.score is not None):
                found[entry.index] = entry
        return found

    def offer(
        self, proposals: Mapping[int, Values], space: Mapping[str, BaseDistribution]
    ) -> dict[int, Entry]:
        """Put proposals on offer, each under its index."""
        trials = [
            create_trial(
                state=TrialState.WAITING,
                params=dict(values),
                distributions=dict(space),
                user_attrs={INDEX: index},
            )
            for index, values in sorted(proposals.items())
        ]
        storage = self.ledger.storage
        keys = patiently(self.ledger.url, lambda: new_trials(storage, self.study, trials))
        return {
            i: Entry(key, i, proposals[i], None, True, None)
            for i, key in zip(sorted(proposals), keys, strict=True)
        }

    def claim(self, entry: Entry) -> bool:
        """Take a free proposal; False if somebody else was first."""
        return self._moved(entry, TrialState.RUNNING)

    def give_back(self, entry: Entry) -> None:
        """Make a claimed proposal free."""
        if self._moved(entry, TrialState.WAITING):
            self._mark(entry, RETRIES, "yes")

    def finish(self, entry: Entry, score: float) -> None:
        """Write the score; the first that is written stands."""
        self._moved(entry, TrialState.COMPLETE, [score])

    def fill(self, scores: Mapping[int, float]) -> None:
        """Write scores that a server lost in a crash after they were read.

        What was read once is remembered, so that only a storage opened anew shows what is there.
        """
        self.attributes()  # waits for a storage that is away, which opening one doesn't
        fresh = Ledger(self.ledger.url, open_storage(self.ledger.url))
        try:
            page = Page(fresh, self.study)
            for index, entry in page.entries().items():
                if entry.score is None and index in scores:
                    page.finish(entry, scores[index])
        finally:
            close_storage(fresh.storage)

    def sign(self, entry: Entry, sign: str) -> None:
        """A sign of life of who holds the proposal: another text each time."""
        self._mark(entry, BEAT, sign)

    def _moved(self, entry: Entry, state: TrialState, values: Sequence[float] | None = None) -> bool:
        storage = self.ledger.storage
        try:
            return patiently(
                self.ledger.url,
                lambda: storage.set_trial_state_values(entry.key, state, values),
                (UpdateFinishedTrialError,),
            )
        except UpdateFinishedTrialError:
            return False

    def _mark(self, entry: Entry, key: str, value: Any) -> None:
        storage = self.ledger.storage
        try:
            patiently(
                self.ledger.url,
                lambda: storage.set_trial_user_attr(entry.key, key, value),
                (UpdateFinishedTrialError,),
            )
        except UpdateFinishedTrialError:
            return


def _entry(trial: FrozenTrial) -> Entry | None:
    index = trial.user_attrs.get(INDEX)
    if not isinstance(index, int) or trial.state not in (
        TrialState.WAITING,
        TrialState.RUNNING,
        TrialState.COMPLETE,
    ):
        return None
    done = trial.state == TrialState.COMPLETE
    return Entry(
        key=trial._trial_id,
        index=index,
        values=dict(trial.params),
        score=trial.value if done else None,
        is_free=trial.state == TrialState.WAITING,
        sign=trial.user_attrs.get(BEAT),
    )
