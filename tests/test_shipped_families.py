"""The shipped families of RTPs: every rung meets its target on figures that come out now, and differs in little."""

import json
from pathlib import Path

import pytest

from workbench.compare.strips import differences_of
from workbench.game import find_game, load_definition
from workbench.optimise.gauge import gauge_of
from workbench.optimise.target import misses, read_target
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes, load_strip_set, sha256_of

ROOT = Path(__file__).parents[1]
FAMILIES = {
    "codex-of-fortune": {
        "variant-90.2": 0.902,
        "variant-92": 0.92,
        "variant-94": 0.94,
        "variant-96": 0.96,
        "variant-98": 0.98,
    },
    "spellmaster": {"rtp-90.5": 0.905, "rtp-92": 0.92, "rtp-94.5": 0.945, "rtp-96.5": 0.965},
}
MOST_WEIGHTS = {"codex-of-fortune": 4, "spellmaster": 4}


@pytest.fixture(scope="module", params=FAMILIES)
def rungs(request):
    """(game, [(name, rtp, strips, stored figures, figures now)])."""
    folder = ROOT / "strips" / request.param
    game = load_definition(find_game(request.param))
    found, gauge = [], None
    for name, rtp in FAMILIES[request.param].items():
        strips = load_strip_set(folder / f"{name}.json", game)
        stored = json.loads((folder / f"{name}.figures.json").read_text())
        gauge = gauge or gauge_of(game, read_target(folder / f"{name}.target.toml"))
        found.append((name, rtp, strips, stored, gauge(strips)))
    return game, found


def test_each_rung_returns_what_its_name_says(rungs):
    _, found = rungs
    for name, rtp, strips, stored, now in found:
        assert strips.name == name
        assert abs(now["rtp"] - rtp) <= 1e-6
        assert abs(stored["rtp"] - now["rtp"]) <= 1e-11
        assert stored["sha256"] == sha256_of(canonical_bytes(strips))


def test_targets_and_strip_rules_hold(rungs):
    game, found = rungs
    for name, rtp, strips, stored, now in found:
        target = read_target(ROOT / "strips" / game.game / f"{name}.target.toml")
        assert target.name == name and target.figure("rtp").value == rtp
        assert [m for m in misses(target, stored) if m.importance == "hard"] == []
        assert [m for m in misses(target, now, known_only=True) if m.importance == "hard"] == []
        assert breaches(strips, game, target.strip_rules) == ()
        cap = stored.get("estimates", {}).get("cap")
        assert cap is None or abs(now["rtp"] - cap["at_most"] - rtp) <= 1e-6


def test_neighbours_have_the_same_strips_and_rates_and_differ_in_few_weights(rungs):
    game, found = rungs
    report = json.loads((ROOT / "reports/families" / f"{game.game}.json").read_text())["ladder"]
    assert [rung["name"] for rung in report] == [name for name, *_ in found]
    for (_, _, first, _, before), (name, _, second, _, after), rung in zip(
        found, found[1:], report[1:], strict=False
    ):
        assert first.reels == second.reels
        assert after["hit_frequency"] == before["hit_frequency"]
        for feature, figures in before["features"].items():
            assert after["features"][feature]["probability"] == pytest.approx(
                figures["probability"], abs=1e-15
            )
        weights = differences_of(first, second)[1]
        assert 2 <= len(weights) <= MOST_WEIGHTS[game.game], name
        assert rung["from_below"]["weights"] == len(weights) and rung["from_below"]["stops"] == 0
