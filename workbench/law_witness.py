"""The exact law of a round's win against rounds played.

Two tests of the law p on the lattice of its step, from counts c of n rounds.

- Pearson's: classes of consecutive wins, of nearly equal chance (a win likelier than that is a class by itself), the last
  open, each expecting at least ``LEAST`` rounds; X^2 = sum (c - n p)^2 / (n p) follows chi-square with classes - 1 degrees.
  Classes are made from the law and n alone.
- Atoms: the unlikeliest of the counts of single wins, by the tails of Poisson(n (p + error)) above and of Poisson(n p)
  below, times the number of wins looked at. It sees what classes hide: a win that can't be.

A win off the lattice, or beyond its end, disagrees at once. Holm's test over both keeps a false accusation at ``LEVEL``.

Where rounds depend on each other X^2 is larger or smaller on average. Streams are independent, so with V_k the variance over
streams of the counts of r rounds, the design effect d = sum V_k / (r p_k) / (classes - 1) is E[X^2] over its value for
independent rounds; X^2 is divided by d if d > 1 (Rao and Scott 1981, first order), and a single count's distance by its root.

Where a part of the rounds, a share s of them, has its law from m draws instead, with shares q of the classes, the
distances d = c / n - p have the covariance matrix (diag p - p p') / n + s^2 (diag q - q q') / m, and X^2 = d' C^+ d (which is
Pearson's where s = 0); single wins aren't tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.game import GameDefinition
from workbench.simulate._shapes_kernels import WIN_CELLS
from workbench.simulate.run import SESSION_ROUNDS
from workbench.simulate.tally import Tally
from workbench.simulate.units import cap_units
from workbench.value.round_law import RoundLaw
from workbench.witness import LEVEL

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
CLASSES = 200
LEAST = 20


@dataclass(frozen=True)
class Classes:
    """Classes of consecutive wins: ``firsts[i]`` is the first step of class i, ``chances[i]`` its chance; the last is open."""

    firsts: Ints
    chances: Array

    @classmethod
    def of(cls, law: Array, rounds: int, number: int = CLASSES, least: float = LEAST) -> Classes:
        """At most ``number`` classes of nearly equal chance, each expecting ``least`` of ``rounds``.

        >>> Classes.of(np.array([0.6, 0.1, 0.1, 0.1, 0.1]), 1000, 3).firsts.tolist()
        [0, 1, 3]
        """
        below = np.concatenate([[0.0], np.maximum.accumulate(np.cumsum(law))])
        firsts = [0]
        for left in range(number, 1, -1):
            begun = float(below[firsts[-1]])
            wanted = max((1 - begun) / left, least / rounds)
            after = int(np.searchsorted(below, begun + wanted * (1 - 1e-12)))
            if after >= len(law):
                break
            short, over = float(below[after - 1]) - begun, float(below[after]) - begun
            nearer = short >= least / rounds and wanted - short < over - wanted
            firsts.append(after - 1 if nearer else after)
        while len(firsts) > 1 and (1 - below[firsts[-1]]) * rounds < least:
            firsts.pop()
        edges = below[firsts]
        return cls(np.array(firsts, np.int64), np.diff(edges, append=1.0))


class Counted:
    """Rounds played, by class and by win; :meth:`add` is what ``simulate`` calls with each session's tally."""

    def __init__(self, law: RoundLaw, game: GameDefinition, rounds: int) -> None:
        self.law, self._game = law, game
        self.classes = Classes.of(law.chances, rounds)
        self.rounds = self.outside = self.streams = 0
        self.by_class = np.zeros(len(self.classes.firsts), np.int64)
        self.atoms = np.zeros(len(law.chances), np.int64)
        self._sums = np.zeros(len(self.by_class))
        self._squares = np.zeros(len(self.by_class))

    def add(self, tally: Tally) -> None:
        """Count the rounds of a session."""
        step = self.law.step * tally.identity.units
        cap = cap_units(self._game, tally.identity.units)
        wins = np.minimum(np.array([0, *tally.wins], np.int64), cap)
        times = np.array([0, *tally.wins.values()], np.int64)
        times[0] = tally.rounds - times.sum()
        places, off = np.divmod(wins * step.denominator, step.numerator)
        single = wins < WIN_CELLS - 1
        known = (off == 0) & (places < len(self.atoms))
        allowed = off == 0 if self.law.estimated else known
        self.outside += int(times[single & ~allowed].sum())
        np.add.at(self.atoms, places[single & known], times[single & known])
        counts = np.zeros_like(self.by_class)
        np.add.at(counts, np.searchsorted(self.classes.firsts, places, "right") - 1, times)
        self.by_class += counts
        self.rounds += tally.rounds
        if tally.rounds == SESSION_ROUNDS:
            self.streams += 1
            self._sums += counts
            self._squares += counts.astype(np.float64) ** 2

    @property
    def design_effect(self) -> float | None:
        """E[X^2] over its value for independent rounds, as the streams have it; None for fewer than two streams.

        1 where rounds are independent.
        """
        if not self.law.dependent:
            return 1.0
        if self.streams < 2 or len(self.by_class) < 2:
            return None
        variances = (self._squares - self._sums**2 / self.streams) / (self.streams - 1)
        shares = variances / (SESSION_ROUNDS * self.classes.chances)
        return float(shares.sum()) / (len(self.by_class) - 1)


