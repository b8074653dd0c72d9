"""Free Spins played spin by spin (C-13, C-14): the law of (spins left, meter, Keys) after each spin.

Every spin draws from the same counts, found by looking at all stops of the free strips. Meter and Keys saturate
where they stop mattering. The play goes on until P(still playing) is below ``tail``; what is left is ``missing``.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.reels.strip_set import StripSet

from .spin import LineReader, Screen, screens, visible

Outcome = tuple[int, int, int]


@dataclass(frozen=True)
class FreeSpinsLaw:
    """How Free Spins of given length and collectable end.

    ``law``: (step from 1, Keys of the reels, the last number meaning that many or more) to probability.
    ``spins``: expected number of spins played; ``coins``: expected coins of their lines.
    ``missing``: probability left out.
    """

    law: dict[tuple[int, int], float]
    spins: float
    coins: float
    missing: float


def _free(game: GameDefinition) -> FreeSpins:
    assert game.free_spins is not None
    return game.free_spins


def outcome(game: GameDefinition, screen: Screen, collectable: str) -> Outcome:
    """(meter, Keys, added spins) that one screen gives; Wilds fill no meter."""
    feature, everywhere = _free(game), range(game.reel_count)
    meter = visible(screen, collectable, everywhere)
    if feature.meter.bonus:
        bonus = feature.meter.bonus
        meter += bonus.adds * visible(screen, bonus.symbol, bonus.reels)
    keys = visible(screen, feature.key.symbol, feature.key.reels)
    added = feature.retrigger.spins_each * visible(screen, feature.retrigger.symbol, feature.retrigger.reels)
    return meter, keys, added


def count_outcomes(
    game: GameDefinition, reels: Sequence[Sequence[str]], collectable: str
) -> Counter[Outcome]:
    """(meter, Keys, added spins) of one spin to the number of stop combinations."""
    return Counter(outcome(game, screen, collectable) for screen in screens(game, reels))


def count_coins(game: GameDefinition, reels: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Coins of the lines summed over the cycle of the free strips, and the cycle."""
    reader, coins, cycle = LineReader(game), 0, 0
    for screen in screens(game, reels):
        coins += reader.coins(screen)
        cycle += 1
    return coins, cycle


def top_meter(game: GameDefinition) -> int:
    """The meter at which the last step is reached."""
    feature = _free(game)
    return feature.meter.per_step * (game.ladder(feature.ladder).steps - 1)


def top_keys(game: GameDefinition) -> int:
    """The Keys at which the last level is reached from the start level."""
    feature = _free(game)
    return max(game.ladder(feature.ladder).levels - feature.start_level, 0)


