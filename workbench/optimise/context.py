"""What every stage of a search knows: the game, the target, how to run studies, whom to tell."""

from __future__ import annotations

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

    def settings_for(self, stage: str) -> StudySettings:
        """The stage's own study in the same storage."""
        return replace(self.settings, name=f"{self.settings.name}.{stage}")

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
