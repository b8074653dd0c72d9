"""The PAR sheet of a strip set as data: every section that applies to the game, each figure with its status.

Figures are those of ``evaluate``, the law of a round, and the witness's verdict; nothing is computed here but sums, differences
and shares of them.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.report import par_features, par_returns, par_rules, par_sensitivity, par_spread, par_strips
from workbench.report.par_model import ParSheet, Section
from workbench.report.par_sources import Figures, Sources
from workbench.value.evaluate import figures_of
from workbench.value.round_law import RoundLaw, law_of

SECTIONS: tuple[Callable[[Sources], Section | None], ...] = (
    *(par_rules.identification, par_returns.summary, par_rules.assumptions),
    *(par_strips.strips, par_strips.counts, par_rules.paytable, par_rules.lines),
    *(par_returns.hits, par_returns.split_section, par_features.features, par_strips.wheels),
    *(par_features.strategies, par_spread.volatility, par_spread.win_bands),
    *(par_returns.top_prize, par_spread.simulated, par_sensitivity.sensitivity),
)


def par_sheet(of: Sources) -> ParSheet:
    """The sheet; sections that don't apply are left out."""
    found = (make(of) for make in SECTIONS)
    return ParSheet(
        title=of.game.title,
        game=of.game.game,
        strip_set=of.strips.name,
        sha256=of.figures["sha256"],
        definition_sha256=of.figures["definition_sha256"],
        workbench_version=of.figures["workbench_version"],
        error_bound=of.figures["error_bound"],
        sections=tuple(
            section for section in found if section is not None and (section.tables or section.notes)
        ),
    )


def gather(
    game: GameDefinition, strips: StripSet, sha256: str | None = None, simulation: Figures | None = None
) -> Sources:
    """Evaluate a strip set and compute the law of its round: all that a sheet is made from.

    ``sha256`` is that of the file the set was read from (None: of its canonical file); ``simulation`` the verdict of a
    simulation with its ``rounds`` and ``seed``. Raises what the evaluation raises.
    """
    figures = figures_of(game, strips, None, sha256)
    components = _components(game, strips, figures)
    return Sources(game, strips, figures, components, _law(game, strips), simulation)


def _law(game: GameDefinition, strips: StripSet) -> RoundLaw | str:
    """The law of a round, or why it can't be had."""
    try:
        return law_of(game, strips)
    except UsageError as error:
        return str(error)


def _components(game: GameDefinition, strips: StripSet, figures: Figures) -> dict[str, dict[str, float]]:
    """The RTP's parts under every strategy of the player."""
    if "strategies" not in figures:
        return {}
    from workbench.value.round import evaluate

    value = evaluate(game, strips)
    return {name: value.components(name) for name in figures["strategies"]}