@dataclass(frozen=True)
class Atom:
    """One win in bets: rounds expected and counted."""

    win: float
    expected: float
    counted: int

    def to_json(self) -> dict[str, Any]:
        """The atom as a table."""
        return dict(vars(self))


@dataclass(frozen=True)
class LawVerdict:
    """Both tests of a law; probabilities are of counts at least so far off if the law is right."""

    counted: Counted
    statistic: float
    chi_square: float
    atoms: float | None
    worst: Atom | None
    level: float

    @property
    def degrees(self) -> int:
        """Of freedom of the statistic."""
        return len(self.counted.by_class) - 1

    @property
    def rejected(self) -> tuple[str, ...]:
        """The tests that say no: Holm's over both; a win outside the lattice by itself."""
        found = ["lattice"] if self.counted.outside else []
        tests = [("chi_square", self.chi_square)]
        if self.atoms is not None:
            tests.append(("atoms", self.atoms))
        for i, (name, probability) in enumerate(sorted(tests, key=lambda test: test[1])):
            if probability > self.level / (len(tests) - i):
                break
            found.append(name)
        return tuple(found)

    @property
    def agrees(self) -> bool:
        """Whether no test says no."""
        return not self.rejected

    @property
    def text(self) -> str:
        """The verdict in one line."""
        effect = self.counted.design_effect
        spread = f", divided by a design effect of {effect:.4f}" if effect and effect > 1 else ""
        off = f", {self.counted.outside} rounds outside the lattice" if self.counted.outside else ""
        worst = self.worst
        single = (
            f"; worst single win {worst.win:g}: {worst.counted} rounds for {worst.expected:.6g}, p = {self.atoms:.3g}"
            if worst and self.atoms is not None
            else ""
        )
        return f"chi-square {self.statistic:.2f} with {self.degrees} degrees{spread}, p = {self.chi_square:.3g}{single}{off}"

    def to_json(self) -> dict[str, Any]:
        """The verdict as a table, with every class."""
        counted, step = self.counted, float(self.counted.law.step)
        return {
            "agrees": self.agrees,
            "rejected": list(self.rejected),
            "level": self.level,
            "rounds": counted.rounds,
            "statistic": self.statistic,
            "degrees": self.degrees,
            "design_effect": counted.design_effect,
            "p_value": self.chi_square,
            "least_expected": float(counted.classes.chances.min() * counted.rounds),
            "atoms": None
            if self.atoms is None or self.worst is None
            else {"p_value": self.atoms, "worst": self.worst.to_json()},
            "outside_the_lattice": counted.outside,
            "classes": [
                {"from": float(first * step), "expected": float(p * counted.rounds), "counted": int(count)}
                for first, p, count in zip(
                    counted.classes.firsts, counted.classes.chances, counted.by_class, strict=True
                )
            ],
        }


def law_verdict(counted: Counted, level: float = LEVEL) -> LawVerdict:
    """Test a law by what was counted."""
    from scipy.special import gammaincc

    statistic = _statistic(counted)
    effect = max(1.0, counted.design_effect or 1.0)
    degrees = len(counted.by_class) - 1
    chi_square = float(gammaincc(degrees / 2, statistic / effect / 2)) if degrees else 1.0
    atoms, worst = (None, None) if counted.law.estimated else _atoms(counted, effect)
    return LawVerdict(counted, statistic, chi_square, atoms, worst, level)


def _statistic(counted: Counted) -> float:
    """X^2 as the head of the module has it, with all in units of each class's deviation."""
    n, p, part = counted.rounds, counted.classes.chances, counted.law.estimated
    away = counted.by_class / n - p
    if part is None:
        return float(n * (away**2 / p).sum())
    ends = np.append(counted.classes.firsts, max(len(part.counts), int(counted.classes.firsts[-1]) + 1))
    below = np.concatenate([[0], np.cumsum(part.counts)])[np.minimum(ends, len(part.counts))]
    q = np.diff(below) / part.draws
    deviation = np.sqrt(p / n + part.share**2 * q / part.draws)
    played, drawn = p / deviation / np.sqrt(n), part.share * q / deviation / np.sqrt(part.draws)
    spread = np.eye(len(p)) - np.outer(played, played) - np.outer(drawn, drawn)
    scaled = away / deviation
    return float(scaled @ np.linalg.pinv(spread, rcond=1e-9, hermitian=True) @ scaled)


def _atoms(counted: Counted, effect: float) -> tuple[float, Atom]:
    """The unlikeliest count of a single win, by twice its tail times the number of wins."""
    from scipy.special import pdtr, pdtrc

    law, n = counted.law, counted.rounds
    low = np.maximum(law.chances, 0.0) * n
    looked_at = np.flatnonzero((law.chances > law.error) | (counted.atoms > 0))
    seen, low = counted.atoms[looked_at], low[looked_at]
    high = low + law.error * n
    moved = seen.astype(np.float64) if effect == 1 else low + (seen - low) / np.sqrt(effect)
    above = np.where(moved < 1, 1.0, pdtrc(np.maximum(moved - 1, 0), high))
    tails = np.where(moved > low, above, pdtr(moved, low))
    place = int(np.argmin(tails))
    atom = Atom(float(law.wins[looked_at[place]]), float(low[place]), int(seen[place]))
    return min(1.0, 2 * len(looked_at) * float(tails[place])), atom
