"""Sections of features: frequency, mean, laws of their inside; the player's strategies and where their RTP comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.game.features import FreeSpins, HoldAndSpin
from workbench.report.par_model import Cell, Column, Section, Table
from workbench.report.par_sources import Fact, Figures, Sources, exact, facts, filled

WORDS = {
    "re_spins": "re-spins a feature, mean",
    "with_free_spins": "P(a round with both features)",
    "spins": "spins a feature, mean",
    "played": "respins a feature, mean",
    "awarded_per_round": "free games awarded by a paid spin, mean",
    "awarded_per_free_game": "free games awarded by a free game, mean",
}


def features(of: Sources) -> Section | None:
    """How often each feature comes, what it wins, and the laws of what happens in it."""
    found: Figures = of.figures["features"]
    if not found:
        return None
    tables = [
        _frequencies("features", "Frequency and mean win", "feature", found),
        facts("features.facts", "Inside the features", _inside(found)),
        *_ladders(of, found),
        *_key_laws(found),
        *_modifier_tables(of.figures),
    ]
    note = "Probabilities are per round (a paid spin and all it leads to); mean wins are per feature, in total bets."
    return Section("features", "Features", filled(tables), (note,))


def _frequencies(name: str, title: str, first: str, rows: Figures) -> Table:
    columns = (
        *(Column(first, first.capitalize()), Column("probability", "Probability", "probability")),
        *(Column("one_in", "A round in", "one_in"), Column("mean_win", "Mean win", "bets")),
        Column("rtp", "Part of the RTP", "rtp"),
    )
    listed = tuple(
        (
            *(key, exact(row["probability"], "probability"), exact(row["one_in"], "one_in")),
            *(exact(row["mean_win"], "bets"), exact(row["probability"] * row["mean_win"], "rtp")),
        )
        for key, row in rows.items()
    )
    return Table(name, title, columns, listed)


def _inside(found: Figures) -> Iterator[Fact]:
    for name, row in found.items():
        for key, words in WORDS.items():
            if key in row:
                yield f"features.{name}.{key}", f"{name}: {words}", exact(row[key], "number")


def _ladders(of: Sources, found: Figures) -> Iterator[Table]:
    """P(the prize is that of level and step), given the feature."""
    for feature in of.game.features:
        law: Sequence[Sequence[float]] = []
        if isinstance(feature, HoldAndSpin | FreeSpins):
            law = found.get(feature.name, {}).get("ladder", [])
        if law:
            steps = tuple(Column(f"step_{s + 1}", f"Step {s + 1}", "probability") for s in range(len(law[0])))
            rows = tuple(
                (f"Level {i + 1}", *(exact(p, "probability") for p in row)) for i, row in enumerate(law)
            )
            title = f"{feature.name}: probability of each prize of its ladder, given the feature"
            yield Table(f"features.{feature.name}.ladder", title, (Column("level", "Level"), *steps), rows)


def _key_laws(found: Figures) -> Iterator[Table]:
    """Keys won in a feature, and used at the start of one."""
    for name, row in found.items():
        if row.get("keys"):
            columns = (Column("keys", "Keys", "count"), Column("probability", "Probability", "probability"))
            rows = tuple((k, exact(p, "probability")) for k, p in enumerate(row["keys"]))
            yield Table(f"features.{name}.keys", f"{name}: Keys won, given the feature", columns, rows)
        if row.get("used_keys") and len(row["used_keys"]) > 2:
            headings = (
                *(Column("keys", "Keys used", "count"), Column("probability", "Probability", "probability")),
                Column("prize", "Mean ladder prize", "bets"),
            )
            pairs = zip(row["used_keys"], row["fortune_wins_by_used_keys"], strict=True)
            used = tuple((u, exact(p, "probability"), exact(win, "bets")) for u, (p, win) in enumerate(pairs))
            yield Table(
                f"features.{name}.used_keys", f"{name}: banked Keys used, given the feature", headings, used
            )


def _modifier_tables(figures: Figures) -> Iterator[Table]:
    sets: Mapping[str, Any] = figures.get("modifier_sets", {})
    if not sets:
        return
    yield _frequencies("modifier_sets", "Modifier sets", "set", sets)
    yield _parts(sets)
    yield _chances("colours", "Colours in sight of a paid spin", "Colours", figures.get("colours", {}))
    yield _jackpots(figures.get("jackpots", {}))
    yield _filled(figures["filled"])


def _parts(sets: Mapping[str, Any]) -> Table:
    names = list(dict.fromkeys(name for row in sets.values() for name in row["parts"]))
    columns = (
        *(Column("set", "Set"), Column("standard_deviation", "Deviation", "bets")),
        *(
            Column("respins", "Respins, mean", "number"),
            Column("cells_filled", "Cells filled, mean", "number"),
        ),
        Column("full_grid_probability", "P(full grid)", "probability"),
        *(Column(f"part_{name}", f"Mean win: {name}", "bets") for name in names),
    )
    rows = tuple(
        (
            *(name, exact(row["standard_deviation"], "bets"), exact(row["respins"], "number")),
            *(exact(row["cells_filled"], "number"), exact(row["full_grid"], "probability")),
            *(exact(row["parts"].get(part, 0.0), "bets") for part in names),
        )
        for name, row in sets.items()
    )
    return Table("modifier_sets.parts", "Modifier sets: what a start of the respins wins", columns, rows)


def _chances(name: str, title: str, first: str, law: Mapping[str, float]) -> Table:
    columns = (Column("name", first), Column("probability", "Probability", "probability"))
    return Table(name, title, columns, tuple((key, exact(p, "probability")) for key, p in law.items()))


def _jackpots(found: Mapping[str, Any]) -> Table:
    columns = (
        *(Column("name", "Jackpot"), Column("value", "Prize", "bets")),
        *(Column("per_round", "Awards a round", "number"), Column("one_in", "A round in", "one_in")),
        Column("rtp", "Part of the RTP", "rtp"),
    )
    rows = tuple(
        (
            *(name, row["value"], exact(row["per_round"], "number"), exact(row["one_in"], "one_in")),
            exact(row["per_round"] * row["value"], "rtp"),
        )
        for name, row in found.items()
    )
    note = "Jackpots count in rounds that fill the grid too, where the full grid pays in their place."
    return Table("jackpots", "Jackpots", columns, rows, (note,))


def _filled(laws: Mapping[str, Mapping[str, float]]) -> Table:
    """Cells filled at the end of the respins, by set."""
    most = max(len(law) for law in laws.values())
    columns = (
        Column("cells", "Cells filled", "count"),
        *(Column(f"set_{i}", name, "probability") for i, name in enumerate(laws)),
    )
    rows: list[tuple[Cell, ...]] = [
        (n, *(exact(law.get(str(n)), "probability") for law in laws.values())) for n in range(most)
    ]
    return Table("modifier_sets.filled", "Cells filled at the end, by set", columns, tuple(rows))


def strategies(of: Sources) -> Section | None:
    """The RTP of each of the player's strategies, and from which components the range comes."""
    found: Mapping[str, float] = of.figures.get("strategies", {})
    if not found:
        return None
    tables = [_by_strategy(of, found), _range(of), *_keys(of.figures), _exceptions(of.figures)]
    note = "The player's choices are what to do with Keys; RTPs are long-run averages."
    return Section("strategies", "Strategies of the player", filled(tables), (note,))


