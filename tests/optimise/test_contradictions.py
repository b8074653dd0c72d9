"""Contradictions of targets: rules against all strips there are, figures by name."""

import itertools
import random

import pytest

from workbench.errors import TargetError
from workbench.game import find_game, load_definition
from workbench.game.strip_rules import CountRule, LengthRule, ShareRule, SpacingRule, StackRule, SymbolsRule
from workbench.optimise.contradictions import contradictions, has_room
from workbench.optimise.run import check_request
from workbench.optimise.study import StudySettings
from workbench.optimise.target import default_target, parse_target

SYMBOLS = ("A", "B", "C")


def _keeps(strip, rule):
    """Whether a strip keeps a rule, from the words of the rule."""
    n = len(strip)
    match rule:
        case LengthRule():
            return rule.least <= n <= rule.most
        case SymbolsRule():
            return set(strip) <= set(rule.symbols)
        case CountRule():
            return all(rule.least <= strip.count(s) <= rule.most for s in rule.symbols)
        case ShareRule():
            return all(strip.count(s) <= rule.most * n + 1e-9 for s in rule.symbols)
        case SpacingRule():
            marks = [i for i, s in enumerate(strip) if s in rule.symbols]
            return all(
                min((b - a) % n, (a - b) % n) >= rule.apart for a, b in itertools.combinations(marks, 2)
            )
        case StackRule():
            return not any(
                all(strip[(i + k) % n] == s for k in range(rule.most + 1))
                for s in rule.symbols
                for i in range(n)
                if n > rule.most
            )
    raise AssertionError(rule)


def _rules(rng):
    pick = lambda: tuple(rng.sample(SYMBOLS, rng.randint(1, 2)))  # noqa: E731
    low = rng.randint(2, 6)
    made = [
        lambda: SymbolsRule(kind="symbols", reels="base", symbols=pick()),
        lambda: CountRule(
            kind="count", reels="base", symbols=pick(), least=rng.randint(0, 3), most=rng.randint(3, 5)
        ),
        lambda: CountRule(kind="count", reels="base", symbols=pick(), most=rng.randint(0, 2)),
        lambda: ShareRule(kind="share", reels="base", symbols=pick(), most=rng.choice((0.2, 0.3, 0.5))),
        lambda: StackRule(kind="stack", reels="base", symbols=pick(), most=rng.randint(1, 2)),
        lambda: SpacingRule(kind="spacing", reels="base", symbols=pick(), apart=rng.randint(2, 4)),
    ]
    length = LengthRule(kind="length", reels="base", least=low, most=min(6, low + 1))
    return [length, *(rng.choice(made)() for _ in range(rng.randint(1, 4)))]


def test_what_is_called_impossible_is_and_little_else_is_missed():
    rng = random.Random(7)
    impossible = named = 0
    for _ in range(150):
        rules = _rules(rng)
        strips = itertools.chain.from_iterable(itertools.product(SYMBOLS, repeat=n) for n in range(2, 7))
        exists = any(all(_keeps(strip, rule) for rule in rules) for strip in strips)
        room = has_room(SYMBOLS, rules)
        assert room or not exists, rules
        impossible += not exists
        named += not room
    assert impossible > 20 and named >= 0.8 * impossible


def _target(figures="", rules=""):
    head = 'format = "workbench.target/1"\ngame = "codex-of-fortune"\nname = "x"\n'
    return parse_target((head + figures + rules).encode(), "x")


def _figure(path, words):
    return f'[[figures]]\nfigure = "{path}"\n{words}\n'


@pytest.fixture(scope="module")
def codex():
    return load_definition(find_game("codex-of-fortune"))


@pytest.mark.parametrize("game", ["codex-of-fortune", "spellmaster"])
def test_the_shipped_targets_hold_together(game):
    assert contradictions(load_definition(find_game(game)), default_target(game)) == []


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        (
            _figure("rtp", "value = 0.9") + _figure("components.lines", "least = 0.95"),
            "rtp: at most 0.9 can't hold, as components.lines",
        ),
        (
            _figure("rtp", "value = 0.9")
            + _figure("components.lines", "least = 0.5")
            + _figure("components.re_spins.lines", "least = 0.5"),
            "components.lines + components.re_spins.lines must be at least 1",
        ),
        (_figure("hit_frequency", "least = 1.2"), "hit_frequency: 1.2 to inf can't hold"),
        (_figure("features.free_spins.one_in", "most = 0.5"), "features.free_spins.one_in"),
        (
            _figure("features.free_spins.one_in", "least = 100")
            + _figure("features.free_spins.probability", "least = 0.02"),
            "features.free_spins.probability: 0.02 to inf can't hold",
        ),
        (
            _figure("rtp", "value = 0.9") + _figure("strategies.worst", "least = 0.91"),
            "strategies.worst: must be at most the target's rtp",
        ),
        (_figure("rtp", "value = 0.9") + _figure("strategies.optimal", "least = 0.91"), "strategies.optimal"),
        (
            _figure("standard_deviation", "most = 5") + _figure("volatility_index_90", "least = 9"),
            "volatility_index_90",
        ),
    ],
)
def test_figures_that_contradict_are_named(codex, figures, says):
    found = contradictions(codex, _target(figures))
    assert len(found) == 1 and says in found[0], found


def test_soft_figures_never_contradict(codex):
    soft = 'value = 0.95\nimportance = "soft"'
    assert (
        contradictions(codex, _target(_figure("rtp", "value = 0.9") + _figure("components.lines", soft)))
        == []
    )


def test_the_rules_named_are_those_that_clash(codex):
    rules = (
        '[[strip_rules]]\nkind = "stack"\nreels = "base"\nsymbols = ["Lion"]\nmost = 3\n'
        '[[strip_rules]]\nkind = "count"\nreels = "base"\non = [0]\nsymbols = ["Scatter"]\nleast = 12\n'
        '[[strip_rules]]\nkind = "length"\nreels = "base"\nleast = 20\nmost = 40\n'
    )
    found = contradictions(codex, _target(_figure("rtp", "value = 0.9"), rules))
    assert len(found) == 1
    assert "base reel 1 can't keep" in found[0] and "Scatter 4 apart" in found[0]
    assert (
        "strip_rules[1] (count of Scatter 12" in found[0] and "strip_rules[2] (length 20 to 40)" in found[0]
    )
    assert "Lion" not in found[0]


def test_a_request_is_refused_before_the_search(codex):
    target = _target(_figure("hit_frequency", "most = -0.5"))
    with pytest.raises(TargetError, match="hit_frequency"):
        check_request(codex, target, StudySettings("x", 1, 8, 1, None, False))
