"""Whole rounds with Money respins by enumeration, for small games of random readings; shares no code with the workbench.

Every stop combination, every award of the trigger wheels and every state of the respins
(:func:`tests.oracles.spellmaster.one_respin`), in Fractions but for the respins' units of 2^-160. Amounts are in ``UNIT``
of a bet. What is dropped of a set's endless respins is returned with them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.oracles.lines import line_award
from tests.oracles.spellmaster import UNIT_BITS, Respins, one_respin
from workbench.game.definition import GameDefinition
from workbench.game.load import parse_definition
from workbench.reels.strip_set import Stage, StripSet, Weights

UNIT = Fraction(1, 10)
SHOWN = {"Blank": "blank", "Money": "money", "Blue": "blue", "Red": "red", "Golden": "gold"}
COLOURS = {"charge": "blue", "jackpots": "golden", "multiply": "red"}
ORBS = {"charge": "Blue", "jackpots": "Golden", "multiply": "Red"}
FULL = "full"


@dataclass(frozen=True)
class Law:
    """Chances of wins in units, FULL among them where the grid fills; ``dropped`` is in none of them."""

    wins: dict[object, Fraction]
    dropped: Fraction


def respins_law(rules: Respins, negligible: float) -> Law:
    """The law of one play of the respins."""
    unit = 1 << UNIT_BITS
    least, dropped = int(negligible * unit), 0
    ends: Counter[object] = Counter()
    law = {((), rules.respins, 0, (), 0): unit}
    while law:
        after: dict[object, int] = defaultdict(int)
        for state, p in law.items():
            if p < least:
                dropped += p
                continue
            for follower, q in one_respin(rules, state):
                after[follower] += p * q >> UNIT_BITS
        law = {}
        for state, p in after.items():
            board, left, _, _, won = state
            if len(board) == rules.cells:
                ends[FULL] += p
            elif left == 0:
                ends[sum(value for value, _ in board) + won] += p
            else:
                law[state] = p
    return Law({win: Fraction(p, unit) for win, p in ends.items()}, Fraction(dropped, unit))


def rules_of(game: GameDefinition, strips: StripSet, modifiers: str) -> Respins:
    """The oracle's rules of one modifier set, spelt out."""
    feature = game.feature("respins")
    rows = feature.rows_with.get("jackpots") if "jackpots" in modifiers else None
    cells = max(sum(feature.rows), sum(rows or ()))
    stages = strips.position_reels[f"respins.{modifiers}"]
    force = [max((s for s in stages if s.start <= n), key=lambda s: s.start) for n in range(cells)]

    def units(name: str) -> dict[int, int]:
        return {int(Fraction(v) / UNIT): w for v, w in strips.wheels[name].items()}

    active = modifiers.split("+")
    multiply = "multiply" in active
    return Respins(
        cells=cells,
        reel=tuple({SHOWN[v]: w for v, w in s.cells[0].items()} for s in force),
        money=units("money"),
        charge=units("charge") if "charge" in active else {},
        multiplier={int(v): w for v, w in strips.wheels["multiplier"].items()} if multiply else {},
        counts={int(v): w for v, w in strips.wheels["counts"].items()} if multiply else {},
        names=dict(strips.wheels["jackpot"].items()) if "jackpots" in active else {},
        prizes={n: int(Fraction(str(v)) / UNIT) for n, v in feature.jackpots.prizes.items()},
        of_a_name=feature.jackpots.of_a_name,
        respins=feature.respins,
        times=feature.multiply.times if feature.multiply else 1,
        shared=bool(feature.multiply and feature.multiply.multipliers == "one-for-all"),
        persist="charge" in active and feature.charge.acts == "every-respin",
    )


def spins(game: GameDefinition, strips: StripSet) -> dict[tuple[int, tuple[int, ...]], Fraction]:
    """{(line win in units, Orbs in sight by colour in alphabetical order): chance} of a paid spin."""
    found: dict[tuple[int, tuple[int, ...]], Fraction] = defaultdict(Fraction)
    reels = strips.reels["base"]
    rows = game.grid.rows
    for stops in product(*(range(len(strip)) for strip in reels)):
        window = [
            [strip[(stop + y) % len(strip)] for y in range(rows[r])]
            for r, (strip, stop) in enumerate(zip(reels, stops, strict=True))
        ]
        coins = sum(
            line_award(game, tuple(window[r][y] for r, y in enumerate(line))).coins for line in game.lines
        )
        win = Fraction(coins, game.bet.coins) / UNIT
        assert win.denominator == 1
        seen = tuple(sum(column.count(orb) for column in window) for orb in ("Blue", "Golden", "Red"))
        found[int(win), seen] += 1
    total = sum(found.values())
    return {key: count / total for key, count in found.items()}


def awards(strips: StripSet, seen: tuple[int, ...]) -> dict[str, Fraction]:
    """The law of the award where stashes only show."""
    colours = [c for c, n in zip(("blue", "golden", "red"), seen, strict=True) if n]
    if not colours:
        return {"none": Fraction(1)}
    wheel = strips.wheels[f"trigger.{'+'.join(colours)}"]
    return {m: Fraction(w, wheel.total) for m, w in wheel.items()}


def respins_laws(game: GameDefinition, strips: StripSet, negligible: float) -> dict[str, Law]:
    """The respins of every modifier set."""
    sets = game.feature("modifiers").modifier_sets
    return {m: respins_law(rules_of(game, strips, m), negligible) for m in sets}


