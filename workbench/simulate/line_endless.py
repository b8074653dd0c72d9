"""Free games that need never end are refused before they are played: those that award one or more each on average.

The mean number awarded is counted in whole numbers over the cycle: what is in sight by a sum over reels, what lines win
line by line (their awards add up, so their joint law isn't needed).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workbench.errors import EndlessFeatureError
from workbench.game import GameDefinition
from workbench.game.line_features import FreeGames, at_count
from workbench.reels.strip_set import StopWeights, StripSet
from workbench.simulate.line_reading import LineReader, Reading
from workbench.simulate.line_rule import FREE
from workbench.simulate.reel_tables import window

Law = Mapping[str, int]
"""Weights of the symbols a cell shows."""


def refuse_endless_free_games(game: GameDefinition, strips: StripSet) -> None:
    """Raise EndlessFeatureError where a free game awards one free game or more on average."""
    free = game.free_games
    if free is None:
        return
    added = _by_scatter(game, free, strips) + _by_lines(game, free, strips)
    if added >= 1:
        raise EndlessFeatureError(
            f"reels.{free.reels}: a free game must award less than 1 free game on average,"
            f" but awards {float(added):.6g}"
        )


def _weights(strips: StripSet, name: str) -> StopWeights:
    return strips.weights_of(name) or tuple((1,) * len(strip) for strip in strips.reels[name])


def _by_scatter(game: GameDefinition, free: FreeGames, strips: StripSet) -> Fraction:
    if free.scatter is None:
        return Fraction(0)
    law = {0: 1}
    weights = _weights(strips, free.reels)
    for reel in free.scatter.reels:
        strip, rows = strips.reels[free.reels][reel], game.grid.rows[reel]
        after: dict[int, int] = {}
        for stop, weight in enumerate(weights[reel]):
            shown = window(strip, stop, rows).count(free.scatter.symbol)
            for seen, ways in law.items():
                after[seen + shown] = after.get(seen + shown, 0) + ways * weight
        law = after
    listed, beyond = free.scatter.spins_in_free_games, free.scatter.beyond
    awarded = sum(ways * at_count(listed, seen, beyond) for seen, ways in law.items())
    return Fraction(awarded, sum(law.values()))


def _by_lines(game: GameDefinition, free: FreeGames, strips: StripSet) -> Fraction:
    listed = free.lines.spins_in_free_games if free.lines else {}
    if not any(spins for by_length in listed.values() for spins in by_length.values()):
        return Fraction(0)
    reader, cells = LineReader(game, FREE), _cells(game, strips, free.reels)
    weighted = strips.weights_of(free.reels) is not None
    read: dict[tuple[int, ...], dict[Reading, int]] = {(): {reader.start(): 1}}
    total = Fraction(0)
    for line in game.lines:
        # with equally likely stops a cell shows the same symbols in every row
        law = _law(reader, cells, line if weighted else (0,) * len(line), read)
        awarded = 0
        for reading, ways in law.items():
            award = reader.end(reading)
            awarded += ways * listed.get(award.combination, {}).get(award.length, 0) if award else 0
        total += Fraction(awarded, sum(law.values()))
    return total


def _cells(game: GameDefinition, strips: StripSet, name: str) -> list[list[Law]]:
    """[reel][row]: what a cell shows."""
    found: list[list[Law]] = []
    for strip, weights, rows in zip(strips.reels[name], _weights(strips, name), game.grid.rows, strict=True):
        laws: list[dict[str, int]] = [{} for _ in range(rows)]
        for stop, weight in enumerate(weights):
            for law, symbol in zip(laws, window(strip, stop, rows), strict=True):
                law[symbol] = law.get(symbol, 0) + weight
        found.append(list(laws))
    return found


def _law(
    reader: LineReader,
    cells: list[list[Law]],
    rows: tuple[int, ...],
    read: dict[tuple[int, ...], dict[Reading, int]],
) -> dict[Reading, int]:
    """Weights of what has been read of a line along ``rows``; ``read`` keeps those of every beginning."""
    if rows not in read:
        depth = len(rows) - 1
        law: dict[Reading, int] = {}
        for reading, ways in _law(reader, cells, rows[:-1], read).items():
            for symbol, weight in cells[depth][rows[-1]].items():
                after = reader.step(reading, depth, symbol)
                law[after] = law.get(after, 0) + ways * weight
        read[rows] = law
    return read[rows]