def _by_strategy(of: Sources, found: Mapping[str, float]) -> Table:
    names = list(of.figures["components"])
    columns = (
        *(Column("strategy", "Strategy"), Column("rtp", "RTP", "rtp")),
        Column("below", "Below optimal", "rtp"),
        *(Column(f"component_{name}", name, "rtp") for name in names),
    )
    rows = tuple(
        (
            *(name, exact(rtp, "rtp"), exact(found["optimal"] - rtp, "rtp")),
            *(exact(of.components[name][part], "rtp") for part in names),
        )
        for name, rtp in found.items()
    )
    return Table("strategies", "RTP of each strategy, by component", columns, rows)


def _range(of: Sources) -> Table:
    worst, best = of.components["worst"], of.components["optimal"]
    columns = (
        *(Column("component", "Component"), Column("worst", "Worst", "rtp")),
        *(Column("optimal", "Optimal", "rtp"), Column("difference", "Difference", "rtp")),
    )
    rows = [
        (name, exact(worst[name], "rtp"), exact(best[name], "rtp"), exact(best[name] - worst[name], "rtp"))
        for name in best
    ]
    low, high = of.figures["strategies"]["worst"], of.figures["strategies"]["optimal"]
    total = ("total", exact(low, "rtp"), exact(high, "rtp"), exact(high - low, "rtp"))
    return Table("strategies.range", "Where the range of the RTP comes from", columns, (*rows, total))


KEYS = {
    "value": "worth of a banked Key, in bets",
    "won_per_round": "Keys won a round",
    "saved_per_round": "Keys saved a round",
    "load": "load: Keys saved over Keys that can be used",
    "mean_banked": "Keys banked, mean",
}


def _keys(figures: Figures) -> Iterator[Table]:
    rows: list[Fact] = [(f"keys.{k}", KEYS.get(k, k), exact(v, "number")) for k, v in figures["keys"].items()]
    at = figures["optimal_policy"]["use_at"]
    uses = "never" if at is None else exact(at, "count")
    rows.append(("optimal_policy.use_at", "least bank at which the optimal policy uses Keys", uses))
    rows += [
        (f"autoplay_cost.{k}", f"RTP lost by autoplay: {k}", exact(v, "rtp"))
        for k, v in figures["autoplay_cost"].items()
    ]
    yield facts("keys", f"Keys, strategy {figures['strategy']}", rows)
    columns = (Column("rounds", "Rounds", "count"), Column("rtp", "RTP", "rtp"))
    early = tuple((int(n), exact(rtp, "rtp")) for n, rtp in figures["new_player"].items())
    yield Table(
        "new_player", "RTP of a new player, with an empty bank, over the first rounds", columns, early
    )


def _exceptions(figures: Figures) -> Table:
    columns = (
        *(Column("optimal", "Optimal choice"), Column("advertised", "Advertised choice")),
        *(Column("step", "Step", "count"), Column("keys", "Keys", "count"), Column("banked", "Banked")),
        *(Column("follow", "Free Spins"), Column("probability", "P a round", "probability")),
    )
    rows = tuple(
        (
            *(row["optimal"], row["advertised"], row.get("step"), row.get("keys"), _banked(row["banked"])),
            *(_follow(row.get("free_spins_follow")), exact(row.get("probability"), "probability")),
        )
        for row in figures["optimal_policy"]["exceptions"]
    )
    return Table("optimal_policy", "Where the optimal choice isn't the advertised one", columns, rows)


def _banked(banked: int | list[int | None]) -> str:
    return str(banked) if isinstance(banked, int) else f"{banked[0]} and more"


def _follow(follows: bool | None) -> str | None:
    return None if follows is None else "follow" if follows else "don't follow"
