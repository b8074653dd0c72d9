"""The optimal policy as figures: from which bank it uses Keys, and where it differs from the advertised choice."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.features.keys import Policy
from workbench.value.round import RoundValue

UNLISTED = 1e-15


def optimal_policy(value: RoundValue) -> dict[str, Any]:
    """The least bank at which the optimal policy uses Keys, and every choice by which it differs from ``advertised``.

    A choice is listed only if it is better by more than 1e-9 bets, and comes up more than once in 1e15 rounds;
    ``banked`` is a number, or [b, null] for "from b on". Steps count from 1.
    """
    found = value.solution("optimal")
    used = np.flatnonzero(found.policy.use)
    return {
        "use_at": int(used[0]) if len(used) else None,
        "exceptions": [*_save_exceptions(value, found.policy), *_use_exceptions(value, found.policy)],
    }


def _use_exceptions(value: RoundValue, policy: Policy) -> list[dict[str, Any]]:
    least = value.key_game.most_used
    banks = [b for b in range(1, len(policy.use)) if bool(policy.use[b]) != (b >= least)]
    rows = []
    for banked in _runs(banks, len(policy.use) - 1):
        uses = bool(policy.use[banked[0] if isinstance(banked, list) else banked])
        choice, other = ("use", "keep") if uses else ("keep", "use")
        rows.append({"decision": "use", "banked": banked, "advertised": other, "optimal": choice})
    return rows


def _save_exceptions(value: RoundValue, policy: Policy) -> list[dict[str, Any]]:
    law = value.key_game.law
    rows = []
    for f in (0, 1):
        for s in range(law.shape[1]):
            for k in range(1, law.shape[2]):
                if law[f, s, k] < UNLISTED:
                    continue
                banks = np.flatnonzero(~policy.save[:, f, s, k]).tolist()
                for banked in _runs(banks, len(policy.use) - 1):
                    rows.append(
                        {
                            "decision": "save",
                            "free_spins_follow": bool(f),
                            "step": s + 1,
                            "keys": k,
                            "banked": banked,
                            "advertised": "save",
                            "optimal": "use",
                            "probability": float(law[f, s, k]),
                        }
                    )
    return rows


def _runs(banks: list[int], last: int) -> list[int | list[int | None]]:
    """Banks one by one, but a run that reaches the last as [first, None]."""
    found: list[int | list[int | None]] = list(banks)
    run = len(banks)
    while run and banks[run - 1] == last - (len(banks) - run):
        run -= 1
    if len(banks) - run > 1:
        found = [*banks[:run], [banks[run], None]]
    return found
