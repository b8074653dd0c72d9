"""Figures that only a target names."""

import pytest

from workbench.errors import TargetError
from workbench.optimise.asked import asked_of, asked_wins, sizes
from workbench.optimise.target import misses, parse_target
from workbench.reels.strip_set import Stage, StripSet, Weights


def _target(path, words):
    text = (
        f'format = "workbench.target/1"\ngame = "toy"\nname = "x"\n[[figures]]\nfigure = "{path}"\n{words}\n'
    )
    return parse_target(text.encode(), "x")


@pytest.fixture
def strips():
    wheels = {"w": Weights("wheels.w", ("1", "2"), (7, 90))}
    cells = {"p": (Stage(1, (Weights("p", ("x", "y"), (50, 60)),)),)}
    return StripSet("toy", "", "x", {"base": (("A", "B", "A"), ("A", "B"))}, cells, wheels)


def test_sizes_are_those_of_all_tables(strips):
    assert sizes(strips) == {"longest": 3, "shortest": 2, "largest_weight": 90, "largest_total": 110}


def test_a_size_can_be_missed(strips):
    target = _target("sizes.largest_total", "most = 109")
    found = asked_of(None, target, strips, {"rtp": 0.9})
    assert [miss.found for miss in misses(target, found)] == [110.0]
    assert misses(_target("sizes.largest_total", "most = 110"), found) == []


def test_chances_of_wins_come_from_the_law(monkeypatch, strips):
    class Law:
        def at_least(self, win):
            return float(1 / (2 + win))

    monkeypatch.setattr("workbench.value.round_law.law_of", lambda game, strips: Law())
    target = _target("win_at_least.2.5", "most = 0.2")
    (miss,) = misses(target, asked_of(None, target, strips, {}))
    assert miss.found == pytest.approx(1 / 4.5) and miss.figure == "win_at_least.2.5"


def test_a_win_is_a_number():
    with pytest.raises(TargetError, match=r"win_at_least\.much: must name a number of total bets"):
        asked_wins(_target("win_at_least.much", "most = 0.2"))
