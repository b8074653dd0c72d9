"""Finished rounds of a run, kept beside its studies: who resumes or joins late doesn't search them again."""

from __future__ import annotations

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.optimise.study import StudySettings
from workbench.reels.files import canonical_bytes, parse_strip_set
from workbench.reels.strip_set import StripSet


def kept_round(settings: StudySettings, game: GameDefinition) -> tuple[float, StripSet] | None:
    """What a round missed and its strip set; None if it isn't finished or had another number of trials."""
    if settings.storage is None or not settings.resume:
        return None
    from workbench.optimise.ledger import Ledger

    page = Ledger.at(settings.storage).page(_name(settings))
    attributes = page.attributes() if page else {}
    if attributes.get("trials") != settings.trials or "strips" not in attributes:
        return None
    strips = parse_strip_set(str(attributes["strips"]).encode(), game, f"--study: {_name(settings)!r}")
    return float(attributes["missed"]), strips


def keep_round(settings: StudySettings, missed: float, strips: StripSet) -> None:
    """Keep a finished round; a follower leaves that to its leader."""
    if settings.storage is None or settings.follower is not None:
        return
    from workbench.optimise.ledger import Ledger

    ledger = Ledger.at(settings.storage)
    try:
        page = ledger.page(_name(settings)) or ledger.begun(_name(settings), {})
    except UsageError:
        return
    page.set("missed", missed)
    page.set("strips", canonical_bytes(strips).decode())
    page.set("trials", settings.trials)


def _name(settings: StudySettings) -> str:
    return f"{settings.name}.result"
