"""A door to Optuna's storages: by URL or path, errors in one line, patience with a server that is away for a while.

A storage is named by ``postgresql://``, ``mysql://`` or ``sqlite:///`` (SQLAlchemy's URLs), ``grpc://host:port`` (Optuna's
proxy), or the path of a file: ``.db``, ``.sqlite`` and ``.sqlite3`` are SQLite, ``.journal`` and ``.log`` Optuna's journal. A
journal is what a run makes for itself: one appended line an event, ten times quicker than SQLite, and its lock dies
with the process that holds it.
"""

from __future__ import annotations

import errno
import fcntl
import importlib
import json
import logging
import math
import os
import random
import re
import shlex
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import optuna
from optuna.storages import BaseStorage, GrpcStorageProxy, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.storages.journal._file import BaseJournalFileLock, get_lock_file
from optuna.trial import FrozenTrial

from workbench.commands.output import complain
from workbench.errors import StorageError, UsageError
from workbench.optimise.patience import one_reason, shown

SQLITE_ENDINGS = (".db", ".sqlite", ".sqlite3")
JOURNAL_ENDINGS = (".journal", ".log")
JOURNAL_START = b'{"op_code":'
LONGEST_LINE = 4 << 20
CONNECT_SECONDS = 10
LOCK_SECONDS = 60
SYNC_SECONDS = 0.25
# Without synchronous_commit a crash of PostgreSQL would take proposals that others have read, keys and all.
ENGINES: dict[str, dict[str, Any]] = {
    "sqlite": {"connect_args": {"timeout": LOCK_SECONDS}},
    "postgresql": {
        "pool_pre_ping": True,
        "connect_args": {"connect_timeout": CONNECT_SECONDS, "options": "-c synchronous_commit=on"},
    },
    "mysql": {"pool_pre_ping": True, "connect_args": {"connect_timeout": CONNECT_SECONDS}},
}
AT_ONCE = re.compile(r"already exists|duplicate key|unique constraint|locked|deadlock", re.IGNORECASE)
MOST_TRIES = 6

optuna.logging.set_verbosity(optuna.logging.ERROR)
logging.getLogger("sqlalchemy").setLevel(logging.ERROR)


def file_of(url: str) -> Path | None:
    """The file a storage is kept in, None for a server.

    >>> file_of("sqlite:///out/a.db"), file_of("out/a.journal"), file_of("grpc://host:13000")
    (PosixPath('out/a.db'), PosixPath('out/a.journal'), None)
    """
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///"))
    return None if "://" in url else Path(url)


def dashboard_command(url: str) -> str:
    """The command that opens Optuna's dashboard on a storage; behind a proxy it needs the proxy's own storage."""
    if url.startswith("grpc://"):
        return "optuna-dashboard URL, where URL is the storage behind the proxy"
    named = url if url.endswith(JOURNAL_ENDINGS) else shown(_as_url(url))
    return f"optuna-dashboard {shlex.quote(named)}"


def open_storage(url: str) -> BaseStorage:
    """The storage behind a URL or path; UsageError or StorageError says in one line what stands in the way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if url.startswith("grpc://"):
                return _proxy(url)
            if "://" not in url and url.endswith(JOURNAL_ENDINGS):
                return _journal(Path(url))
            return _tables(_as_url(url))
    except (UsageError, StorageError):
        raise
    except ImportError as error:
        raise UsageError(
            f"--storage: {shown(url)!r} needs a package that isn't there ({one_reason(error)});"
            " pip install 'workbench[remote]'"
        ) from None
    except Exception as error:
        raise StorageError(f"--storage: {shown(url)!r} can't be used ({one_reason(error)})") from None


def new_trials(storage: BaseStorage, study: int, trials: Sequence[FrozenTrial]) -> list[int]:
    """Write trials into a study; their keys. In tables all or none, with one wait for the disk."""
    backend = getattr(storage, "_backend", None)
    if isinstance(backend, _Tables):
        return backend.create_trials(study, trials)
    return [storage.create_new_trial(study, trial) for trial in trials]


def serve(url: str, host: str = "localhost", port: int = 13000) -> None:
    """Run Optuna's gRPC proxy before a storage until it is interrupted; workers use ``grpc://host:port``.

    The same as Optuna's own ``run_grpc_proxy_server``, but quicker with tables.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optuna.storages.run_grpc_proxy_server(open_storage(url), host=host, port=port)


def close_storage(storage: BaseStorage) -> None:
    """Let go of connections; the storage isn't used again."""
    storage.remove_session()
    backend = getattr(storage, "_backend", None)
    if isinstance(backend, _Tables):
        backend.engine.dispose()
    if isinstance(storage, GrpcStorageProxy):
        storage.close()


def _as_url(url: str) -> str:
    return url if "://" in url or not url.endswith(SQLITE_ENDINGS) else f"sqlite:///{url}"


def _proxy(url: str) -> BaseStorage:
    found = re.fullmatch(r"grpc://([^/:]+):(\d{1,5})/?", url)
    if found is None:
        raise UsageError(f"--storage: must be grpc://HOST:PORT, but got {url!r}")
    importlib.import_module("grpc")
    proxy = GrpcStorageProxy(host=found[1], port=int(found[2]))
    try:
        proxy.wait_server_ready(timeout=CONNECT_SECONDS)
    except ConnectionError:
        raise StorageError(
            f"--storage: {url!r} can't be used (no answer within {CONNECT_SECONDS} s)"
        ) from None
    return proxy


