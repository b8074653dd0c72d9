"""What a line is sure to have won, cell by cell: the edges on which the kernels add up wins.

Let v be a value of what a line wins (coins, free games, 1 if it pays at all). After some cells in state q the line is
sure of lo(q), the least v of all its continuations; one more symbol x raises that by the gain lo(step(q, x)) - lo(q) >= 0,
and the gains along a line add up to its v. A state all of whose continuations gain nothing is *settled*. So sums over
lines need only the edges between states that aren't, and those that gain; both are few, and every term is positive.

Symbols that lead from a state to the same place with the same gain are one edge, whose symbols are a *predicate*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_law import LineLaw, merged, values_of
from workbench.exact.line_rules import Award

Ints = NDArray[np.int64]
SETTLED = 0


@dataclass(frozen=True)
class Gains:
    """Edges of all reels, those of reel r at ``edge_first[r]:edge_first[r + 1]``.

    start, end
        (E,): states before and after the reel, numbered within their layer; 0 is "settled", the empty line is 1.
    predicate
        (E,): index of the edge's set of symbols.
    gain
        (V, E) float64: what each of V values gains.
    states
        (R + 1,): number of states of each layer, the settled one included.
    holds, hold_count
        ``holds[x, :hold_count[x]]`` are the predicates symbol x meets; the last predicate is met by every symbol.
    """

    edge_first: Ints
    start: Ints
    end: Ints
    predicate: Ints
    gain: NDArray[np.float64]
    states: Ints
    holds: Ints
    hold_count: Ints
    predicates: int

    @property
    def anything(self) -> int:
        """The predicate every symbol meets."""
        return self.predicates - 1

    def only(self, kept: NDArray[np.bool_]) -> Gains:
        """The same without some edges."""
        if kept.all():
            return self
        places = np.concatenate([[0], np.cumsum(kept)])
        return replace(
            self,
            edge_first=places[self.edge_first].astype(np.int64),
            start=self.start[kept],
            end=self.end[kept],
            predicate=self.predicate[kept],
            gain=np.ascontiguousarray(self.gain[:, kept]),
        )


@dataclass(frozen=True)
class _Edge:
    reel: int
    start: int
    end: int
    symbols: frozenset[int]
    gain: tuple[float, ...]


def gains_of(law: LineLaw, values: Sequence[Callable[[Award], float]]) -> Gains:
    """The edges of a law for some values of its awards.

    >>> from workbench.game import find_game, load_definition
    >>> from workbench.exact.line_law import line_law
    >>> law = line_law(load_definition(find_game("codex-of-fortune")))
    >>> float(gains_of(law, [lambda award: float(award.coins)]).gain.max())
    100.0
    """
    sure = np.array([values_of(law, value) for value in values]).T
    class_of, edges = _settled_last_layer(law), list[_Edge]()
    sizes = [1]
    for reel in range(law.reels - 1, -1, -1):
        steps = law.step[law.first[reel] : law.first[reel + 1]] - law.first[reel + 1]
        reached = sure[steps]
        # the empty line is sure of nothing, so that the gains of a whole line are all it wins
        least = reached.min(axis=1) if reel else np.zeros((1, len(values)))
        rows = [
            tuple(
                (class_of[s], *(float(g) for g in gained))
                for s, gained in zip(step.tolist(), gain, strict=True)
            )
            for step, gain in zip(steps, reached - least[:, None, :], strict=True)
        ]
        class_of, kept = _classes(rows)
        edges += [edge for c, row in enumerate(kept, 1) for edge in _edges_of(reel, c, row)]
        sizes.append(len(kept) + 1)
        sure = least
    return _arrays(law, edges, sizes[::-1], len(values))


def _settled_last_layer(law: LineLaw) -> list[int]:
    return [SETTLED] * (law.first[-1] - law.first[-2])


_Row = tuple[tuple[float, ...], ...]


def _classes(rows: list[_Row]) -> tuple[list[int], list[_Row]]:
    """The class of each state, 0 if it is settled, and the rows of the others."""
    classes, members = merged(rows)
    kept = [m for m in members if any(any(entry) for entry in rows[m])]
    number = {classes[m]: i for i, m in enumerate(kept, 1)}
    return [number.get(c, SETTLED) for c in classes], [rows[m] for m in kept]


def _edges_of(reel: int, start: int, row: _Row) -> list[_Edge]:
    """A state's edges: symbols with the same end and gain together; what settles without a gain is none."""
    ends: dict[tuple[float, ...], set[int]] = {}
    for symbol, entry in enumerate(row):
        if any(entry):
            ends.setdefault(entry, set()).add(symbol)
    return [_Edge(reel, start, int(e[0]), frozenset(symbols), e[1:]) for e, symbols in ends.items()]


def _arrays(law: LineLaw, edges: list[_Edge], states: list[int], values: int) -> Gains:
    edges = sorted(edges, key=lambda e: (e.reel, e.start))
    predicates = list(dict.fromkeys(edge.symbols for edge in edges))
    place = {symbols: i for i, symbols in enumerate(predicates)}
    symbols = law.step.shape[1]
    met = [[i for i, p in enumerate(predicates) if x in p] + [len(predicates)] for x in range(symbols)]
    width = max(map(len, met))
    return Gains(
        edge_first=np.searchsorted([e.reel for e in edges], range(law.reels + 1)).astype(np.int64),
        start=np.array([e.start for e in edges], dtype=np.int64),
        end=np.array([e.end for e in edges], dtype=np.int64),
        predicate=np.array([place[e.symbols] for e in edges], dtype=np.int64),
        gain=np.array([e.gain for e in edges], dtype=np.float64).reshape(len(edges), values).T.copy(),
        states=np.array(states, dtype=np.int64),
        holds=np.array([m + [0] * (width - len(m)) for m in met], dtype=np.int64),
        hold_count=np.array([len(m) for m in met], dtype=np.int64),
        predicates=len(predicates) + 1,
    )
