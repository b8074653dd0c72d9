"""Definitions whose lines have too many courses are refused in time."""

import random

import pytest

from tests.oracles.line_games import random_line_game
from workbench.errors import DefinitionError
from workbench.exact import line_law as module


def test_too_many_states_are_refused(monkeypatch):
    game, _ = random_line_game(random.Random("states 2"))
    monkeypatch.setattr(module, "MOST_STATES", 3)
    with pytest.raises(
        DefinitionError,
        match=r"^lines: after \d cells a line must be in one of at most 3 states, but there are \d+",
    ):
        module.line_law(game)
