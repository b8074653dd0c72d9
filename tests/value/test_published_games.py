"""Published games, through definition files and the ordinary way of evaluation, against their verified results.

``expected`` are figures the source prints, ``computed`` those of a full enumeration; where a note says that a published
figure is wrong, ``computed`` is right and the test says so.
"""

import json
import math

import pytest
from click.testing import CliRunner

from tests.vectors.slotvec import line_vectors, vector, write
from workbench.cli import cli

RTP = 1e-12
DEVIATION = 1e-9
# published as approximations without P(1-P)E^2 and without the covariance of the triggering win with the award
WRONG_DEVIATIONS = {
    "slotopol_discobabylon_95_409091": 14.7821,
    "slotopol_fruitshop_95_487385": 4.42844,
}


@pytest.fixture(scope="module", params=line_vectors())
def published(request, tmp_path_factory):
    v = vector(request.param)
    _, strips = write(v, tmp_path_factory.mktemp("published"))
    result = CliRunner().invoke(cli, ["evaluate", str(strips), "--json"])
    assert result.exit_code == 0, result.output
    return v, json.loads(result.stdout)


def test_every_published_game_is_there():
    assert len(line_vectors()) == 11


def test_rtp(published):
    v, figures = published
    assert figures["rtp"] == pytest.approx(v["computed"]["rtp_total"], rel=0, abs=RTP)
    numerator, denominator = map(int, figures["rtp_exact"].split("/"))
    assert figures["rtp"] == numerator / denominator
    printed = str(v["expected"]["rtp_total_pct"])
    places = len(printed.partition(".")[2])
    assert f"{100 * figures['rtp']:.{places}f}" == printed


def test_components(published):
    v, figures = published
    c, parts = v["computed"], figures["components"]
    base = {**c, **c.get("base", {})}
    for name, part in (("rtp_line", "lines"), ("rtp_scatter", "scatter")):
        if name in base:
            assert parts[part] == pytest.approx(base[name], rel=0, abs=RTP)
    if "rtp_bonus" in c:
        bonus = sum(value for name, value in parts.items() if name not in ("lines", "scatter"))
        assert bonus == pytest.approx(c["rtp_bonus"], rel=0, abs=RTP)
    if "rtp_symbols" in base:
        assert figures["spins"]["base"]["mean_win"] == pytest.approx(base["rtp_symbols"], rel=0, abs=RTP)


def test_hits(published):
    v, figures = published
    c = {**v["computed"], **v["computed"].get("base", {})}
    assert figures["cycle"] == v["computed"]["total_combinations"]
    if "line_hit_combos" in c:
        assert figures["hits"] == c["line_hit_combos"]
        coins = sum(row["hits"] * row["lines"] * row["pay"] for row in figures["combinations"])
        assert coins == c["line_credit_sum"]
    if "line_hit_combinations" in c:
        hits = {f"{row['symbol']} x{row['count']}": row["hits"] for row in figures["combinations"]}
        assert hits == c["line_hit_combinations"]
    if "single_line_hits" in c:
        pays: dict[str, int] = {}
        for row in figures["combinations"]:
            pays[str(row["pay"])] = pays.get(str(row["pay"]), 0) + row["hits"]
        assert pays == {pay: n for pay, n in c["single_line_hits"].items() if pay != "0"}


def test_hit_frequency(published):
    v, figures = published
    c = {**v["computed"], **v["computed"].get("base", {})}
    if v["id"] == "harrigan_lobstermania_962":
        # the PAR sheet adds up lines, Scatter pays and bonuses; hit_frequency counts a spin with two of them once
        parts = [row["hits"] * row["lines"] / figures["cycle"] for row in figures["combinations"]]
        scatter = figures["features"]["scatter"]["probability"]
        assert sum(parts) + scatter == pytest.approx(c["hit_frequency"], rel=0, abs=RTP)
        assert max(sum(parts), scatter) < figures["hit_frequency"] < c["hit_frequency"]
        return
    expected = c.get("hit_frequency", c.get("hit_frequency_20_lines"))
    assert figures["hit_frequency"] == pytest.approx(expected, rel=0, abs=RTP)


