"""What every stage of a search knows: the game, the target, how to run studies, whom to tell."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.game.definition import GameDefinition
from workbench.optimise.study import StudySettings, Trial
from workbench.optimise.target import Target

FAR = 1e6

Progress = Callable[[str, int, int, float], None]


@dataclass(frozen=True)
class Run:
    """One run of a search; ``progress(stage, done, of, best score)`` is told of every trial."""

    game: GameDefinition
    target: Target
    settings: StudySettings
    progress: Progress

    def settings_for(self, stage: str, given: object = None) -> StudySettings:
        """The stage's own study in the same storage; ``given`` is what its scores depend on besides the proposal.

        A resumed run whose earlier stage has got further thus never takes over scores of other premises.
        """
        premise = "" if given is None else f".{hashlib.sha256(repr(given).encode()).hexdigest()[:8]}"
        return replace(self.settings, name=f"{self.settings.name}.{stage}{premise}")

    def again(self, attempt: int) -> Run:
        """The run for another attempt: other streams, studies of its own; attempt 0 is the run itself."""
        if attempt == 0:
            return self
        seed = int.from_bytes(hashlib.sha256(f"{self.settings.seed}/{attempt}".encode()).digest()[:7])
        name = f"{self.settings.name}.again-{attempt}"
        return replace(self, settings=replace(self.settings, seed=seed, name=name))

    def rng(self, stage: str, number: int) -> random.Random:
        """The random stream of a stage's trial: the same number gives the same stream."""
        return random.Random(f"{self.settings.seed}/{stage}/{number}")

    def report(self, stage: str) -> Callable[[Trial], None]:
        """Tells of a stage's trials as they finish."""
        best = [FAR]

        def told(trial: Trial) -> None:
            best[0] = min(best[0], trial.score)
            self.progress(stage, trial.number + 1, self.settings.trials, best[0])

        return told
