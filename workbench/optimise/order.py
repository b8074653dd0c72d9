"""What a run is to do, kept with its study, so that whoever joins does the same and says no to what it can't do.

The order stands in the user attributes of the root study, in words that read well in a table. It is all that a search
depends on: the definition, the targets, the strips to start from, seed, trials, batch. A worker whose program isn't the
leader's refuses: another program may score the same proposal otherwise.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.game.load import parse_definition
from workbench.optimise.study import StudySettings
from workbench.optimise.target import Target, parse_target, target_toml
from workbench.reels.files import canonical_bytes, parse_strip_set
from workbench.reels.strip_set import StripSet

FORMAT = "workbench.study/1"
PACKAGE = Path(__file__).parent.parent
LIBRARIES = ("numpy", "scipy", "numba", "optuna")


@dataclass(frozen=True)
class Order:
    """One run: a game with the bytes of its definition, targets, strips to start from, and what the search goes by.

    ``rounds`` is 1, or how many seeds are tried at most until a target is met.
    """

    name: str
    game: GameDefinition
    definition: bytes
    targets: tuple[Target, ...]
    start: StripSet | None
    seed: int
    trials: int
    batch: int
    grace: float
    rounds: int = 1

    def attributes(self) -> dict[str, Any]:
        """The order as user attributes."""
        return {
            "format": FORMAT,
            "program": program(),
            "libraries": libraries(),
            "game": self.game.game,
            "definition sha256": self.game.sha256,
            "definition": self.definition.decode(),
            "targets": [target_toml(target) for target in self.targets],
            "start": canonical_bytes(self.start).decode() if self.start else "",
            "seed": self.seed,
            "trials": self.trials,
            "batch": self.batch,
            "grace": self.grace,
            "rounds": self.rounds,
        }

    def name_of(self, target: Target) -> str:
        """The name under which a target's studies stand."""
        return self.name if len(self.targets) == 1 else f"{self.name}.{target.name}"

    def settings(self, target: Target, workers: int, storage: str, resume: bool) -> StudySettings:
        """How a target's studies are run."""
        return StudySettings(
            name=self.name_of(target),
            seed=self.seed,
            trials=self.trials,
            workers=workers,
            storage=storage,
            resume=resume,
            batch=self.batch,
            grace=self.grace,
        )


def read_order(name: str, attributes: dict[str, Any]) -> Order:
    """The order in a root study's attributes; UsageError says why this process can't follow it."""
    where = f"--study: {name!r}"
    if attributes.get("format") != FORMAT:
        found = attributes.get("format", "no format")
        raise UsageError(f"{where}: must be a study of workbench optimise ({FORMAT}), but got {found!r}")
    if attributes.get("program") != program():
        raise UsageError(
            f"{where}: is run by workbench {attributes.get('program')}, but this is {program()}; the scores of one"
            " study must come from one program"
        )
    try:
        definition = str(attributes["definition"]).encode()
        game = parse_definition(definition, f"{where}: definition")
        start = str(attributes["start"])
        order = Order(
            name=name,
            game=game,
            definition=definition,
            targets=tuple(parse_target(str(text).encode(), where) for text in attributes["targets"]),
            start=parse_strip_set(start.encode(), game, f"{where}: start") if start else None,
            seed=int(attributes["seed"]),
            trials=int(attributes["trials"]),
            batch=int(attributes["batch"]),
            grace=float(attributes["grace"]),
            rounds=int(attributes["rounds"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{where}: its order can't be understood ({error!r})") from None
    if game.sha256 != attributes.get("definition sha256"):
        raise UsageError(
            f"{where}: its definition has the SHA-256 {game.sha256}, but {attributes.get('definition sha256')} is said"
        )
    return order


def check_same(name: str, attributes: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """UsageError if a study that is to be resumed was begun with another order; it may ask for more trials."""
    free = {"trials", "grace", "rounds", "libraries"}
    for key in wanted.keys() - free:
        if attributes.get(key) != wanted[key]:
            shown = key if key in ("definition", "targets", "start") else f"{key} {attributes.get(key)!r}"
            raise UsageError(
                f"--resume: the study {name!r} was begun with another {shown}; begin another with --study"
            )


@cache
def program() -> str:
    """The version of the workbench and the hash of its sources."""
    found = hashlib.sha256()
    for path in sorted(p for p in PACKAGE.rglob("*") if p.suffix in (".py", ".toml")):
        found.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{version('workbench')} ({found.hexdigest()[:12]})"


def libraries() -> str:
    """The versions that digits may depend on."""
    return ", ".join(
        [f"python {platform.python_version()}", *(f"{name} {version(name)}" for name in LIBRARIES)]
    )
