"""Strip sets of Spellmaster that don't fit their game: refused with one line that says where and what is allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.errors import EndlessFeatureError, StripSetError, WorkbenchError
from workbench.game import GameDefinition, find_game, load_definition
from workbench.game.load import parse_definition
from workbench.reels.files import canonical_bytes, parse_strip_set
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Stage, StripSet, Weights

Spoil = Callable[[StripSet], StripSet]


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


def without(name: str, value: str) -> Spoil:
    """A wheel that lacks one of its values."""

    def spoil(strips: StripSet) -> StripSet:
        pairs = [(v, w) for v, w in strips.wheels[name].items() if v != value]
        return strips.with_wheel(name, Weights(name, tuple(v for v, _ in pairs), tuple(w for _, w in pairs)))

    return spoil


def wheel(name: str, **weights: int) -> Spoil:
    return lambda strips: strips.with_wheel(name, Weights(name, tuple(weights), tuple(weights.values())))


def reel(name: str, *stages: tuple[int, dict[str, int]]) -> Spoil:
    made = tuple(Stage(n, (Weights(name, tuple(w), tuple(w.values())),)) for n, w in stages)
    return lambda strips: strips.with_position_reels(name, made)


def lacking(kind: str, name: str) -> Spoil:
    def spoil(strips: StripSet) -> StripSet:
        parts = {k: v for k, v in getattr(strips, kind).items() if k != name}
        fields = {"reels": strips.reels, "position_reels": strips.position_reels, "wheels": strips.wheels}
        return StripSet(strips.game, strips.definition_sha256, strips.name, **{**fields, kind: parts})

    return spoil


GOOD = {"Blank": 80, "Money": 19, "Blue": 1}
SPOILT: dict[str, tuple[Spoil, list[str]]] = {
    "money wheel without 25": (without("money", "25"), ["wheels.money", "'25' is missing"]),
    "jackpot wheel without Grand": (without("jackpot", "Grand"), ["wheels.jackpot", "'Grand' is missing"]),
    "multiplier wheel without 10": (without("multiplier", "10"), ["wheels.multiplier", "'10' is missing"]),
    "no wheel at all": (lacking("wheels", "charge"), ["wheels.charge: is missing"]),
    "no trigger table": (lacking("wheels", "trigger.blue+red"), ["wheels.trigger.blue+red: is missing"]),
    "a modifier whose colour wasn't seen": (
        wheel("trigger.blue", none=9, jackpots=1),
        ["wheels.trigger.blue", "none, charge", "'jackpots'"],
    ),
    "a set with a modifier whose colour wasn't seen": (
        wheel("trigger.blue+red", **{"none": 9, "charge+jackpots": 1}),
        ["wheels.trigger.blue+red", "charge+multiply", "'charge+jackpots'"],
    ),
    "a set in another order": (
        wheel("trigger.blue+red", **{"none": 9, "multiply+charge": 1}),
        ["wheels.trigger.blue+red", "'multiply+charge'"],
    ),
    "a level where stashes only show": (wheel("trigger.blue@2", none=1), ["wheels", "'trigger.blue@2'"]),
    "no position reel": (
        lacking("position_reels", "respins.charge"),
        ["position_reels.respins.charge: is missing"],
    ),
    "an Orb of an inactive modifier": (
        reel("respins.charge", (0, {**GOOD, "Red": 1})),
        ["position_reels.respins.charge[0]", "Money, Blank, Blue", "'Red'"],
    ),
    "stages that don't begin with 0": (
        reel("respins.charge", (1, GOOD)),
        ["position_reels.respins.charge", "begin with 0", "[1]"],
    ),
    "a stage no filled count reaches": (
        reel("respins.charge", (0, GOOD), (15, GOOD)),
        ["at most 14", "[0, 15]"],
    ),
    "a position reel a reel": (
        lambda s: s.with_position_reels("respins.charge", (Stage(0, (Weights("w", ("Blank",), (1,)),) * 5),)),
        ["position_reels.respins.charge[0].cells", "must have 1 entry", "got 5"],
    ),
}


@pytest.mark.parametrize(("spoil", "says"), SPOILT.values(), ids=SPOILT.keys())
def test_a_misfit_is_refused(game: GameDefinition, spoil: Spoil, says: list[str]) -> None:
    check_fit(spellmaster_set(game), game)
    with pytest.raises(StripSetError) as caught:
        parse_strip_set(canonical_bytes(spoil(spellmaster_set(game))), game, "set.json")
    text = str(caught.value)
    assert text.startswith("set.json: ") and "\n" not in text
    for part in says:
        assert part in text


@pytest.mark.parametrize(
    "weights",
    [{"Blue": 1}, {"Blank": 1, "Blue": 10**7}, {"Money": 1, "Blue": 10**7}],
    ids=["Orbs alone", "Orbs and hardly a Blank", "Orbs and hardly a Money"],
)
def test_endless_respins_are_refused(game: GameDefinition, weights: dict[str, int]) -> None:
    strips = reel("respins.charge", (0, GOOD), (10, weights))(spellmaster_set(game))
    with pytest.raises(
        EndlessFeatureError, match=r"position_reels.respins.charge: respins must end"
    ) as caught:
        check_fit(strips, game)
    assert caught.value.exit_code == 2 and "\n" not in str(caught.value)


def test_respins_that_always_fill_the_grid_are_read(game: GameDefinition) -> None:
    check_fit(reel("respins.charge", (0, {"Money": 3, "Blue": 1}))(spellmaster_set(game)), game)


def test_levels_and_wheels_a_set_are_read_where_the_definition_has_them() -> None:
    text = find_game("spellmaster").read_text()
    text = text.replace('stash_levels = "shows-only"', "stash_levels = 2")
    text = text.replace("wheels_per_set = []", 'wheels_per_set = ["jackpot"]')
    game = parse_definition(text.encode(), "other readings")
    strips = wheel("trigger.blue+red@1+2", none=1)(spellmaster_set(game))
    with pytest.raises(WorkbenchError, match=r"wheels.jackpot.charge: is missing"):
        check_fit(strips, game)
    jackpot = strips.wheels["jackpot"]
    for modifiers in game.feature("modifiers").modifier_sets:
        strips = strips.with_wheel(f"jackpot.{modifiers}", jackpot)
    check_fit(lacking("wheels", "jackpot")(strips), game)
    with pytest.raises(StripSetError, match=r"trigger.blue\+red@1\+3"):
        check_fit(wheel("trigger.blue+red@1+3", none=1)(lacking("wheels", "jackpot")(strips)), game)


SPOILT_DEFINITIONS = {
    "a modifier of no colour": (
        'multiply = "red"',
        'multiply = "green"',
        "features.modifiers.modifiers.multiply",
    ),
    "a full grid above the cap": ("pays = 40000", "pays = 50000", "features.respins.full_grid.pays"),
    "a value that is no number": ('values = ["2", "3"', 'values = ["2", "x"', "features.multiplier.values"),
    "a value not in shortest form": (
        'values = ["2", "3"',
        'values = ["2", "3.0"',
        "features.multiplier.values",
    ),
    "a jackpot without a prize": ('values = ["Mini", ', 'values = ["Tiny", ', "features.jackpot.values"),
    "a wheel there isn't": ('money_wheel = "money"', 'money_wheel = "cash"', "features.respins"),
    "no rule for a modifier": ('modifier = "charge"', 'modifier = "jackpots"', "features.respins"),
}


@pytest.mark.parametrize(("old", "new", "place"), SPOILT_DEFINITIONS.values(), ids=SPOILT_DEFINITIONS.keys())
def test_a_contradiction_in_the_definition_is_refused(old: str, new: str, place: str) -> None:
    text = find_game("spellmaster").read_text()
    assert old in text
    with pytest.raises(WorkbenchError) as caught:
        parse_definition(text.replace(old, new).encode(), "game.toml")
    assert str(caught.value).startswith("game.toml: ") and place in str(caught.value)
