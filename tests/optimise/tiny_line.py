"""A game and a target so small that a search takes a second or two, in many batches."""

from pathlib import Path

GAME = """\
format = "workbench.game/1"
game = "tiny-line"
title = "Tiny Line"
rtp_profile = "variant"
win_cap = "none"
lines = [[1, 1, 1], [0, 0, 0], [2, 2, 2], [0, 1, 2], [2, 1, 0]]

[bet]
coins = 5

[grid]
rows = [3, 3, 3]

[symbols]
regular = ["Seven", "Bell", "Plum", "Lemon"]

[paytable]
Seven = { 3 = 60 }
Bell = { 3 = 20 }
Plum = { 3 = 8 }
Lemon = { 3 = 2 }
"""
TARGET = """\
format = "workbench.target/1"
game = "tiny-line"
name = "tuned"

[[figures]]
figure = "rtp"
value = 0.95
tolerance = 1e-3

[[figures]]
figure = "hit_frequency"
least = 0.2
most = 0.21
"""


def write_tiny_line(folder: Path, most_hits: float = 0.21) -> str:
    """Write definition and target; the definition's path. A hit frequency of at most 0.001 is never met."""
    (folder / "tiny-line.toml").write_text(GAME)
    target = TARGET.replace(
        "least = 0.2\nmost = 0.21", f"least = {min(0.2, most_hits / 2)}\nmost = {most_hits}"
    )
    (folder / "tiny-line.target.toml").write_text(target)
    return str(folder / "tiny-line.toml")
