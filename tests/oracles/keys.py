"""The player's choices with Keys (C-11, C-12, C-15) on a bank cut at a few Keys, as an explicit Markov chain.

The state is b, the banked Keys between rounds, 0 to ``bank``; Keys that don't fit are lost. A policy is two
tables of choices. Its gain is its long-run average of Fortune Wins a round from an empty bank.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

SaveKey = tuple[bool, int, int, int]


@dataclass(frozen=True)
class Case:
    """What the choices are about.

    ``table[level - 1][step - 1]``: Fortune Wins in bets. ``re_spins``: (Free Spins follow, step, Keys won) to its
    probability a round; no Keys, no choice. ``free_spins_alone``: P(Free Spins without Re-Spins) a round.
    ``fv[u]``: mean Fortune Wins of Free Spins with u banked Keys used, u up to the most that may be used at once.
    """

    table: tuple[tuple[float, ...], ...]
    re_spins: Mapping[tuple[bool, int, int], float]
    free_spins_alone: float
    fv: tuple[float, ...]
    bank: int
    start_level: int = 1
    saved_level: int = 1

    def used_at_once(self, step: int, keys: int) -> float:
        """Fortune Wins when the Keys won are used at once."""
        return self.table[min(self.start_level + keys, len(self.table)) - 1][step - 1]

    def when_saved(self, step: int) -> float:
        """Fortune Wins when the Keys won are saved."""
        return self.table[self.saved_level - 1][step - 1]

    @property
    def decisions(self) -> list[tuple[bool, int, int]]:
        """(Free Spins follow, step, Keys) with a save choice, those that happen."""
        return sorted(key for key, p in self.re_spins.items() if p > 0 and key[2] > 0)


@dataclass(frozen=True)
class Policy:
    """``save[fs_follows, step, keys, b]``: bank the Keys won; ``use[b]``: use banked Keys, for b >= 1."""

    save: Mapping[SaveKey, bool]
    use: Mapping[int, bool]


@dataclass(frozen=True)
class Evaluation:
    """A policy's gain in bets a round from an empty bank.

    ``components``: the gain split into "re_spins" and "free_spins". ``law[b]``: long-run share of rounds that
    begin with b Keys. ``saved``: Keys saved a round (those lost at the cut not counted).
    """

    gain: float
    components: dict[str, float]
    law: np.ndarray
    saved: float

    @property
    def mean_banked(self) -> float:
        """Long-run mean of the banked Keys."""
        return float(self.law @ np.arange(len(self.law)))


@dataclass(frozen=True)
class _Branch:
    """One way a round can go, from a given b: its probability, the b after it, its wins and the Keys it saved."""

    chance: float
    after: int
    re_spins: float
    free_spins: float
    saved: int


def _free_spins(case: Case, policy: Policy, bank: int) -> tuple[float, int]:
    """(mean Fortune Wins, banked Keys after) of Free Spins begun with ``bank`` Keys."""
    used = min(bank, len(case.fv) - 1) if bank >= 1 and policy.use[bank] else 0
    return case.fv[used], bank - used


def _branches(case: Case, policy: Policy, bank: int) -> Iterator[_Branch]:
    """All ways a round begun with ``bank`` Keys can go."""
    rest = 1 - case.free_spins_alone - sum(case.re_spins.values())
    yield _Branch(rest, bank, 0.0, 0.0, 0)
    win, after = _free_spins(case, policy, bank)
    yield _Branch(case.free_spins_alone, after, 0.0, win, 0)
    for (follows, step, keys), chance in case.re_spins.items():
        save = keys > 0 and policy.save[follows, step, keys, bank]
        won = case.when_saved(step) if save else case.used_at_once(step, keys)
        now = min(bank + keys, case.bank) if save else bank
        win, after = _free_spins(case, policy, now) if follows else (0.0, now)
        yield _Branch(chance, after, won, win, now - bank)


@dataclass(frozen=True)
class Chain:
    """``matrix[b, b']`` of a round, and per b the expected wins of the two features and the Keys saved."""

    matrix: np.ndarray
    re_spins: np.ndarray
    free_spins: np.ndarray
    saved: np.ndarray


def chain(case: Case, policy: Policy) -> Chain:
    """The Markov chain of b under a policy."""
    size = case.bank + 1
    found = Chain(np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(size))
    for bank in range(size):
        for branch in _branches(case, policy, bank):
            found.matrix[bank, branch.after] += branch.chance
            found.re_spins[bank] += branch.chance * branch.re_spins
            found.free_spins[bank] += branch.chance * branch.free_spins
            found.saved[bank] += branch.chance * branch.saved
    return found


def _reachable(matrix: np.ndarray) -> np.ndarray:
    """``[b, b']``: b' can be reached from b, in no step or more."""
    reach = (matrix > 0) | np.eye(len(matrix), dtype=bool)
    for middle in range(len(matrix)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def _closed_classes(matrix: np.ndarray) -> list[list[int]]:
    """The sets of states that are never left, each state reaching each other one of its set."""
    reach = _reachable(matrix)
    classes = []
    for state in range(len(matrix)):
        members = np.flatnonzero(reach[state])
        if state == members[0] and reach[np.ix_(members, members)].all():
            classes.append([int(m) for m in members])
    return classes


def stationary(matrix: np.ndarray) -> np.ndarray:
    """The stationary law x P = x of a chain whose states all reach each other.

    States are taken out from the last on, the paths through each put into the rest, then the law is built up
    again: nothing is subtracted, so every share keeps all its digits (Grassmann, Taksar and Heyman 1985).
    """
    rest = matrix.astype(float).copy()
    size = len(rest)
    for last in range(size - 1, 0, -1):
        rest[:last, last] /= rest[last, :last].sum()
        rest[:last, :last] += np.outer(rest[:last, last], rest[last, :last])
    law = np.zeros(size)
    law[0] = 1.0
    for state in range(1, size):
        law[state] = law[:state] @ rest[:state, state]
    return law / law.sum()


def long_run_law(matrix: np.ndarray, start: int = 0) -> np.ndarray:
    """Long-run share of time in each state from ``start``: closed classes weighted by the chance to end there."""
    classes = _closed_classes(matrix)
    inside = sorted(state for members in classes for state in members)
    outside = [state for state in range(len(matrix)) if state not in inside]
    leave = np.eye(len(outside)) - matrix[np.ix_(outside, outside)]
    law = np.zeros(len(matrix))
    for members in classes:
        if start in inside:
            weight = float(start in members)
        else:
            into = matrix[np.ix_(outside, members)].sum(axis=1)
            weight = float(np.linalg.solve(leave, into)[outside.index(start)])
        law[members] += weight * stationary(matrix[np.ix_(members, members)])
    # classes reached after 10^8 rounds and more leave a badly conditioned system: the weights still sum to 1
    return law / law.sum()


def evaluate(case: Case, policy: Policy) -> Evaluation:
    """Gain, components, long-run law of the bank and Keys saved of a policy, from an empty bank."""
    found = chain(case, policy)
    law = long_run_law(found.matrix)
    parts = {"re_spins": float(law @ found.re_spins), "free_spins": float(law @ found.free_spins)}
    return Evaluation(sum(parts.values()), parts, law, float(law @ found.saved))


def mean_over_rounds(case: Case, policy: Policy, rounds: int) -> float:
    """A new player's average win a round over the first ``rounds`` rounds, from an empty bank."""
    found = chain(case, policy)
    law, total = np.eye(case.bank + 1)[0], 0.0
    for _ in range(rounds):
        total += float(law @ (found.re_spins + found.free_spins))
        law = law @ found.matrix
    return total / rounds


def policy_by(case: Case, save: bool, use_from: int | None) -> Policy:
    """Save always or never; use at b >= ``use_from``, or never where it is None."""
    saves = {(*key, b): save for key in case.decisions for b in range(case.bank + 1)}
    uses = {b: use_from is not None and b >= use_from for b in range(1, case.bank + 1)}
    return Policy(saves, uses)


def named_policy(case: Case, name: str) -> Policy:
    """never-save, save-never-use, advertised, always-save-use-at-1, always-save-use-at-2."""
    fixed = {"never-save": (False, 1), "save-never-use": (True, None), "advertised": (True, 3)}
    save, use_from = fixed[name] if name in fixed else (True, int(name.removeprefix("always-save-use-at-")))
    return policy_by(case, save, use_from)


def policy_count(case: Case) -> int:
    """Number of policies: each save choice at each b, each use choice at each b >= 1."""
    return int(2 ** (len(case.decisions) * (case.bank + 1) + case.bank))


def all_policies(case: Case) -> Iterator[Policy]:
    """Every policy; at most 2^18 of them."""
    if policy_count(case) > 1 << 18:
        raise ValueError(f"policies: must be at most {1 << 18}, but are {policy_count(case)}")
    saves = [(*key, b) for key in case.decisions for b in range(case.bank + 1)]
    banks = range(1, case.bank + 1)
    for choices in itertools.product((False, True), repeat=len(saves) + len(banks)):
        yield Policy(
            dict(zip(saves, choices, strict=False)),
            dict(zip(banks, choices[len(saves) :], strict=True)),
        )


@dataclass(frozen=True)
class Extremes:
    """Least and greatest gain over all policies, and those within 1e-12 of either."""

    worst: float
    optimal: float
    worst_policies: list[Policy]
    optimal_policies: list[Policy]


def extremes(case: Case) -> Extremes:
    """Worst and optimal gain from an empty bank, by evaluating every policy."""
    gains = [(evaluate(case, policy).gain, policy) for policy in all_policies(case)]
    worst, best = min(g for g, _ in gains), max(g for g, _ in gains)
    return Extremes(
        worst,
        best,
        [policy for gain, policy in gains if gain <= worst + 1e-12],
        [policy for gain, policy in gains if gain >= best - 1e-12],
    )
