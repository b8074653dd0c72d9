"""A line game with one row and one line whose strip sets can all be listed, and its front by enumeration.

Of a strip only the counts of its symbols matter. Every chance is a whole number over stops^3, every moment is taken term by term.
"""

from fractions import Fraction
from itertools import product
from math import prod, sqrt
from pathlib import Path

STOPS = 5
CYCLE = STOPS**3
SYMBOLS = ("Seven", "Bell", "Star")
PAYS = {"Seven": 9, "Bell": 3}
STAR_PAYS = {2: 1, 3: 8}
RTP, TOLERANCE = Fraction(9, 10), Fraction(3, 20)
BEYOND = Fraction(1, 1000)

GAME = """\
format = "workbench.game/1"
game = "small-front"
title = "Small Front"
rtp_profile = "variant"
win_cap = "none"
lines = [[0, 0, 0]]

[bet]
coins = 1

[grid]
rows = [1, 1, 1]

[symbols]
regular = ["Seven", "Bell"]
special = ["Star"]

[paytable]
Seven = { 3 = 9 }
Bell = { 3 = 3 }

[[features]]
kind = "scatter_pays"
name = "stars"
symbol = "Star"
reels = [0, 1, 2]
pays = { 2 = 1, 3 = 8 }
per = "total-bet"
"""
TARGET = """\
format = "workbench.target/1"
game = "small-front"
name = "traded"

[[figures]]
figure = "rtp"
value = 0.9
tolerance = 0.15

[[figures]]
figure = "hit_frequency"
value = 0.5
tolerance = 1e-6

[[strip_rules]]
kind = "length"
reels = "base"
least = 5
most = 5

[[strip_rules]]
kind = "count"
reels = "base"
symbols = ["Seven", "Bell", "Star"]
least = 1
"""


def write_small_front(folder: Path) -> str:
    """Write definition and target; the definition's path."""
    (folder / "small-front.toml").write_text(GAME)
    (folder / "small-front.target.toml").write_text(TARGET)
    return str(folder / "small-front.toml")


def every_set():
    """The objectives of every strip set that the rules allow and whose RTP is near enough."""
    strips = [c for c in product(range(1, STOPS), repeat=len(SYMBOLS)) if sum(c) == STOPS]
    wins = [(shown, *_win(shown)) for shown in product(range(len(SYMBOLS)), repeat=3)]
    won = [win for win in wins if win[1] + win[2]]
    for counts in product(strips, repeat=3):
        ways = [(prod(counts[r][s] for r, s in enumerate(shown)), line, stars) for shown, line, stars in won]
        paid = sum(n * (line + stars) for n, line, stars in ways)
        mean = Fraction(paid, CYCLE)
        if abs(mean - RTP) > TOLERANCE + BEYOND:
            continue
        square = Fraction(sum(n * (line + stars) ** 2 for n, line, stars in ways), CYCLE)
        yield {
            "rtp_error": max(abs(mean - RTP) - TOLERANCE, 0),
            "hit_frequency": Fraction(sum(n for n, *_ in ways), CYCLE),
            "standard_deviation": sqrt(square - mean**2),
            "feature_share": Fraction(sum(n * stars for n, _, stars in ways), paid),
        }


def _win(shown):
    """(line, stars) in bets; whole numbers."""
    names = [SYMBOLS[s] for s in shown]
    line = PAYS.get(names[0], 0) if len(set(names)) == 1 else 0
    return line, STAR_PAYS.get(names.count("Star"), 0)


def enumerated_front(signs):
    """The objectives of every set that none dominates, each as a tuple with its signs; by comparing all with all."""
    every = {
        tuple(round(float(found[name]) * signs[name], 9) + 0.0 for name in signs) for found in every_set()
    }

    def dominated(one):
        return any(other != one and all(a <= b for a, b in zip(other, one, strict=True)) for other in every)

    return {one for one in every if not dominated(one)}
