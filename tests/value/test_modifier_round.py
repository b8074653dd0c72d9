"""The round of Spellmaster against a plain-Python player, and the levels of the stashes against their plain reading."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

from tests.features.test_money_respins import as_rules, mean_of
from tests.oracles.lines import line_award
from tests.oracles.spellmaster import play_respins
from tests.oracles.spellmaster_sets import spellmaster_set
from workbench.features.modifier_law import modifier_law
from workbench.game import GameDefinition, find_game, load_definition
from workbench.game.load import parse_definition
from workbench.reels.strip_set import StripSet, Weights
from workbench.value.modifier_figures import modifier_figures
from workbench.value.modifier_round import ModifierRound, evaluate

COLOURS = {"Blue": "blue", "Golden": "golden", "Red": "red"}
OF = {"charge": "blue", "jackpots": "golden", "multiply": "red"}


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


@pytest.fixture(scope="module")
def levelled() -> GameDefinition:
    text = find_game("spellmaster").read_text().replace('stash_levels = "shows-only"', "stash_levels = 2")
    return parse_definition(text.encode(), "with levels")


def rounds(
    game: GameDefinition, strips: StripSet, count: int, levels: int, seed: int
) -> Iterator[dict[str, float]]:
    """Play rounds by the rules (S-1, S-2, S-9); ``levels`` 0 is the reading in which stashes only show."""

    @cache
    def coins(cells: tuple[str, ...]) -> int:
        return line_award(game, cells).coins

    rng = random.Random(seed)
    stash = dict.fromkeys(("blue", "golden", "red"), 0)
    rules = {m: as_rules(game, strips, m) for m in game.feature("modifiers").modifier_sets}
    for _ in range(count):
        window = []
        for strip in strips.reels["base"]:
            stop = rng.randrange(len(strip))
            window.append([strip[(stop + row) % len(strip)] for row in range(3)])
        win = sum(coins(tuple(window[r][row] for r, row in enumerate(line))) for line in game.lines) / 50
        seen = sorted({COLOURS[s] for column in window for s in column if s in COLOURS})
        for colour in seen:
            orbs = sum(COLOURS.get(s) == colour for column in window for s in column)
            stash[colour] = min(levels, stash[colour] + orbs)
        found: dict[str, float] = defaultdict(float, {"lines": win, "hit": float(win > 0)})
        award = "none"
        if seen:
            name = f"trigger.{'+'.join(seen)}"
            wheel = strips.wheels.get(f"{name}@{'+'.join(str(stash[c]) for c in seen)}", strips.wheels[name])
            award = rng.choices(wheel.values, wheel.weights)[0]
        if award != "none":
            for modifier in award.split("+"):
                stash[OF[modifier]] = 0
            play = play_respins(rules[award], rng)
            found[f"set.{award}"] = 1.0
            found["played"] = play.respins
            if play.full_grid:
                found["lines"], found["full_grid"] = 0.0, 40000.0
            for part in ("money", "charge", "multiply", "jackpots"):
                found[part] = getattr(play, part)
        found["win"] = sum(
            found[p] for p in ("lines", "money", "charge", "multiply", "jackpots", "full_grid")
        )
        yield found


def exact_table(value: ModifierRound) -> dict[str, float]:
    table = {name.split(".")[-1]: part for name, part in value.components.items()}
    table |= {f"set.{m}": float(p) for m, p in zip(value.law.sets, value.law.chance, strict=True)}
    return {
        **table,
        "win": value.rtp,
        "hit": value.spins.hit_frequency,
        "played": value.mean_of(lambda r: r.respins),
    }


def agree(exact: dict[str, float], played: list[dict[str, float]]) -> None:
    """All figures at once inside intervals that hold together with 99.9 %."""
    bound = norm.isf(0.0005 / len(exact))
    for name, value in exact.items():
        mean, error = mean_of([p[name] for p in played])
        assert error > 0, name
        assert abs(mean - value) <= bound * error, (name, mean, error, value)


def test_the_player_agrees(game: GameDefinition) -> None:
    strips = spellmaster_set(game)
    value = evaluate(game, strips)
    played = [p | {"square": p["win"] ** 2} for p in rounds(game, strips, 12_000, 0, 1)]
    agree(exact_table(value) | {"square": value.variance + value.rtp**2}, played)


def with_levels(strips: StripSet) -> StripSet:
    """Weights that grow with the stashes."""
    for name, none in (("trigger.blue@2", 3), ("trigger.red@2", 2), ("trigger.blue+red@2+2", 1)):
        wheel = strips.wheels[name.partition("@")[0]]
        strips = strips.with_wheel(name, Weights(name, wheel.values, (none, *wheel.weights[1:])))
    return strips


def test_the_player_agrees_with_levels(levelled: GameDefinition) -> None:
    """Rounds depend on each other, so the errors are those of batch means."""
    strips = with_levels(spellmaster_set(levelled))
    value = evaluate(levelled, strips)
    played = list(rounds(levelled, strips, 12_000, 2, 1))
    batches = [
        {name: math.fsum(p[name] for p in played[i : i + 100]) / 100 for name in exact_table(value)}
        for i in range(0, len(played), 100)
    ]
    agree(exact_table(value), batches)


def test_levels_that_change_nothing_give_the_plain_reading(
    game: GameDefinition, levelled: GameDefinition
) -> None:
    strips = spellmaster_set(game)
    plain, levels = evaluate(game, strips), evaluate(levelled, strips)
    assert levels.law.chance == pytest.approx(plain.law.chance, rel=1e-12)
    assert levels.rtp == pytest.approx(plain.rtp, rel=1e-12)
    assert levels.variance == pytest.approx(plain.variance, rel=1e-12)
    assert levels.long_run_variance == pytest.approx(plain.variance, rel=1e-12)
    assert plain.long_run_variance is None


def test_long_run_variance_is_the_sum_of_covariances(levelled: GameDefinition) -> None:
    """Var(W_0) + 2 sum over k of Cov(W_0, W_k), the covariances by powers of the chain of levels."""
    value = evaluate(levelled, with_levels(spellmaster_set(levelled)))
    chain = value.law.levels
    assert chain is not None and value.long_run_variance is not None
    mean = [*(value.respins[m].mean for m in value.law.sets), 0.0]
    full = [*(value.respins[m].full_grid for m in value.law.sets), 0.0]
    size = len(chain.states)
    move, reward, reached = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    for s, e, a, p, w in zip(chain.start, chain.end, chain.award, chain.chance, chain.win, strict=True):
        won = w * (1 - full[a]) + p * mean[a]
        move[s, e] += p
        reward[s] += won
        reached[e] += chain.stationary[s] * won
    assert move.sum(axis=1) == pytest.approx(np.ones(size), rel=1e-12)
    assert chain.stationary @ move == pytest.approx(chain.stationary, abs=1e-14)
    gain, law, total = float(chain.stationary @ reward), reached, 0.0
    for _ in range(400):
        total += float(law @ reward) - gain**2
        law = law @ move
    assert value.long_run_variance == pytest.approx(value.variance + 2 * total, rel=1e-10)
    assert abs(value.long_run_variance - value.variance) > 1e-6 * value.variance


def test_figures_have_the_names_of_the_contract(game: GameDefinition) -> None:
    figures = modifier_figures(evaluate(game, spellmaster_set(game)), cap=False)
    assert list(figures["components"]) == [
        "lines",
        "respins.money",
        "respins.charge",
        "respins.multiply",
        "respins.jackpots",
        "respins.full_grid",
    ]
    assert figures["rtp"] == math.fsum(figures["components"].values())
    assert figures["strategy"] is None and "strategies" not in figures
    assert figures["max_win"] == {"value": 40000}
    assert figures["assumptions"] == [f"S-{i}" for i in range(1, 12)]
    for found in figures["modifier_sets"].values():
        assert found["mean_win"] == pytest.approx(math.fsum(found["parts"].values()), rel=1e-14)


def test_a_turned_strip_changes_nothing(game: GameDefinition) -> None:
    strips = spellmaster_set(game)
    turned = strips.with_reels(
        "base", tuple(s[r + 1 :] + s[: r + 1] for r, s in enumerate(strips.reels["base"]))
    )
    a, b = modifier_law(game, strips), modifier_law(game, turned)
    assert a.chance == pytest.approx(b.chance, rel=1e-13)
    assert a.win == pytest.approx(b.win, rel=1e-13)
    assert a.base_square == pytest.approx(b.base_square, rel=1e-13)
