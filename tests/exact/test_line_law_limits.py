"""Definitions whose lines have too many courses are refused in time, by both ways of reading them."""

import random

import pytest

from tests.oracles.line_games import random_line_game
from workbench.errors import DefinitionError
from workbench.exact import line_law as module
from workbench.simulate import line_reading
from workbench.simulate.machine import machine_for


def test_too_many_states_are_refused(monkeypatch):
    game, _ = random_line_game(random.Random("states 2"))
    monkeypatch.setattr(module, "MOST_STATES", 3)
    with pytest.raises(
        DefinitionError,
        match=r"^lines: after \d cells a line must be in one of at most 3 states, but there are \d+",
    ):
        module.line_law(game)


def test_too_many_readings_are_refused(monkeypatch):
    game, strips = random_line_game(random.Random("states 2"))
    monkeypatch.setattr(line_reading, "MOST_READINGS", 2)
    with pytest.raises(
        DefinitionError, match=r"^lines: what is read of a line must be one of at most 2 readings"
    ):
        machine_for(game, strips, None)
