"""What of a target can't hold together, found before any search: strip rules of one strip, and figures.

A strip is a circle of L stops with n_s of each symbol s. Its rules bound L and the n_s; all of these are necessary:

    least_s <= n_s <= most_s,  n_s <= share_s L,  n_s <= stack_s (L - n_s),  and over symbols d apart: sum n_s <= max(1, L // d)

so that where no L leaves room for sum n_s = L, no strip keeps the rules. The rules named are then few: without any one of
them there would be room. Figures contradict where the ranges of what is one figure, or of a sum and its parts, don't meet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from workbench.game.definition import GameDefinition
from workbench.game.strip_rules import (
    CountRule,
    LengthRule,
    ShareRule,
    SpacingRule,
    StackRule,
    StripRule,
    SymbolsRule,
)
from workbench.optimise.target import Target
from workbench.reels.strip_set import MAX_STOPS

Range = tuple[float, float]
Named = tuple[str, StripRule]
VOLATILITY = 1.645
# a volatility index is quoted with few digits
QUOTED = 1e-3


def contradictions(game: GameDefinition, target: Target) -> list[str]:
    """One line for each contradiction among the strip rules (the game's own included) and the hard figures."""
    return [*rule_contradictions(game, target.strip_rules), *figure_contradictions(target)]


def rule_contradictions(game: GameDefinition, rules: Sequence[StripRule]) -> Iterator[str]:
    """Rules that leave no strip for some reel."""
    every: list[Named] = [(f"the game's strip_rules[{i}]", rule) for i, rule in enumerate(game.strip_rules)]
    every += [(f"strip_rules[{i}]", rule) for i, rule in enumerate(rules)]
    told = set()
    for name in dict.fromkeys(rule.reels for _, rule in every):
        for reel in range(game.reel_count):
            here = [
                one
                for one in every
                if one[1].reels in (name, name.split(".")[0]) and (one[1].on is None or reel in one[1].on)
            ]
            if not has_room(game.symbols.all, [rule for _, rule in here]):
                least = _irreducible(here, lambda few: has_room(game.symbols.all, [rule for _, rule in few]))
                text = " and ".join(f"{place} ({_said(rule)})" for place, rule in least)
                if text not in told:
                    told.add(text)
                    yield f"strip_rules: {name} reel {reel + 1} can't keep {text} at once"


def _irreducible(rules: list[Named], fits: Callable[[list[Named]], bool]) -> list[Named]:
    """Few of the rules that don't fit together: without any one they would."""
    kept = list(rules)
    for rule in rules:
        fewer = [one for one in kept if one is not rule]
        if not fits(fewer):
            kept = fewer
    return kept


def has_room(symbols: Sequence[str], rules: Sequence[StripRule]) -> bool:
    """Whether some number of stops leaves room for every symbol; False is a proof that no strip keeps the rules."""
    low, high = 1, MAX_STOPS
    for rule in rules:
        if isinstance(rule, LengthRule):
            low, high = max(low, rule.least), min(high, rule.most)
    return any(_fits(stops, symbols, rules) for stops in range(low, high + 1))


def _fits(stops: int, symbols: Sequence[str], rules: Sequence[StripRule]) -> bool:
    least, most = _bounds(stops, symbols, rules)
    if any(least[s] > most[s] for s in symbols) or sum(least.values()) > stops:
        return False
    room, counted = 0, set[str]()
    for rule in rules:
        if isinstance(rule, SpacingRule):
            group = [s for s in symbols if s in rule.symbols]
            marks = max(1, stops // rule.apart)
            if sum(least[s] for s in group) > marks:
                return False
            room += min(marks, sum(most[s] for s in group if s not in counted))
            counted.update(group)
    return room + sum(most[s] for s in symbols if s not in counted) >= stops


def _bounds(
    stops: int, symbols: Sequence[str], rules: Sequence[StripRule]
) -> tuple[dict[str, int], dict[str, int]]:
    """The fewest and the most stops of each symbol on a strip of so many."""
    least, most = dict.fromkeys(symbols, 0), dict.fromkeys(symbols, stops)
    for rule in rules:
        for s in symbols:
            if isinstance(rule, SymbolsRule):
                if s not in rule.symbols:
                    most[s] = 0
            elif isinstance(rule, CountRule | ShareRule | StackRule) and s in rule.symbols:
                if isinstance(rule, CountRule):
                    least[s] = max(least[s], rule.least)
                most[s] = min(most[s], _most(rule, stops))
    return least, most


def _most(rule: CountRule | ShareRule | StackRule, stops: int) -> int:
    match rule:
        case CountRule():
            return rule.most
        case ShareRule():
            return math.floor(rule.most * stops + 1e-9)
        case StackRule():
            return max(rule.most, rule.most * stops // (rule.most + 1))


def _said(rule: StripRule) -> str:
    match rule:
        case LengthRule():
            return f"length {rule.least} to {rule.most}"
        case CountRule():
            return f"count of {', '.join(rule.symbols)} {rule.least} to {rule.most}"
        case ShareRule():
            return f"share of {', '.join(rule.symbols)} at most {rule.most:g}"
        case StackRule():
            return f"stacks of {', '.join(rule.symbols)} at most {rule.most}"
        case SpacingRule():
            return f"{', '.join(rule.symbols)} {rule.apart} apart"
        case SymbolsRule():
            return f"only {', '.join(rule.symbols)}"
    return rule.kind


def figure_contradictions(target: Target) -> Iterator[str]:
    """Hard figures whose ranges can't hold together."""
    ranges: dict[str, Range] = {}
    for figure in target.figures:
        if figure.importance != "hard":
            continue
        low, high = figure.range
        for path, (least, most) in _meanings(figure.figure, low, high):
            was = ranges.get(path, (-math.inf, math.inf))
            ranges[path] = max(was[0], least), min(was[1], most)
            if ranges[path][0] > ranges[path][1]:
                meant = "" if path == figure.figure else f" ({path})"
                yield (
                    f"{figure.figure}: {low:.9g} to {high:.9g}{meant} can't hold, as {was[0]:.9g} to {was[1]:.9g}"
                    f" is all that the target's other figures or its meaning leave of {path}"
                )
                return
    yield from _sums(ranges)
    yield from _order(ranges)


def _meanings(path: str, low: float, high: float) -> Iterator[tuple[str, Range]]:
    """The figure under the name that is compared, and what it must be by its meaning."""
    head, _, last = path.rpartition(".")
    if path in ("rtp", "strategies.optimal"):
        yield "rtp", (low, high)
    elif last == "one_in":
        yield f"{head}.probability", (0.0, 1.0)
        yield f"{head}.probability", (1 / high if high > 0 else 2.0, 1 / low if low > 0 else math.inf)
    elif path == "volatility_index_90":
        yield "standard_deviation", (0.0, math.inf)
        yield "standard_deviation", (low / VOLATILITY * (1 - QUOTED), high / VOLATILITY * (1 + QUOTED))
    elif last == "probability" or path == "hit_frequency" or head == "win_at_least":
        yield path, (0.0, 1.0)
        yield path, (low, high)
    elif head == "components" or path.startswith("components.") or path == "standard_deviation":
        yield path, (0.0, math.inf)
        yield path, (low, high)
    else:
        yield path, (low, high)


def _sums(ranges: dict[str, Range]) -> Iterator[str]:
    """The RTP is the sum of its components, none of which is negative."""
    parts = sorted(path for path in ranges if path.startswith("components."))
    least = sum(ranges[path][0] for path in parts)
    most = ranges.get("rtp", (0.0, math.inf))[1]
    if least > most:
        named = " + ".join(path for path in parts if ranges[path][0] > 0)
        yield f"rtp: at most {most:.9g} can't hold, as {named} must be at least {least:.9g}"


def _order(ranges: dict[str, Range]) -> Iterator[str]:
    """No strategy returns less than the worst or more than the best; a rarer win is no likelier."""
    strategies = {p: r for p, r in ranges.items() if p.startswith("strategies.")}
    worst = strategies.get("strategies.worst", (-math.inf, math.inf))[0]
    best = ranges.get("rtp", (-math.inf, math.inf))[1] if strategies else math.inf
    for path, (low, high) in {**strategies, **({"rtp": ranges["rtp"]} if "rtp" in ranges else {})}.items():
        if path != "strategies.worst" and high < worst:
            yield f"strategies.worst: must be at most the target's {path}, but both can't hold: at least {worst:.9g} is above {high:.9g}"
        elif low > best and path != "strategies.worst":
            yield f"{path}: must be at most the target's rtp, but both can't hold: at least {low:.9g} is above {best:.9g}"
