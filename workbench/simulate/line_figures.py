"""Figures of a line game, from its tally. Rounds are independent, and so are free games, whatever round they are of."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.game import GameDefinition
from workbench.game.line_features import Bonus
from workbench.simulate._line_game_shapes_kernels import SUMS
from workbench.simulate.estimates import Estimate, Proportion, by_batches, by_squares, deviation_of, spread_of
from workbench.simulate.line_rule import BASE, FREE, component_names, mark_names
from workbench.simulate.line_tables import hit_names, line_squares
from workbench.simulate.tally import Tally


def line_estimates(game: GameDefinition, tally: Tally) -> dict[str, Estimate]:
    """Every figure of a line game by its name."""
    read = _Reader(game, tally)
    found = dict(_main(read))
    found |= _components(read)
    found |= _features(read)
    found |= _free_games(read)
    found |= _in_sight(read)
    found |= _hits(read)
    return found


def line_top_prize(tally: Tally) -> float | None:
    """The largest win of a line in a paid spin that the reels allow, in bets; None if no line can win."""
    top = tally.counts[SUMS.index("top_prize")] // tally.rounds
    return top / tally.identity.units if top else None


class _Reader:
    """Counts of a tally by name."""

    def __init__(self, game: GameDefinition, tally: Tally) -> None:
        self.game, self.tally = game, tally
        self.places = tally.places
        self.squares = dict(zip(line_squares(game), tally.squares, strict=True))
        self.components = component_names(game)
        self.scale = 1 / tally.identity.units

    def sum(self, name: str) -> int:
        """One of the sums."""
        return self.tally.counts[SUMS.index(name)]

    def count(self, table: str, *index: int) -> int:
        """One place of a table."""
        return self.tally.counts[int(self.places[table][index])]

    def part(self, kind: int, component: str) -> int:
        """Win of a component in units."""
        return self.count("parts", kind, self.components.index(component))

    def total(self, kind: int) -> int:
        """Win of all components in units."""
        return sum(self.part(kind, component) for component in self.components)


def _main(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    rounds = read.tally.rounds
    rtp = by_squares(read.sum("win"), read.squares["win"], rounds, read.scale)
    yield "rtp", rtp
    yield "hit_frequency", Proportion.of(read.sum("hits"), rounds)
    yield "line_hit_frequency", Proportion.of(read.sum("line_hits"), rounds)
    yield from spread_of(read.tally, rtp, dependent=False)
    yield "spins.base.mean_win", by_squares(read.total(BASE), read.squares["spin"], rounds, read.scale)
    yield "spins.base.hit_frequency", Proportion.of(read.sum("hits"), rounds)
    yield "spins.base.standard_deviation", _deviation(read, "base", BASE, rounds)
    if read.sum("top_prize"):
        yield "top_prize.probability", Proportion.of(read.sum("top_prizes"), rounds)


def _deviation(read: _Reader, name: str, kind: int, number: int) -> Estimate:
    """Standard deviation of one spin's own win, in bets."""
    wins, squares = read.tally.spins.get(name, {}), read.squares[("spin", "free.spin")[kind]]
    return deviation_of(wins, number, read.total(kind), squares, read.scale)


def _components(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    rounds, free = read.tally.rounds, read.game.free_games
    for name in read.components:
        yield (
            f"components.{name}",
            by_squares(read.part(BASE, name), read.squares[name], rounds, read.scale),
        )
    for name in read.components if free else ():
        assert free is not None
        found = by_squares(read.part(FREE, name), read.squares[f"free.{name}"], rounds, read.scale)
        yield f"components.{free.name}.{name}", found


def _features(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    """Scatters that pay and bonuses triggered in paid spins."""
    for name in read.components[1:]:
        count = read.count("paid", read.components.index(name))
        yield f"features.{name}.probability", Proportion.of(count, read.tally.rounds)
        if count:
            won = by_squares(read.part(BASE, name), read.squares[name], count, read.scale)
            yield f"features.{name}.mean_win", won


def _free_games(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    free, count, played = read.game.free_games, read.sum("features"), read.sum("played")
    if free is None:
        return
    yield f"features.{free.name}.probability", Proportion.of(count, read.tally.rounds)
    yield f"per_round.{free.name}.played", by_squares(played, read.squares["free.played"], read.tally.rounds)
    if not count:
        return
    won = read.total(FREE)
    yield f"features.{free.name}.mean_win", by_squares(won, read.squares["free"], count, read.scale)
    yield f"features.{free.name}.spins", by_squares(played, read.squares["free.played"], count)
    yield f"spins.{free.name}.mean_win", by_squares(won, read.squares["free.spin"], played, read.scale)
    yield f"spins.{free.name}.hit_frequency", Proportion.of(read.sum("free_hits"), played)
    yield f"spins.{free.name}.standard_deviation", _deviation(read, free.name, FREE, played)
    yield f"spins.{free.name}.retrigger_probability", Proportion.of(read.sum("retriggers"), played)


def _in_sight(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    """How many of each mark are in sight in a paid spin, and in a free game."""
    free, played = read.game.free_games, read.sum("played")
    for mark, ((_, reels), name) in enumerate(mark_names(read.game).items()):
        for number in range(sum(read.game.grid.rows[r] for r in reels) + 1):
            count = read.count("in_sight", BASE, mark, number)
            yield f"in_sight.{name}.{number}", Proportion.of(count, read.tally.rounds)
            if free and played:
                count = read.count("in_sight", FREE, mark, number)
                yield f"spins.{free.name}.in_sight.{name}.{number}", Proportion.of(count, played)


def _hits(read: _Reader) -> Iterator[tuple[str, Estimate]]:
    """Lines won in paid spins and in free games by combination and length, a round; those the definition lists."""
    game, free = read.game, read.game.free_games
    kinds = [(BASE, "base"), *([(FREE, free.name)] if free else [])]
    for combination, name in enumerate(hit_names(game)):
        lengths = sorted(_winning_lengths(game, name))
        for kind, spin in kinds:
            for length in lengths:
                place = int(read.places["hits"][kind, combination, length])
                yield f"hits.{spin}.{name}.{length}", by_batches(read.tally, place)


def _winning_lengths(game: GameDefinition, name: str) -> set[int]:
    """Lengths at which a combination pays or triggers a bonus."""
    tables = [game.paytable.get(name, {})]
    tables += [mixed.pays for mixed in game.mixed if mixed.name == name]
    tables += [anywhere.pays for anywhere in game.anywhere if anywhere.symbol == name]
    lengths = {length for pays in tables for length, coins in pays.items() if coins}
    for bonus in game.features_of(Bonus):
        if bonus.line and bonus.line.symbol == name:
            lengths |= set(range(bonus.line.least, game.reel_count + 1))
    return lengths
