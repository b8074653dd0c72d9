"""Solved strategies for the simulator, which knows no values: the policy of the exact side as a table of choices.

The command line leaves :func:`solved_table` in the context's ``meta``, where ``workbench simulate`` looks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.reels.strip_set import StripSet
    from workbench.simulate.strategy import StrategyTable


def solved_table(game: GameDefinition, strips: StripSet, name: str) -> StrategyTable:
    """What the player of a solved strategy (``optimal``, ``worst``) does; banks first become the last index."""
    import numpy as np

    from workbench.simulate.strategy import StrategyTable
    from workbench.value.round import evaluate

    policy = evaluate(game, strips).solution(name).policy
    return StrategyTable(name, np.moveaxis(policy.save, 0, -1).astype(np.uint8), policy.use.astype(np.uint8))


def played_strategy(game: GameDefinition, strips: StripSet, name: str | None) -> StrategyTable | None:
    """The table of a strategy (None: the game's default), None for a game without choices."""
    from workbench.value.round import default_strategy

    chosen = name or default_strategy(game)
    return solved_table(game, strips, chosen) if chosen else None
