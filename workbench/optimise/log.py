"""The log of a run, ``<name>.log.jsonl`` beside its result: enough to know what was done and to do it again.

One JSON object a line, each with ``event`` and ``time`` (UTC):

``begun``, ``resumed``
    ``format`` ("workbench.log/1"), ``command`` (runs it again; a storage's password is ``***``), ``game``,
    ``definition_sha256``, ``target``, ``settings``, ``versions`` (program with the hash of its sources, python, libraries),
    ``machine`` (cores and system, no names).
``improvement``
    ``seconds`` since the run began, ``stage``, ``trial`` of the stage, ``score`` (the stage's own; 0 holds all it knows of).
``finished``, ``stopped``
    ``seconds``, ``trials`` (steps of all stages), ``met``, ``misses``, ``figures``, ``files`` {name: SHA-256}.

A line is appended whole or not at all; a resumed run goes on below what is there.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from workbench.errors import FileError
from workbench.optimise.order import Order, libraries, program
from workbench.optimise.target import Target

FORMAT = "workbench.log/1"
BEGUN, RESUMED, FINISHED, STOPPED = "begun", "resumed", "finished", "stopped"


class RunLog:
    """A log that grows. FileError if it can't be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begun = time.monotonic()
        self._best: dict[str, float] = {}

    def begun(
        self, order: Order, target: Target, command: str, settings: Mapping[str, Any], event: str
    ) -> None:
        """The head of a run that is ``begun``, in a fresh log, or ``resumed``, below what is there."""
        if event == BEGUN:
            self.path.unlink(missing_ok=True)
        self._add(
            event,
            format=FORMAT,
            command=command,
            game=order.game.game,
            definition_sha256=order.game.sha256,
            target=target.model_dump(mode="json", exclude_none=True),
            settings=dict(settings),
            versions={"program": program(), "libraries": libraries()},
            machine={"cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}"},
        )

    def told(self, stage: str, trial: int, score: float) -> None:
        """A step of a stage; a line if its score is the stage's best."""
        if score < self._best.get(stage, float("inf")):
            self._best[stage] = score
            self._add("improvement", seconds=self._seconds(), stage=stage, trial=trial, score=score)

    def ended(self, event: str, outcome: Mapping[str, Any]) -> None:
        """The end: ``finished`` or ``stopped``."""
        self._add(event, seconds=self._seconds(), **outcome)

    def _seconds(self) -> float:
        return round(time.monotonic() - self._begun, 3)

    def _add(self, event: str, **fields: Any) -> None:
        at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        line = json.dumps({"event": event, "time": at, **fields}, ensure_ascii=False, allow_nan=False)
        try:
            with self.path.open("ab") as file:
                _append(file, line.encode() + b"\n")
        except OSError as error:
            raise FileError(f"{self.path}: can't be written ({os.strerror(error.errno or 0)})") from None


def _append(file: BinaryIO, data: bytes) -> None:
    end = file.seek(0, os.SEEK_END)
    try:
        file.write(data)
        file.flush()
    except OSError:
        os.ftruncate(file.fileno(), end)
        raise