def test_scatters(published):
    v, figures = published
    hits = {**v["computed"], **v["computed"].get("base", {})}.get("scatter_count_hits")
    if hits is None:
        return
    listed = hits if isinstance(hits, dict) else {str(k): n for k, n in enumerate(hits)}
    law = figures["in_sight"][v["scatters"]["symbol"]]
    assert {k: round(p * figures["cycle"]) for k, p in law.items() if p} == {
        k: n for k, n in listed.items() if n
    }


def test_free_games(published):
    v, figures = published
    free = v["computed"].get("free")
    if free is None:
        return
    spin, feature = figures["spins"]["free_games"], figures["features"]["free_games"]
    base = v["computed"]["base"]
    found = {
        "q": (feature["awarded_per_free_game"], free["q"]),
        "base q": (feature["awarded_per_round"], base["q"]),
        "mean": (spin["mean_win"], free["rtp_symbols"]),
        "with retriggers": (spin["mean_win_with_retriggers"], free["rtp_incl_retriggers"]),
        "trigger": (feature["probability"], base.get("feature_trigger_prob", base.get("p_any_free_spins"))),
        "retrigger": (
            spin["retrigger_probability"],
            free.get("retrigger_prob", free.get("p_any_free_spins")),
        ),
        "hit": (spin["hit_frequency"], free.get("hit_frequency", spin["hit_frequency"])),
    }
    for name, (ours, theirs) in found.items():
        assert ours == pytest.approx(theirs, rel=0, abs=RTP), name
    assert spin["standard_deviation"] == pytest.approx(free["sd"], rel=0, abs=DEVIATION)


def test_standard_deviations(published):
    v, figures = published
    c = {**v["computed"], **v["computed"].get("base", {})}
    if "sd_total_round" in c:
        assert figures["standard_deviation"] == pytest.approx(c["sd_total_round"], rel=0, abs=DEVIATION)
    spin = c.get("sd", c.get("sd_base_spin"))
    if spin is not None:
        found = figures["spins"]["base"]["standard_deviation"]
        assert found == pytest.approx(spin, rel=0, abs=DEVIATION)
    if v["id"] in WRONG_DEVIATIONS:
        assert abs(figures["standard_deviation"] - WRONG_DEVIATIONS[v["id"]]) > 0.4


def test_atkins_diet_as_printed(published):
    v, figures = published
    if v["id"] != "woo_atkins_diet":
        return
    expected, parts = v["expected"], figures["components"]
    assert round(100 * parts["lines"], 2) == expected["rtp_line_pct"]
    assert round(100 * parts["scatter"], 3) == expected["rtp_scatter_pct"]
    hits = sum(row["hits"] for row in figures["combinations"]) / figures["cycle"]
    assert round(100 * hits, 2) == expected["line_hit_frequency_pct"]
    feature = figures["features"]["free_games"]
    assert round(feature["probability"], 6) == expected["p_bonus"]
    assert round(feature["spins"], 6) == expected["expected_spins_per_bonus"]
    assert round(feature["mean_win"], 6) == expected["bonus_win_x_bet"]


def test_lobstermania_as_printed(published):
    v, figures = published
    if v["id"] != "harrigan_lobstermania_962":
        return
    c, expected = v["computed"], v["expected"]
    top, bonus = figures["top_prize"], figures["features"]["buoys"]
    assert (top["value"], round(top["one_in"])) == (10_000, expected["jackpot_1_in"])
    assert round(bonus["one_in"]) == expected["bonus_1_in"]
    assert bonus["mean_win"] == pytest.approx(c["bonus_mean"], rel=RTP)
    assert round(100 * c["hit_frequency"], 1) == expected["hit_frequency_pct"]
    lines_only = figures["spins"]["base"]["standard_deviation"] ** 2
    assert math.isfinite(lines_only) and lines_only > c["bonus_sd"] ** 2 / bonus["one_in"]
