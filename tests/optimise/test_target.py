"""Targets: read, written, looked up and scored."""

import pytest

from workbench.errors import TargetError
from workbench.optimise.target import (
    FigureTarget,
    default_target,
    look_up,
    misses,
    parse_target,
    score,
    target_toml,
)


def test_what_is_written_is_what_is_read():
    target = default_target("codex-of-fortune")
    assert parse_target(target_toml(target).encode(), "x") == target


def test_names_with_dots_are_found():
    figures = {"features": {"re_spins": {"one_in": 97.0}}, "components": {"re_spins.lines": 0.03}, "n": None}
    assert look_up(figures, "features.re_spins.one_in") == 97.0
    assert look_up(figures, "components.re_spins.lines") == 0.03
    assert look_up(figures, "components.re_spins") is None
    assert look_up(figures, "n") is None


@pytest.mark.parametrize(
    ("wanted", "found", "by"),
    [
        (FigureTarget(figure="a", value=0.9, tolerance=0.01), 0.905, 0.0),
        (FigureTarget(figure="a", value=0.9, tolerance=0.01), 0.95, 0.04),
        (FigureTarget(figure="a", least=2.0), 1.5, 0.5),
        (FigureTarget(figure="a", least=2.0, most=3.0), 3.25, 0.25),
        (FigureTarget(figure="a", most=3.0), -7.0, 0.0),
    ],
)
def test_a_miss_is_the_distance_to_the_range(wanted, found, by):
    assert wanted.miss(found) == pytest.approx(by, abs=1e-15)


def test_a_figure_that_is_lacking_is_missed_but_not_scored():
    target = default_target("codex-of-fortune")
    assert score(target, {}) == 0.0
    assert len(misses(target, {})) == len(target.figures)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format = 1", "format"),
        ('format="workbench.target/1"\ngame="g"\nname="n"\nfigures=[]', "figures"),
        ('format="workbench.target/1"\ngame="g"\nname="../n"\n[[figures]]\nfigure="rtp"\nvalue=1', "name"),
        ('format="workbench.target/1"\ngame="g"\nname="n"\n[[figures]]\nfigure="rtp"', "needs either"),
        (
            'format="workbench.target/1"\ngame="g"\nname="n"\n[[figures]]\nfigure="rtp"\nleast=2\nmost=1',
            "must not be above",
        ),
        ("not toml", "not a TOML file"),
    ],
)
def test_a_bad_target_is_one_line(text, says):
    with pytest.raises(TargetError) as error:
        parse_target(text.encode(), "t.toml")
    assert str(error.value).startswith("t.toml: ")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_rule_that_names_what_the_game_lacks_is_refused_before_anything_is_written(tmp_path):
    from workbench.game import find_game, load_definition
    from workbench.game.strip_rules import TiersRule
    from workbench.optimise.run import Options, optimise

    game = load_definition(find_game("codex-of-fortune"))
    target = default_target(game.game)
    rules = (TiersRule(kind="tiers", reels="base", tiers=("high", "top")),)
    wrong = target.model_copy(update={"strip_rules": rules})
    with pytest.raises(TargetError, match=r"strip_rules\[0\].tiers: must be one of .* but got 'top'"):
        optimise(game, wrong, Options(tmp_path / "out"), None, lambda *_: None)
    assert not (tmp_path / "out").exists()
