"""A whole round put together from the other oracles: the parts of the RTP, and the case the player decides."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet

from . import free_spins, keys, re_spins, spin


@dataclass(frozen=True)
class RoundParts:
    """Per round, wins in total bets.

    ``lines``: lines of the paid spin. ``re_spins_lines``: final lines of Re-Spins. ``free_spins_lines``: lines of
    Free Spins. ``re_spins``: (Free Spins follow, step, Keys, the last number meaning that many or more) to
    probability. ``mean_keys``: Keys awarded in Re-Spins, none lumped. ``mean_re_spins``: re-spins played.
    ``free_spins``, ``free_spins_alone``: P(Free Spins), and without Re-Spins. ``fv[u]``: mean Fortune Wins of
    Free Spins with u banked Keys. ``hit_frequency``: P(a line of the paid spin pays).
    """

    lines: Fraction
    hit_frequency: Fraction
    re_spins: dict[tuple[bool, int, int], Fraction]
    re_spins_lines: Fraction
    mean_keys: Fraction
    mean_re_spins: Fraction
    free_spins: Fraction
    free_spins_alone: Fraction
    free_spins_lines: float
    fv: tuple[float, ...]


def round_parts(game: GameDefinition, strips: StripSet, most_keys: int | None = None) -> RoundParts:
    """Everything a round is made of, by enumeration and chains; Scatters trigger both features."""
    hold, free, banked = game.hold_and_spin, game.free_spins, game.banked_keys
    assert hold and free and banked
    assert (hold.trigger.symbol, hold.trigger.reels) == (free.trigger.symbol, free.trigger.reels)
    count = spin.count_spins(game, strips.reels["base"])
    both = _re_spins(game, strips, count, most_keys)
    all_free = sum(
        n for (win, scatters), n in count.scatters.items() if spin.fires(free.trigger, win, scatters)
    )
    with_both = sum(n for (_, _, scatters), n in count.triggers.items() if scatters >= free.trigger.least)
    chance = Fraction(all_free, count.cycle)
    features = free_spins.whole(game, strips)
    return RoundParts(
        lines=Fraction(count.total_coins, count.cycle * game.bet.coins),
        hit_frequency=Fraction(count.winning_spins, count.cycle),
        re_spins=both[0],
        re_spins_lines=both[1],
        mean_keys=both[2],
        mean_re_spins=both[3],
        free_spins=chance,
        free_spins_alone=Fraction(all_free - with_both, count.cycle),
        free_spins_lines=float(chance) * features.coins / game.bet.coins,
        fv=tuple(free_spins.fortune_wins(game, features.ends, u) for u in range(banked.use_at_most + 1)),
    )


def _re_spins(
    game: GameDefinition, strips: StripSet, count: spin.SpinCount, most_keys: int | None
) -> tuple[dict[tuple[bool, int, int], Fraction], Fraction, Fraction, Fraction]:
    """(law a round, line bets a round, Keys a round, re-spins a round), over all triggers of the cycle."""
    assert game.free_spins is not None
    starts: dict[tuple[str, bool], dict[spin.Board, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (collectable, board, scatters), number in count.triggers.items():
        follows = scatters >= game.free_spins.trigger.least
        starts[collectable, follows][board] += Fraction(number, count.cycle)
    play = re_spins.ReSpins(game, strips)
    law: dict[tuple[bool, int, int], Fraction] = defaultdict(Fraction)
    coins = won = played = Fraction(0)
    for (collectable, follows), start in starts.items():
        end = play.play(start, most_keys)
        for (held, k), chance in end.law.items():
            law[follows, re_spins.step_of(game, held), k] += chance
        coins += re_spins.expected_line_coins(game, end.boards, collectable)
        won += end.keys
        played += end.re_spins
    return dict(law), coins / game.bet.coins, won, played


def case_of(game: GameDefinition, parts: RoundParts, bank: int) -> keys.Case:
    """The decision process of a round's parts, on a bank cut at ``bank`` Keys."""
    hold, banked = game.hold_and_spin, game.banked_keys
    assert hold and banked
    return keys.Case(
        table=game.ladder(hold.ladder).table,
        re_spins={key: float(chance) for key, chance in parts.re_spins.items()},
        free_spins_alone=float(parts.free_spins_alone),
        fv=parts.fv,
        bank=bank,
        start_level=hold.start_level,
        saved_level=banked.saved_level,
    )


def components(parts: RoundParts, evaluation: keys.Evaluation) -> dict[str, float]:
    """The five components of the RTP under an evaluated policy; they sum to it."""
    return {
        "lines": float(parts.lines),
        "re_spins.lines": float(parts.re_spins_lines),
        "re_spins.fortune_wins": evaluation.components["re_spins"],
        "free_spins.lines": parts.free_spins_lines,
        "free_spins.fortune_wins": evaluation.components["free_spins"],
    }