def round_law(game: GameDefinition, strips: StripSet, negligible: float) -> Law:
    """The law of a whole round: S-2 and S-9."""
    feature = game.feature("respins")
    cap = None if game.win_cap == "none" else int(Fraction(str(game.win_cap)) / UNIT)
    full = int(Fraction(str(feature.full_grid.pays)) / UNIT)
    laws = respins_laws(game, strips, negligible)
    found: dict[object, Fraction] = defaultdict(Fraction)
    dropped = Fraction(0)
    for (win, seen), chance in spins(game, strips).items():
        for award, share in awards(strips, seen).items():
            if award == "none":
                found[win if cap is None else min(win, cap)] += chance * share
                continue
            dropped += chance * share * laws[award].dropped
            for more, p in laws[award].wins.items():
                total = full if more == FULL else win + more
                found[total if cap is None else min(total, cap)] += chance * share * p
    return Law(dict(found), dropped)


def small_game(rng: random.Random, multiply: bool = False) -> tuple[GameDefinition, StripSet]:
    """A game of two reels with random readings and a strip set: grids of two or three cells."""
    colours = {"blue": "Blue", "golden": "Golden"} | ({"red": "Red"} if multiply else {})
    modifiers = {"charge": "blue", "jackpots": "golden"} | ({"multiply": "red"} if multiply else {})
    cap = rng.choice([2.5, 4, "none"])
    full = rng.choice([1.5, 2]) if cap != "none" else 6
    persist = rng.random() < 0.4 and not multiply
    text = f"""
format = "workbench.game/1"
game = "small"
title = "Small"
rtp_profile = "variant"
win_cap = {cap if cap != "none" else '"none"'}
lines = [[0, 0], [1, 1], [0, 1]]
[bet]
coins = 20
[grid]
rows = [2, 2]
[symbols]
regular = ["A", "K"]
wild = "Wild"
special = ["Golden", "Red", "Blue", "Money", "Blank"]
[symbols.tiers]
low = ["A", "K"]
[paytable]
A = {{ 1 = 2, 2 = 10 }}
K = {{ 2 = 4 }}
[wild]
leading_run = "own-pay"
counts_as = "A"
[[features]]
kind = "modifier_trigger"
name = "modifiers"
colours = {{ {", ".join(f'{c} = "{s}"' for c, s in colours.items())} }}
modifiers = {{ {", ".join(f'{m} = "{c}"' for m, c in modifiers.items())} }}
wheel = "trigger"
stash_levels = "shows-only"
[[features]]
kind = "money_respins"
name = "respins"
trigger = "modifiers"
respins = {rng.choice([1, 2, 3]) if not persist else 1}
resets = "money-and-orbs"
rows = [1, 1]
rows_with = {{ jackpots = [{rng.choice([1, 2]) if not multiply and not persist else 1}, 1] }}
money_symbol = "Money"
blank_symbol = "Blank"
money_wheel = "money"
order = "money-charge-multiply-jackpots"
full_grid = {{ pays = {full}, in_place_of = "round" }}
[features.charge]
modifier = "charge"
wheel = "charge"
acts = "{"every-respin" if persist else "on-landing"}"
"""
    if multiply:
        text += f"""
[features.multiply]
modifier = "multiply"
wheel = "multiplier"
count_wheel = "counts"
times = {rng.choice([1, 2])}
multipliers = "{rng.choice(["one-each", "one-for-all"])}"
"""
    text += f"""
[features.jackpots]
modifier = "jackpots"
wheel = "jackpot"
of_a_name = {rng.choice([1, 2])}
prizes = {{ Big = 0.9, Little = 0.4 }}
after_award = "cleared"
"""
    wheels = {"money": ("0.2", "0.5", "1"), "charge": ("0.1", "0.3"), "jackpot": ("Big", "Little")}
    if multiply:
        wheels |= {"multiplier": ("2", "3"), "counts": ("0", "1", "2")}
    for name, values in wheels.items():
        text += f'[[features]]\nkind = "wheel"\nname = "{name}"\nvalues = {list(values)}\n'
    game = parse_definition(text.encode(), "small")
    return game, small_strips(game, rng)


def small_strips(game: GameDefinition, rng: random.Random) -> StripSet:
    """Strips of some stops, Orbs on all reels; Orbs of the respins are rare, so that enumeration ends."""
    trigger = game.feature("modifiers")
    orbs = [trigger.colours[c] for c in sorted(trigger.colours)]

    def wheel(name: str, values: tuple[str, ...], least: int = 1) -> Weights:
        return Weights(name, values, tuple(rng.randint(least, 9) for _ in values))

    def reel(r: int) -> tuple[str, ...]:
        stops = [*orbs, "A", "K", "A"] + (["Wild"] if r else [])
        rng.shuffle(stops)
        return tuple(stops)

    def stages(modifiers: str) -> tuple[Stage, ...]:
        own = [ORBS[m] for m in modifiers.split("+")]
        starts = rng.choice([(0,), (0, 1), (0, 2)])
        return tuple(
            Stage(
                start,
                (
                    Weights(
                        modifiers,
                        ("Blank", "Money", *own),
                        (rng.randint(20, 40), rng.randint(60, 120), *(rng.randint(1, 3) for _ in own)),
                    ),
                ),
            )
            for start in starts
        )

    fixed = {w.name: wheel(w.name, w.values) for w in game.wheels}
    tables = {f"trigger.{c}": wheel(f"trigger.{c}", trigger.awards(c)) for c in trigger.colour_sets}
    return StripSet(
        game=game.game,
        definition_sha256=game.sha256,
        name="small",
        reels={"base": tuple(reel(r) for r in range(2))},
        position_reels={f"respins.{m}": stages(m) for m in trigger.modifier_sets},
        wheels={**fixed, **tables},
    )
