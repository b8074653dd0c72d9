"""How many rounds a session plays before it counts, so that its banked Keys are those of a long-time player.

The bank moves by +k at rate (Keys saved a round) and by at most -m at each free-spin feature; between its bounds it
drifts at d = m P - kappa a round with a variance of about m^2 P + 2 kappa. A reflected walk of that kind forgets
its start like exp(-t d^2 / (2 variance)) (the spectral gap of reflected Brownian motion); before that, the first use
waits some m / kappa rounds. We play 20 such times: exp(-20) = 2e-9 of the start remains.
"""

from __future__ import annotations

SHORTEST = 1 << 14
LONGEST = 1 << 20
TIMES = 20


def burn_in_for_keys(rounds: int, saved: int, features: int, most_used: int) -> int:
    """Burn-in in rounds, from a pilot of ``rounds`` in which ``saved`` Keys and ``features`` were counted.

    At most 2^20: with a load near or above 1 the bank has no steady state within reach.

    >>> burn_in_for_keys(1_000_000, 1770, 2370, 3)
    34886
    """
    kappa, rate = max(saved, 1) / rounds, features / rounds
    drift = most_used * rate - kappa
    if drift <= 0:
        return LONGEST
    memory = max(2 * (most_used**2 * rate + 2 * kappa) / drift**2, most_used / kappa)
    return int(min(LONGEST, max(SHORTEST, TIMES * memory)))