def step_of(game: GameDefinition, meter: int) -> int:
    """Step of the ladder at a meter, from 1."""
    feature = _free(game)
    return min(1 + meter // feature.meter.per_step, game.ladder(feature.ladder).steps)


def _kernels(chances: dict[Outcome, float], meters: int, keys: int) -> dict[int, np.ndarray]:
    """Per number of added spins, ``[state, state']`` of one spin, a state being ``meter * keys + Keys``.

    Meter and Keys stay at their last value, ``meters - 1`` and ``keys - 1``, once there.
    """
    kernels = {added: np.zeros((meters * keys, meters * keys)) for _, _, added in chances}
    for (more, landed, added), chance in chances.items():
        for meter in range(meters):
            for had in range(keys):
                after = min(meter + more, meters - 1) * keys + min(had + landed, keys - 1)
                kernels[added][meter * keys + had, after] += chance
    return kernels


def _spun(law: np.ndarray, kernels: dict[int, np.ndarray]) -> np.ndarray:
    """The law ``[spins left, state]`` after one more spin of all that still have one."""
    after = np.zeros((law.shape[0] + max(kernels), law.shape[1]))
    after[0] = law[0]
    playing = law[1:]
    for added, kernel in kernels.items():
        after[added : added + len(playing)] += playing @ kernel
    return after


def _trimmed(law: np.ndarray) -> np.ndarray:
    """Without the highest numbers of spins left, as far as all of them together weigh under 1e-25."""
    weights = law.sum(axis=1)[::-1].cumsum()[::-1]
    return law[: max(int((weights > 1e-25).sum()), 1)]


def play(
    game: GameDefinition,
    reels: Sequence[Sequence[str]],
    collectable: str,
    spins: int,
    most_keys: int | None = None,
    tail: float = 1e-16,
) -> FreeSpinsLaw:
    """Free Spins of ``spins`` spins on these strips, to the end.

    ``most_keys``: Keys are counted to here and lumped; by default to the last level from the start level.
    Raises ValueError if a spin adds one spin or more on average.
    """
    return Spin(game, reels, collectable).play(spins, most_keys, tail)


class Spin:
    """One free spin on given strips with a given collectable, counted over the cycle, and the play of many."""

    def __init__(
        self,
        game: GameDefinition,
        reels: Sequence[Sequence[str]],
        collectable: str,
        counted: tuple[int, int] | None = None,
    ) -> None:
        """``counted``: the result of :func:`count_coins` on these strips, where it is known."""
        self.game = game
        self.counts = count_outcomes(game, reels, collectable)
        self.coins, self.cycle = counted or count_coins(game, reels)
        added = sum(number * more for (_, _, more), number in self.counts.items())
        if added >= self.cycle:
            raise ValueError(
                f"free spins: a spin must add less than one on average, but adds {added / self.cycle}"
            )

    def play(self, spins: int, most_keys: int | None = None, tail: float = 1e-16) -> FreeSpinsLaw:
        """``spins`` spins and all they add, spin by spin."""
        game, cut = self.game, _saturated(self.game, self.counts, most_keys)
        chances = {out: number / self.cycle for out, number in cut.items()}
        meters, keys = top_meter(game) + 1, _keys_counted(game, most_keys) + 1
        kernels = _kernels(chances, meters, keys)
        law = np.zeros((spins + 1, meters * keys))
        law[spins, 0] = 1.0
        played = 0.0
        while (playing := float(law[1:].sum())) >= tail:
            played += playing
            law = _trimmed(_spun(law, kernels))
        missing = max(0.0, 1 - float(law[0].sum()))
        return FreeSpinsLaw(
            _by_step(game, law[0].reshape(meters, keys)), played, played * self.coins / self.cycle, missing
        )


def _keys_counted(game: GameDefinition, most_keys: int | None) -> int:
    """Keys are counted to ``most_keys``, or to the game's own cap where that is lower."""
    wanted = top_keys(game) if most_keys is None else most_keys
    cap = _free(game).key.at_most
    return wanted if cap == "no-limit" else min(wanted, cap)


def _saturated(game: GameDefinition, counts: Counter[Outcome], most_keys: int | None) -> Counter[Outcome]:
    """The counts with meter and Keys cut where they saturate in one spin already."""
    meter_top, keys_top = top_meter(game), _keys_counted(game, most_keys)
    cut: Counter[Outcome] = Counter()
    for (meter, keys, added), number in counts.items():
        cut[min(meter, meter_top), min(keys, keys_top), added] += number
    return cut


def _by_step(game: GameDefinition, law: np.ndarray) -> dict[tuple[int, int], float]:
    total: dict[tuple[int, int], float] = defaultdict(float)
    for (meter, keys), chance in np.ndenumerate(law):
        total[step_of(game, meter), keys] += float(chance)
    return {pair: chance for pair, chance in total.items() if chance > 0}


def wheel_results(game: GameDefinition, strips: StripSet) -> Iterator[tuple[int, str, int, float]]:
    """(spins, collectable, Keys of the wheel, probability): the three tiers are independent (C-13)."""
    names = _free(game).wheels
    tiers = [strips.wheels[name] for name in (names.spins, names.collectable, names.keys)]
    for (spins, a), (collectable, b), (keys, c) in itertools.product(*(tier.items() for tier in tiers)):
        whole = tiers[0].total * tiers[1].total * tiers[2].total
        yield int(spins), collectable, int(keys), a * b * c / whole


def free_strips(game: GameDefinition, strips: StripSet, collectable: str) -> tuple[tuple[str, ...], ...]:
    """The strips Free Spins with this collectable run on: its own, else the common ones (C-14)."""
    name = _free(game).reels
    own = f"{name}.{collectable}"
    return strips.reels[own] if own in strips.reels else strips.reels[name]


@dataclass(frozen=True)
class WholeFreeSpins:
    """Free Spins over the wheel.

    ``ends``: (step, Keys of the reels, Keys of the wheel) to probability. ``spins``: expected spins played;
    ``coins``: expected coins of the lines; ``missing``: probability left out.
    """

    ends: dict[tuple[int, int, int], float]
    spins: float
    coins: float
    missing: float


def _spins(game: GameDefinition, strips: StripSet) -> dict[str, Spin]:
    """One free spin per collectable; the coins of each set of strips are counted once."""
    coins: dict[tuple[tuple[str, ...], ...], tuple[int, int]] = {}
    spins = {}
    for collectable in {name for _, name, _, _ in wheel_results(game, strips)}:
        reels = free_strips(game, strips, collectable)
        coins[reels] = coins.get(reels) or count_coins(game, reels)
        spins[collectable] = Spin(game, reels, collectable, coins[reels])
    return spins


def whole(game: GameDefinition, strips: StripSet, tail: float = 1e-16) -> WholeFreeSpins:
    """Free Spins from the wheel to the end."""
    on = _spins(game, strips)
    laws: dict[tuple[int, str], FreeSpinsLaw] = {}
    ends: dict[tuple[int, int, int], float] = defaultdict(float)
    spins = coins = missing = 0.0
    for length, collectable, wheel_keys, chance in wheel_results(game, strips):
        if (length, collectable) not in laws:
            laws[length, collectable] = on[collectable].play(length, tail=tail)
        one = laws[length, collectable]
        for (step, keys), p in one.law.items():
            ends[step, keys, wheel_keys] += chance * p
        spins += chance * one.spins
        coins += chance * one.coins
        missing += chance * one.missing
    return WholeFreeSpins(dict(ends), spins, coins, missing)


def level_step_law(
    game: GameDefinition, ends: dict[tuple[int, int, int], float], used: int
) -> dict[tuple[int, int], float]:
    """(level, step) of Fortune Wins to probability, with ``used`` banked Keys used."""
    feature, law = _free(game), defaultdict(float)
    levels = game.ladder(feature.ladder).levels
    for (step, keys, wheel_keys), chance in ends.items():
        law[min(feature.start_level + used + wheel_keys + keys, levels), step] += chance
    return dict(law)


def fortune_wins(game: GameDefinition, ends: dict[tuple[int, int, int], float], used: int) -> float:
    """Mean Fortune Wins in total bets with ``used`` banked Keys used: fv[used]."""
    table = game.ladder(_free(game).ladder).table
    return sum(
        chance * table[level - 1][step - 1]
        for (level, step), chance in level_step_law(game, ends, used).items()
    )