class _Lock(BaseJournalFileLock):
    """A lock of the kernel's: free again whenever and however the process that holds it ends."""

    def __init__(self, path: str) -> None:
        self._path = f"{path}.lock"
        self._handle = -1

    def acquire(self) -> bool:
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX)
        self._handle = handle
        return True

    def release(self) -> None:
        handle, self._handle = self._handle, -1
        os.close(handle)


class _Journal(JournalFileBackend):
    """Optuna's journal that waits for the disk only with what mustn't be lost: scores, and what concerns a study.

    Scores are written at once, so that no killed process loses one, but share waits: a power cut takes those since the
    last wait, of ``SYNC_SECONDS`` while trials go on and else until the system itself writes them; they are tried again
    to the same scores. Lines are written all or none: what a full disk leaves of them is taken away again.
    """

    def __init__(self, path: str, lock: _Lock) -> None:
        super().__init__(path, lock)
        self._lines, self._guard = path, lock
        self._synced = -math.inf

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        """Append entries, each on a line."""
        data = "".join(f"{json.dumps(log, separators=(',', ':'))}\n" for log in logs).encode()
        with get_lock_file(self._guard), open(self._lines, "ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                if file.write(data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                if any(map(self._must_last, logs)):
                    os.fsync(file.fileno())
                    self._synced = time.monotonic()
            except OSError:
                os.ftruncate(file.fileno(), end)
                raise

    def _must_last(self, log: dict[str, Any]) -> bool:
        if log.get("values") is not None:
            return time.monotonic() - self._synced >= SYNC_SECONDS
        return "study_name" in log or ("study_id" in log and "user_attr" in log)


def _journal(path: Path) -> BaseStorage:
    """A journal; half a line at its end, left by a full disk or a power cut, is cut off."""
    lock = _Lock(str(path))
    try:
        with get_lock_file(lock):
            _mend(path)
    except OSError as error:
        raise StorageError(f"--storage: {path}: can't be written ({os.strerror(error.errno or 0)})") from None
    try:
        return JournalStorage(_Journal(str(path), lock))
    except Exception:
        raise StorageError(f"--storage: {path}: not a journal of Optuna's, or damaged") from None


def _mend(path: Path) -> None:
    with path.open("a+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(0)
        if not file.read(len(JOURNAL_START)) == JOURNAL_START[:end]:
            raise StorageError(f"--storage: {path}: not a journal of Optuna's, or damaged")
        back = min(end, LONGEST_LINE)
        file.seek(end - back)
        tail = file.read(back)
        if back and not tail.endswith(b"\n"):
            complain(f"{path}: ends within a line, which is cut off; what it told is done again", "warning")
            os.ftruncate(file.fileno(), end - back + tail.rfind(b"\n") + 1)


class _Tables(RDBStorage):
    """Optuna's tables; proposals are inserted in one go.

    Optuna looks each parameter up first, for a study whose trials might disagree about its range, and commits trial by
    trial: more than an exact evaluation costs. Here all proposals of a study come from one space, and from one leader.
    """

    def create_trials(self, study: int, trials: Sequence[FrozenTrial]) -> list[int]:
        """Write trials into a study, all or none; their keys."""
        from optuna.storages._rdb.models import StudyModel
        from optuna.storages._rdb.storage import _create_scoped_session

        with _create_scoped_session(self.scoped_session) as session:
            StudyModel.find_or_raise_by_id(study, session, for_update=True)
            made = [self._get_prepared_new_trial(study, trial, session) for trial in trials]
            session.flush()
            return [int(str(trial.trial_id)) for trial in made]

    def _set_trial_param_without_commit(
        self,
        session: Any,
        trial_id: int,
        param_name: str,
        param_value_internal: float,
        distribution: Any,
        previous_distribution: Any = None,
    ) -> None:
        from optuna.storages._rdb.models import TrialParamModel

        session.add(
            TrialParamModel(
                trial_id=trial_id,
                param_name=param_name,
                param_value=param_value_internal,
                distribution_json=optuna.distributions.distribution_to_json(distribution),
            )
        )


def _tables(url: str) -> BaseStorage:
    from sqlalchemy import event
    from sqlalchemy.engine import make_url

    try:
        kind = make_url(url).get_backend_name()
    except Exception:
        raise UsageError(
            "--storage: must be postgresql://..., mysql://..., sqlite:///..., grpc://HOST:PORT or a file ending in"
            f" {', '.join((*JOURNAL_ENDINGS, *SQLITE_ENDINGS))}, but got {shown(url)!r}"
        ) from None
    tables = _made(url, kind)
    if kind == "sqlite":
        event.listen(tables.engine, "connect", _without_waiting)
        tables.engine.dispose()
    return optuna.storages._CachedStorage(tables)


def _made(url: str, kind: str) -> _Tables:
    """The tables; of processes that make them at once all but one fail at first and find them afterwards."""
    for tries in range(MOST_TRIES):
        try:
            return _Tables(url, engine_kwargs=ENGINES.get(kind, {"pool_pre_ping": True}))
        except Exception as error:
            if tries == MOST_TRIES - 1 or not AT_ONCE.search(one_reason(error)):
                raise
            time.sleep(random.uniform(0.2, 1.0))
    raise AssertionError


def _without_waiting(connection: Any, record: object) -> None:
    """SQLite that doesn't wait for the disk at every trial: a power cut may take the last ones, which are tried again."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
