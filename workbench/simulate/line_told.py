"""Events of line games in words: reels, rows and lines count from 1."""

from __future__ import annotations

from workbench.simulate.line_events import BonusWon, LineGameEvent, LineSpin
from workbench.simulate.line_rule import LineWon


def tell_lines(event: LineGameEvent, shown: list[str]) -> list[str]:
    """The lines that tell an event; ``shown`` are those of its window."""
    match event:
        case LineSpin():
            what = f"free game {event.number}" if event.number else "paid spin"
            seen = ", ".join(f"{n} {mark}" for mark, n in event.in_sight.items() if n)
            head = f"{what}, stops {' '.join(map(str, event.stops))}{f', in sight: {seen}' if seen else ''}"
            pays = [f"  {name} pays {win:g} bets" for name, win in event.scatters.items()]
            awarded = [f"  {event.awarded} free games awarded"] if event.awarded else []
            return [head, *shown, *map(_line, event.lines), *pays, *awarded]
        case BonusWon():
            by = f", times {event.factor}" if event.factor > 1 else ""
            return [f"  {event.bonus}: {' + '.join(event.prizes) or 'no prize'}{by}, {event.win:g} bets"]


def _line(won: LineWon) -> str:
    bonuses = "".join(f", {bonus}" for bonus in won.bonuses)
    return f"  line {won.line + 1}: {won.length} {won.combination}, {won.coins} coins{bonuses}"
